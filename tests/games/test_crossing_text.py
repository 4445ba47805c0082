"""Moves, piles, positions and views have one exact text form each, and survive being copied and pickled."""

import copy
import dataclasses
import pickle

import pytest
from hypothesis import given, settings

from crossing_sdk.games import UnreadableText
from crossing_sdk.games.crossing import (
    CROSSING,
    MOVES,
    Move,
    Position,
    Stones,
    read_move,
    read_position,
    read_view,
)

from .tables import Step, laid_out, piles, seeds, sizes, whole_games

bounded = settings(derandomize=True, deadline=None, max_examples=60)
a_few = settings(bounded, max_examples=15)

MOVE_TEXTS = ["M0", "M1", "M2", "M3", "M4", "P0", "P1", "P2", "P3", "P4", "P5", "S", "-"]
POSITION = "turn=5 mushrooms=R1/B2 tiles=-/R2/Y1W1 claimed=R3/-/- break=100 bag=RBYW"
VIEW = "seat=1 turn=5 mushrooms=R1/B2 tiles=-/R2/Y1W1 claimed=R3/-/- break=100 bag=R1B1Y1W1"


# Moves


@pytest.mark.parametrize(("code", "text"), list(enumerate(MOVE_TEXTS)), ids=MOVE_TEXTS)
def test_move_text(code: int, text: str) -> None:
    move = read_move(text)
    assert str(move) == text
    assert move is MOVES[code] is CROSSING.read_move(text)
    assert move.code == code
    assert move.mushroom == (int(text[1]) if text[0] == "M" else None)
    assert move.rival == (int(text[1]) if text[0] == "P" else None)
    assert move.protects == (text == "S")
    assert eval(repr(move), {"Move": Move}) is move


def test_there_are_no_other_moves() -> None:
    assert [str(move) for move in MOVES] == [str(move) for move in Move] == MOVE_TEXTS


@pytest.mark.parametrize("number", range(5))
def test_move_at_mushroom(number: int) -> None:
    assert str(Move.at_mushroom(number)) == f"M{number}"


@pytest.mark.parametrize("number", range(6))
def test_move_at_rival(number: int) -> None:
    assert str(Move.at_rival(number)) == f"P{number}"


@pytest.mark.parametrize("text", ["", "m0", "M5", "M-1", "M00", "P6", "M", "S ", " S", "s", "NONE", "--", "M0 M1", "·"])
def test_unreadable_move(text: str) -> None:
    with pytest.raises(UnreadableText) as caught:
        read_move(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("move", Move, ids=str)
def test_a_copied_or_pickled_move_is_the_same_move(move: Move) -> None:
    assert copy.copy(move) is move
    assert copy.deepcopy(move) is move
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(move, protocol)) is move


def test_pickled_moves_still_find_their_places_in_a_mapping() -> None:
    tally = {move: move.code for move in Move}
    again = pickle.loads(pickle.dumps(tally))
    assert [again[move] for move in Move] == list(range(13))
    assert copy.deepcopy(tally) == tally


# Piles


@bounded
@given(piles)
def test_pile_round_trip(pile: Stones) -> None:
    again = Stones.read(str(pile))
    assert again == pile
    assert type(again) is Stones
    assert eval(repr(pile), {"Stones": Stones}) == pile
    assert pickle.loads(pickle.dumps(pile)) == pile
    assert type(copy.deepcopy(pile)) is Stones


PILES = [
    ("-", (0, 0, 0, 0)),
    ("R1", (1, 0, 0, 0)),
    ("B2", (0, 2, 0, 0)),
    ("Y3", (0, 0, 3, 0)),
    ("W4", (0, 0, 0, 4)),
    ("R2B1Y3W1", (2, 1, 3, 1)),
    ("R18B18Y18W6", (18, 18, 18, 6)),
    ("R10W1", (10, 0, 0, 1)),
    ("R255B255Y255W255", (255, 255, 255, 255)),
]


@pytest.mark.parametrize(("text", "counts"), PILES, ids=[text for text, _ in PILES])
def test_pile_text(text: str, counts: tuple[int, int, int, int]) -> None:
    pile = Stones.of(*counts)
    assert str(pile) == text
    assert Stones.read(text) == pile
    assert (pile.red, pile.blue, pile.yellow, pile.white) == counts


@pytest.mark.parametrize(
    "text",
    ["", "R0", "R01", "B1R1", "R1R1", "r1", "R-1", "R", "X1", " R1", "R1 ", "--", "R256", "W999", "1", "R٣", "·"],
)
def test_unreadable_pile(text: str) -> None:
    with pytest.raises(UnreadableText) as caught:
        Stones.read(text)
    assert repr(text) in str(caught.value)


# Positions


def remaining(position: Position) -> Position:
    """The same position without the memory of what was drawn: what its text keeps."""
    return dataclasses.replace(position, order=position.order[position.drawn :], drawn=0)


@a_few
@given(whole_games())
def test_position_round_trip(game: list[Step]) -> None:
    for position in (*(step.before for step in game), game[-1].after):
        again = CROSSING.read_position(str(position))
        assert again == remaining(position)
        assert str(again) == str(position)
        assert (again.bag, again.is_last_turn, again.outcome) == (position.bag, position.is_last_turn, position.outcome)


@a_few
@given(whole_games())
def test_a_position_read_back_plays_on_like_the_real_one(game: list[Step]) -> None:
    again = read_position(str(game[0].before))
    for step in game:
        again = again.play(step.moves)
        assert remaining(again) == remaining(step.after)
        assert str(again) == str(step.after)


@bounded
@given(laid_out())
def test_a_position_with_nothing_drawn_is_read_back_equal(position: Position) -> None:
    assert read_position(str(position)) == position


@a_few
@given(sizes, seeds)
def test_positions_and_views_survive_copies_and_pickles(players: int, seed: bytes) -> None:
    position = CROSSING.start(players, seed)
    position = position.play({seat: position.legal(seat)[0] for seat in position.to_act})
    for value in (position, position.view(players - 1)):
        assert copy.deepcopy(value) == value
        assert pickle.loads(pickle.dumps(value)) == value


BAD_POSITIONS = [
    # what is wrong, the text, what of it the message shows
    ("nothing", "", "''"),
    ("a line break", POSITION + "\n", repr(POSITION + "\n")),
    ("no bag", POSITION.partition(" bag=")[0], "break=100'"),
    ("turn 0", POSITION.replace("turn=5", "turn=0"), "turn=0"),
    ("turn 05", POSITION.replace("turn=5", "turn=05"), "turn=05"),
    ("order of parts", POSITION.replace("turn=5 ", "") + " turn=5", "bag=RBYW turn=5"),
    ("two spaces", POSITION.replace(" tiles", "  tiles"), "  tiles"),
    ("a pile", POSITION.replace("R1/B2", "R0/B2"), "'R0'"),
    ("a break", POSITION.replace("break=100", "break=200"), "break=200"),
    ("a bag colour", POSITION.replace("RBYW", "RBXW"), "bag=RBXW"),
    ("a bag with counts", POSITION.replace("RBYW", "R1B1"), "bag=R1B1"),
    ("an empty mushroom row", POSITION.replace("R1/B2", ""), "mushrooms= "),
    ("two players", "turn=5 mushrooms=R1 tiles=-/- claimed=-/- break=00 bag=-", "mushrooms=R1"),
    (
        "seven players",
        "turn=5 mushrooms=-/-/-/-/-/- tiles=-/-/-/-/-/-/- claimed=-/-/-/-/-/-/- break=0000000 bag=-",
        "break=0000000",
    ),
    ("a mushroom too many", POSITION.replace("R1/B2", "R1/B2/-"), "mushrooms=R1/B2/-"),
    ("a tile too few", POSITION.replace("-/R2/Y1W1", "-/R2"), "tiles=-/R2"),
    ("a claimed pile too many", POSITION.replace("R3/-/-", "R3/-/-/-"), "claimed=R3/-/-/-"),
    ("a break too many", POSITION.replace("break=100", "break=1000"), "break=1000"),
    ("a view", VIEW, "seat=1"),
]


@pytest.mark.parametrize(("text", "shown"), [p[1:] for p in BAD_POSITIONS], ids=[p[0] for p in BAD_POSITIONS])
def test_unreadable_position(text: str, shown: str) -> None:
    with pytest.raises(UnreadableText) as caught:
        read_position(text)
    assert shown in str(caught.value)


# Views


@a_few
@given(whole_games())
def test_view_round_trip(game: list[Step]) -> None:
    for step in game:
        for seat in range(step.before.players):
            view = step.before.view(seat)
            again = CROSSING.read_view(str(view))
            assert again == view
            assert str(again) == str(view)
            assert again.legal == view.legal


def test_the_example_texts_are_readable() -> None:
    assert str(read_position(POSITION)) == POSITION
    assert str(read_view(VIEW)) == VIEW
    assert str(read_position(POSITION).view(1)) == VIEW


BAD_VIEWS = [
    ("nothing", "", "''"),
    ("a position", POSITION, "bag=RBYW"),
    ("no such seat", VIEW.replace("seat=1", "seat=3"), "seat=3"),
    ("a seat of two digits", VIEW.replace("seat=1", "seat=10"), "seat=10"),
    ("a bag in order", VIEW.replace("R1B1Y1W1", "RBYW"), "'RBYW'"),
    ("over", VIEW.replace("turn=5", "turn=5/over"), "turn=5/over"),
    ("a tile too few", VIEW.replace("-/R2/Y1W1", "-/R2"), "tiles=-/R2"),
    ("a pile", VIEW.replace("R1/B2", "B2R1/B2"), "'B2R1'"),
]


@pytest.mark.parametrize(("text", "shown"), [v[1:] for v in BAD_VIEWS], ids=[v[0] for v in BAD_VIEWS])
def test_unreadable_view(text: str, shown: str) -> None:
    with pytest.raises(UnreadableText) as caught:
        read_view(text)
    assert shown in str(caught.value)
