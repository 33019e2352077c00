"""What is remembered comes back, typed and with its origin."""

from datetime import datetime, timedelta, timezone
from pathlib import Path

import memorax_code as memorax
import pytest

DECISION = "We chose redb as the storage engine: one file, crash safe."


def test_a_decision_comes_back_with_its_origin(memory: memorax.Memorax) -> None:
    written = memory.remember(DECISION, kind="decision", tags=["storage"])
    assert written.outcome == "created"

    shown = memory.show(written.id)
    assert (shown.deleted, shown.waiting) == (False, False)
    found = shown.memory
    assert (found.id, found.kind, found.text, found.tags) == (written.id, "decision", DECISION, ["storage"])
    assert (found.status, found.trust, found.everywhere, found.path) == ("active", "agent", False, None)
    assert (found.actor, found.session) == ("tester", "session-1")
    assert found.commit is not None and len(found.commit) == 40
    assert found.created.tzinfo is not None
    assert abs(datetime.now(timezone.utc) - found.created) < timedelta(minutes=5)


def test_recall_answers_within_the_budget_and_says_why(memory: memorax.Memorax) -> None:
    memory.remember(DECISION, kind="decision")
    recall = memory.recall("which storage engine do we use?", budget=300)
    assert recall and "redb" in recall.text
    assert 0 < recall.tokens <= 300
    assert [hit.memory.text for hit in recall.hits] == [DECISION]
    assert recall.hits[0].why, "every hit says why"


def test_nothing_comes_back_where_nothing_fits(memory: memorax.Memorax) -> None:
    memory.remember(DECISION, kind="decision")
    recall = memory.recall("paint the bicycle shed green", files=0)
    assert not recall
    assert (recall.text, recall.hits) == ("", [])


def test_a_rejected_proposal_is_recognised(memory: memorax.Memorax) -> None:
    memory.remember("Rejected: move the store to SQLite. It needs a C compiler.", kind="rejection")
    check = memory.check("let us move the store to SQLite")
    assert check.denies
    assert [hit.memory.kind for hit in check.rejections] == ["rejection"]
    assert memory.check("add a test for the parser").rejections == []


def test_init_finds_the_files(memory: memorax.Memorax) -> None:
    found = memory.init()
    assert (found["view"]["files"], found["view"]["commits"]) == (1, 1)
    assert "store.py" in memory.recall("where does commit_batch live?").text


def test_the_brief_names_what_was_decided(memory: memorax.Memorax) -> None:
    memory.remember(DECISION, kind="decision")
    brief = memory.brief(budget=1500)
    assert "redb" in brief
    assert brief == memory.brief(budget=1500), "the same state gives the same bytes"


def test_edit_feedback_and_forget_change_what_is_listed(memory: memorax.Memorax) -> None:
    first = memory.remember(DECISION, kind="decision").id
    second = memory.remember("Run the tests with cargo xtask test.", kind="command").id
    assert [found.id for found in memory.list()] == [second, first]
    assert [found.id for found in memory.list(kinds=["command"])] == [second]

    assert memory.edit(first, text="We chose redb 4.6.", add_tags=["engine"]) == "changed"
    edited = memory.show(first).memory
    assert (edited.text, edited.tags) == ("We chose redb 4.6.", ["engine"])

    assert memory.edit(first, archived=True) == "changed"
    assert [found.id for found in memory.list(statuses=["archived"])] == [first]
    assert memory.feedback(second, "helpful", note="saved a search") == "changed"

    assert memory.forget(second) == "changed"
    assert memory.list() == []
    assert memory.show(second).deleted


def test_memories_are_shared_with_the_next_handle(repository: Path, home: Path, memory: memorax.Memorax) -> None:
    written = memory.remember(DECISION, kind="decision")
    with memorax.open(repository, home=home) as other:
        assert other.show(written.id) == memory.show(written.id)


def test_a_preference_holds_in_every_repository(tmp_path: Path, home: Path, memory: memorax.Memorax) -> None:
    memory.remember("Answer in short sentences.", kind="preference", everywhere=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with memorax.open(elsewhere, home=home) as other:
        assert [(found.text, found.everywhere) for found in other.list()] == [("Answer in short sentences.", True)]


def test_status_is_plain_data(memory: memorax.Memorax) -> None:
    memory.remember(DECISION, kind="decision")
    status = memory.status()
    assert [store["in_force"] for store in status["stores"]] == [1, 0]


def test_history_of_an_unknown_place_is_an_error(memory: memorax.Memorax) -> None:
    memory.init()
    with pytest.raises(memorax.NotFound):
        memory.history("nowhere.py", limit=3)
    assert [milestone["what"] for milestone in memory.milestones(limit=3)] == ["the first commit"]


def test_data_is_frozen_and_shows_itself(memory: memorax.Memorax) -> None:
    found = memory.show(memory.remember(DECISION, kind="decision").id).memory
    assert repr(found).startswith(f'Memory(id="{found.id}", kind="decision"')
    with pytest.raises(AttributeError):
        found.text = "other"  # type: ignore[misc]
