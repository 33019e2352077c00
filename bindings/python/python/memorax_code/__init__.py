"""Long-term memory for coding agents: what was decided, rejected and learned in a repository.

>>> import memorax_code as memorax
>>> with memorax.open(".") as memory:
...     prompt = memory.brief(budget=1500) + memory.recall(task, budget=800).text + task
"""

from ._native import (
    Check,
    Citation,
    Conflict,
    Corrupted,
    Error,
    FileHit,
    Full,
    Hit,
    Incompatible,
    Interrupted,
    InvalidInput,
    Io,
    Locked,
    Memorax,
    Memory,
    NotFound,
    PastCommit,
    ReadOnly,
    Recall,
    RejectionHit,
    Remembered,
    Shown,
    Signal,
    StatedCommand,
    Unauthorized,
    __version__,
    open,
)
from .names import Freshness, MemoryKind, Outcome, Source, Status, Trust, Verdict
