"""Is the new version better? A test that may be looked at after every deal and stops by itself.

Both versions sit at one table, and a deal is played with their seats swapped. What counts is the
**difference** of a deal: how much oftener the new one finished ahead than the old one, from -1 to
1. Two answers are weighed against each other, one rating gap that would be worthless and one that
would be worthwhile, by the generalised sequential probability ratio test: the likelihood of all
differences so far under either, with the spread that suits it best. Wald's bounds on that ratio
keep the two errors near what was asked for, however often one looks.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

LEAST_DEALS = 16
"""Nothing is decided before: so few differences say nothing about their spread."""
_ELO_TO_ATANH = math.log(10) / 800


class Decision(Enum):
    """What a comparison has shown."""

    NEW_IS_BETTER = "new is better"
    NOT_BETTER = "not better"
    """The new version is not better by what would be worthwhile; it may be worse."""
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be decided, and how sure one wants to be. Gaps are in rating points."""

    worthless: float = 0.0
    worthwhile: float = 25.0
    alpha: float = 0.05
    """How often a worthless version may be called better."""
    beta: float = 0.05
    """How often a worthwhile version may be called not better."""

    def __post_init__(self) -> None:
        if not self.worthless < self.worthwhile:
            raise ValueError(f"a worthwhile gap must be more than a worthless one, not {self.worthwhile} points")
        for error in (self.alpha, self.beta):
            if not 0 < error < 0.5:
                raise ValueError(f"an error rate must lie between 0 and 0.5, not {error}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the answer is no, and yes."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences of all deals so far, summed up."""

    deals: int = 0
    total: float = 0.0
    squares: float = 0.0

    def plus(self, difference: float) -> "Comparison":
        """The comparison with one deal more."""
        return Comparison(self.deals + 1, self.total + difference, self.squares + difference**2)


@dataclass(frozen=True, slots=True)
class Finding:
    """What the differences so far have shown."""

    decision: Decision
    deals: int
    ratio: float
    """The log-likelihood ratio of worthwhile to worthless."""
    bounds: tuple[float, float]
    difference: float
    """Of the mean deal."""
    gap: float | None
    """The same in rating points; None if one version was ahead every time."""
    normalised: float | None
    """The same in standard deviations of a deal: what decides how long a test takes. None if all deals were alike."""


def difference_of(places: Sequence[tuple[int, int]]) -> float:
    """The difference of a deal, from the places of the new and the old version in each of its matches."""
    if not places:
        raise ValueError("a deal has at least one match")
    return sum((new < old) - (new > old) for new, old in places) / len(places)


def expected_difference(gap: float) -> float:
    """The mean difference between two versions so many rating points apart."""
    return math.tanh(gap * _ELO_TO_ATANH)


def judge(comparison: Comparison, question: Question) -> Finding:
    """What a comparison has shown so far; once decided, it must not be continued."""
    ratio = _ratio(comparison, question)
    lower, upper = question.bounds
    decision = Decision.UNDECIDED
    if comparison.deals >= LEAST_DEALS and ratio >= upper:
        decision = Decision.NEW_IS_BETTER
    elif comparison.deals >= LEAST_DEALS and ratio <= lower:
        decision = Decision.NOT_BETTER
    mean = comparison.total / max(comparison.deals, 1)
    variance = comparison.squares / max(comparison.deals, 1) - mean**2
    return Finding(
        decision=decision,
        deals=comparison.deals,
        ratio=ratio,
        bounds=(lower, upper),
        difference=mean,
        gap=math.atanh(mean) / _ELO_TO_ATANH if abs(mean) < 1 else None,
        normalised=mean / math.sqrt(variance) if variance > 1e-12 else None,
    )


def _ratio(comparison: Comparison, question: Question) -> float:
    """The log-likelihood ratio for differences of unknown spread."""
    worthless = _squares_about(comparison, expected_difference(question.worthless))
    worthwhile = _squares_about(comparison, expected_difference(question.worthwhile))
    return comparison.deals / 2 * math.log(worthless / worthwhile)


def _squares_about(comparison: Comparison, mean: float) -> float:
    """The squared distances from a mean, and one more of 1, lest deals that are all alike seem to be certain."""
    return comparison.squares - 2 * mean * comparison.total + comparison.deals * mean**2 + 1
