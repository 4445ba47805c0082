"""Every worked example of the rulebook, and more of the same kind (X..), from golden/crossing.json.

In `moves` a `-` stands for a seat that is on break or did not answer; such a seat is left out of the mapping.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from crossing_sdk.games import IllegalMove
from crossing_sdk.games.crossing import CROSSING, Fate, Move, Position, Stones, read_move, read_position

GOLDEN = json.loads((Path(__file__).parent / "golden" / "crossing.json").read_text(encoding="utf-8"))
A8 = {
    "turns": "C01 C02 C03 C04 C05 C06 C08 C09 C10 C14 C15 C16 C18 C19 C21 C23 C24 C25",
    "scores": "S01 S02 S03 S05 S07 S08 S09",
    "ties": "T01 T02 T03 T05",
    "illegal": "I01 I02 I03 I04 I06 I08",
}

Example = dict[str, Any]


def examples(kind: str) -> list[Any]:
    return [pytest.param(example, id=example["id"]) for example in GOLDEN[kind]]


def moves_of(example: Example) -> dict[int, Move]:
    return {seat: read_move(text) for seat, text in enumerate(example["moves"].split()) if text != "-"}


def row(piles: tuple[Stones, ...]) -> str:
    return "/".join(map(str, piles))


@pytest.mark.parametrize("kind", A8)
def test_no_worked_example_of_the_rulebook_is_missing(kind: str) -> None:
    ids = [example["id"] for example in GOLDEN[kind]]
    assert len(set(ids)) == len(ids)
    assert [id_ for id_ in ids if not id_.startswith("X")] == A8[kind].split()


@pytest.mark.parametrize("example", examples("turns"))
def test_turn(example: Example) -> None:
    before = read_position(example["before"])
    after = before.play(moves_of(example))

    expected = dict(part.split("=") for part in example["after"].split())
    assert {
        "turn": f"{after.turn}/over" if after.over else f"{after.turn}",
        "mushrooms": row(after.mushrooms),
        "tiles": row(after.tiles),
        "claimed": row(after.claimed),
        "break": "".join("1" if resting else "0" for resting in after.on_break),
        "bag": "".join("RBYW"[unit.bit_length() // 8] for unit in after.order[after.drawn :]) or "-",
    } == expected
    assert (after.bag.count, after.is_last_turn, after.over) == (
        example["bag_left"],
        example["last_turn"],
        example["over"],
    )
    assert (after.outcome is not None) == example["over"]
    assert str(after) == example["after"]


@pytest.mark.parametrize("example", examples("turns"))
def test_what_became_of_every_choice(example: Example) -> None:
    position, moves = read_position(example["before"]), moves_of(example)
    deeds = position.deeds(moves)

    assert [deed.seat for deed in deeds] == list(range(position.players))
    assert [str(deed.move) for deed in deeds] == example["moves"].split()
    assert [deed.fate.value for deed in deeds] == example["fates"].split()
    for deed in deeds:
        assert bool(deed.stones) <= (deed.fate in {Fate.TOOK, Fate.PROTECTED})
        assert bool(deed.stones) >= (deed.fate is Fate.TOOK)


PICTURED_STORIES = [
    ("C01", "took R1B1, clashed, clashed"),
    ("C02", "took Y3, took R2, took R1"),
    ("C03", "took B3, took R2, took R1W1"),
    ("C04", "thwarted, protected Y1W1, took R1"),
    ("C05", "took R1B1, idle, took Y1"),
]


@pytest.mark.parametrize(("id_", "story"), PICTURED_STORIES, ids=[id_ for id_, _ in PICTURED_STORIES])
def test_which_stones_moved_in_the_pictures(id_: str, story: str) -> None:
    example = next(example for example in GOLDEN["turns"] if example["id"] == id_)
    deeds = read_position(example["before"]).deeds(moves_of(example))
    assert ", ".join(map(str, deeds)) == story
    told = [text.split() for text in story.split(", ")]
    assert [deed.stones for deed in deeds] == [Stones.read(text[1] if text[1:] else "-") for text in told]


def test_the_examples_show_every_fate() -> None:
    shown = {fate for example in GOLDEN["turns"] for fate in example["fates"].split()}
    assert shown == {fate.value for fate in Fate}


@pytest.mark.parametrize("example", examples("scores"))
def test_score(example: Example) -> None:
    assert Stones.read(example["stones"]).points == example["points"]


def ended(tiles: str, claimed: str) -> Position:
    """A game whose last turn nobody used."""
    players = tiles.count("/") + 1
    mushrooms = "/".join(["R1W1"] * (players - 1))
    text = f"turn=9 mushrooms={mushrooms} tiles={tiles} claimed={claimed} break={'0' * players} bag=-"
    return read_position(text).play({})


@pytest.mark.parametrize("lying", ["on the tiles", "in safety"])
@pytest.mark.parametrize("example", examples("ties"))
def test_tie(example: Example, lying: str) -> None:
    collections = example["collections"]
    nothing = "/".join("-" for _ in collections.split("/"))
    end = ended(collections, nothing) if lying == "on the tiles" else ended(nothing, collections)
    outcome = end.outcome
    assert outcome is not None

    def numbers(values: object) -> str:
        return " ".join(map(str, values if isinstance(values, list | tuple) else ()))

    best = max(outcome.points)
    assert {
        "points": numbers(outcome.points),
        "whites": numbers(outcome.tiebreaks),
        "tied_on_points": numbers([seat for seat, points in enumerate(outcome.points) if points == best]),
        "places": numbers(outcome.places),
        "winners": numbers(outcome.winners),
        "plays_again": len(outcome.winners) > 1,
    } == {key: example[key] for key in ("points", "whites", "tied_on_points", "places", "winners", "plays_again")}


def test_safe_and_exposed_stones_make_sets_together() -> None:
    outcome = ended("R1/B2/-", "B1Y1/-/W1").outcome
    assert outcome is not None
    assert outcome.points == (5, 2, 2)
    assert outcome.tiebreaks == (0, 0, 1)


@pytest.mark.parametrize("example", [e for e in examples("illegal") if e.values[0]["move"] != "-"])
@pytest.mark.parametrize("asked", ["play", "deeds"])
def test_illegal_move(example: Example, asked: str) -> None:
    position, seat, move = read_position(example["position"]), example["seat"], read_move(example["move"])
    assert move not in position.legal(seat)

    with pytest.raises(IllegalMove) as caught:
        getattr(position, asked)({seat: move})

    message = str(caught.value)
    assert re.search(rf"\bseat {seat}\b", message)
    assert re.search(rf"\b{move}\b", message.partition(":")[0])
    assert message.endswith(f"legal: {example['legal']}")
    assert " ".join(map(str, position.legal(seat))) == example["legal"].replace("nothing", "")


def test_i08_there_is_no_pass() -> None:
    example = next(example for example in GOLDEN["illegal"] if example["id"] == "I08")
    position, seat = read_position(example["position"]), example["seat"]
    assert read_move(example["move"]) is Move.NONE is CROSSING.default
    assert " ".join(map(str, position.legal(seat))) == example["legal"]
    assert Move.NONE not in position.view(seat).legal


def test_one_illegal_move_spoils_the_whole_reveal_and_changes_nothing() -> None:
    text = "turn=2 mushrooms=R1/B1 tiles=R1/-/Y1 claimed=-/-/- break=000 bag=RBY"
    position = read_position(text)
    with pytest.raises(IllegalMove, match="seat 2 may not play P2"):
        position.play({0: Move.M0, 1: Move.M1, 2: Move.P2})
    assert str(position) == text


STORY = [
    ("turn=2 mushrooms=R1/B1 tiles=R1/-/- claimed=-/-/- break=000 bag=RBYRBYRBYRBY", "S M0 M1", "012"),
    ("turn=3 mushrooms=R1B1/R1Y1 tiles=-/R1/B1 claimed=R1/-/- break=100 bag=BYRBYRBY", "- P2 P1", "12"),
    ("turn=4 mushrooms=R1B2/R1Y2 tiles=-/B1/R1 claimed=R1/-/- break=000 bag=RBYRBY", "S S M0", "012"),
    ("turn=5 mushrooms=R1B1/R1Y3 tiles=-/-/R2B2 claimed=R1/B1/- break=110 bag=RBY", "- - P0", "2"),
    ("turn=6 mushrooms=R2B1/R1B1Y3 tiles=-/-/R2B2 claimed=R1/B1/- break=000 bag=Y", "P2 M1 M0", "012"),
    ("turn=7 mushrooms=Y1/- tiles=R2B2/R1B1Y3/R2B1 claimed=R1/B1/- break=000 bag=-", "P1 M0 S", "012"),
    ("turn=7/over mushrooms=-/- tiles=R3B3Y3/Y1/- claimed=R1/B1/R2B1 break=001 bag=-", "", ""),
]


def test_a_break_lasts_one_turn_and_the_refill_that_empties_the_bag_opens_the_last_turn() -> None:
    position = read_position(STORY[0][0])
    for text, moves, acting in STORY:
        assert str(position) == text
        assert "".join(map(str, position.to_act)) == acting
        if moves:
            position = position.play(moves_of({"moves": moves}))
    assert position.outcome is not None
    assert position.outcome.points == (16, 2, 3)
    assert position.outcome.winners == (0,)
