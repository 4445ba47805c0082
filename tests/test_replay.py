"""A true replay is accepted; a lie is found, and in the line where it stands."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossing_arena.replay import Lie, read, seal, verify
from scripted import first_legal, replay_text

TRUE = replay_text()
LINES = TRUE.splitlines()


def lie_in(text: str) -> int:
    with pytest.raises(Lie) as caught:
        verify(text)
    return caught.value.line


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_true_replay_is_accepted(players: int) -> None:
    replay = verify(replay_text(players, seed=players))
    assert len(replay.names) == players
    assert replay.result["ending"] in ("won", "shared")


def test_a_match_with_faults_and_a_benched_seat_is_accepted() -> None:
    replay = verify(replay_text(choose=lambda ask: None if ask.seat == 2 else first_legal(ask)))
    assert replay.result["faults"] == [0, 0, 3, 0]
    assert replay.result["benched"] == [False, False, True, False]
    assert replay.result["places"][2] == 4


def test_a_tied_match_is_followed_into_its_next_games() -> None:
    replay = verify(replay_text(3, choose=lambda ask: ask.legal[0]))  # all clash always: nobody has anything
    assert replay.result["ending"] == "shared"
    assert replay.result["games"] == len(replay.games) == 4
    assert [game["plays_again"] for game in replay.games] == [True, True, True, False]
    assert len({replay.seed_of(game) for game in (1, 2, 3, 4)}) == 4


def spots(*fields: str) -> list[tuple[int, int]]:
    """(line, column) of every letter and digit in these fields, from 0."""
    found = []
    for number, line in enumerate(LINES):
        for field in fields:
            for match in re.finditer(rf'"{field}":(\[[^]]*\]|"[^"]*")', line):
                found += [(number, at) for at in range(*match.span(1)) if line[at].isalnum()]
    return found


@pytest.mark.parametrize("fields", [("moves",), ("points", "tiebreaks", "places"), ("became",)], ids="/".join)
def test_any_changed_character_is_found_in_its_line(fields: tuple[str, ...]) -> None:
    for number, at in spots(*fields):
        old = LINES[number][at]
        new = "1" if old != "1" else "2"
        changed = [*LINES]
        changed[number] = f"{LINES[number][:at]}{new}{LINES[number][at + 1 :]}"
        assert lie_in("\n".join(changed) + "\n") == number + 1, f"{old} -> {new} in line {number + 1}, column {at}"


@given(data=st.data())
def test_any_single_character_anywhere_is_found(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(TRUE) - 1))
    new = data.draw(st.characters(min_codepoint=32, max_codepoint=126).filter(lambda char: char != TRUE[at]))
    line = TRUE.count("\n", 0, at) + 1
    assert lie_in(TRUE[:at] + new + TRUE[at + 1 :]) in (line, line + 1)


def resealed(change: Callable[[list[dict[str, Any]]], None]) -> str:
    """A replay whose liar knew how to make seals."""
    lines = [json.loads(line) for line in LINES]
    for line in lines:
        del line["seal"]
    change(lines)
    return "".join(seal(lines))


def test_resealing_a_true_replay_changes_nothing() -> None:
    assert resealed(lambda lines: None) == TRUE


def swap_moves(lines: list[dict[str, Any]]) -> None:
    moves = lines[4]["moves"]
    moves[0], moves[1] = moves[1], moves[0]


def more_points(lines: list[dict[str, Any]]) -> None:
    lines[-1]["points"][0] += 1


def another_stone(lines: list[dict[str, Any]]) -> None:
    lines[6]["position"] = re.sub(r"mushrooms=\w", "mushrooms=B", lines[6]["position"])


def another_seed(lines: list[dict[str, Any]]) -> None:
    lines[0]["seed"] = "0" * 64


def no_excuse(lines: list[dict[str, Any]]) -> None:
    lines[3]["moves"][2] = "-"


def pledge_of_the_impossible(lines: list[dict[str, Any]]) -> None:
    lines[1]["said"][0]["pledge"] = "S"


def first_for_all(lines: list[dict[str, Any]]) -> None:
    lines[-1]["places"] = [1] * 4


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (swap_moves, 5, "not play|became"),
        (more_points, len(LINES), "points is"),
        (another_stone, 7, "the position is"),
        (another_seed, 2, "the position is"),
        (no_excuse, 4, "made no move"),
        (pledge_of_the_impossible, 2, "cannot pledge S"),
        (first_for_all, len(LINES), "places is"),
        (lambda lines: lines.pop(5), 6, "the turn is"),
        (lambda lines: lines.pop(), len(LINES) - 1, "breaks off"),
        (lambda lines: lines.append(lines[-1]), len(LINES) + 1, "nothing may follow"),
        (lambda lines: lines[3].pop("moves"), 4, "missing"),
        (lambda lines: lines[0].update(format=99), 1, "format 99"),
        (lambda lines: lines[0].update(game="chess"), 1, "chess"),
    ],
)
def test_a_liar_with_seals_is_caught_by_the_rules(change: Any, line: int, words: str) -> None:
    with pytest.raises(Lie, match=words) as caught:
        verify(resealed(change))
    assert caught.value.line == line


@pytest.mark.parametrize("text", ["", "hello\n", "{}\n", "[1]\n", TRUE[:-1], TRUE[: len(TRUE) // 2]])
def test_what_is_no_replay_is_refused_in_words(text: str) -> None:
    with pytest.raises(Lie, match="line"):
        verify(text)


def test_reading_does_not_judge() -> None:
    assert read(resealed(more_points)).result["points"] != read(TRUE).result["points"]


def test_a_replay_tells_who_said_what_at_which_beat() -> None:
    said = read(TRUE).turns[0]["said"]
    assert [(words["beat"], words["seat"]) for words in said] == [(b, s) for b in (1, 2) for s in range(4)]
    assert said[0]["text"] == "on 1 in turn 1"
