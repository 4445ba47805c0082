"""What a contestant writes and what it is given.

from crossing_sdk import Bot, run

class MyBot(Bot):
    def choose(self, turn):
        return turn.rng.choice(turn.legal)

run(MyBot)
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from crossing_sdk.games.crossing import Move, View

MAX_TEXT = 200
"""The most characters one utterance may have."""


@dataclass(frozen=True, slots=True)
class Say:
    """Something to say on "one" or "two": a pledge, a text, or both. Nothing binds."""

    text: str = ""
    """Up to 200 characters on one line."""
    pledge: Move | None = None
    """The move you say you will make."""


@dataclass(frozen=True, slots=True)
class Heard:
    """Something said at the table in this turn."""

    seat: int
    """Who said it."""
    beat: int
    """On which count: 1 or 2. What is said on one count is heard by all at the same time."""
    text: str
    pledge: Move | None
    """The move the speaker pledged, if any."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time there is for one answer. The arena's own measure decides; this one is close to it."""

    limit_ms: int
    """The budget for this answer; 0 means no limit."""
    bank_ms: int
    """What is left for the whole game to pay for answers over the limit."""
    last_ms: float
    """How long the arena measured for your answer before this one."""
    started: float = field(default_factory=time.monotonic, repr=False)

    @property
    def elapsed_ms(self) -> float:
        """How long you have been thinking."""
        return (time.monotonic() - self.started) * 1000

    @property
    def remaining_ms(self) -> float:
        """What is left of the limit, without the bank; infinite when there is no limit."""
        return self.limit_ms - self.elapsed_ms if self.limit_ms else float("inf")


@dataclass(frozen=True, slots=True)
class Turn:
    """One question to a bot: what to do (beat 3), or what to say (beats 1 and 2)."""

    view: View
    """The table as you see it: mushrooms, tiles, claimed stones, breaks, what is left in the bag."""
    legal: tuple[Move, ...]
    """The moves you may choose from. Empty when you are on break and only asked to talk."""
    seat: int
    """Your seat, from 0."""
    number: int
    """The number of the turn, from 1."""
    beat: int
    """The count: 1 and 2 are for talking, on 3 you point."""
    clock: Clock
    """How much time there is."""
    heard: tuple[Heard, ...]
    """What has been said in this turn so far."""
    rng: Random
    """Your own dice, seeded for this match and seat: with them the same match plays the same way again."""
    notes: list[str] = field(default_factory=list, repr=False)

    def note(self, text: object) -> None:
        """Leave a remark in the replay of this turn, for yourself."""
        self.notes.append(str(text))


@dataclass(frozen=True, slots=True)
class GameStart:
    """What a bot is told when it takes a seat."""

    game: str
    players: int
    seat: int
    talk: bool
    """Whether the table talks in this game."""
    turn_ms: int
    bank_ms: int
    talk_ms: int


@dataclass(frozen=True, slots=True)
class Reveal:
    """What everybody did in a turn."""

    number: int
    """The turn."""
    moves: tuple[Move, ...]
    """By seat; `Move.NONE` for who was on break or gave no answer."""
    heard: tuple[Heard, ...]
    """All that was said before."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended."""

    points: tuple[int, ...]
    """By seat."""
    places: tuple[int, ...]
    """By seat; 1 is first, seats that tie share the better place."""
    plays_again: bool
    """First place is tied, so the table plays again."""


class Bot:
    """A player. One object plays one seat of one game; subclass it and write `choose`.

    **The rules in short.** Collect stones: a set of red, blue and yellow is worth 5, a white
    stone 2, any other 1. On "three" everybody points at once: at a mushroom (`M0`, `M1` ...),
    at a rival's tile (`P0`, `P1` ...), or protects the own tile (`S`). Who points alone takes
    the stones; two who point at the same thing get nothing; who points at somebody who protects
    gets nothing. What you take lies exposed on your tile until you protect: then it is safe for
    ever, and you sit out the next turn. In turn 1 only mushrooms may be pointed at.

    `self.rng` is your seeded dice, `self.game` what you were told at the start.
    """

    games: ClassVar[tuple[str, ...]] = ("crossing",)
    """The games this bot plays."""

    rng: Random
    """Your own dice, seeded for this match and seat. Ready from `game_started` on."""
    game: GameStart
    """Seat, players and budgets of this game. Ready from `game_started` on."""
    _turn: Turn | None = None

    def choose(self, turn: Turn) -> Move:
        """Return one of `turn.legal`. The only method a bot must have."""
        raise NotImplementedError(f"{type(self).__name__} needs a method choose(self, turn)")

    def talk(self, turn: Turn) -> Say | str | None:
        """Return what to say on count `turn.beat` (1 or 2), or None. Also asked while you are on break."""
        return None

    def game_started(self, game: GameStart) -> None:
        """You took a seat: `self.game` and `self.rng` are ready."""

    def revealed(self, reveal: Reveal) -> None:
        """A turn was played: this is what everybody did."""

    def game_over(self, result: Result) -> None:
        """The game has ended."""

    def note(self, text: object) -> None:
        """Leave a remark in the replay of the current turn, for yourself."""
        if self._turn is not None:
            self._turn.note(text)


Choose = Callable[[Turn], Move]
"""A bot can also be a plain function."""

BotLike = type[Bot] | Choose


def as_bot(what: BotLike) -> type[Bot]:
    """The Bot class a contestant means: itself, or one made around a function."""
    if isinstance(what, type) and issubclass(what, Bot):
        return what
    if isinstance(what, type) or not callable(what):
        raise TypeError(f"run() takes a Bot class or a function choose(turn), not {what!r}")
    members: Mapping[str, Any] = {"choose": lambda _self, turn: what(turn), "__doc__": what.__doc__}
    return type(getattr(what, "__name__", "Bot"), (Bot,), dict(members))
