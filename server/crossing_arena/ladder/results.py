"""What was played, and its sum: points between two bots, in whole numbers, so that no order of matches matters."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

MAX_TABLE = 6
EMPTY = -1
"""In the place of a bot where a smaller table has no seat."""
UNIT = 2 * math.lcm(*range(3, MAX_TABLE + 2))
"""A win of weight 1 in whole numbers: the weight 3/(k+1) of every table size, and its half, come out even."""


@dataclass(frozen=True, slots=True)
class Results:
    """What was played: one row a match, in any order."""

    bots: int
    """How many there are; a bot is a number from 0."""
    match: Ints
    """The key of each match: no two rows have the same."""
    deal: Ints
    """The deal each match belongs to."""
    seats: Ints
    """A row a match, a column a seat: the bot, or EMPTY."""
    places: Ints
    """As `seats`: the place, 1 is first, equal places are a tie."""

    def __post_init__(self) -> None:
        if (
            self.seats.shape != self.places.shape
            or len(self.match) != len(self.deal)
            or len(self.deal) != len(self.seats)
        ):
            raise ValueError("match, deal, seats and places must have a row for every match")
        if len(np.unique(self.match)) < len(self.match):
            raise ValueError("two rows have the same match key")
        if self.seats.size and not EMPTY <= self.seats.min() <= self.seats.max() < self.bots:
            raise ValueError(f"a seat names a bot outside 0 to {self.bots - 1}")
        ordered = np.sort(self.seats, axis=1)
        if ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != EMPTY)).any():
            raise ValueError("a bot sits twice at one table")

    @classmethod
    def of(cls, bots: int, rows: Iterable[tuple[int, int, Sequence[int], Sequence[int]]]) -> "Results":
        """The results of rows (match, deal, bots by seat, places by seat)."""
        table = list(rows)
        seats = np.full((len(table), MAX_TABLE), EMPTY, np.int64)
        places = np.zeros((len(table), MAX_TABLE), np.int64)
        for at, (_, _, sitting, placed) in enumerate(table):
            seats[at, : len(sitting)] = sitting
            places[at, : len(placed)] = placed
        match = np.array([row[0] for row in table], np.int64)
        return cls(bots, match, np.array([row[1] for row in table], np.int64), seats, places)


@dataclass(frozen=True, slots=True)
class Duels:
    """The weighted points between two bots of one cluster (a deal, a match, or all), in UNITs, `first` < `second`."""

    cluster: Ints
    first: Ints
    second: Ints
    games: Ints
    points: Ints
    """Of the first against the second."""


def duels(results: Results, cluster: Ints) -> Duels:
    """The points of every two bots that met, summed by the cluster each match belongs to and sorted by it."""
    sizes = (results.seats != EMPTY).sum(axis=1)
    weight = 3 * UNIT // (sizes + 1)
    sittings = combinations(range(results.seats.shape[1]), 2)
    parts = [_between(results, cluster, weight, one, other) for one, other in sittings]
    return _add_up(Duels(*(np.concatenate(columns) for columns in zip(*parts, strict=True))), results.bots)


def _between(results: Results, cluster: Ints, weight: Ints, one: int, other: int) -> tuple[Ints, ...]:
    """The points of two seats against each other, for all matches that have both."""
    rows = np.flatnonzero((results.seats[:, one] != EMPTY) & (results.seats[:, other] != EMPTY))
    a, b = results.seats[rows, one], results.seats[rows, other]
    ahead = np.sign(results.places[rows, other] - results.places[rows, one]) * np.where(a < b, 1, -1)
    games = weight[rows]
    return cluster[rows], np.minimum(a, b), np.maximum(a, b), games, games * (1 + ahead) // 2


def all_duels(by_cluster: Duels, bots: int) -> Duels:
    """The same points, summed over all clusters."""
    whole = Duels(
        np.zeros_like(by_cluster.cluster), by_cluster.first, by_cluster.second, by_cluster.games, by_cluster.points
    )
    return _add_up(whole, bots)


def _add_up(parts: Duels, bots: int) -> Duels:
    keys = (parts.cluster * bots + parts.first) * bots + parts.second
    found, inverse = np.unique(keys, return_inverse=True)
    cluster, pair = np.divmod(found, max(bots * bots, 1))
    first, second = np.divmod(pair, max(bots, 1))
    # Whole numbers below 2**53 add up in floats without loss.
    games = sums(inverse, parts.games, len(found)).astype(np.int64)
    points = sums(inverse, parts.points, len(found)).astype(np.int64)
    return Duels(cluster, first, second, games, points)


def sums(index: Ints, amounts: Ints | Floats, length: int) -> Floats:
    """The amounts summed by their index, which is below the length."""
    return np.bincount(index, weights=amounts, minlength=length).astype(np.float64, copy=False)


def appearances(results: Results, cluster: Ints) -> Ints:
    """In how many clusters each bot took part."""
    rows, columns = np.nonzero(results.seats != EMPTY)
    keys = np.unique(cluster[rows] * results.bots + results.seats[rows, columns])
    return np.bincount(keys % max(results.bots, 1), minlength=results.bots).astype(np.int64)


def numbered(labels: Ints) -> Ints:
    """The labels as numbers from 0, in the labels' own order."""
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)
