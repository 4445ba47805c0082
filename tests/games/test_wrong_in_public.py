"""What reviews and shops tell wrongly about Crossing (RULES A5), so that nobody brings it in as a correction."""

import pytest

from crossing_sdk.games import CROSSING, IllegalMove, seed_from
from crossing_sdk.games.crossing import Move, Stones, read_position

WHITE_IS_NOT_A_COLOUR = [
    # stones, points, what the wrong rule would give
    ("R1B1W1", 4, 5),
    ("R1Y1W1", 4, 5),
    ("B1Y1W1", 4, 5),
    ("R2B2Y1W1", 9, 10),
    ("R3B3W3", 12, 15),
]


@pytest.mark.parametrize(
    ("stones", "points", "wrong"), WHITE_IS_NOT_A_COLOUR, ids=[s for s, _, _ in WHITE_IS_NOT_A_COLOUR]
)
def test_white_never_joins_a_set(stones: str, points: int, wrong: int) -> None:
    assert Stones.read(stones).points == points != wrong


@pytest.mark.parametrize("stones", ["R1B1W1", "R5W5", "W6"])
def test_no_set_without_all_three_colours(stones: str) -> None:
    assert Stones.read(stones).sets == 0


@pytest.mark.parametrize("white", range(1, 7))
def test_a_white_stone_is_worth_two_and_not_three(white: int) -> None:
    assert Stones.of(white=white).points == 2 * white != 3 * white


@pytest.mark.parametrize("players", CROSSING.players)
@pytest.mark.parametrize("seed", range(5))
def test_setup_puts_two_stones_on_each_mushroom_and_not_one(players: int, seed: int) -> None:
    position = CROSSING.start(players, seed_from(seed))
    assert [pile.count for pile in position.mushrooms] == [2] * (players - 1)
    assert position.bag.count == 60 - 2 * (players - 1)


REFILLS = [
    # mushrooms before, moves, stones on each mushroom after
    ("R1/B1", "P1 P0 P0", [2, 2]),
    ("R2/B1Y1", "P1 P0 P0", [3, 3]),
    ("R4/B1", "P1 M1 M0", [2, 2]),
    ("R4/B5", "P1 M1 M1", [5, 6]),
]


@pytest.mark.parametrize(("mushrooms", "moves", "counts"), REFILLS, ids=[f"{m} {a}" for m, a, _ in REFILLS])
def test_the_refill_adds_and_does_not_top_up_to_two(mushrooms: str, moves: str, counts: list[int]) -> None:
    text = f"turn=4 mushrooms={mushrooms} tiles=-/-/- claimed=-/-/- break=000 bag=RBYRBYRBY"
    after = read_position(text).play({seat: CROSSING.read_move(move) for seat, move in enumerate(moves.split())})
    assert [pile.count for pile in after.mushrooms] == counts


@pytest.mark.parametrize("players", CROSSING.players)
def test_pointing_at_the_own_tile_does_not_protect_it(players: int) -> None:
    position = CROSSING.start(players, bytes(32)).play({})
    for seat in range(players):
        own = Move.at_rival(seat)
        assert own not in position.legal(seat)
        with pytest.raises(IllegalMove, match=rf"seat {seat} may not play {own} .*S protects it"):
            position.play({seat: own})
