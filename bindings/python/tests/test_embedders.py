"""The embedder is an option; what cannot be had is an error that says the next step."""

import os
from pathlib import Path

import memorax_code as memorax
import pytest

MODEL = os.environ.get("MEMORAX_MODEL_DIR")


def test_without_an_embedder_memories_are_found_by_words(repository: Path, home: Path) -> None:
    with memorax.open(repository, home=home, embedder="none") as memory:
        memory.remember("We chose redb as the storage engine.", kind="decision")
        assert memory.status()["embedder"] == "none"
        assert "redb" in memory.recall("which storage engine do we use?").text


def test_an_unknown_embedder_is_refused(repository: Path, home: Path) -> None:
    with pytest.raises(memorax.InvalidInput, match="no embedder `bert`") as caught:
        memorax.open(repository, home=home, embedder="bert")
    assert "onnx:FOLDER" in str(caught.value.hint)


def test_a_model_that_is_not_installed_says_how_to_get_it(
    repository: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memorax_code._model._FILES", (("no_such_package", "model.onnx", ""),))
    with pytest.raises(memorax.NotFound, match="no sentence model") as caught:
        memorax.open(repository, home=home, embedder="onnx")
    assert "pip install" in str(caught.value.hint)


def test_a_changed_model_is_not_run(
    repository: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "packages" / "carried_model"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('a package with weights is not run')\n")
    (package / "model.onnx").write_bytes(b"other weights")
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.setattr("memorax_code._model._FILES", (("carried_model", "model.onnx", "0" * 64),))
    with pytest.raises(memorax.Corrupted, match="has the hash"):
        memorax.open(repository, home=home, embedder="onnx")


@pytest.mark.skipif(MODEL is None, reason="MEMORAX_MODEL_DIR names no model: cargo xtask model")
def test_a_model_and_a_graph_find_other_words(repository: Path, home: Path) -> None:
    with memorax.open(repository, home=home, embedder=f"onnx:{MODEL}", hnsw_threshold=2) as memory:
        memory.remember("Passwords are hashed with argon2 before they are kept.", kind="convention")
        memory.remember("The nightly job removes sessions older than a week.", kind="fact")
        memory.remember("Prices are integers of the smallest coin.", kind="convention")
        memory.init()
        status = memory.status()
        assert status["embedder"].startswith("onnx-rten/384/")
        assert status["view"]["chunks"]["embedded"] == status["view"]["chunks"]["chunks"] > 0
        recall = memory.recall("how do we store user credentials safely?")
        assert recall.hits and "argon2" in recall.hits[0].memory.text
    assert list(home.glob("repos/*/local.*.redb")), "the store lies on disk"
