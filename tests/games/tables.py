"""Tables to test the rules on: any that could be laid out, and those that a game really reaches."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from crossing_sdk.games.crossing import CROSSING, Move, Position, Stones

SINGLE = {colour: Stones.read(f"{colour}1") for colour in "RBYW"}
"""One stone of each colour."""

ENDLESS = 100
"""More turns than any game can have."""

sizes = st.sampled_from(CROSSING.players)
seeds = st.binary(min_size=32, max_size=32)
piles = st.just(Stones(0)) | st.builds(Stones.of, *[st.integers(0, 3)] * 4)
orders = st.lists(st.sampled_from(list(SINGLE.values())), max_size=12).map(tuple)


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of a game: the position, what was done, and what came of it."""

    before: Position
    moves: dict[int, Move]
    after: Position


@st.composite
def laid_out(draw: st.DrawFn, *, bag: bool = True) -> Position:
    """A table after turn 1 as somebody might lay it out; only who is on break surely has an empty tile."""
    players = draw(sizes)
    on_break = tuple(draw(st.lists(st.sampled_from([False, False, True]), min_size=players, max_size=players)))
    row = st.lists(piles, min_size=players, max_size=players)
    return Position(
        turn=draw(st.integers(2, 9)),
        mushrooms=tuple(draw(row)[1:]),
        tiles=tuple(Stones(0) if resting else pile for resting, pile in zip(on_break, draw(row), strict=True)),
        claimed=tuple(draw(row)),
        on_break=on_break,
        order=draw(orders) if bag else (),
    )


@st.composite
def revealed(draw: st.DrawFn, *, bag: bool = True) -> tuple[Position, dict[int, Move]]:
    """A table laid out, and what each seat does there: something legal, nothing, or no answer at all."""
    position = draw(laid_out(bag=bag))
    choices = {seat: draw(st.sampled_from([*position.legal(seat), Move.NONE, None])) for seat in position.to_act}
    return position, {seat: move for seat, move in choices.items() if move is not None}


@st.composite
def whole_games(draw: st.DrawFn) -> list[Step]:
    """A game from its deal to its end."""
    return list(random_game(draw(sizes), draw(seeds), Random(draw(st.integers(0, 2**32)))))


def random_game(players: int, seed: bytes, dice: Random) -> Iterator[Step]:
    """A game in which everybody moves at random, and now and then does not answer."""
    position = CROSSING.start(players, seed)
    for _ in range(ENDLESS):
        moves = random_moves(position, dice)
        after = position.play(moves)
        yield Step(position, moves, after)
        if after.over:
            return
        position = after
    raise AssertionError(f"no end after {ENDLESS} turns: {position}")


def random_moves(position: Position, dice: Random) -> dict[int, Move]:
    """A random legal move of every seat that owes one; after turn 1 every thirtieth does not answer.

    In turn 1 all answer: "at most n - 2 mushrooms are emptied" and the shortest lengths count on it.
    """
    moves = {}
    share = 1.0 if position.turn == 1 else 30 / 29
    for seat in position.to_act:
        legal = position.legal(seat)
        number = int(dice.random() * len(legal) * share)
        if number < len(legal):
            moves[seat] = legal[number]
    return moves
