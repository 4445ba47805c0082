"""What ratings, schedule and comparison promise about themselves, at length. Run by `make bench`."""

import time

import numpy as np
import pytest

from crossing_arena.ladder.ratings import rate
from crossing_arena.ladder.schedule import balance
from crossing_arena.ladder.sequential import Decision, Question

from .test_schedule import draw
from .test_sequential import run
from .worlds import World, covers, long_run, play, shuffled

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

WORLDS = [
    pytest.param(8, 40, World(), id="8 bots, tables of 4"),
    pytest.param(8, 40, World(table=3, step=0.5), id="8 bots, tables of 3, ties"),
    pytest.param(12, 16, World(table=6), id="12 bots, tables of 6, few deals"),
    pytest.param(12, 24, World(rotations=4, seat_luck=1.0), id="all rotations, luck of the seat"),
    pytest.param(12, 24, World(rotations=4, bot_luck=1.0), id="all rotations, luck of the bot with the deal"),
    pytest.param(10, 30, World(table=5, noise="normal", step=0.4), id="10 bots, tables of 5, normal noise, ties"),
]


@pytest.mark.parametrize(("bots", "deals", "world"), WORLDS)
def test_95_percent_intervals_hold_the_truth_in_93_to_97_percent(bots: int, deals: int, world: World) -> None:
    rng = np.random.default_rng(2026)
    held: list[bool] = []
    for _ in range(3):
        strength = rng.normal(0, 1, bots)
        truth = long_run(world, strength, rng)
        for _ in range(100):
            held += covers(rate(play(world, strength, deals, rng)), truth)
    print(f"\n{bots} bots, {deals} deals each, {world}: {np.mean(held):.3f} of {len(held)} intervals hold")
    assert 0.93 <= np.mean(held) <= 0.97


def test_a_near_perfect_record_is_not_sold_as_certain() -> None:
    rng = np.random.default_rng(2027)
    held: list[bool] = []
    for top in (3.0, 5.0):
        strength = rng.normal(0, 0.7, 8)
        strength[0] += top
        truth = long_run(World(), strength, rng)
        held += [covers(rate(play(World(), strength, 25, rng)), truth)[0] for _ in range(80)]
    print(f"\nnear-perfect records: {np.mean(held):.3f} of {len(held)} intervals hold")
    assert np.mean(held) >= 0.93


def test_a_thousand_bots_and_a_hundred_thousand_matches_rate_in_seconds() -> None:
    rng = np.random.default_rng(2028)
    results = play(World(step=0.3), rng.normal(0, 1, 1_000), 400, rng)
    began = time.process_time()
    ratings = rate(results)
    took = time.process_time() - began
    print(f"\n1,000 bots, {len(results.match)} matches: {took:.1f} s of CPU")
    assert len(ratings.groups) == 1
    assert took < 30
    assert rate(shuffled(results, rng)) == ratings


@pytest.mark.parametrize(("bots", "deals_each"), [(8, 1_000), (1_000, 100)])
def test_long_and_large_ladders_are_scheduled_in_seconds(bots: int, deals_each: int) -> None:
    began = time.process_time()
    evenness = balance(draw(bots, deals_each))
    took = time.process_time() - began
    print(f"\n{bots} bots, {deals_each} deals each: {took:.1f} s of CPU, {evenness}")
    assert evenness.seat_spread == 0
    assert took < 60


@pytest.mark.parametrize(("gap", "wrong"), [(0, Decision.NEW_IS_BETTER), (25, Decision.NOT_BETTER)])
def test_a_comparison_errs_in_about_5_percent(gap: float, wrong: Decision) -> None:
    rng = np.random.default_rng(2029)
    found = [run(gap, Question(), rng) for _ in range(300)]
    share = np.mean([finding.decision is wrong for finding in found])
    print(f"\ntrue gap {gap}: wrong in {share:.3f}, after {np.mean([finding.deals for finding in found]):.0f} deals")
    assert share <= 0.085
