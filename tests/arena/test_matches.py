"""Whole matches of honest bots, with real processes."""

import asyncio
import json
import os
import shutil
import signal
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.place import Place
from arena.playing import BOTS, PATIENT, entries, faults, match, moves
from crossing_arena.arena import Arena, LocalBot
from crossing_arena.faults import ArenaFault, FaultKind
from crossing_arena.launcher import find_entries
from crossing_arena.referee import Budgets, Event, MatchSpec, TurnPlayed, Verdict
from crossing_arena.table import Table
from crossing_sdk.games import CROSSING, seed_from
from crossing_sdk.games.crossing import Move

Scene = Callable[[Arena, list[LocalBot]], Coroutine[Any, Any, list[Table]]]


def play(place: Place, bots: tuple[str, ...], scene: Scene, slots: int | None = None) -> list[Table]:
    """Let these bots do something in an arena of their own."""

    async def whole() -> list[Table]:
        async with Arena(slots) as arena:
            return await scene(arena, await arena.admit(entries(place, *bots), PATIENT.start_up_ms, place.variables))

    return asyncio.run(whole())


def story(table: Table) -> tuple[list[tuple[Move, ...]], list[Any], Verdict]:
    """All of a match that must come out the same again."""
    return (
        [record.moves for record in table.records],
        [record.said for record in table.records],
        table.verdict.result(),
    )


# --- tables of every size, talking and silent

SIZES = tuple(CROSSING.players)


@pytest.fixture(scope="module")
def tables(shared_place: Place) -> dict[tuple[int, bool], Table]:
    """By size, and whether the table talks. Two talk, the others are silent by nature; one slot asks in seat order."""
    kinds = [(players, talk) for players in SIZES for talk in (True, False)]

    async def all_sizes(arena: Arena, bots: list[LocalBot]) -> list[Table]:
        return [await arena.play(match(players, talk=talk), bots[:players]) for players, talk in kinds]

    played = play(shared_place, ("talker", "honest", "talker", "honest", "honest", "honest"), all_sizes, slots=1)
    return dict(zip(kinds, played, strict=True))


@pytest.mark.parametrize("players", SIZES)
@pytest.mark.parametrize("talk", [True, False])
def test_a_table_of_any_size_plays_to_the_end(tables: dict[tuple[int, bool], Table], players: int, talk: bool) -> None:
    table = tables[players, talk]
    verdict = table.verdict.result()
    assert verdict.faults == (0,) * players
    assert len(verdict.places) == players
    assert min(verdict.places) == 1
    outcome = table.endings[-1].position.outcome
    assert outcome is not None
    assert outcome.points == verdict.points


@pytest.mark.parametrize("players", SIZES)
def test_the_record_has_a_talkers_words_at_the_right_beat(tables: dict[tuple[int, bool], Table], players: int) -> None:
    for record in tables[players, True].records:
        said = [(heard.seat, heard.beat) for heard in record.said]
        assert said == [(0, 1), (2, 1), (0, 2), (2, 2)]


@pytest.mark.parametrize("players", SIZES)
def test_nobody_hears_a_beat_before_it_is_over(tables: dict[tuple[int, bool], Table], players: int) -> None:
    for record in tables[players, True].records:
        by_beat = {(heard.seat, heard.beat): heard.text.removesuffix(" resting") for heard in record.said}
        for seat in (0, 2):
            assert by_beat[seat, 1] == "heard nothing"
            assert by_beat[seat, 2] == "heard 0@1 2@1"
            if seat in record.position.to_act:
                assert record.notes[seat] == ("0@1 2@1 0@2 2@2",)


@pytest.mark.parametrize("players", SIZES)
def test_a_player_on_break_may_talk_but_has_nothing_to_pledge(
    tables: dict[tuple[int, bool], Table], players: int
) -> None:
    third = tables[players, True].records[2]
    assert 0 not in third.position.to_act
    assert [(heard.text, heard.pledge) for heard in third.said if heard.seat == 0] == [
        ("heard nothing resting", None),
        ("heard 0@1 2@1 resting", None),
    ]
    second = tables[players, True].records[1]
    assert {heard.pledge for heard in second.said} == {Move.M0}


@pytest.mark.parametrize("players", SIZES)
def test_a_silent_table_says_nothing(tables: dict[tuple[int, bool], Table], players: int) -> None:
    assert not any(record.said for record in tables[players, False].records)


# --- the same again


FOUR = ("honest", "talker", "honest", "honest")


def specs() -> list[MatchSpec]:
    """Ten matches, in which ties are played again."""
    return [MatchSpec(4, seed_from(seed), talk=seed % 2 == 0, budgets=PATIENT) for seed in range(10)]


def test_ten_tables_at_once_play_as_they_would_one_after_another(place: Place) -> None:
    async def twice(arena: Arena, bots: list[LocalBot]) -> list[Table]:
        in_a_row = [await arena.play(spec, bots) for spec in specs()]
        return in_a_row + await asyncio.gather(*(arena.play(spec, bots) for spec in specs()))

    played = [story(table) for table in play(place, FOUR, twice)]
    assert played[:10] == played[10:]
    assert len({str(moves) for moves, _, _ in played}) == 10


def test_another_arena_plays_the_same_match_from_the_same_seed(place: Place) -> None:
    async def once(arena: Arena, bots: list[LocalBot]) -> list[Table]:
        return [await arena.play(match(seed=7), bots), await arena.play(match(seed=8), bots)]

    first, second = ([story(table) for table in play(place, FOUR, once)] for _ in range(2))
    assert first == second
    assert first[0] != first[1]


def test_one_process_may_have_every_seat_of_a_table(place: Place) -> None:
    async def alone(arena: Arena, bots: list[LocalBot]) -> list[Table]:
        return [await arena.play(match(seed=9), bots * 4)]

    [table] = play(place, ("honest",), alone)
    assert table.verdict.result().faults == (0, 0, 0, 0)
    assert len({tuple(moves(table, seat)) for seat in range(4)}) == 4, "every seat has its own dice"


# --- whose fault it is


def test_a_bot_that_is_stopped_from_outside_costs_only_itself(place: Place) -> None:
    async def scene(arena: Arena, bots: list[LocalBot]) -> list[Table]:
        def stop_it(event: Event) -> None:
            if isinstance(event, TurnPlayed) and event.record.position.turn == 2:
                os.kill(place.bot("talker"), signal.SIGSTOP)

        budgets = Budgets(turn_ms=400, bank_ms=0, talk_ms=0)
        return [await arena.play(match(budgets=budgets, talk=False), bots, stop_it)]

    [table] = play(place, ("honest", "talker", "honest", "honest"), scene)
    # It protected in turn 2, so that its break is in turn 3 and it is asked again in turn 4.
    assert [(fault.kind, fault.turn) for fault in faults(table, 1)] == [(FaultKind.TIMEOUT, turn) for turn in (4, 5, 6)]
    verdict = table.verdict.result()
    assert verdict.benched == (False, True, False, False)
    assert verdict.faults == (0, 3, 0, 0)
    assert verdict.places[1] == 4


def test_an_error_of_the_arena_ends_only_its_own_table(place: Place) -> None:
    async def scene(arena: Arena, bots: list[LocalBot]) -> list[Table]:
        def fail(event: Event) -> None:
            if isinstance(event, TurnPlayed) and event.record.position.turn == 3:
                raise ZeroDivisionError("our own mistake")

        others = [asyncio.create_task(arena.play(match(seed=seed), bots)) for seed in range(3)]
        with pytest.raises(ArenaFault, match="our own mistake") as caught:
            await arena.play(match(seed=3), bots, fail)
        assert isinstance(caught.value.__cause__, ZeroDivisionError)
        again = await arena.play(match(seed=3), bots)
        return [*[await other for other in others], again]

    for table in play(place, ("honest",) * 4, scene):
        assert table.verdict.result().faults == (0, 0, 0, 0)


def test_where_nobody_comes_there_is_no_contest(place: Place) -> None:
    async def scene(arena: Arena, bots: list[LocalBot]) -> list[Table]:
        return [await arena.play(match(3), bots)]

    [table] = play(place, ("never_connects",) * 3, scene)
    verdict = table.verdict.result()
    assert verdict.ending.value == "no contest"
    assert (verdict.faults, verdict.benched) == ((1, 1, 1), (True, True, True))


# --- what a bot is given


def test_a_bot_lives_in_its_own_folder_and_its_token_is_nowhere_to_be_read(place: Place) -> None:
    homes = []
    for name in ("first", "second"):
        home = place.folder / name
        home.mkdir()
        for script in ("tells_its_place.py", "wire_bot.py"):
            shutil.copy(BOTS / script, home)
        homes.append(home)

    async def whole() -> Table:
        async with Arena() as arena:
            found = find_entries([str(home / "tells_its_place.py") for home in homes])
            found[1] = replace(found[1], environment={"BOOK": "openings.txt"})
            bots = await arena.admit(found, PATIENT.start_up_ms, place.variables)
            table = await arena.play(match(3), [*bots, bots[0]])
            assert len(place.folders()) == 3, "one for the arena and one for each bot"
        return table

    assert asyncio.run(whole()).verdict.result().faults == (0, 0, 0)
    told = [json.loads(path.read_text()) for path in place.folder.glob("told-*.json")]
    assert sorted(one["cwd"] for one in told) == [str(home) for home in homes]
    for one in told:
        assert one["home"] == one["tmpdir"]
        assert Path(one["home"]).parent == place.folder
        assert one["home_mode"] == "0o700"
        assert len(one["token"]) > 30
        assert one["token"] not in one["own"]
        assert one["token"] not in one["guard"]
        assert ("BOOK=openings.txt" in one["own"]) == (one["cwd"] == str(homes[1]))
    assert told[0]["home"] != told[1]["home"]
    assert told[0]["token"] != told[1]["token"]


def test_a_bot_does_not_inherit_the_arenas_environment(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "the organiser's")
    monkeypatch.setenv("LANG", "C.UTF-8")

    async def scene(arena: Arena, bots: list[LocalBot]) -> list[Table]:
        return [await arena.play(match(3), bots * 3)]

    play(place, ("tells_its_place",), scene)
    [told] = [json.loads(path.read_text()) for path in place.folder.glob("told-*.json")]
    assert "the organiser's" not in told["own"]
    assert "LANG=C.UTF-8" in told["own"]
