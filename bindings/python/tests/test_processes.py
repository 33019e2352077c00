"""One handle, many threads, and a fork in the middle: nothing is lost and nobody waits for Python's lock."""

import os
import threading
from pathlib import Path

import memorax_code as memorax
import pytest

EACH = 20


def test_threads_share_a_handle(memory: memorax.Memorax) -> None:
    failures: list[BaseException] = []

    def write(writer: int) -> None:
        try:
            for number in range(EACH):
                memory.remember(f"Module {writer}.{number} owns table {writer * 100 + number}.", kind="fact")
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(memory.list()) == 4 * EACH


def test_other_threads_run_while_a_call_works(memory: memorax.Memorax) -> None:
    steps = 0
    done = threading.Event()

    def count() -> None:
        nonlocal steps
        while not done.is_set():
            steps += 1

    counter = threading.Thread(target=count)
    counter.start()
    before = steps
    for number in range(5):
        memory.remember(f"Table {number} has {number + 7} columns.", kind="fact")
    after = steps
    done.set()
    counter.join()
    assert after > before, "calls let other threads run"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only Unix forks")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_parent_and_child_write_through_a_handle_opened_before_the_fork(
    repository: Path, home: Path, memory: memorax.Memorax
) -> None:
    memory.remember("Written before the fork.", kind="fact")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for number in range(EACH):
                memory.remember(f"Child fact {number}: port {9000 + number}.", kind="fact")
            code = 0
        finally:
            os._exit(code)
    for number in range(EACH):
        memory.remember(f"Parent fact {number}: port {4000 + number}.", kind="fact")
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    expected = {"Written before the fork."}
    expected |= {f"Child fact {number}: port {9000 + number}." for number in range(EACH)}
    expected |= {f"Parent fact {number}: port {4000 + number}." for number in range(EACH)}
    assert {found.text for found in memory.list()} == expected
    with memorax.open(repository, home=home) as fresh:
        assert {found.text for found in fresh.list()} == expected
