"""Every bot of tests/bots at a table with three honest ones: it gets what it deserves, and nobody else pays."""

import asyncio
import re
from dataclasses import dataclass

import pytest

from arena.escapes import run_apart
from arena.place import Place
from arena.playing import BOTS, BRISK, PATIENT, entries, expected, faults, match, moves, names
from crossing_arena.arena import Arena
from crossing_arena.faults import FaultKind
from crossing_arena.referee import Budgets, Ending
from crossing_arena.table import Table

SILENT = ("hangs_forever", "answers_old_token", "answers_one_turn_late", "stops_itself")
"""They cost time, so that their tables are the last and have small budgets."""

SLEEPERS = {"answers_late": Budgets(turn_ms=1_000, bank_ms=0)}
"""They sleep by the clock, so that theirs is coarse."""

ABSENT = ("hangs_at_import", "says_no_hello")
"""They never come, so that nobody waits long for them."""

APART = ("dies_of_a_nameless_signal", "exits_in_its_last_turn", "kills_its_guard", "stops_its_guard")
"""They have a test of their own: what they do could spoil the evening of all."""

CULPRITS = tuple(name for name in names() if name not in APART)
BENCHED = [name for name in CULPRITS if expected(name, 0).benched]


@dataclass(frozen=True, slots=True, repr=False)
class Evening:
    """What came of a whole evening in one arena."""

    tables: dict[str, Table]
    """By the culprit, who has seat 0."""
    logs: dict[str, str]
    alive: list[str]
    """The processes at the end of the last match."""
    left: list[str]
    """What was left when the arena was closed."""


@pytest.fixture(scope="module")
def evening(shared_place: Place) -> Evening:
    return asyncio.run(spend_evening(shared_place))


async def spend_evening(place: Place) -> Evening:
    async with Arena() as arena:
        present = [name for name in CULPRITS if name not in ABSENT]
        honest = await arena.admit(entries(place, *["honest"] * 3), PATIENT.start_up_ms, place.variables)
        bots = dict(zip(present, await arena.admit(entries(place, *present), 60_000, place.variables), strict=True))
        bots |= zip(ABSENT, await arena.admit(entries(place, *ABSENT), 1_500, place.variables), strict=True)

        async def play(name: str, budgets: Budgets) -> Table:
            return await arena.play(match(budgets=budgets), [bots[name], *honest])

        clocks = dict.fromkeys(SILENT, BRISK) | SLEEPERS
        loud = [name for name in CULPRITS if name not in clocks]
        tables = dict(zip(loud, await asyncio.gather(*(play(name, PATIENT) for name in loud)), strict=True))
        tables |= zip(clocks, await asyncio.gather(*(play(*clock) for clock in clocks.items())), strict=True)
        logs = {name: bot.log for name, bot in bots.items()}
        alive = list(place.processes().values())
    return Evening(tables, logs, alive, place.left())


@pytest.mark.parametrize("name", CULPRITS)
def test_a_culprit_gets_the_verdict_it_expects(evening: Evening, name: str) -> None:
    table = evening.tables[name]
    want = expected(name, last_turn=len(table.records))
    assert [(fault.kind, fault.turn) for fault in faults(table)] == list(want.faults)
    verdict = table.verdict.result()
    assert verdict.faults[0] == len(want.faults)
    assert verdict.benched == (want.benched, False, False, False)


@pytest.mark.parametrize("name", CULPRITS)
def test_nobody_else_pays_for_a_culprit(evening: Evening, name: str) -> None:
    table = evening.tables[name]
    verdict = table.verdict.result()
    assert verdict.faults[1:] == (0, 0, 0)
    assert not any(faults(table, seat) for seat in (1, 2, 3))
    assert verdict.ending is Ending.WON or verdict.places.count(1) > 1
    assert max(verdict.points) > 0
    for record in table.records:
        assert all(str(record.moves[seat]) != "-" for seat in record.position.to_act if seat > 0)


@pytest.mark.parametrize("name", BENCHED)
def test_a_benched_culprit_comes_last_and_only_points_at_nothing(evening: Evening, name: str) -> None:
    table = evening.tables[name]
    assert table.verdict.result().places[0] == 4
    assert [fault.benched for fault in faults(table)] == [False] * (len(faults(table)) - 1) + [True]
    out = faults(table)[-1].turn
    assert set(moves(table)[out - 1 :]) == {"-"}


def test_faults_of_three_kinds_say_what_was_asked(evening: Evening) -> None:
    for name in ("answers_illegally", "crashes_in_game_started", "hangs_forever"):
        first, second, _ = faults(evening.tables[name])
        assert (first.asked, first.beat) == ("M0 M1 M2", 3)
        assert second.asked == "M0 M1 M2 P1 P2 P3 S"


def test_an_illegal_answer_is_shown_beside_what_would_have_been_legal(evening: Evening) -> None:
    fault = faults(evening.tables["answers_illegally"])[0]
    assert "'Left'" in fault.answered
    assert fault.text == "choose() returned 'Left' (str); legal in turn 1: M0 M1 M2"


def test_an_illegal_answer_on_the_wire_is_named(evening: Evening) -> None:
    protect, unknown, missing = faults(evening.tables["answers_illegally_on_the_wire"])
    assert (protect.answered, protect.text) == ("S", "S is not legal here")
    assert "99" in unknown.answered
    assert unknown.text == "CrossingMove 99 does not exist; there are 1 to 13"
    assert missing.text == "the answer has no move"


@pytest.mark.parametrize("name", SILENT)
def test_a_timeout_names_the_time_it_took_and_the_time_there_was(evening: Evening, name: str) -> None:
    first, *others = faults(evening.tables[name])
    assert (first.limit_ms, first.elapsed_ms >= 700) == (700, True)
    words = re.fullmatch(r"(\d+) ms of 400 ms and 300 ms from the bank on turn (\d)", first.text)
    assert words, first.text
    assert (int(words[1]), int(words[2])) == (round(first.elapsed_ms), first.turn)
    for fault in others:  # the bank is spent
        assert (fault.limit_ms, fault.elapsed_ms >= 400) == (400, True)
        assert re.fullmatch(rf"{fault.elapsed_ms:.0f} ms of 400 ms on turn {fault.turn}", fault.text)


@pytest.mark.parametrize("name", ["answers_late", "answers_one_turn_late"])
def test_a_late_answer_never_hits_the_next_turn(evening: Evening, name: str) -> None:
    table = evening.tables[name]
    assert moves(table)[:4] == ["M0", "-", "M0", "M0"]
    assert "S" not in moves(table)


def test_an_old_token_is_dropped_and_its_author_told(evening: Evening) -> None:
    table = evening.tables["answers_old_token"]
    assert moves(table)[:2] == ["M0", "-"]
    assert all("1 answers bore the token of a closed ask" in fault.log for fault in faults(table))


def test_a_guessed_token_is_named(evening: Evening) -> None:
    words = r"it answered with token \d+, which it was never given"
    assert all(re.fullmatch(words, fault.text) for fault in faults(evening.tables["answers_for_another_seat"]))


def test_a_second_hello_is_called_by_its_name(evening: Evening) -> None:
    [fault] = faults(evening.tables["says_hello_twice"])
    assert fault.text == "it sent a second hello"


def test_whoever_is_shown_out_for_flooding_is_not_said_to_have_hung_up(evening: Evening) -> None:
    for fault in faults(evening.tables["floods_answers"]):
        assert "hung up" not in fault.text


@pytest.mark.parametrize(
    ("name", "method", "last"),
    [
        ("crash_in_turn_3", "choose", "KeyError: 3"),
        ("crashes_in_game_started", "game_started", "RuntimeError: no book for 4 players"),
        ("crashes_in_revealed", "revealed", "LookupError: turn 1 is not in my table"),
    ],
)
def test_a_crash_shows_the_traceback_of_the_bots_own_code(evening: Evening, name: str, method: str, last: str) -> None:
    text = faults(evening.tables[name])[0].text
    heading, frame, *_ = text.splitlines()
    assert heading == "Traceback (most recent call last):"
    assert re.fullmatch(rf'  File ".*{name}\.py", line \d+, in {method}', frame)
    assert text.splitlines()[-1] == last
    assert "crossing_sdk" not in text.replace(str(BOTS), "")
    assert "grpc" not in text


def test_a_process_that_ended_is_told_apart_from_code_that_raised(evening: Evening) -> None:
    [fault] = faults(evening.tables["exits_in_turn_3"])
    assert fault.text == "the process exited with code 3"
    assert fault.log.splitlines()[-1] == "out of here"


def test_a_bot_that_hangs_up_is_told_apart_from_one_that_ended(evening: Evening) -> None:
    [fault] = faults(evening.tables["hangs_up"])
    assert fault.text == "it hung up while its process lived on"


@pytest.mark.parametrize(("name", "crash"), [("exits_in_turn_3", 3), ("restarts_fine", 2), ("hangs_up", 2)])
def test_a_bot_that_was_started_again_goes_on_from_the_view(evening: Evening, name: str, crash: int) -> None:
    done = moves(evening.tables[name])
    assert done[crash - 1] == "-"
    assert "-" not in done[: crash - 1] + done[crash:]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("crash_at_import", ("exited with code 1 before it said hello", "SIZE = 1 // len", "ZeroDivisionError")),
        ("syntax_error", ("exited with code 1 before it said hello", "class SyntaxErrorBot(Bot)", "SyntaxError:")),
        ("hangs_at_import", ("no hello within 1.5 s", "loading the weights")),
        ("says_no_hello", ("no hello within 1.5 s",)),
        ("never_connects", ("exited with code 0 before it said hello", "all done")),
        ("wrong_token", ("exited with code 1 before it said hello", "UNAUTHENTICATED", "this token admits nobody")),
        ("plays_another_game", ("your bot plays chess; this arena plays crossing",)),
    ],
)
def test_who_never_came_is_told_why_in_its_own_words(evening: Evening, name: str, words: tuple[str, ...]) -> None:
    [fault] = faults(evening.tables[name])
    told = f"{fault.text}\n{fault.log}"
    assert [word for word in words if word not in told] == []


def test_bad_talk_costs_the_beat_and_not_the_move(evening: Evening) -> None:
    table = evening.tables["talks_badly"]
    control, long, pledge = faults(table)
    assert {fault.beat for fault in faults(table)} == {1}
    assert "contains U+001B, which cannot be shown" in control.text
    assert "has 201 characters, more than 200" in long.text
    assert "pledged Move.P0" in pledge.text
    assert "legal in turn 3: M0 M1 M2 P1 P2 P3 S" in pledge.text
    assert moves(table)[:3] == ["M0", "M0", "-"]
    assert not any(record.said for record in table.records)


def test_a_flood_of_print_is_cut_and_counted(evening: Evening) -> None:
    log = evening.logs["prints_100_mb"]
    assert len(log) < 80_000
    dropped = re.search(r"\.\.\. (\d+) bytes dropped \.\.\.", log)
    assert dropped
    assert int(dropped[1]) > 99_000_000
    printed = evening.tables["prints_100_mb"].records[1].printed[0]
    assert len(printed) < 5_000
    assert printed.endswith("characters dropped")


def test_no_process_and_no_folder_outlives_the_arena(evening: Evening) -> None:
    for word in ("stops_itself.py", "ignores_sigterm.py", "hangs_forever.py", "daemon"):
        assert any(word in line for line in evening.alive), f"{word} was not even there"
    assert evening.left == []


# --- those that could spoil the evening of all, in an arena apart


@pytest.mark.parametrize("name", APART)
def test_nothing_is_left_of_a_bot_that_tries_to_get_away(place: Place, name: str) -> None:
    told = run_apart(place, name)
    assert place.left() == []
    want = expected(name, last_turn=told.turns)
    assert told.faults == [(kind.value, turn) for kind, turn in want.faults]
    assert told.others == 0


def test_nothing_is_left_of_a_bot_that_is_started_again_when_the_arena_closes(place: Place) -> None:
    assert run_apart(place, "closing").words == []
    assert place.left() == []


def test_a_bot_that_hangs_up_is_not_charged_for_the_arenas_doubt(place: Place) -> None:
    """Whether it hung up or crashed is known only after a moment; its clock must not run out meanwhile."""

    async def play() -> Table:
        async with Arena() as arena:
            bots = await arena.admit(entries(place, "hangs_up", *["honest"] * 3), 60_000, place.variables)
            return await arena.play(match(budgets=Budgets(turn_ms=400, bank_ms=0)), bots)

    assert [(fault.kind, fault.turn) for fault in faults(asyncio.run(play()))] == [(FaultKind.DISCONNECT, 2)]
