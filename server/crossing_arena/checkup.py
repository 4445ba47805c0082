"""The conformance check: what a ladder will ask of a bot, asked at home.

Every step is a small generator of findings, run in order; the first that fails ends the check,
since the later ones build on it.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from crossing_arena.arena import Arena, LocalBot
from crossing_arena.faults import Fault, FaultKind
from crossing_arena.launcher import Entry, find_entries
from crossing_arena.referee import Budgets, MatchSpec, TurnRecord
from crossing_arena.table import Table
from crossing_sdk.games import CROSSING, seed_from

SPARRING = Path(__file__).parent / "sparring"
"""Opponents that misbehave."""

PATIENCE = Budgets(turn_ms=300, bank_ms=0, talk_ms=200)
"""For matches with opponents that hang, so that the check is soon over."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one step found."""

    step: str
    passed: bool
    words: str
    faults: tuple[Fault, ...] = ()


@dataclass(slots=True)
class _Examination:
    arena: Arena
    entry: Entry
    budgets: Budgets
    strict: bool
    """Whether the same seed must give the same moves."""
    memory_mb: int
    bot: LocalBot
    tables: list[Table]
    """The matches played so far."""

    async def play(
        self, opponents: Sequence[str | Path], seed: str, budgets: Budgets | None = None
    ) -> tuple[Table, tuple[Fault, ...]]:
        """A match against these; returns its table and the candidate's faults."""
        entries = find_entries([str(word) for word in opponents])
        budgets = budgets or self.budgets
        rivals = await self.arena.admit(entries, budgets.start_up_ms)
        spec = MatchSpec(1 + len(rivals), seed_from(seed), budgets=budgets)
        table = await self.arena.play(spec, [self.bot, *rivals])
        await self.arena.dismiss(rivals)
        self.tables.append(table)
        return table, _faults_of(table.records, 0)


def _faults_of(records: Sequence[TurnRecord], seat: int) -> tuple[Fault, ...]:
    return tuple(fault for record in records for fault in record.faults if fault.seat == seat)


async def examine(
    entry: Entry, budgets: Budgets, *, strict: bool = True, memory_mb: int = 512
) -> AsyncIterator[Finding]:
    """Put a bot through its paces; ends with the first step that fails."""
    async with Arena() as arena:
        [bot] = await arena.admit([entry], budgets.start_up_ms)
        yield Finding("starts and says hello", not bot.guest.absent, bot.guest.absent or "it came in")
        if bot.guest.absent:
            return
        examination = _Examination(arena, entry, budgets, strict, memory_mb, bot, [])
        for step in STEPS:
            finding = await step(examination)
            yield finding
            if not finding.passed:
                return


async def _plays_legally(exam: _Examination) -> Finding:
    """Whole matches at every table size."""
    sizes = list(CROSSING.players)
    for size in sizes:
        opponents = ["random", "greedy", "thief", "hoarder", "diplomat"][: size - 1]
        _, faults = await exam.play(opponents, f"check/{size}")
        wrong = tuple(fault for fault in faults if fault.kind is not FaultKind.TIMEOUT)
        if wrong:
            return Finding("answers legally", False, f"{len(wrong)} faults in a match of {size}", wrong)
    return Finding("answers legally", True, f"whole matches at tables of {sizes[0]} to {sizes[-1]}")


async def _answers_in_time(exam: _Examination) -> Finding:
    late = tuple(fault for table in exam.tables for fault in _faults_of(table.records, 0))
    times = sorted(record.ms[0] for table in exam.tables for record in table.records if record.ms[0])
    if late or not times:
        return Finding("answers in time", False, f"{len(late)} of its answers came too late", late)
    limit = f"{exam.budgets.turn_ms} ms" if exam.budgets.turn_ms else "no limit"
    words = f"worst {times[-1]:.1f} ms, median {median(times):.1f} ms of {limit}"
    return Finding("answers in time", True, words)


async def _is_deterministic(exam: _Examination) -> Finding:
    """The same match twice: a bot that draws its chance from turn.rng plays it the same way."""
    step = "plays the same under the same seed"
    if not exam.strict:
        return Finding(step, True, "not asked for")
    histories = []
    for _ in range(2):
        table, _ = await exam.play(["random", "greedy", "hoarder"], "check/twice")
        histories.append([record.moves[0] for record in table.records])
    for turn, (first, second) in enumerate(zip(*histories, strict=False), start=1):
        if first != second:
            words = f"turn {turn}: {first} the first time, {second} the second; draw chance from turn.rng only"
            return Finding(step, False, words)
    return Finding(step, True, f"{len(histories[0])} turns, twice")


async def _survives_faulty_opponents(exam: _Examination) -> Finding:
    step = "survives opponents that fault"
    opponents = sorted(SPARRING.glob("*.py"))
    patience = replace(PATIENCE, start_up_ms=exam.budgets.start_up_ms)
    if exam.budgets.turn_ms:
        patience = replace(patience, turn_ms=max(patience.turn_ms, exam.budgets.turn_ms))
    table, faults = await exam.play(opponents, "check/faulty", patience)
    names = ", ".join(path.stem for path in opponents)
    words = f"against {names}: place {table.verdict.result().places[0]}"
    return Finding(step, not faults, words if not faults else f"{len(faults)} faults of its own", faults)


async def _fits_into_memory(exam: _Examination) -> Finding:
    peak = exam.bot.peak_memory_mb
    if peak is None:
        return Finding("fits into memory", True, "not measured on this system")
    return Finding("fits into memory", peak <= exam.memory_mb, f"peak {peak:.0f} MB of {exam.memory_mb} MB")


async def _plays_itself(exam: _Examination) -> Finding:
    """Four copies at one table."""
    copies = await exam.arena.admit([replace(exam.entry, name=f"{exam.entry.name}#{i}") for i in (2, 3, 4)], 0)
    spec = MatchSpec(4, seed_from("check/self"), budgets=exam.budgets)
    table = await exam.arena.play(spec, [exam.bot, *copies])
    faults = tuple(fault for record in table.records for fault in record.faults)
    points = table.verdict.result().points
    if faults:
        return Finding("plays itself", False, f"{len(faults)} faults", faults)
    return Finding("plays itself", True, f"{' : '.join(map(str, points))} points")


STEPS: Sequence[Callable[[_Examination], Awaitable[Finding]]] = (
    _plays_legally,
    _answers_in_time,
    _is_deterministic,
    _survives_faulty_opponents,
    _fits_into_memory,
    _plays_itself,
)
