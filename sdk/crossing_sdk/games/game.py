"""The contract every game of the arena keeps.

A game is a pure value machine: positions never change, `play` returns the next one, and
nothing in here knows a clock, a file or a process. It serves games in which all move at
once (Crossing) and games in which one seat moves at a time: `to_act` says who owes a move.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

M = TypeVar("M")
"""A game's move type: hashable, compared by value, with its text form as str()."""


class RulesError(ValueError):
    """Something was asked of the rules that they do not allow.

    RulesError
    +-- UnreadableText   the text is no move, pile, position or view at all
    +-- IllegalMove      it is a move, but not allowed here
    +-- BadTable         no game can start so: wrong number of players, unknown option
    """


class UnreadableText(RulesError):
    """The text is not in the exact form the game writes."""


class IllegalMove(RulesError):
    """The move exists, but this seat may not make it in this position."""


class BadTable(RulesError):
    """A game cannot be started with these players or options."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the points of every seat and who came where."""

    points: tuple[int, ...]
    """The final points, by seat."""
    tiebreaks: tuple[int, ...]
    """What separates equal points, by seat (Crossing: white stones)."""

    @property
    def places(self) -> tuple[int, ...]:
        """The place of every seat, 1 is first; seats that cannot be separated share the better place."""
        keys = list(zip(self.points, self.tiebreaks, strict=True))
        return tuple(1 + sum(other > key for other in keys) for key in keys)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place: more than one when the game is tied."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


class View(Protocol[M]):
    """What one seat may know of a position."""

    @property
    def seat(self) -> int:
        """Whose view it is."""
        ...

    @property
    def legal(self) -> tuple[M, ...]:
        """What this seat may do now."""
        ...

    def sample(self, seed: int | bytes) -> "Position[M]":
        """A whole position that this seat cannot tell from the real one."""
        ...


class Position(Protocol[M]):
    """The whole truth at one moment. Its text form is str(); `Game.read_position` reads it back."""

    @property
    def turn(self) -> int:
        """The number of this turn, from 1."""
        ...

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a move now."""
        ...

    @property
    def outcome(self) -> Outcome | None:
        """The result, once the game is over."""
        ...

    def legal(self, seat: int) -> tuple[M, ...]:
        """What this seat may do now; empty when it owes no move."""
        ...

    def play(self, moves: Mapping[int, M]) -> "Position[M]":
        """The position after these moves; a seat that owes a move and is not in `moves` makes the default move.

        Raises IllegalMove, and changes nothing, if any of the moves is not allowed.
        """
        ...

    def deeds(self, moves: Mapping[int, M]) -> tuple[Any, ...]:
        """What becomes of every seat's move, for telling the story of a turn; str() is the short form in records."""
        ...

    def view(self, seat: int) -> View[M]:
        """Exactly what this seat may know."""
        ...


class Game(Protocol[M]):
    """The rules of one game, as the registry holds them."""

    name: str
    """How commands, files and the wire name it: one lower-case word."""
    title: str
    """How people write it."""
    rules_version: int
    """Raised when a ruling changes, so that an old record is never judged by new rules."""
    players: range
    """The table sizes it can be played at."""
    default: M
    """The move of a seat that did not answer in time, or not legally."""
    beats: int
    """How often the table may talk before each turn."""
    summary: str
    """The rules in short, for a person."""

    def start(self, players: int, seed: bytes, options: Mapping[str, Any] = ...) -> Position[M]:
        """The first position of the game that this seed deals."""
        ...

    def turn_limit(self, players: int) -> int:
        """The most turns a game of this size can last."""
        ...

    def read_move(self, text: str) -> M:
        """The move that str() wrote; raises UnreadableText."""
        ...

    def read_position(self, text: str) -> Position[M]:
        """The position that str() wrote; raises UnreadableText."""
        ...

    def read_view(self, text: str) -> View[M]:
        """The view that str() wrote; raises UnreadableText."""
        ...
