"""Twenty thousand random games, every turn of which is compared with the naive reference."""

from random import Random

import pytest

from crossing_sdk.games.crossing import BOX, CROSSING, Move, Stones

from .reference import resolve, worth
from .tables import random_game

GAMES_PER_SIZE = 5_000
SHORTEST = {3: 16, 4: 11, 5: 8, 6: 7}
SEEN_IN_SIMULATION = {3: (20, 24), 4: (13.5, 16.5), 5: (10, 12.5), 6: (8, 10)}
"""Where the mean length of random games lies for sure (RULES A9: 22.1, 14.8, 11.1, 8.9)."""


@pytest.mark.parametrize("players", CROSSING.players)
def test_random_games_keep_every_invariant(players: int) -> None:
    dice = Random(f"crossing at {players}")
    turns = 0
    for number in range(GAMES_PER_SIZE):
        turns += check_game(players, number.to_bytes(32, "big"), dice)
    shortest, longest = SEEN_IN_SIMULATION[players]
    assert shortest < turns / GAMES_PER_SIZE < longest


def check_game(players: int, seed: bytes, dice: Random) -> int:
    """Play one game with every check that is cheap, and say how many turns it had."""
    seats = range(players)
    turn = 0
    for step in random_game(players, seed, dice):
        turn += 1
        before, moves, after = step.before, step.moves, step.after
        actions = [str(moves.get(seat, Move.NONE)) for seat in seats]
        bag = before.order[before.drawn :]
        told = resolve(before.mushrooms, before.tiles, before.claimed, bag, actions)

        assert after.mushrooms == told.mushrooms, (before, actions)
        assert after.tiles == told.tiles, (before, actions)
        assert after.claimed == told.claimed, (before, actions)
        assert after.on_break == told.on_break, (before, actions)
        assert after.order[after.drawn :] == told.bag, (before, actions)
        assert sum(after.mushrooms) + sum(after.tiles) + sum(after.claimed) + sum(told.bag) == BOX, (before, actions)
        assert before.turn == turn, (before, actions)
        assert after.over == (not bag), (before, actions)
        if turn == 1:
            assert sum(map(bool, after.tiles)) <= players - 2, (before, actions)
    assert SHORTEST[players] <= turn <= CROSSING.turn_limit(players), seed
    collections = [Stones(tile + safe) for tile, safe in zip(after.tiles, after.claimed, strict=True)]
    assert after.outcome is not None
    assert after.outcome.points == tuple(worth(c.red, c.blue, c.yellow, c.white) for c in collections), after
    assert after.outcome.tiebreaks == tuple(c.white for c in collections), after
    return turn
