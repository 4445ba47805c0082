"""The smallest game there is: every turn each seat chooses how many points it gets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crossing_sdk.games import Outcome, View

NOTHING = -1
CHOICES = (0, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class SumsPosition:
    """The points so far."""

    turn: int
    last: int
    points: tuple[int, ...]

    @property
    def to_act(self) -> tuple[int, ...]:
        return tuple(range(len(self.points))) if self.outcome is None else ()

    @property
    def outcome(self) -> Outcome | None:
        return Outcome(self.points, (0,) * len(self.points)) if self.turn > self.last else None

    def legal(self, seat: int) -> tuple[int, ...]:
        return CHOICES

    def play(self, moves: Mapping[int, int]) -> "SumsPosition":
        points = tuple(points + moves.get(seat, 0) for seat, points in enumerate(self.points))
        return SumsPosition(self.turn + 1, self.last, points)

    def deeds(self, moves: Mapping[int, int]) -> tuple[Any, ...]:
        return tuple(moves.get(seat, NOTHING) for seat in range(len(self.points)))

    def view(self, seat: int) -> View[int]:
        raise NotImplementedError("nobody plays it over the wire")


class Sums:
    """The rules, for a game of so many turns."""

    name = "sums"
    title = "Sums"
    rules_version = 1
    players = range(2, 7)
    default = NOTHING
    beats = 2
    summary = "Choose how many points you get."

    def __init__(self, turns: int) -> None:
        self.turns = turns

    def start(self, players: int, seed: bytes, options: Mapping[str, Any] | None = None) -> SumsPosition:
        return SumsPosition(1, self.turns, (0,) * players)

    def turn_limit(self, players: int) -> int:
        return self.turns

    def read_move(self, text: str) -> int:
        return int(text)

    def read_position(self, text: str) -> SumsPosition:
        raise NotImplementedError("nobody keeps a record of it")

    def read_view(self, text: str) -> View[int]:
        raise NotImplementedError("nobody keeps a record of it")
