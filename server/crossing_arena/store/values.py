"""What goes into a store and comes out of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot: one name and version is one bot, whatever owner it is said to have."""

    name: str
    version: str
    """The hash of its content: a changed bot is another one, rated apart."""
    owner: str = ""


class LadderStatus(Enum):
    """Where a ladder is."""

    RUNNING = "running"
    """Or killed while it ran: only its lock tells whether somebody runs it now."""
    STOPPED = "stopped"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a ladder is to play."""

    name: str
    digest: str
    """Over all that decides which matches are played and how, the rules' version included."""
    spec: Mapping[str, Any]
    """As JSON knows it: text, numbers, lists and objects with text as keys."""
    secret: bytes = field(repr=False)
    commitment: str
    """What is published of the secret before the first match."""
    rules_version: int
    arena_version: str


@dataclass(frozen=True, slots=True)
class Revision:
    """What a ladder plays, or played, from its match `first_n` on, until the next revision's."""

    first_n: int
    digest: str
    spec: Mapping[str, Any]
    commitment: str
    secret: bytes = field(repr=False)
    opened: datetime | None
    """When the secret was published, if it was."""
    rules_version: int
    arena_version: str
    since: datetime


@dataclass(frozen=True, slots=True)
class Ladder:
    """A ladder, and how its plan changed over time."""

    id: int
    name: str
    status: LadderStatus
    created: datetime
    revisions: tuple[Revision, ...]
    """The first first; at least one."""

    @property
    def current(self) -> Revision:
        """What it plays now."""
        return self.revisions[-1]

    def revision_of(self, n: int) -> Revision:
        """By which plan, and with which secret, a match was played."""
        return next(revision for revision in reversed(self.revisions) if revision.first_n <= n)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one bot fared in one match."""

    bot: int
    """Its number in this store."""
    place: int
    points: int
    tiebreak: int
    faults: Mapping[str, int] = field(default_factory=dict)
    """How many, by kind; a kind that did not happen is absent."""
    pledges_made: int = 0
    pledges_kept: int = 0
    think_ms: float = 0
    """In all its turns together."""
    worst_ms: float = 0
    """In the turn that took it longest."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match."""

    n: int
    """Its place in the ladder's schedule: with the ladder, its key."""
    deal: int
    status: str
    """How it ended, as the verdict says."""
    turns: int
    ms: float
    played: datetime
    seats: tuple[SeatResult, ...]
    attempt: int = 1
    """Which attempt it was that succeeded."""
    replay_sha256: str = field(default="", compare=False)
    """Of its replay; the store fills it in."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played: its result and all that is kept beside it."""

    result: MatchResult
    replay: bytes
    logs: Mapping[int, str] = field(default_factory=dict)
    """By the bot's number: what its process wrote. For the eyes of its owner only."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at a match that came to nothing by no bot's fault, and is therefore no result."""

    n: int
    attempt: int
    worker: str
    error: str
    at: datetime
