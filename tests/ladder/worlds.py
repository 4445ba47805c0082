"""Made-up ladders whose true strengths are known."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crossing_arena.ladder.ratings import POINTS_PER_LOGIT, Ratings, rate
from crossing_arena.ladder.results import EMPTY, MAX_TABLE, Results

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class World:
    """How points come about: strength, luck of the seat, luck of a bot with a deal, and noise of its own."""

    table: int = 4
    rotations: int = 1
    seat_luck: float = 0.0
    bot_luck: float = 0.0
    noise: str = "gumbel"
    step: float = 0.0
    """Points are counted in steps of this size, which makes ties."""


def play(world: World, strength: Floats, deals_each: int, rng: np.random.Generator) -> Results:
    """A ladder in which every bot plays about so many deals, at tables drawn at random round by round."""
    bots, k = len(strength), world.table
    rounds = deals_each if bots >= k else 0
    orders = [rng.permutation(bots)[: bots // k * k].reshape(-1, k) for _ in range(rounds)]
    tables = np.concatenate(orders) if orders else np.empty((0, k), np.int64)
    seats = np.concatenate([np.roll(tables, turn, axis=1) for turn in range(world.rotations)])
    deal = np.tile(np.arange(len(tables)), world.rotations)
    seat_luck = rng.normal(0, world.seat_luck, (len(tables), k))[deal]
    luck_at_table = rng.normal(0, world.bot_luck, tables.shape)
    bot_luck = np.concatenate([np.roll(luck_at_table, turn, axis=1) for turn in range(world.rotations)])
    points = strength[seats] + seat_luck + bot_luck + _noise(world.noise, seats.shape, rng)
    return results_of(bots, deal, seats, np.round(points / world.step) if world.step else points)


def _noise(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    if kind == "gumbel":
        return rng.gumbel(0, 1, shape)
    return rng.normal(0, 1.2, shape)


def results_of(bots: int, deal: Ints, seats: Ints, points: Floats) -> Results:
    places = 1 + (points[:, None, :] > points[:, :, None]).sum(axis=2)
    padding = ((0, 0), (0, MAX_TABLE - seats.shape[1]))
    return Results(
        bots,
        np.arange(len(seats)),
        deal,
        np.pad(seats, padding, constant_values=EMPTY),
        np.pad(places, padding),
    )


def mixed(parts: list[Results]) -> Results:
    """The results of several worlds with the same bots, as one ladder."""
    deals = np.cumsum([0, *(int(part.deal.max()) + 1 for part in parts[:-1])])
    return Results(
        parts[0].bots,
        np.arange(sum(len(part.match) for part in parts)),
        np.concatenate([part.deal + start for part, start in zip(parts, deals, strict=True)]),
        np.concatenate([part.seats for part in parts]),
        np.concatenate([part.places for part in parts]),
    )


def shuffled(results: Results, rng: np.random.Generator) -> Results:
    """The same matches in another order."""
    order = rng.permutation(len(results.match))
    return Results(results.bots, results.match[order], results.deal[order], results.seats[order], results.places[order])


def long_run(world: World, strength: Floats, rng: np.random.Generator) -> Floats:
    """The ratings that an endless ladder in this world would end with."""
    if world == World(table=world.table, rotations=world.rotations):
        return np.asarray(1500 + POINTS_PER_LOGIT * (strength - strength.mean()), np.float64)
    endless = rate(play(world, strength, 2_000, rng), prior_sd=1e3)
    return np.array([standing.rating for standing in endless.standings])


def covers(ratings: Ratings, truth: Floats) -> list[bool]:
    """Whose interval holds the truth."""
    return [
        (standing.low is None or standing.low <= true) and (standing.high is None or true <= standing.high)
        for standing, true in zip(ratings.standings, truth, strict=True)
    ]
