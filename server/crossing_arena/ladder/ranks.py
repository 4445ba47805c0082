"""Ranks that claim no more than the evidence: shared where it does not separate, each with its likely range."""

import numpy as np
from scipy.special import ndtr, ndtri  # type: ignore[import-untyped]

from crossing_arena.ladder.results import Floats, Ints

SURE = 0.975
"""What leaves 2.5 % on each side of an interval, and separates two ranks."""
SURE_SDS = float(ndtri(SURE))
DRAWS = 2_000
_DRAW_KEY = 0x6372_6F73_7369_6E67


def superiority(strength: Floats, covariance: Floats) -> list[float]:
    """How likely each is stronger than the one after it."""
    gaps = [_sds_ahead(strength, covariance, np.array([at]), at + 1)[0] for at in range(len(strength) - 1)]
    return [float(likelihood) for likelihood in ndtr(gaps)]


def shared_ranks(strength: Floats, covariance: Floats) -> list[int]:
    """The rank of each, best first: that of the one above, unless somebody of that rank is surely stronger."""
    ranks: list[int] = []
    top = 0
    for at in range(len(strength)):
        if at and _sds_ahead(strength, covariance, np.arange(top, at), at).max() >= SURE_SDS:
            top = at
        ranks.append(top + 1)
    return ranks


def _sds_ahead(strength: Floats, covariance: Floats, some: Ints, other: int) -> Floats:
    """By how many standard deviations each of some is ahead of the other."""
    variance = covariance[some, some] + covariance[other, other] - 2 * covariance[some, other]
    return np.asarray((strength[some] - strength[other]) / np.sqrt(np.maximum(variance, 1e-12)), np.float64)


def rank_ranges(strength: Floats, covariance: Floats) -> tuple[Ints, Ints]:
    """The best and the worst likely rank of each, from draws of what the strengths might be."""
    count = len(strength)
    # Evidence from few deals leaves directions without any variance, which has no root.
    jitter = 1e-9 * max(float(covariance.diagonal().max()), 1e-3)
    root = np.linalg.cholesky(covariance + jitter * np.eye(count))
    drawn = strength + _normal_draws(DRAWS, count) @ root.T
    ranks = np.empty((DRAWS, count), np.int64)
    np.put_along_axis(ranks, np.argsort(-drawn, axis=1), np.arange(1, count + 1)[None, :], axis=1)
    ranks.sort(axis=0)
    tail = round(DRAWS * (1 - SURE))
    return ranks[tail], ranks[-1 - tail]


def _normal_draws(rows: int, columns: int) -> Floats:
    """The same normal draws every time: a counter-based generator with a constant key."""
    words = np.random.Philox(key=_DRAW_KEY).random_raw(rows * columns)
    uniform = ((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    return np.asarray(ndtri(uniform).reshape(rows, columns), np.float64)
