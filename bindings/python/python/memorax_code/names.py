"""Names of kinds and states, as they stand in the core."""

from typing import Literal

MemoryKind = Literal[
    "decision",
    "preference",
    "convention",
    "rejection",
    "failure",
    "command",
    "fact",
    "progress",
    "skill",
]
Status = Literal["active", "pending", "superseded", "invalid", "archived"]
Trust = Literal["user", "agent", "tool", "external", "imported"]
Freshness = Literal["unanchored", "fresh", "moved", "changed", "gone"]
Verdict = Literal["helpful", "harmful"]
Outcome = Literal["created", "joined", "changed", "unchanged", "queued", "refused"]
Source = Literal[
    "words",
    "entity",
    "code",
    "path",
    "history",
    "cochange",
    "recency",
    "scope",
    "usage",
    "meaning",
]
