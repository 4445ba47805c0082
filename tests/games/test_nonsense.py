"""What nobody would do on purpose: seats, mushrooms and digits that do not exist."""

from collections.abc import Callable

import pytest

from crossing_sdk.games import RulesError, Stream, UnreadableText
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


def test_a_game_that_is_over_is_not_played_on() -> None:
    over = read_position(POSITION.replace("turn=5", "turn=5/over").replace("RBYW", "-"))
    with pytest.raises(RulesError, match="over"):
        over.play({})


@pytest.mark.parametrize("seat", [-1, 3])
def test_nobody_sees_from_a_seat_that_is_not_there(seat: int) -> None:
    with pytest.raises(RulesError, match="no seat"):
        read_position(POSITION).view(seat)


def test_a_pile_has_no_more_stones_than_fit() -> None:
    with pytest.raises(ValueError, match="300"):
        Stones.of(red=300)


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_no_number_is_below_what_cannot_be(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        Stream(bytes(32), "test").below(bound)
