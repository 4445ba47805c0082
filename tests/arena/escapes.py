"""Arenas in a process of their own, so that a test sees what outlives it: `python -m arena.escapes NAME`."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import crossing_arena.arena as arena_module
from arena.place import MARK, Place
from arena.playing import entries, faults, match
from crossing_arena.arena import Arena
from crossing_arena.launcher import BotProcess, Entry


@dataclass(frozen=True, slots=True)
class Told:
    """What a culprit was told, and how many faults the honest bots have."""

    faults: list[tuple[str, int]]
    """Kind and turn."""
    words: list[str]
    others: int
    turns: int
    """How many were played."""


def run_apart(place: Place, scene: str) -> Told:
    """Run a scene in a process of its own; it must end by itself."""
    command = [sys.executable, "-m", "arena.escapes", scene]
    same_modules = os.pathsep.join(sys.path)
    environment = {**os.environ, **place.variables, "TMPDIR": str(place.folder), "PYTHONPATH": same_modules}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30, check=True)
    except subprocess.TimeoutExpired:
        raise AssertionError(f"the arena of {scene} did not end") from None
    told = json.loads(done.stdout)
    return Told([(kind, turn) for kind, turn in told["faults"]], told["words"], told["others"], told["turns"])


async def play_alone(place: Place, name: str) -> dict[str, object]:
    """One culprit and three honest bots in an arena which is closed at once."""
    async with Arena() as arena:
        bots = await arena.admit(entries(place, name, *["honest"] * 3), 20_000, place.variables)
        table = await arena.play(match(), bots)
    return {
        "faults": [(fault.kind.value, fault.turn) for fault in faults(table)],
        "words": [fault.text for fault in faults(table)],
        "others": sum(table.verdict.result().faults[1:]),
        "turns": len(table.records),
    }


class SlowToReturn(BotProcess):
    """A bot's process that is there before the arena knows it."""

    starts = 0
    there: asyncio.Event
    known: asyncio.Event

    @classmethod
    async def start(cls, entry: Entry, variables: Mapping[str, str], first_line: str) -> BotProcess:
        process = await super().start(entry, variables, first_line)
        cls.starts += 1
        if cls.starts == 2:
            cls.there.set()
            try:
                await cls.known.wait()
            except asyncio.CancelledError:
                await process.stop(grace=0)
                raise
        return process


async def close_while_starting_again(place: Place) -> dict[str, object]:
    """A bot that ended is started again in the moment in which it is dismissed."""
    SlowToReturn.there, SlowToReturn.known = asyncio.Event(), asyncio.Event()
    vars(arena_module)["BotProcess"] = SlowToReturn
    async with Arena() as arena:
        [bot] = await arena.admit(entries(place, "exits_in_turn_3"), 20_000, place.variables)
        playing = asyncio.create_task(arena.play(match(players=3), [bot] * 3))
        await SlowToReturn.there.wait()
        dismissing = asyncio.create_task(arena.dismiss([bot]))
        asyncio.get_running_loop().call_soon(SlowToReturn.known.set)
        await dismissing
        playing.cancel()
        left = list(place.processes("exits_in_turn_3").values())
    return {"faults": [], "words": left, "others": 0, "turns": 0}


if __name__ == "__main__":
    here = Place(Path(os.environ[MARK]))
    scene = sys.argv[1]
    told = close_while_starting_again(here) if scene == "closing" else play_alone(here, scene)
    print(json.dumps(asyncio.run(told)))
