"""Bad bots cost only themselves, and an honest clock runs only while a bot has a core."""

import asyncio
from pathlib import Path

import pytest

from cli.commands import arena
from crossing_arena.arena import Arena
from crossing_arena.launcher import find_entries
from crossing_arena.referee import Budgets, MatchSpec
from crossing_sdk.games import seed_from
from runs.ladders import ladder_args, standings, write_bots

CULPRITS = {
    "crasher": "raise RuntimeError('no')",
    "hanger": "import threading; threading.Event().wait()",
    "flooder": "print('x' * 1_000_000); return 'nothing'",
}

THINKER = """\
import time

from crossing_sdk import run


def thinker(turn):
    while turn.clock.elapsed_ms < turn.clock.limit_ms / 2:
        pass
    return turn.legal[0]


run(thinker)
"""

BURNER = """\
import threading

from crossing_sdk import run


def burn():
    while True:
        pass


threading.Thread(target=burn, daemon=True).start()


def burner(turn):
    return turn.legal[-1]


run(burner)
"""


def test_a_ladder_with_a_third_of_bad_bots_finishes_and_names_them(tmp_path: Path) -> None:
    bots = write_bots(tmp_path / "bots", 6)
    for name, body in CULPRITS.items():
        (bots / f"{name}.py").write_text(
            f"from crossing_sdk import run\n\ndef {name}(turn):\n    {body}\n\nrun({name})\n"
        )
    done = arena(*ladder_args(bots, tmp_path / "out", "--deals", "16", "--clock", "500ms"))
    assert done.returncode == 0, done.stderr
    document = standings(tmp_path / "out")
    assert document["matches"] == document["scheduled"]
    rows = {bot["name"]: bot for bot in document["bots"]}
    for name in CULPRITS:
        assert f"{name} is on probation" in done.stderr
        assert sum(rows[name]["faults"].values()) >= 16
    honest = [bot for name, bot in rows.items() if name not in CULPRITS]
    assert all(bot["faults"] == {} for bot in honest)
    assert min(bot["rating"] for bot in honest) > max(rows[name]["rating"] for name in CULPRITS)
    assert "CRASH" in rows["crasher"]["faults"]
    assert "TIMEOUT" in rows["hanger"]["faults"]
    assert "INVALID" in rows["flooder"]["faults"]
    assert arena("verify", tmp_path / "out").returncode == 0


@pytest.mark.parametrize("neighbour", ["fast", "burner"])
def test_who_thinks_for_half_its_budget_at_four_tables_never_times_out(tmp_path: Path, neighbour: str) -> None:
    bots = write_bots(tmp_path / "bots", 3)
    (bots / "thinker.py").write_text(THINKER)
    if neighbour == "burner":
        (bots / "bot0.py").write_text(BURNER)
    names = ("thinker", "bot0", "bot1", "bot2")
    spec = MatchSpec(4, seed_from(1), talk=False, budgets=Budgets(turn_ms=200, bank_ms=0))

    async def play() -> list[tuple[int, ...]]:
        async with Arena(slots=2) as hall:
            guests = await hall.admit(find_entries([str(bots / f"{name}.py") for name in names]), 60_000)
            tables = await asyncio.gather(*(hall.play(spec, guests) for _ in range(4)))
            return [table.verdict.result().faults for table in tables]

    assert asyncio.run(play()) == [(0, 0, 0, 0)] * 4
