"""Who meets whom: a pure function of the draw, the same on every machine and every time.

A **deal** is a set of bots at a table, and the seed they play with; a match is one seating of a
deal. Deals come in rounds, in which every bot plays once, and rounds without end: a draw says how
many are played. What holds:

* Every bot has the same number of deals, and of matches, within one.
* Every bot has every seat equally often, within one. With a mix of table sizes: within two,
  counted for each size.
* Every two bots meet equally often, within two of the nearest whole numbers. When there are few
  ways to fill a table, all of them are used equally often, as far as that allows.
* More deals are the same deals and more after them.
* A bot that joins later opens a new **stage**: all deals of the earlier stages stay what they
  are, and only deals that it, or another newcomer, still lacks follow. A stage can be broken off
  when its bots change before it is over.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations, count, islice

import numpy as np

from crossing_arena.faults import UserError
from crossing_arena.ladder.results import MAX_TABLE
from crossing_arena.ladder.tables import Field, Tally, fill_lap, seat_lap
from crossing_sdk.games import Stream, derive

MIN_TABLE = 2


class CannotSchedule(UserError):
    """No schedule can be drawn up so; says why, and what would do."""


class Rotations(Enum):
    """How often a deal is played."""

    ONE = "one"
    """Once: seats are balanced over the ladder."""
    ALL = "all"
    """As often as the table has seats, every bot in every seat once."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot in the ladder."""

    name: str
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Stage:
    """A stretch of the ladder with the same bots, until each of them has had so many deals in all."""

    entrants: tuple[Entrant, ...]
    deals: int
    last_deal: int | None = None
    """The number of the deal after which the stage was broken off, if it was."""


@dataclass(frozen=True, slots=True)
class Draw:
    """All that decides a schedule. Its seed stays secret until the ladder is over."""

    seed: bytes
    stages: tuple[Stage, ...]
    table_sizes: tuple[int, ...] = (4,)
    rotations: Rotations = Rotations.ONE
    owners_apart: bool = False
    """Whether bots of one owner must not meet."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A set of bots to play with one seed."""

    number: int
    """From 1."""
    seats: tuple[str, ...]
    """The bots as they sit in the first rotation."""


@dataclass(frozen=True, slots=True)
class Match:
    """One seating of a deal."""

    n: int
    """Its place in the schedule, from 1."""
    deal: int
    rotation: int
    """From 0."""
    seats: tuple[str, ...]


def matches(draw: Draw) -> Iterator[Match]:
    """The matches of the ladder in order."""
    numbers = count(1)
    for deal in deals(draw):
        turns = len(deal.seats) if draw.rotations is Rotations.ALL else 1
        for turn in range(turns):
            yield Match(next(numbers), deal.number, turn, deal.seats[turn:] + deal.seats[:turn])


def match_seed(secret: bytes, match: Match) -> bytes:
    """The seed a match is played with: all rotations of a deal have the same."""
    return derive(secret, f"deal/{match.deal}")


def commitment(secret: bytes) -> str:
    """What is published before the first match, so that the seed cannot be changed after it."""
    return hashlib.sha256(secret).hexdigest()


def extended(draw: Draw, entrants: Sequence[Entrant], deals_each: int, last_deal: int | None = None) -> Draw:
    """The draw that goes on with these bots until each has had so many deals; what was drawn stays.

    If the bots are others than before, the draw so far can be broken off after a deal: what then is
    lacking is drawn among the bots there are now.
    """
    *before, last = draw.stages or (Stage((), 0),)
    if set(last.entrants) == set(entrants):
        return replace(draw, stages=(*before, replace(last, deals=max(last.deals, deals_each))))
    kept = [*before, replace(last, last_deal=last_deal)] if draw.stages else []
    return replace(draw, stages=(*kept, Stage(tuple(entrants), deals_each)))


def deals(draw: Draw) -> Iterator[Deal]:
    """The deals of the ladder in order; raises CannotSchedule if there can be none."""
    for stage in draw.stages:
        _check(draw, stage)
    names = _names(draw)
    tally = Tally(len(names), draw.table_sizes)
    number = 0
    for at, stage in enumerate(draw.stages):
        tables = _stage(stage, _field(draw, stage, names), tally, Stream(draw.seed, f"schedule/{at}"))
        room = None if stage.last_deal is None else max(stage.last_deal - number, 0)
        for table in islice(tables, room):
            number += 1
            yield Deal(number, tuple(names[bot] for bot in table))


def _stage(stage: Stage, field: Field, tally: Tally, stream: Stream) -> Iterator[list[int]]:
    """The tables of a stage, in laps: a lap is drawn up whole, so that where it is cut off changes nothing in it."""
    while tally.fewest_deals(field) < stage.deals:
        for table in seat_lap(fill_lap(field, tally.copy(), stream), tally):
            if tally.fewest_deals(field) >= stage.deals:
                break
            tally.seat(table)
            yield table


def _field(draw: Draw, stage: Stage, names: list[str]) -> Field:
    """The bots of a stage by number; without an owner, or with owners that may meet, each is its own owner."""
    number = {name: at for at, name in enumerate(names)}
    owner = np.arange(len(names))
    if draw.owners_apart:
        first: dict[str, int] = {}
        for bot in stage.entrants:
            if bot.owner:
                owner[number[bot.name]] = first.setdefault(bot.owner, number[bot.name])
    return Field.of(np.array(sorted(number[bot.name] for bot in stage.entrants)), owner, draw.table_sizes)


def _names(draw: Draw) -> list[str]:
    """All bots, those of earlier stages first: a bot's number never changes."""
    return list(dict.fromkeys(name for stage in draw.stages for name in sorted(bot.name for bot in stage.entrants)))


# --- what can be scheduled


def _check(draw: Draw, stage: Stage) -> None:
    sizes, bots = draw.table_sizes, len(stage.entrants)
    wrong = [size for size in sizes if not MIN_TABLE <= size <= MAX_TABLE]
    if wrong or not sizes or len(set(sizes)) < len(sizes):
        raise CannotSchedule(f"table sizes are different numbers from {MIN_TABLE} to {MAX_TABLE}, not {list(sizes)}")
    if stage.deals < 1:
        raise CannotSchedule(f"every bot needs at least 1 deal, not {stage.deals}")
    twice = [name for name, times in Counter(bot.name for bot in stage.entrants).items() if times > 1]
    if twice:
        raise CannotSchedule(f"every bot needs a name of its own; there is more than one {twice[0]!r}")
    if bots < max(sizes):
        raise CannotSchedule(f"{bots} bots cannot fill a table of {max(sizes)}: add bots or make the tables smaller")
    if draw.owners_apart:
        _check_owners(stage, max(sizes))


def _check_owners(stage: Stage, size: int) -> None:
    """To have as many deals as the others and never meet, an owner's bots must be no more than tables a round."""
    bots = len(stage.entrants)
    for owner, owned in Counter(bot.owner for bot in stage.entrants if bot.owner).most_common(1):
        if owned > bots // size:
            raise CannotSchedule(
                f"{owner!r} owns {owned} of {bots} bots, which cannot be kept apart at tables of {size}: "
                f"at most {bots // size} could. Add bots of others, make the tables smaller or let owners meet"
            )


# --- how even it is


@dataclass(frozen=True, slots=True)
class Balance:
    """How even a schedule is. Ranges are the least and the most that there is."""

    bots: int
    deals: int
    matches: int
    deals_each: tuple[int, int]
    matches_each: tuple[int, int]
    meetings: tuple[int, int]
    """Deals that two bots share, over all pairs that may meet."""
    seats: tuple[int, int]
    """Matches that a bot has in one seat of one table size."""
    seat_spread: int
    """How much oftener a bot has one seat than another of the same table size, at most."""


def balance(draw: Draw) -> Balance:
    """How even the schedule of this draw is, over all bots of its last stage."""
    last = draw.stages[-1].entrants
    dealt, played, met, sat = (
        Counter[str](),
        Counter[str](),
        Counter[tuple[str, str]](),
        Counter[tuple[str, int, int]](),
    )
    deal_count = match_count = 0
    for match in matches(draw):
        match_count += 1
        played.update(match.seats)
        sat.update((name, len(match.seats), seat) for seat, name in enumerate(match.seats))
        if match.rotation == 0:
            deal_count += 1
            dealt.update(match.seats)
            met.update(combinations(sorted(match.seats), 2))
    pairs = [met[a.name, b.name] for a, b in combinations(sorted(last, key=_name), 2) if _may_meet(draw, a, b)]
    rows = [[sat[bot.name, size, seat] for seat in range(size)] for bot in last for size in draw.table_sizes]
    return Balance(
        bots=len(last),
        deals=deal_count,
        matches=match_count,
        deals_each=_range([dealt[bot.name] for bot in last]),
        matches_each=_range([played[bot.name] for bot in last]),
        meetings=_range(pairs),
        seats=_range([times for row in rows for times in row]),
        seat_spread=max(max(row) - min(row) for row in rows),
    )


def _name(bot: Entrant) -> str:
    return bot.name


def _may_meet(draw: Draw, one: Entrant, other: Entrant) -> bool:
    return not (draw.owners_apart and one.owner and one.owner == other.owner)


def _range(values: Sequence[int]) -> tuple[int, int]:
    return min(values), max(values)
