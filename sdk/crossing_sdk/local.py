"""Play bots in this process, without an arena: an author's quick loop, and the base of training.

    from crossing_sdk.local import play, series
    play([MyBot, Rival, Rival], seed=7).places
    series([MyBot, Rival, Rival], games=1000)

There are no clocks and no faults here: what a bot raises, you see.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from crossing_sdk.bot import Bot, BotLike, Clock, GameStart, Heard, Result, Reveal, Turn, as_bot
from crossing_sdk.games import CROSSING, derive, seat_seed, seed_from
from crossing_sdk.games.crossing import Move, Position
from crossing_sdk.seat import Seat

_NO_CLOCK = (0, 0, 0.0)


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played: its result, and how it came about."""

    points: tuple[int, ...]
    """By seat."""
    places: tuple[int, ...]
    """By seat; 1 is first, seats that tie share the better place."""
    positions: tuple[Position, ...]
    """The position before every turn, and the final one."""
    moves: tuple[tuple[Move, ...], ...]
    """What everybody did in every turn, by seat."""
    heard: tuple[tuple[Heard, ...], ...]
    """What was said in every turn."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How one bot did over a series."""

    name: str
    games: int
    win_share: float
    """Wins divided by games; a shared win counts as its share."""
    mean_points: float


def play(bots: Sequence[BotLike], seed: str | int = 0, *, talk: bool = True) -> Played:
    """Play one game of Crossing; the same bots and seed play the same game as the arena deals."""
    return _Table(bots, seed_from(seed), talk).play()


def series(bots: Sequence[BotLike], games: int, seed: str | int = 0, *, talk: bool = True) -> list[Standing]:
    """Play many games, moving everybody one seat on after each, and tell how each bot did."""
    wins, points = [0.0] * len(bots), [0] * len(bots)
    for number in range(games):
        shift = number % len(bots)
        order = [(seat + shift) % len(bots) for seat in range(len(bots))]
        played = _Table([bots[i] for i in order], derive(seed_from(seed), f"series/{number}"), talk).play()
        for seat, i in enumerate(order):
            points[i] += played.points[seat]
            if played.places[seat] == 1:
                wins[i] += 1 / played.places.count(1)
    names = [as_bot(bot).__name__ for bot in bots]
    return [Standing(names[i], games, wins[i] / games, points[i] / games) for i in range(len(bots))]


class _Table:
    def __init__(self, bots: Sequence[BotLike], seed: bytes, talk: bool) -> None:
        self.position = CROSSING.start(len(bots), seed)
        self.talkers = [talk and as_bot(bot).talk is not Bot.talk for bot in bots]
        self.seats = [
            Seat(
                as_bot(bot),
                GameStart("crossing", len(bots), seat, talk, turn_ms=0, bank_ms=0, talk_ms=0),
                seat_seed(seed, seat),
            )
            for seat, bot in enumerate(bots)
        ]

    def play(self) -> Played:
        positions, history, talk = [self.position], [], []
        while not self.position.over:
            heard: tuple[Heard, ...] = ()
            for beat in (1, 2):
                heard += self._beat(beat, heard)
            moves = {seat: self.seats[seat].choose(self._turn(seat, 3, heard)) for seat in self.position.to_act}
            revealed = tuple(moves.get(seat, Move.NONE) for seat in range(len(self.seats)))
            reveal = Reveal(self.position.turn, revealed, heard)
            self.position = self.position.play(moves)
            for seat in self.seats:
                seat.revealed(reveal)
            positions.append(self.position)
            history.append(revealed)
            talk.append(heard)
        return self._end(tuple(positions), tuple(history), tuple(talk))

    def _beat(self, beat: int, heard: tuple[Heard, ...]) -> tuple[Heard, ...]:
        """What everybody says on one count, heard together."""
        said = [(s, self.seats[s].talk(self._turn(s, beat, heard))) for s in range(len(self.seats)) if self.talkers[s]]
        return tuple(Heard(s, beat, say.text, say.pledge) for s, say in said if say.text or say.pledge)

    def _turn(self, seat: int, beat: int, heard: tuple[Heard, ...]) -> Turn:
        view = self.position.view(seat)
        return Turn(view, view.legal, seat, view.turn, beat, Clock(*_NO_CLOCK), heard, self.seats[seat].rng)

    def _end(
        self, positions: tuple[Position, ...], moves: tuple[tuple[Move, ...], ...], heard: tuple[tuple[Heard, ...], ...]
    ) -> Played:
        outcome = self.position.outcome
        if outcome is None:
            raise RuntimeError("a game that is over has an outcome")
        result = Result(outcome.points, outcome.places, plays_again=len(outcome.winners) > 1)
        for seat in self.seats:
            seat.game_over(result)
        return Played(outcome.points, outcome.places, positions, moves, heard)
