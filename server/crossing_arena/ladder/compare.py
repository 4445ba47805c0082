"""Is my new version better? Both sit at one table with the same opponents, deal after deal, until it is clear."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from crossing_arena.arena import Arena, LocalBot
from crossing_arena.ladder.sequential import Comparison, Decision, Finding, Question, difference_of, judge
from crossing_arena.launcher import Entry
from crossing_arena.referee import Budgets, MatchSpec, Verdict
from crossing_sdk.games import derive

AT_ONCE = 8
"""Deals played at the same time; they count in their order, so that the answer does not depend on who is fast."""


@dataclass(frozen=True, slots=True)
class Contest:
    """An old and a new version, and the field they meet in."""

    old: Entry
    new: Entry
    field: tuple[Entry, ...]
    """The other bots; each deal has as many of them as there is room for, in turn."""
    players: int
    seed: bytes
    budgets: Budgets
    talk: bool


async def compare(
    contest: Contest, question: Question, max_deals: int, show: Callable[[Finding], None]
) -> tuple[Finding, int]:
    """Play until the question is answered or the deals are used up; returns the answer and the faults of the new."""
    comparison, faults = Comparison(), 0
    finding = judge(comparison, question)
    async with Arena() as arena:
        entries = [replace(contest.new, name="new"), replace(contest.old, name="old"), *contest.field]
        bots = await arena.admit(entries, contest.budgets.start_up_ms)
        for first in range(0, max_deals, AT_ONCE):
            deals = range(first, min(first + AT_ONCE, max_deals))
            results = await asyncio.gather(*(_play_deal(arena, contest, bots, deal) for deal in deals))
            for verdicts in results:
                comparison = comparison.plus(difference_of([places for places, _ in verdicts]))
                faults += sum(count for _, count in verdicts)
                finding = judge(comparison, question)
                if finding.decision is not Decision.UNDECIDED:
                    return finding, faults
            show(finding)
    return finding, faults


async def _play_deal(
    arena: Arena, contest: Contest, bots: Sequence[LocalBot], deal: int
) -> list[tuple[tuple[int, int], int]]:
    """One deal twice, the versions' seats swapped: the places of new and old, and the faults of new."""
    new, old, *field = bots
    others = [field[(deal + i) % len(field)] for i in range(contest.players - 2)]
    seed = derive(contest.seed, f"deal/{deal}")
    spec = MatchSpec(contest.players, seed, talk=contest.talk, budgets=contest.budgets)
    shift = deal % contest.players
    verdicts = []
    for pair in ((new, old), (old, new)):
        seats = [*pair, *others]
        seats = seats[shift:] + seats[:shift]
        table = await arena.play(spec, seats)
        verdicts.append(_places(table.verdict.result(), seats.index(new), seats.index(old)))
    return verdicts


def _places(verdict: Verdict, new: int, old: int) -> tuple[tuple[int, int], int]:
    return (verdict.places[new], verdict.places[old]), verdict.faults[new]
