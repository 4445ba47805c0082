"""Ratings: against an independent library, against plain Python, and where the record says little."""

import math
from dataclasses import astuple
from itertools import combinations

import evalica
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize  # type: ignore[import-untyped]
from scipy.stats import t as student  # type: ignore[import-untyped]

from crossing_arena.ladder.ranks import shared_ranks
from crossing_arena.ladder.ratings import POINTS_PER_LOGIT, Flag, Ratings, Results, rate

from .worlds import Floats, World, covers, long_run, mixed, play, shuffled

Row = tuple[int, int, list[int], list[int]]

NO_PRIOR = 1e6


def rows_of(results: Results) -> list[Row]:
    return [
        (int(match), int(deal), [int(bot) for bot in seats if bot >= 0], [int(place) for place in places if place > 0])
        for match, deal, seats, places in zip(results.match, results.deal, results.seats, results.places, strict=True)
    ]


def strengths(ratings: Ratings) -> Floats:
    return np.array([(standing.rating - 1500) / POINTS_PER_LOGIT for standing in ratings.standings])


def duels_of(rows: list[Row]) -> list[tuple[int, int, int, float, float]]:
    """Deal, one bot, another, points of the one, weight."""
    found = []
    for _, deal, seats, places in rows:
        for (a, place_a), (b, place_b) in combinations(zip(seats, places, strict=True), 2):
            points = 0.5 if place_a == place_b else float(place_a < place_b)
            found.append((deal, a, b, points, 3 / (len(seats) + 1)))
    return found


def small_ladder(seed: int) -> Results:
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, 0.8, 7)
    return mixed([play(World(table=k, step=0.5, rotations=2), strength, 12, rng) for k in (3, 4, 5, 6)])


# --- the estimates


@pytest.mark.parametrize("seed", [1, 2])
def test_strengths_are_those_of_evalica(seed: int) -> None:
    results = small_ladder(seed)
    duels = duels_of(rows_of(results))
    winner = {0.0: evalica.Winner.Y, 0.5: evalica.Winner.Draw, 1.0: evalica.Winner.X}
    oracle = evalica.bradley_terry(
        [a for _, a, _, _, _ in duels],
        [b for _, _, b, _, _ in duels],
        [winner[points] for _, _, _, points, _ in duels],
        weights=[weight for *_, weight in duels],
        tolerance=1e-14,
        limit=20_000,
    )
    expected = np.log(oracle.scores.sort_index().to_numpy())
    assert strengths(rate(results, NO_PRIOR)) == pytest.approx(expected - expected.mean(), abs=1e-6)


@pytest.mark.parametrize("seed", [3, 4])
def test_strengths_with_prior_are_the_best_a_general_optimiser_finds(seed: int) -> None:
    results = small_ladder(seed)
    duels = duels_of(rows_of(results))

    _, one, other, points, weight = (np.array(column) for column in zip(*duels, strict=True))

    def loss(strength: Floats) -> float:
        gap = strength[one] - strength[other]
        missed = points * np.logaddexp(0, -gap) + (1 - points) * np.logaddexp(0, gap)
        return float(weight @ missed + strength @ strength / (2 * 4.0**2))

    best = minimize(loss, np.zeros(results.bots), method="L-BFGS-B", jac="3-point", options={"ftol": 0, "gtol": 1e-8}).x
    assert strengths(rate(results)) == pytest.approx(best, abs=1e-5)


@pytest.mark.parametrize("seed", [5, 6])
def test_intervals_are_those_of_a_plain_sandwich_by_deal(seed: int) -> None:
    results = small_ladder(seed)
    ratings = rate(results)
    strength, bots = strengths(ratings), results.bots
    bent, scatter = np.eye(bots) / 16, np.zeros((bots, bots))
    by_deal: dict[int, list[float]] = {}
    for deal, a, b, points, weight in duels_of(rows_of(results)):
        chance = 1 / (1 + math.exp(strength[b] - strength[a]))
        for one, other, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            bent[one, other] += sign * weight * chance * (1 - chance)
        gained = by_deal.setdefault(deal, [0.0] * bots)
        gained[a] += weight * (points - chance)
        gained[b] -= weight * (points - chance)
    for gained in by_deal.values():
        scatter += np.outer(gained, gained)
    centre = np.eye(bots) - 1 / bots
    variance = centre @ np.linalg.inv(bent) @ scatter @ np.linalg.inv(bent) @ centre
    for bot, standing in enumerate(ratings.standings):
        deals = sum(any(bot in seats for _, of, seats, _ in rows_of(results) if of == deal) for deal in by_deal)
        assert standing.deals == deals
        half_width = (
            student.ppf(0.975, deals - 1) * math.sqrt(variance[bot, bot] * deals / (deals - 1)) * POINTS_PER_LOGIT
        )
        assert standing.low == pytest.approx(standing.rating - half_width, abs=1e-6)
        assert standing.high == pytest.approx(standing.rating + half_width, abs=1e-6)


# --- order


@pytest.mark.parametrize("rotations", [1, 3])
@pytest.mark.parametrize("seed", range(3))
def test_no_shuffling_of_matches_or_seats_moves_a_single_bit(seed: int, rotations: int) -> None:
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, 1, 9)
    results = mixed([play(World(table=k, rotations=rotations, step=0.4), strength, 9, rng) for k in (3, 5)])
    expected = rate(results)
    for _ in range(3):
        assert rate(shuffled(results, rng)) == expected
    turned = Results(
        results.bots, results.match, results.deal, results.seats[:, ::-1].copy(), results.places[:, ::-1].copy()
    )
    assert rate(turned) == expected


# --- where the record says little


def flags_of(ratings: Ratings) -> list[set[Flag]]:
    return [set(standing.flags) for standing in ratings.standings]


def all_numbers(ratings: Ratings) -> list[float]:
    values = [value for standing in ratings.standings for value in astuple(standing)[:-1]]
    return [float(value) for value in (*values, ratings.design_effect, ratings.misfit) if value is not None]


def ladder(bots: int, *tables: tuple[list[int], list[int]], times: int = 1) -> Results:
    """Tables of (bots, places), each a deal of its own, the whole so many times."""
    rows = [(n, n, *table) for n, table in enumerate(tables * times)]
    return Results.of(bots, rows)


def test_nobody_to_rate() -> None:
    assert rate(Results.of(0, [])) == Ratings((), (), 1.0, None)


def test_before_the_first_match_nothing_is_known() -> None:
    ratings = rate(Results.of(3, []))
    for group, standing in enumerate(ratings.standings):
        assert (standing.rating, standing.low, standing.high) == (1500, None, None)
        assert (standing.rank, standing.los_next, standing.group) == (1, None, group)
        assert set(standing.flags) == {Flag.PROVISIONAL, Flag.NOT_CONNECTED}


def test_a_bot_alone_is_first_of_one() -> None:
    (standing,) = rate(Results.of(1, [])).standings
    assert (standing.rank, standing.rank_low, standing.rank_high, standing.flags) == (1, 1, 1, (Flag.PROVISIONAL,))


def test_one_deal_orders_the_bots_and_claims_nothing() -> None:
    ratings = rate(ladder(3, ([0, 1, 2], [1, 2, 3])))
    assert ratings.groups == ((0, 1, 2),)
    for standing in ratings.standings:
        assert (standing.low, standing.high, standing.rank) == (None, None, 1)
        assert (standing.rank_low, standing.rank_high) == (1, 3)
        assert Flag.PROVISIONAL in standing.flags
    assert 0.5 < (ratings.standings[0].los_next or 0) < 0.9


def test_all_ties_leave_all_level_but_not_surely_equal() -> None:
    ratings = rate(ladder(4, ([0, 1, 2, 3], [1, 1, 1, 1]), times=40))
    for standing in ratings.standings:
        assert standing.rating == pytest.approx(1500)
        assert (standing.rank, standing.rank_low, standing.rank_high) == (1, 1, 4)
        assert (standing.high or 0) - (standing.low or 0) > 20
    assert ratings.misfit is None


def test_an_undefeated_and_a_winless_bot_are_bounded_on_one_side_only() -> None:
    middle = [([0, 1, 2, 3], [1, 2, 3, 4]), ([0, 2, 1, 3], [1, 2, 3, 4])]
    ratings = rate(ladder(4, *middle, times=30))
    best, one, other, worst = ratings.standings
    assert best.high is None
    assert worst.low is None
    assert (worst.high or math.inf) < 1500 < (best.low or 0)
    assert {Flag.PERFECT_RECORD, Flag.ONE_SIDED, Flag.PROVISIONAL} == set(best.flags)
    assert {Flag.WINLESS, Flag.ONE_SIDED, Flag.PROVISIONAL} == set(worst.flags)
    assert not set(one.flags) | set(other.flags)
    assert [standing.rank for standing in ratings.standings] == [1, 2, 2, 4]
    assert one.rating == pytest.approx(other.rating)


def test_a_ladder_that_always_ends_alike_has_no_certain_middle() -> None:
    ratings = rate(ladder(3, ([0, 1, 2], [1, 2, 3]), times=50))
    middle = ratings.standings[1]
    assert Flag.ONE_SIDED in middle.flags
    assert (middle.high or 0) - (middle.low or 0) > 400
    assert [standing.rank for standing in ratings.standings] == [1, 2, 3]


def test_groups_that_never_met_share_no_table() -> None:
    one, other = ([0, 2, 4], [1, 2, 3]), ([1, 3, 5], [1, 2, 3])
    back, forth = ([0, 2, 4], [3, 2, 1]), ([1, 3, 5], [2, 1, 3])
    ratings = rate(ladder(7, one, other, back, forth, other, times=20))
    assert ratings.groups == ((0, 2, 4), (1, 3, 5), (6,))
    assert all(Flag.NOT_CONNECTED in flags for flags in flags_of(ratings))
    for members in ratings.groups:
        assert np.mean([ratings.standings[bot].rating for bot in members]) == pytest.approx(1500)
        assert ratings.standings[members[0]].rank == 1
        assert ratings.standings[members[-1]].los_next is None


def test_a_newcomer_without_matches_does_not_flag_the_others() -> None:
    ratings = rate(ladder(4, ([0, 1, 2], [1, 2, 3]), ([0, 1, 2], [3, 2, 1]), ([0, 1, 2], [2, 1, 3]), times=10))
    assert [Flag.NOT_CONNECTED in flags for flags in flags_of(ratings)] == [False, False, False, True]


def test_few_deals_are_provisional_and_many_are_not() -> None:
    tables = [([0, 1, 2], places) for places in ([1, 2, 3], [2, 3, 1], [3, 1, 2])]
    for times, expected in ((5, {Flag.PROVISIONAL}), (40, set())):
        assert flags_of(rate(ladder(3, *tables, times=times))) == [expected] * 3


tables = st.integers(3, 6).flatmap(
    lambda k: st.tuples(
        st.permutations(range(7)).map(lambda bots: list(bots[:k])), st.lists(st.integers(1, 3), min_size=k, max_size=k)
    )
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), tables), max_size=14))
def test_any_record_gives_finite_numbers_that_agree_with_each_other(
    record: list[tuple[int, tuple[list[int], list[int]]]],
) -> None:
    ratings = rate(Results.of(7, [(n, deal, *table) for n, (deal, table) in enumerate(record)]))
    assert all(map(math.isfinite, all_numbers(ratings)))
    assert sorted(bot for members in ratings.groups for bot in members) == list(range(7))
    for members in ratings.groups:
        standings = [ratings.standings[bot] for bot in members]
        assert [standing.rank for standing in standings] == sorted(standing.rank for standing in standings)
        for standing in standings:
            assert 1 <= standing.rank_low <= standing.rank <= standing.rank_high <= len(members)
            assert standing.low is None or standing.low <= standing.rating
            assert standing.high is None or standing.high >= standing.rating


# --- the whole


def test_design_effect_says_whether_replays_repeat_or_balance_each_other() -> None:
    rng = np.random.default_rng(11)
    strength = rng.normal(0, 1, 8)
    assert rate(play(World(), strength, 60, rng)).design_effect == 1.0
    assert rate(play(World(rotations=4, seat_luck=2.0), strength, 60, rng)).design_effect < 0.7
    assert rate(play(World(rotations=4, bot_luck=1.0), strength, 60, rng)).design_effect > 1.4


def test_misfit_is_one_for_strengths_and_large_for_a_circle() -> None:
    rng = np.random.default_rng(12)
    fair = [rate(play(World(), rng.normal(0, 1, 8), 60, rng)).misfit or 0 for _ in range(8)]
    assert np.mean(fair) == pytest.approx(1.0, abs=0.3)
    circle = [([0, 1, 3], [1, 2, 3]), ([1, 2, 3], [1, 2, 3]), ([2, 0, 3], [1, 2, 3]), ([3, 0, 1], [1, 2, 3])]
    assert (rate(ladder(4, *circle, times=20)).misfit or 0) > 3


def test_bots_share_a_rank_until_one_of_them_is_surely_better() -> None:
    certain, vague = 0.01, 4.0
    table = [
        ([3.0, 2.0, 1.0], [certain] * 3, [1, 2, 3]),
        ([3.0, 2.0, 1.0], [vague] * 3, [1, 1, 1]),
        ([3.0, 2.9, 1.0], [certain] * 3, [1, 1, 3]),
        ([3.0, 2.9, 2.6], [certain] * 3, [1, 1, 3]),
        ([3.0, 2.0, 1.0], [vague, certain, certain], [1, 1, 3]),
        ([3.0, 2.0, 1.0], [certain, vague, certain], [1, 1, 3]),
    ]
    for strength, variance, expected in table:
        assert shared_ranks(np.array(strength), np.diag(variance)) == expected


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([(0, 0, [0, 1, 2], [1, 2, 3]), (0, 1, [0, 1, 2], [1, 2, 3])], "same match key"),
        ([(0, 0, [0, 1, 3], [1, 2, 3])], "outside 0 to 2"),
        ([(0, 0, [0, 1, 1], [1, 2, 3])], "twice"),
    ],
)
def test_a_record_that_cannot_be_is_refused(rows: list[Row], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Results.of(3, rows)


# --- honesty: the slow version is in test_simulations.py


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(21)
    strength = rng.normal(0, 1, 8)
    truth = long_run(World(), strength, rng)
    held = [covers(rate(play(World(), strength, 24, rng)), truth) for _ in range(40)]
    assert 0.91 <= np.mean(held) <= 0.99
