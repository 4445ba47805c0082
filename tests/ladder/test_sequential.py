"""The test of a new version against the old one: its arithmetic, and how often it errs."""

import math
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from crossing_arena.ladder.sequential import (
    LEAST_DEALS,
    Comparison,
    Decision,
    Finding,
    Question,
    difference_of,
    expected_difference,
    judge,
)


def compared(differences: list[float]) -> Comparison:
    comparison = Comparison()
    for difference in differences:
        comparison = comparison.plus(difference)
    return comparison


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([(1, 2)], 1.0),
        ([(3, 1)], -1.0),
        ([(2, 2)], 0.0),
        ([(1, 4), (4, 1)], 0.0),
        ([(1, 4), (2, 2)], 0.5),
        ([(1, 2), (1, 2), (2, 1), (2, 2)], 0.25),
    ],
)
def test_the_difference_of_a_deal(places: list[tuple[int, int]], expected: float) -> None:
    assert difference_of(places) == expected


@pytest.mark.parametrize(("gap", "expected"), [(0, 0.0), (400, 9 / 11), (-400, -9 / 11), (25, 0.0719)])
def test_a_gap_in_rating_points_as_a_difference(gap: float, expected: float) -> None:
    assert expected_difference(gap) == pytest.approx(expected, abs=1e-4)


def test_the_ratio_is_that_of_two_normal_likelihoods_each_with_its_best_spread() -> None:
    differences = [1.0, 0.5, 0.0, -1.0, 0.5, 1.0, -0.5, 0.0] * 50
    question = Question(worthless=0, worthwhile=50)

    def log_likelihood(mean: float) -> float:
        variance = sum((difference - mean) ** 2 for difference in differences) / len(differences)
        return -len(differences) / 2 * math.log(variance)

    expected = log_likelihood(expected_difference(50)) - log_likelihood(0)
    finding = judge(compared(differences), question)
    assert finding.ratio == pytest.approx(expected, rel=0.02)
    assert finding.difference == pytest.approx(np.mean(differences))
    assert finding.normalised == pytest.approx(np.mean(differences) / np.std(differences))
    assert expected_difference(finding.gap or 0) == pytest.approx(np.mean(differences))


@pytest.mark.parametrize(
    ("differences", "decision"),
    [
        ([], Decision.UNDECIDED),
        ([1.0] * (LEAST_DEALS - 1), Decision.UNDECIDED),
        ([1.0] * 60, Decision.NEW_IS_BETTER),
        ([-1.0] * 60, Decision.NOT_BETTER),
        ([0.0] * 60, Decision.NOT_BETTER),
        ([1.0, -1.0] * 30, Decision.UNDECIDED),
        ([1.0, -1.0] * 1_500, Decision.NOT_BETTER),
    ],
)
def test_what_clear_and_unclear_records_lead_to(differences: list[float], decision: Decision) -> None:
    finding = judge(compared(differences), Question())
    assert finding.decision is decision
    assert math.isfinite(finding.ratio)
    assert finding.deals == len(differences)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (lambda: Question(worthless=10, worthwhile=10), "more than a worthless one, not 10"),
        (lambda: Question(alpha=0), "between 0 and 0.5, not 0"),
        (lambda: Question(beta=0.5), "between 0 and 0.5, not 0.5"),
    ],
)
def test_a_question_that_has_no_answer_is_refused(question: Callable[[], Question], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        question()


# --- how often it errs


def run(gap: float, question: Question, rng: np.random.Generator, most: int = 20_000) -> Finding:
    """A comparison of two versions so far apart, with two matches a deal, until it is decided."""
    chance = 1 / (1 + 10 ** (-gap / 400))
    comparison = Comparison()
    for wins in rng.binomial(2, chance, most):
        comparison = comparison.plus(float(wins) - 1)
        finding = judge(comparison, question)
        if finding.decision is not Decision.UNDECIDED:
            break
    return finding


QUESTION = Question(worthless=0, worthwhile=80, alpha=0.1, beta=0.1)


@pytest.mark.parametrize(
    ("gap", "wrong", "at_most"),
    [
        (0, Decision.NEW_IS_BETTER, 0.15),
        (80, Decision.NOT_BETTER, 0.15),
        (-80, Decision.NEW_IS_BETTER, 0.02),
        (200, Decision.NOT_BETTER, 0.02),
    ],
)
def test_it_errs_about_as_often_as_it_was_allowed_to(gap: float, wrong: Decision, at_most: float) -> None:
    rng = np.random.default_rng(31)
    found = [run(gap, QUESTION, rng) for _ in range(200)]
    decisions = Counter(finding.decision for finding in found)
    assert decisions[Decision.UNDECIDED] == 0
    assert decisions[wrong] / 200 <= at_most
