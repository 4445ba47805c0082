"""The likelihood interval: all strengths that explain a bot's points not much worse than the best would.

It holds where the spread of the results says too little, as for a bot that has hardly lost, and
is open on the side on which there is no evidence at all.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit  # type: ignore[import-untyped]

from crossing_arena.ladder.results import UNIT, Duels, Floats, Ints, sums

_FARTHEST = 40.0
"""The strength in logits from which on a bound counts as none."""


def likelihood_interval(pairs: Duels, strength: Floats, bots: Ints, drop: Floats) -> tuple[Floats, Floats]:
    """Where the log-likelihood of each of these bots is `drop` below its best, all others held fast."""
    games = _games_of(pairs, strength, bots)
    bottom, top = np.full(len(bots), -_FARTHEST), np.full(len(bots), _FARTHEST)
    best = _crossing(games.beyond, bottom, top)
    limit = games.surprise(best) + drop
    low = _crossing(lambda at: games.surprise(at) - limit, bottom, best)
    high = _crossing(lambda at: limit - games.surprise(at), best, top)
    return np.where(low < 1e-6 - _FARTHEST, -np.inf, low), np.where(high > _FARTHEST - 1e-6, np.inf, high)


@dataclass(frozen=True, slots=True)
class _Games:
    """The games of some bots, as seen from each: a row an opponent."""

    count: int
    bot: Ints
    """Which of them."""
    opponent: Floats
    """Its strength."""
    won: Floats
    lost: Floats

    def surprise(self, at: Floats) -> Floats:
        """Minus the log-likelihood of each bot's points if these were their strengths."""
        gap = at[self.bot] - self.opponent
        return sums(self.bot, self.won * np.logaddexp(0, -gap) + self.lost * np.logaddexp(0, gap), self.count)

    def beyond(self, at: Floats) -> Floats:
        """How many points beyond the expected each bot has if these were their strengths."""
        expected = expit(at[self.bot] - self.opponent)
        return sums(self.bot, self.won - (self.won + self.lost) * expected, self.count)


def _games_of(pairs: Duels, strength: Floats, bots: Ints) -> _Games:
    number = np.full(len(strength), -1)
    number[bots] = np.arange(len(bots))
    bot = np.concatenate([pairs.first, pairs.second])
    opponent = np.concatenate([pairs.second, pairs.first])
    points = np.concatenate([pairs.points, pairs.games - pairs.points]) / UNIT
    games = np.concatenate([pairs.games, pairs.games]) / UNIT
    rows = number[bot] >= 0
    won = points[rows]
    return _Games(len(bots), number[bot[rows]], strength[opponent[rows]], won, games[rows] - won)


def _crossing(falling: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Where each of some falling functions crosses zero; if it does not, the end where it comes nearest."""
    for _ in range(50):
        middle = (low + high) / 2
        above = falling(middle) > 0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return (low + high) / 2
