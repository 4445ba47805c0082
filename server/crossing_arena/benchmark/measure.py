"""The measurements of `crossing-arena bench`."""

import asyncio
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from crossing_arena.arena import Arena, LocalBot
from crossing_arena.benchmark import echo
from crossing_arena.ladder.ratings import Results, rate
from crossing_arena.launcher import find_entries
from crossing_arena.referee import Budgets, MatchSpec
from crossing_sdk.games import CROSSING, derive, seed_from

BOTS = 4
ROUNDS = 5
FRAMED_TABLES = 32
RATED_BOTS, RATED_MATCHES = 1_000, 100_000
_PATIENT = Budgets(turn_ms=60_000, bank_ms=0)


@dataclass(frozen=True, slots=True)
class Figure:
    """One measurement."""

    key: str
    value: float
    words: str


@dataclass(frozen=True, slots=True)
class _Pace:
    decisions: float
    matches: float
    server_us: float


async def figures(seconds: float) -> AsyncIterator[Figure]:
    """Measure one thing after the other, each for so many seconds."""
    turns = rules_turns_per_second(seconds)
    yield Figure("rules_turns_per_s", turns, "turns a second through the rules: 4 players, legality checked, one core")
    words = f"seconds to rate {RATED_BOTS:,} bots by {RATED_MATCHES:,} matches"
    yield Figure("rating_seconds", rating_seconds(), words)
    fast = str(Path(__file__).with_name("fast_bot.py"))
    async with Arena() as arena:
        started = time.perf_counter()
        await arena.dismiss(await arena.admit(find_entries([fast]), 0))
        cold = (time.perf_counter() - started) * 1000
        yield Figure("cold_start_ms", cold, "milliseconds from nothing to a bot that has come in and gone again")
        bots = await arena.admit(find_entries([fast] * BOTS), 0)
        rounds = [await _round(arena, bots, seconds / ROUNDS) for _ in range(ROUNDS)]
    for figure in _paces(rounds):
        yield figure


async def _round(arena: Arena, bots: list[LocalBot], seconds: float) -> tuple[float, _Pace, _Pace]:
    """The echo, one table and many tables, right after each other, so that a busy moment hits them alike."""
    folder = Path(tempfile.mkdtemp(prefix="crossing-bench-"))
    try:
        base = await echo.measure(folder, BOTS, seconds)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return base, await _pace(arena, bots, 1, seconds), await _pace(arena, bots, FRAMED_TABLES, seconds)


def _paces(rounds: list[tuple[float, _Pace, _Pace]]) -> Iterator[Figure]:
    """The median of all rounds."""
    yield Figure(
        "echo_decisions_per_s",
        median(base for base, _, _ in rounds),
        f"decisions a second of a raw gRPC echo, {BOTS} processes",
    )
    single = median(single.decisions for _, single, _ in rounds)
    yield Figure("single_decisions_per_s", single, "decisions a second, one table")
    framed = median(framed.decisions for _, _, framed in rounds)
    yield Figure("framed_decisions_per_s", framed, f"decisions a second, {FRAMED_TABLES} tables at once")
    matches = median(framed.matches for _, _, framed in rounds)
    yield Figure("matches_per_s", matches, f"matches a second, {FRAMED_TABLES} tables at once")
    server = median(framed.server_us for _, _, framed in rounds)
    yield Figure("server_us_per_decision", server, "microseconds of the arena's own CPU a decision")


def rating_seconds() -> float:
    """How long it takes to rate a large ladder: results drawn at random, since only their number counts."""
    dice = np.random.default_rng(1)
    strengths = dice.normal(size=RATED_BOTS)
    seats = np.argsort(dice.random((RATED_MATCHES, 8)), axis=1)[:, :4] * (RATED_BOTS // 8)
    seats = seats + dice.integers(RATED_BOTS // 8, size=(RATED_MATCHES, 4))
    merits = strengths[seats] + dice.gumbel(size=seats.shape)
    places = 1 + (merits[:, :, None] < merits[:, None, :]).sum(axis=2)
    numbers = np.arange(RATED_MATCHES)
    started = time.perf_counter()
    rate(Results(RATED_BOTS, numbers, numbers, seats, places))
    return time.perf_counter() - started


async def _pace(arena: Arena, bots: list[LocalBot], tables: int, seconds: float) -> _Pace:
    """How fast matches go with so many tables at once."""
    matches = decisions = 0
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds

    async def keep_playing(number: int) -> None:
        nonlocal matches, decisions
        game = 0
        while loop.time() < end:
            game += 1
            seed = derive(seed_from("bench"), f"{tables}/{number}/{game}")
            table = await arena.play(MatchSpec(len(bots), seed, talk=False, budgets=_PATIENT), bots)
            matches += 1
            decisions += sum(len(record.position.to_act) for record in table.records)

    started, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(keep_playing(number) for number in range(tables)))
    elapsed, cpu = time.perf_counter() - started, time.process_time() - cpu
    return _Pace(decisions / elapsed, matches / elapsed, cpu / decisions * 1e6)


def rules_turns_per_second(seconds: float) -> float:
    """How many turns of four-player games the rules play, by movers that cost next to nothing."""
    turns = 0
    started = time.perf_counter()
    while (elapsed := time.perf_counter() - started) < seconds:
        position = CROSSING.start(4, turns.to_bytes(32, "big"))
        while not position.over:
            moves = {}
            for seat in position.to_act:
                legal = position.legal(seat)
                moves[seat] = legal[(position.turn + seat * seat) % len(legal)]
            position = position.play(moves)
            turns += 1
    return turns / elapsed
