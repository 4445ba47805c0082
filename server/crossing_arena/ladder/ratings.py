"""Ratings from the whole record, the same whatever order the matches were played in.

A rating is a Bradley-Terry strength, fitted to all pairs within all tables, where a pair of a
table of k weighs 3/(k+1) and a tie is half a win. Shown as 1500 + 173.7 strength: 400 points are
odds of 10 to 1 of finishing ahead. What is uncertain about it is judged by deal, since the matches
of a deal, and the pairs of a table, are not independent of each other.
"""

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np
from scipy.sparse import coo_array, csr_array  # type: ignore[import-untyped]
from scipy.special import stdtrit  # type: ignore[import-untyped]

from crossing_arena.ladder.components import circles, groups, outside_the_largest
from crossing_arena.ladder.likelihood import likelihood_interval
from crossing_arena.ladder.ranks import SURE, SURE_SDS, rank_ranges, shared_ranks, superiority
from crossing_arena.ladder.results import (
    UNIT,
    Bools,
    Duels,
    Floats,
    Ints,
    Results,
    all_duels,
    appearances,
    duels,
    numbered,
    sums,
)
from crossing_arena.ladder.strengths import PRIOR_SD, fit, information, residuals, response

__all__ = ["Flag", "Ratings", "Results", "Standing", "rate"]

MEAN_RATING = 1500.0
POINTS_PER_LOGIT = 400 / math.log(10)
SETTLED_DEALS = 16
SETTLED_HALF_WIDTH = 75.0
FEW_POINTS = 6.0
"""With fewer weighted points won, or lost, the spread of the results says too little about the strength."""

ALIKE = 1e-3
"""Deals whose results vary by less than this share of what chance would make of them are all alike."""


class Flag(Enum):
    """What a reader must know about a rating."""

    PROVISIONAL = "provisional"
    """Under 16 deals, or the interval reaches more than 75 points to each side."""
    PERFECT_RECORD = "perfect record"
    """Nobody ever finished level or ahead: nothing says how strong it is at most."""
    WINLESS = "winless"
    """It never finished level with or ahead of anybody: nothing says how weak it is at most."""
    ONE_SIDED = "one-sided"
    """Between it and most of its group all points went one way: the prior alone says how far apart they are."""
    NOT_CONNECTED = "not connected"
    """No chain of common tables joins it to most of the bots: its rating compares within its group only."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known about one bot. Ranks and rating compare within its group only."""

    rating: float
    low: float | None
    """Where the 95 % interval begins; None if nothing bounds it."""
    high: float | None
    rank: int
    """Bots that the evidence does not separate share one."""
    rank_low: int
    """The best rank that is likely."""
    rank_high: int
    los_next: float | None
    """How likely it is stronger than the next of its group; None for the last."""
    deals: int
    matches: int
    group: int
    """0 is the largest."""
    flags: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class Ratings:
    """What the whole record says."""

    standings: tuple[Standing, ...]
    """By bot."""
    groups: tuple[tuple[int, ...], ...]
    """The bots of each group, best first; no two groups can be compared."""
    design_effect: float
    """How much the matches of a deal repeat (above 1) or balance (below 1) each other."""
    misfit: float | None
    """How far pairs stray from what ratings can explain, 1 if not at all; None if there are too few to tell."""


def rate(results: Results, prior_sd: float = PRIOR_SD) -> Ratings:
    """The ratings of all bots, and what is uncertain about them."""
    evidence = _weigh(results, prior_sd)
    low, high = _bounds(evidence)
    order = tuple(_best_first(evidence, group) for group in range(_count(evidence.groups)))
    places = _places(evidence, _covariance(evidence, low, high), order)
    flags = _flags(evidence, low, high)
    standings = tuple(
        Standing(
            rating=_shown(evidence.strength[bot]),
            low=_bound(low[bot]),
            high=_bound(high[bot]),
            rank=places[bot].rank,
            rank_low=places[bot].low,
            rank_high=places[bot].high,
            los_next=places[bot].los_next,
            deals=int(evidence.deals[bot]),
            matches=int(evidence.matches[bot]),
            group=int(evidence.groups[bot]),
            flags=flags[bot],
        )
        for bot in range(results.bots)
    )
    return Ratings(standings, order, evidence.design_effect, evidence.misfit)


def _shown(strength: float) -> float:
    return MEAN_RATING + POINTS_PER_LOGIT * float(strength)


def _bound(strength: float) -> float | None:
    return _shown(strength) if math.isfinite(strength) else None


def _count(numbers: Ints) -> int:
    return int(numbers.max()) + 1 if len(numbers) else 0


# --- what was seen


@dataclass(frozen=True, slots=True)
class _Evidence:
    """The record, weighed. Arrays by bot unless they say otherwise."""

    pairs: Duels
    groups: Ints
    one_sided: Bools
    deals: Ints
    matches: Ints
    won: Floats
    """Weighted points."""
    lost: Floats
    strength: Floats
    response: Floats
    """Bot by bot."""
    variance: Floats
    """Bot by bot: the covariance of the strengths clustered by deal, before any correction for few deals."""
    design_effect: float
    misfit: float | None


def _weigh(results: Results, prior_sd: float) -> _Evidence:
    bots = results.bots
    deal, match = numbered(results.deal), numbered(results.match)
    by_deal = duels(results, deal)
    pairs = all_duels(by_deal, bots)
    met = groups(pairs, bots)
    strength = fit(pairs, met, prior_sd)
    follow = response(pairs, met, strength, prior_sd)
    variance = follow @ _scatter(by_deal, strength) @ follow.T
    deals, matches = appearances(results, deal), appearances(results, match)
    conceded = pairs.games - pairs.points
    return _Evidence(
        pairs=pairs,
        groups=met,
        one_sided=outside_the_largest(circles(pairs, bots), met),
        deals=deals,
        matches=matches,
        won=(sums(pairs.first, pairs.points, bots) + sums(pairs.second, conceded, bots)) / UNIT,
        lost=(sums(pairs.first, conceded, bots) + sums(pairs.second, pairs.points, bots)) / UNIT,
        strength=strength,
        response=follow,
        variance=variance,
        design_effect=_design_effect(results, strength, follow, variance, deals, matches),
        misfit=_misfit(by_deal, pairs, strength, follow, variance),
    )


def _scatter(clustered: Duels, strength: Floats) -> Floats:
    """Bot by bot, summed over clusters: the product of both bots' points beyond the expected in that cluster."""
    beyond = residuals(clustered, strength)
    return _products(clustered, beyond, beyond, len(strength))


def _products(clustered: Duels, some: Floats, others: Floats, bots: int) -> Floats:
    """Bot by bot, summed over clusters: the product of one bot's sum of some amounts and another's of others."""
    left, right = _by_cluster(clustered, some, bots), _by_cluster(clustered, others, bots)
    return np.asarray((left.T @ right).toarray(), np.float64)


def _by_cluster(clustered: Duels, amounts: Floats, bots: int) -> csr_array:
    """A row a cluster, a column a bot: the amounts, for the first of each pair and against the second."""
    rows = np.concatenate([clustered.cluster, clustered.cluster])
    columns = np.concatenate([clustered.first, clustered.second])
    shape = (_count(clustered.cluster), bots)
    return coo_array((np.concatenate([amounts, -amounts]), (rows, columns)), shape=shape).tocsr()


def _design_effect(
    results: Results, strength: Floats, follow: Floats, variance: Floats, deals: Ints, matches: Ints
) -> float:
    """The variance clustered by deal over the variance clustered by match."""
    known = deals > 1
    if not known.any() or len(np.unique(results.deal)) == len(results.match):
        return 1.0
    by_match = _scatter(duels(results, numbered(results.match)), strength)
    of_match = ((follow @ by_match) * follow).sum(axis=1)
    clustered = np.diag(variance) * deals / np.maximum(deals - 1, 1)
    unclustered = of_match * matches / np.maximum(matches - 1, 1)
    return float(clustered[known].sum() / unclustered[known].sum()) if unclustered[known].any() else 1.0


def _misfit(by_deal: Duels, pairs: Duels, strength: Floats, follow: Floats, variance: Floats) -> float | None:
    """How much larger the pairs' squared residuals are than their scatter from deal to deal explains."""
    bots = len(strength)
    fitted = bots - _count(groups(pairs, bots))
    if len(pairs.first) <= fitted:
        return None
    told, _ = information(pairs, strength)
    pair = np.searchsorted(pairs.first * bots + pairs.second, by_deal.first * bots + by_deal.second)
    beyond = residuals(by_deal, strength)
    # What a deal adds to its pairs, less what it moves the strengths of all pairs towards itself.
    towards = float((follow * _products(by_deal, beyond * told[pair], beyond, bots)).sum())
    gap = variance[pairs.first, pairs.first] + variance[pairs.second, pairs.second]
    moved = float((told**2 * (gap - 2 * variance[pairs.first, pairs.second])).sum())
    explained = float((beyond**2).sum()) - 2 * towards + moved
    if explained < 1e-9 * len(by_deal.first):
        return None
    return float((residuals(pairs, strength) ** 2).sum()) / explained * (1 - fitted / len(by_deal.first))


# --- intervals


def _bounds(evidence: _Evidence) -> tuple[Floats, Floats]:
    """Where each bot's 95 % interval begins and ends, in logits; infinite where nothing bounds it."""
    spread = SURE_SDS * _few_deals(evidence.deals) * np.sqrt(np.maximum(np.diag(evidence.variance), 0))
    spread[evidence.deals < 2] = np.inf
    low, high = evidence.strength - spread, evidence.strength + spread
    doubtful = np.flatnonzero((evidence.deals > 1) & _spread_misleads(evidence))
    likely_low, likely_high = _likely(evidence, doubtful)
    low[doubtful] = np.minimum(low[doubtful], likely_low)
    high[doubtful] = np.maximum(high[doubtful], likely_high)
    return low, high


def _spread_misleads(evidence: _Evidence) -> Bools:
    """Whose results vary too little to tell how uncertain they are: hardly lost, hardly won, or always alike."""
    few_points = np.minimum(evidence.won, evidence.lost) < FEW_POINTS
    alike = np.diag(evidence.variance) < ALIKE * np.diag(evidence.response)
    return np.asarray(few_points | alike | evidence.one_sided, np.bool_)


def _few_deals(deals: Ints) -> Floats:
    """What widens a standard deviation that comes from so few deals; 0 where it says nothing."""
    freedom = np.maximum(deals - 1, 1)
    factor = np.sqrt((freedom + 1) / freedom) * stdtrit(freedom, SURE) / SURE_SDS
    return np.where(deals > 1, factor, 0.0)


def _likely(evidence: _Evidence, bots: Ints) -> tuple[Floats, Floats]:
    """The likelihood interval of these bots, as wide as dependence within deals asks for."""
    own = 1 - 1 / np.bincount(evidence.groups, minlength=1)[evidence.groups[bots]]
    drop = SURE_SDS**2 / 2 * max(1.0, evidence.design_effect) * _opponents_unknown(evidence)[bots]
    low, high = likelihood_interval(evidence.pairs, evidence.strength, bots, drop)
    # A strength counts from the mean of the group, which moves along with it.
    strength = evidence.strength[bots]
    return strength + (low - strength) * own, strength + (high - strength) * own


def _opponents_unknown(evidence: _Evidence) -> Floats:
    """By how much each bot's strength is less certain than if its opponents' were known; at least 1."""
    own = 1 - 1 / np.bincount(evidence.groups, minlength=1)[evidence.groups]
    _, told = information(evidence.pairs, evidence.strength)
    certain = np.divide(own**2, told, out=np.ones_like(told), where=told > 0)
    return np.asarray(np.maximum(1.0, np.diag(evidence.response) / np.where(certain > 0, certain, 1.0)), np.float64)


def _covariance(evidence: _Evidence, low: Floats, high: Floats) -> Floats:
    """Bot by bot: the covariance of the strengths, widened so that ranks claim no more than the intervals."""
    factor = _few_deals(evidence.deals)
    covariance = evidence.variance * factor[:, None] * factor[None, :]
    sides = np.stack([evidence.strength - low, high - evidence.strength])
    side = np.where(np.isfinite(sides), sides, 0).max(axis=0, initial=0) / SURE_SDS
    side[np.isinf(sides).all(axis=0)] = PRIOR_SD
    diagonal = np.diag_indices(len(side))
    covariance[diagonal] = np.maximum(covariance[diagonal], side**2)
    return np.asarray(covariance, np.float64)


# --- places and flags


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a bot stands in its group."""

    rank: int
    low: int
    high: int
    los_next: float | None


def _best_first(evidence: _Evidence, group: int) -> tuple[int, ...]:
    members = np.flatnonzero(evidence.groups == group)
    # Rounded, so that equal strengths are equal on every machine.
    order = np.lexsort((members, -np.round(evidence.strength[members], 9)))
    return tuple(int(bot) for bot in members[order])


def _places(evidence: _Evidence, covariance: Floats, order: tuple[tuple[int, ...], ...]) -> dict[int, _Place]:
    places: dict[int, _Place] = {}
    for members in order:
        strength = evidence.strength[list(members)]
        within = covariance[np.ix_(members, members)]
        lows, highs = rank_ranges(strength, within)
        likelihoods = [*superiority(strength, within), None]
        for at, rank in enumerate(shared_ranks(strength, within)):
            low, high = min(rank, int(lows[at])), max(rank, int(highs[at]))
            places[members[at]] = _Place(rank, low, high, likelihoods[at])
    return places


def _flags(evidence: _Evidence, low: Floats, high: Floats) -> list[tuple[Flag, ...]]:
    played = evidence.matches > 0
    wide = (high - low) / 2 * POINTS_PER_LOGIT > SETTLED_HALF_WIDTH
    applies = {
        Flag.PROVISIONAL: (evidence.deals < SETTLED_DEALS) | wide,
        Flag.PERFECT_RECORD: played & (evidence.lost == 0),
        Flag.WINLESS: played & (evidence.won == 0),
        Flag.ONE_SIDED: played & evidence.one_sided,
        Flag.NOT_CONNECTED: outside_the_largest(evidence.groups, np.zeros_like(evidence.groups)),
    }
    return [tuple(flag for flag, holds in applies.items() if holds[bot]) for bot in range(len(played))]
