"""What can go wrong, by whose fault it is.

A `Fault` is a bot's doing: a value in the record that costs the bot. An `ArenaFault` is ours:
it voids the match, which is played again with the same seed.
"""

from dataclasses import dataclass
from enum import Enum


class UserError(ValueError):
    """The arena was asked for something it cannot do; the words name it and what would be right.

    UserError
    +-- launcher.BadEntry      no bot can be started from this
    +-- clock.BadClock         this is no clock
    +-- ladder.BadSpec         no ladder can be run so
    +-- ladder.CannotSchedule  no schedule can be drawn up so
    +-- store.StoreError       the results cannot be kept, or found, there
    +-- cli.screen.BadInput    anything else on the command line
    """


class ArenaFault(Exception):
    """The arena itself failed; no bot pays for it."""


class FaultKind(Enum):
    """What a bot did wrong."""

    TIMEOUT = "TIMEOUT"
    """It did not answer in time."""
    INVALID = "INVALID"
    """Its answer was no legal move."""
    CRASH = "CRASH"
    """Its code raised an error, or its process ended."""
    DISCONNECT = "DISCONNECT"
    """It hung up while its process lived."""
    PROTOCOL = "PROTOCOL"
    """It sent something that does not belong into the conversation."""
    START_UP = "START-UP"
    """It never came to the table."""


BENCH_AFTER = 3
"""So many faults in one game, and the seat makes default moves to the end and comes last."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing a bot did wrong, with all its author needs to mend it."""

    seat: int
    kind: FaultKind
    turn: int
    beat: int
    text: str
    """What happened, in a sentence; for a crash, the bot's own traceback."""
    asked: str = ""
    """What the bot was asked: its legal moves."""
    answered: str = ""
    """What it answered, if anything."""
    elapsed_ms: float = 0
    limit_ms: float = 0
    log: str = ""
    """The last words of the bot's process."""
    benched: bool = False
    """It was the one too many: from here the seat makes default moves and comes last."""
