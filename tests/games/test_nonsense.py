"""What nobody would do on purpose: seats, mushrooms and digits that do not exist."""

from collections.abc import Callable

import pytest

from crossing_sdk.games import RulesError, UnreadableText
from crossing_sdk.games.crossing import Move, Stones, read_position, read_view

POSITION = "turn=5 mushrooms=R1/B2 tiles=-/R2/Y1W1 claimed=R3/-/- break=100 bag=RBYW"


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_seat_that_is_not_at_the_table_may_not_move(seat: int) -> None:
    with pytest.raises(RulesError):
        read_position(POSITION).play({seat: Move.M0})


@pytest.mark.parametrize(
    ("point", "number"),
    [(Move.at_mushroom, 5), (Move.at_mushroom, -1), (Move.at_rival, 6), (Move.at_rival, -1)],
    ids=["mushroom 5", "mushroom -1", "rival 6", "rival -1"],
)
def test_no_move_points_at_what_does_not_exist(point: Callable[[int], Move], number: int) -> None:
    with pytest.raises((RulesError, IndexError)):
        point(number)


def test_a_pile_with_endless_digits_is_unreadable() -> None:
    with pytest.raises(UnreadableText):
        Stones.read("R" + "9" * 5000)


@pytest.mark.parametrize(("number", "kept"), [("turn=5", "turn=5"), ("seat=1", "seat=")], ids=["turn", "seat"])
def test_only_ascii_digits_are_digits(number: str, kept: str) -> None:
    view = "seat=1 " + POSITION.replace("RBYW", "R1")
    assert str(read_view(view)) == view
    with pytest.raises(UnreadableText):
        read_view(view.replace(number, kept + "\N{DEVANAGARI DIGIT TWO}"))
