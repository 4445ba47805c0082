"""The strengths that best explain who finished ahead of whom: Bradley-Terry, with a weak prior.

Two bots of strengths a and b finish in this order with odds exp(a - b). The strengths of a group
of bots that met have the mean 0.
"""

import numpy as np
from scipy.linalg import cho_factor, cho_solve  # type: ignore[import-untyped]
from scipy.special import expit  # type: ignore[import-untyped]

from crossing_arena.ladder.results import UNIT, Duels, Floats, Ints, sums

PRIOR_SD = 4.0
"""In logits: weak enough to move nobody who both won and lost, enough to keep an undefeated bot finite."""
_MAX_STEPS = 200
_CLOSE_ENOUGH = 1e-11


def fit(pairs: Duels, groups: Ints, prior_sd: float = PRIOR_SD) -> Floats:
    """The strength of every bot in logits, by damped Newton steps."""
    pull = prior_sd**-2
    bots = len(groups)
    strength = np.zeros(bots)
    loss = _loss(pairs, strength, pull)
    for _ in range(_MAX_STEPS if len(pairs.first) else 0):
        beyond = residuals(pairs, strength)
        slope = pull * strength - sums(pairs.first, beyond, bots) + sums(pairs.second, beyond, bots)
        step = cho_solve(cho_factor(curvature(pairs, groups, strength, pull), lower=True), slope)
        strength, loss = _damped(pairs, strength, step, loss, pull)
        if np.abs(step).max() < _CLOSE_ENOUGH:
            break
    return strength - mean_of_group(groups) @ strength


def _damped(pairs: Duels, strength: Floats, step: Floats, loss: float, pull: float) -> tuple[Floats, float]:
    """As much of the step as does not make the loss larger."""
    share = 1.0
    while True:
        tried = strength - share * step
        found = _loss(pairs, tried, pull)
        if found <= loss + 1e-12 * abs(loss) or share < 1e-6:
            return tried, found
        share /= 2


def _loss(pairs: Duels, strength: Floats, pull: float) -> float:
    gap = strength[pairs.first] - strength[pairs.second]
    surprise = pairs.points * np.logaddexp(0, -gap) + (pairs.games - pairs.points) * np.logaddexp(0, gap)
    return float(surprise.sum() / UNIT + pull * (strength @ strength) / 2)


def residuals(duels: Duels, strength: Floats) -> Floats:
    """The weighted points of the first bot beyond what the strengths lead to expect."""
    expected = expit(strength[duels.first] - strength[duels.second])
    return np.asarray((duels.points - duels.games * expected) / UNIT, np.float64)


def information(pairs: Duels, strength: Floats) -> tuple[Floats, Floats]:
    """What the games tell: each pair's about the gap between its two, and each bot's about its strength."""
    expected = expit(strength[pairs.first] - strength[pairs.second])
    told = np.asarray(pairs.games * expected * (1 - expected) / UNIT, np.float64)
    return told, sums(pairs.first, told, len(strength)) + sums(pairs.second, told, len(strength))


def curvature(pairs: Duels, groups: Ints, strength: Floats, pull: float) -> Floats:
    """The second derivatives of the loss, with the mean of every group held fast so that it has an inverse."""
    bots = len(groups)
    told, told_of = information(pairs, strength)
    matrix = mean_of_group(groups)
    matrix[pairs.first, pairs.second] -= told
    matrix[pairs.second, pairs.first] -= told
    matrix[np.diag_indices(bots)] += told_of + pull
    return matrix


def mean_of_group(groups: Ints) -> Floats:
    """The matrix that puts in every bot's place the mean of its group."""
    together = groups[:, None] == groups[None, :]
    return np.asarray(together / together.sum(axis=1), np.float64)


def response(pairs: Duels, groups: Ints, strength: Floats, prior_sd: float = PRIOR_SD) -> Floats:
    """How the centred strengths follow a small change of each bot's points."""
    pull = prior_sd**-2
    factor = cho_factor(curvature(pairs, groups, strength, pull), lower=True)
    inverse = cho_solve(factor, np.eye(len(groups)))
    return np.asarray(inverse - mean_of_group(groups) / (1 + pull), np.float64)
