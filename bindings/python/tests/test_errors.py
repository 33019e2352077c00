"""Errors are classes to act on, below one base, with the next step where there is one."""

from pathlib import Path

import memorax_code as memorax
import pytest


def test_an_unknown_id_is_not_found(memory: memorax.Memorax) -> None:
    with pytest.raises(memorax.NotFound) as raised:
        memory.show("0190a0a0-0000-7000-8000-000000000000")
    assert raised.value.kind == "not_found"
    assert isinstance(raised.value, memorax.Error)


def test_a_wrong_kind_names_the_known_ones(memory: memorax.Memorax) -> None:
    with pytest.raises(memorax.InvalidInput, match="no kind `opinion`; known: decision, ") as raised:
        memory.remember("Tabs are better.", kind="opinion")  # type: ignore[arg-type]
    assert isinstance(raised.value, ValueError)


def test_a_text_without_words_is_refused(memory: memorax.Memorax) -> None:
    with pytest.raises(memorax.InvalidInput):
        memory.remember("  \n", kind="fact")
    assert memory.list() == []


def test_a_missing_folder_is_an_error_of_the_package(tmp_path: Path) -> None:
    with pytest.raises(memorax.Error):
        memorax.open(tmp_path / "nowhere", home=tmp_path / "home")


def test_a_closed_handle_says_so(memory: memorax.Memorax) -> None:
    memory.close()
    memory.close()
    with pytest.raises(memorax.InvalidInput, match="is closed"):
        memory.list()


def test_every_exception_has_one_base() -> None:
    classes = [value for value in vars(memorax).values() if isinstance(value, type)]
    exceptions = [value for value in classes if issubclass(value, Exception)]
    assert len(exceptions) == 12
    assert all(issubclass(exception, memorax.Error) for exception in exceptions)
    assert issubclass(memorax.Io, OSError)
