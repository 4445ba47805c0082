"""Who can be compared with whom: groups that met, and within them those that took points from each other."""

import numpy as np
from scipy.sparse import coo_array  # type: ignore[import-untyped]
from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]

from crossing_arena.ladder.results import Bools, Duels, Ints


def groups(pairs: Duels, bots: int) -> Ints:
    """The group of each bot: chains of common tables join it; the largest is 0, a bot alone is a group."""
    edges = coo_array((np.ones(len(pairs.first)), (pairs.first, pairs.second)), shape=(bots, bots))
    return _largest_first(connected_components(edges, directed=False)[1])


def circles(pairs: Duels, bots: int) -> Ints:
    """The circle of each bot: within one, a chain of points taken leads from any bot to any other and back.

    Between circles all points went one way, so that nothing but the prior bounds how far apart they are.
    """
    took, gave = pairs.points > 0, pairs.points < pairs.games
    winners = np.concatenate([pairs.first[took], pairs.second[gave]])
    losers = np.concatenate([pairs.second[took], pairs.first[gave]])
    edges = coo_array((np.ones(len(winners)), (winners, losers)), shape=(bots, bots))
    return _largest_first(connected_components(edges, directed=True, connection="strong")[1])


def _largest_first(labels: Ints) -> Ints:
    """The labels renumbered by size, then by their first bot."""
    _, first, inverse, sizes = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
    order = np.lexsort((first, -sizes))
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    return number[inverse]


def outside_the_largest(labels: Ints, within: Ints) -> Bools:
    """Which bots are in no part that is larger than every other part of the same whole."""
    outside = np.zeros(len(labels), bool)
    for whole in np.unique(within):
        members = np.flatnonzero(within == whole)
        parts, sizes = np.unique(labels[members], return_counts=True)
        largest = parts[sizes == sizes.max()]
        outside[members] = (labels[members] != largest[0]) | (len(largest) > 1)
    return outside
