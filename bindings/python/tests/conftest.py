"""A repository and a memory of its own for every test."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import memorax_code as memorax
import pytest


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository with one commit."""
    root = tmp_path / "repository"
    root.mkdir()
    (root / "store.py").write_text("def commit_batch(rows):\n    return len(rows)\n")
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"]
    for arguments in (["init", "--quiet"], ["add", "."], [*identity, "commit", "--quiet", "-m", "Add the store"]):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    return root


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def memory(repository: Path, home: Path) -> Iterator[memorax.Memorax]:
    with memorax.open(repository, home=home, actor="tester", session="session-1") as opened:
        yield opened
