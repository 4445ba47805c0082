"""Tables full of culprits, all at once: each pays for itself, and the one honest bot is not disturbed."""

import asyncio

import pytest

from arena.place import Place
from arena.playing import BRISK, PATIENT, entries, expected, faults, match, moves
from crossing_arena.arena import Arena
from crossing_arena.referee import Budgets
from crossing_arena.table import Table

LOUD = {
    "what they send": (
        *("answers_for_another_seat", "answers_illegally", "answers_illegally_on_the_wire"),
        *("honest", "says_hello_twice", "talks_badly"),
    ),
    "how they end": (
        *("crash_at_import", "exits_in_turn_3", "honest"),
        *("exits_in_every_turn", "crash_in_turn_3", "hangs_up"),
    ),
    "what they do besides": (
        *("forks_a_child", "honest", "prints_100_mb"),
        *("floods_answers", "crashes_in_revealed", "ignores_sigterm"),
    ),
}
SILENT = {
    "whom they keep waiting": ("hangs_forever", "stops_itself", "answers_one_turn_late", "answers_old_token", "honest")
}
CROWDS = LOUD | SILENT


@pytest.fixture(scope="module")
def crowds(shared_place: Place) -> dict[str, Table]:
    return asyncio.run(play_crowds(shared_place))


async def play_crowds(place: Place) -> dict[str, Table]:
    async with Arena() as arena:

        async def play(bots: tuple[str, ...], budgets: Budgets) -> Table:
            admitted = await arena.admit(entries(place, *bots), PATIENT.start_up_ms, place.variables)
            return await arena.play(match(len(bots), budgets, seed=2), admitted)

        tables = await asyncio.gather(*(play(bots, PATIENT) for bots in LOUD.values()))
        tables += await asyncio.gather(*(play(bots, BRISK) for bots in SILENT.values()))
    return dict(zip(CROWDS, tables, strict=True))


@pytest.mark.parametrize("crowd", CROWDS)
def test_each_of_a_crowd_gets_the_verdict_it_expects(crowds: dict[str, Table], crowd: str) -> None:
    table = crowds[crowd]
    want = {name: expected(name, len(table.records)) for name in CROWDS[crowd]}
    got = {name: [(f.kind, f.turn) for f in faults(table, seat)] for seat, name in enumerate(CROWDS[crowd])}
    assert got == {name: list(faulty.faults) for name, faulty in want.items()}
    assert table.verdict.result().benched == tuple(faulty.benched for faulty in want.values())


@pytest.mark.parametrize("crowd", CROWDS)
def test_the_benched_of_a_crowd_come_after_all_others(crowds: dict[str, Table], crowd: str) -> None:
    verdict = crowds[crowd].verdict.result()
    playing = [place for place, benched in zip(verdict.places, verdict.benched, strict=True) if not benched]
    out = [place for place, benched in zip(verdict.places, verdict.benched, strict=True) if benched]
    assert playing
    assert out
    assert max(playing) < min(out)
    assert min(out) == len(playing) + 1


@pytest.mark.parametrize("crowd", CROWDS)
def test_the_honest_bot_of_a_crowd_plays_as_if_alone(crowds: dict[str, Table], crowd: str) -> None:
    table = crowds[crowd]
    honest = CROWDS[crowd].index("honest")
    resting = [honest not in record.position.to_act for record in table.records]
    assert [move == "-" for move in moves(table, honest)] == resting
    assert table.verdict.result().points[honest] > 0
