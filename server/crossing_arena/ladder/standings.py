"""What a ladder's results add up to: a pure function, whose value is what is published."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from crossing_arena.ladder.ratings import Ratings, Results, rate
from crossing_arena.store.values import Bot, MatchResult

SCHEMA = 1
"""The version of standings.json; raised when a key changes its meaning."""


@dataclass(slots=True)
class _Tally:
    """The plain record of one bot."""

    matches: int = 0
    wins: float = 0.0
    places: int = 0
    points: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    pledges_made: int = 0
    pledges_kept: int = 0


@dataclass(frozen=True, slots=True)
class Standings:
    """What is published of a ladder: `bots` best first, `head_to_head` in the same order."""

    bots: list[dict[str, Any]]
    head_to_head: list[list[dict[str, Any] | None]]
    design_effect: float | None
    misfit: float | None
    groups: list[list[str]]
    """The names of bots that can be compared; more than one when not all are joined by common tables."""
    matches: int


def stand(bots: Sequence[Bot], results: Iterable[MatchResult]) -> Standings:
    """The standings after these results; seats name bots by their place in `bots`."""
    tallies = [_Tally() for _ in bots]
    wins = np.zeros((len(bots), len(bots)))
    meetings = np.zeros((len(bots), len(bots)), np.int64)
    rows = []
    for result in results:
        _count(result, tallies)
        _meet(result, wins, meetings)
        sitting = [seat.bot for seat in result.seats]
        rows.append((result.n, result.deal, sitting, [seat.place for seat in result.seats]))
    ratings = rate(Results.of(len(bots), rows))
    order = [bot for group in ratings.groups for bot in group]
    return Standings(
        bots=[_row(bots[bot], tallies[bot], ratings, bot) for bot in order],
        head_to_head=[[_meeting(a, b, wins, meetings) for b in order] for a in order],
        design_effect=_rounded(ratings.design_effect, 3) if rows else None,
        misfit=_rounded(ratings.misfit, 3),
        groups=[[bots[bot].name for bot in group] for group in ratings.groups],
        matches=len(rows),
    )


def _count(result: MatchResult, tallies: Sequence[_Tally]) -> None:
    winners = sum(seat.place == 1 for seat in result.seats)
    for seat in result.seats:
        tally = tallies[seat.bot]
        tally.matches += 1
        tally.wins += 1 / winners if seat.place == 1 else 0
        tally.places += seat.place
        tally.points += seat.points
        tally.faults.update(seat.faults)
        tally.pledges_made += seat.pledges_made
        tally.pledges_kept += seat.pledges_kept


def _meet(result: MatchResult, wins: Any, meetings: Any) -> None:
    """Who finished ahead of whom; a tie is half a win for each."""
    for one in result.seats:
        for other in result.seats:
            if one is not other:
                meetings[one.bot, other.bot] += 1
                wins[one.bot, other.bot] += 1.0 if one.place < other.place else 0.5 if one.place == other.place else 0.0


def _meeting(a: int, b: int, wins: Any, meetings: Any) -> dict[str, Any] | None:
    if not meetings[a, b]:
        return None
    count = int(meetings[a, b])
    return {"meetings": count, "ahead": round(float(wins[a, b]) / count, 4)}


def _row(bot: Bot, tally: _Tally, ratings: Ratings, number: int) -> dict[str, Any]:
    standing = ratings.standings[number]
    played = tally.matches or None
    return {
        "rank": standing.rank,
        "rank_low": standing.rank_low,
        "rank_high": standing.rank_high,
        "name": bot.name,
        "version": bot.version,
        "owner": bot.owner,
        "rating": _rounded(standing.rating, 1),
        "low": _rounded(standing.low, 1),
        "high": _rounded(standing.high, 1),
        "los_next": _rounded(standing.los_next, 4),
        "deals": standing.deals,
        "matches": tally.matches,
        "win_share": _rounded(played and tally.wins / played, 4),
        "mean_place": _rounded(played and tally.places / played, 3),
        "mean_points": _rounded(played and tally.points / played, 2),
        "faults": dict(sorted(tally.faults.items())),
        "pledges_made": tally.pledges_made,
        "pledges_kept": tally.pledges_kept,
        "flags": [flag.value for flag in standing.flags],
        "group": standing.group,
    }


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)
