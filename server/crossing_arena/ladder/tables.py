"""Filling tables: the bot with the fewest deals first, then whoever met those at the table least."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from crossing_arena.ladder.results import Ints
from crossing_arena.ladder.seating import seat_tables
from crossing_sdk.games import Stream

FEW_WAYS = 100
"""With no more ways than this to fill a table they are all compared, and used in turn."""
EXCHANGES_UP_TO = 256
"""Bots up to which a round is improved by exchanges; with more of them, two hardly meet twice."""


ARRANGE_UP_TO, ARRANGEMENTS = 40, 8
"""Bots up to which a round is begun in so many other ways; with more of them the first is good enough."""


class Tally:
    """What was dealt so far."""

    def __init__(self, bots: int, sizes: Sequence[int]) -> None:
        self.deals = np.zeros(bots, np.int64)
        self.deals_of_size = {size: np.zeros(bots, np.int64) for size in sizes}
        self.meetings = np.zeros((bots, bots), np.int64)
        self.seats = {size: np.zeros((bots, size), np.int64) for size in sizes}
        """By bot and seat."""

    def copy(self) -> "Tally":
        """The same, to try deals out on, without the seats."""
        copy = Tally(0, ())
        copy.deals, copy.meetings = self.deals.copy(), self.meetings.copy()
        copy.deals_of_size = {size: had.copy() for size, had in self.deals_of_size.items()}
        return copy

    def add(self, table: Sequence[int], times: int = 1) -> None:
        """Count a deal of these bots; -1 times takes it back."""
        bots = np.array(table)
        self.deals[bots] += times
        self.deals_of_size[len(table)][bots] += times
        self.meetings[bots[:, None], bots] += times
        self.meetings[bots, bots] = 0

    def seat(self, table: Sequence[int]) -> None:
        """Count a deal of these bots by seat."""
        self.add(table)
        self.seats[len(table)][list(table), range(len(table))] += 1

    def fewest_deals(self, field: "Field") -> int:
        """The deals of the bot that has the fewest."""
        return int(self.deals[field.bots].min())

    def next_size(self) -> int:
        """The size of the next table: the one at which the fewest bots have sat."""
        return min(self.deals_of_size, key=lambda size: (int(self.deals_of_size[size].sum()), size))

    def tables_for(self, bots: int) -> int:
        """How many tables will be laid until so many bots have sat down."""
        filled = {size: int(had.sum()) for size, had in self.deals_of_size.items()}
        tables = 0
        while bots > 0:
            size = min(filled, key=lambda size: (filled[size], size))
            filled[size] += size
            bots -= size
            tables += 1
        return tables


@dataclass(frozen=True, slots=True)
class Field:
    """The bots that take part."""

    bots: Ints
    owner: Ints
    """Of every bot there is: two with one number must not meet."""
    ways: dict[int, Ints]
    """By table size: all ways to fill a table, if they are few."""
    used: dict[int, Ints]
    """By table size: how often each way was."""

    @classmethod
    def of(cls, bots: Ints, owner: Ints, sizes: Sequence[int]) -> "Field":
        """The field of these bots."""
        ways = {
            size: np.array([way for way in combinations(bots.tolist(), size) if len(set(owner[list(way)])) == size])
            for size in sizes
            if math.comb(len(bots), size) <= FEW_WAYS
        }
        return cls(bots, owner, ways, {size: np.zeros(len(all_ways), np.int64) for size, all_ways in ways.items()})


def fill_lap(field: Field, tally: Tally, stream: Stream) -> list[list[int]]:
    """The tables of the next rounds, at least as many as there are bots; counts them."""
    lap: list[list[int]] = []
    while len(lap) < len(field.bots):
        lots = _draw_lots(field, stream)
        level = tally.deals[field.bots]
        if level.max() - level.min() > 1:
            lap.append(_catch_up(field, tally, lots))
        else:
            lap += _round(field, tally, lots)
    return lap


def seat_lap(lap: Sequence[Sequence[int]], tally: Tally) -> list[list[int]]:
    """The same tables with the bots in the order of their seats."""
    seated: dict[int, list[int]] = {}
    for size, had in tally.seats.items():
        numbers = [number for number, table in enumerate(lap) if len(table) == size]
        seated |= zip(numbers, seat_tables([lap[number] for number in numbers], had), strict=True)
    return [seated[number] for number in range(len(lap))]


def _draw_lots(field: Field, stream: Stream) -> Ints:
    """By bot: who comes first where nothing else decides."""
    order = field.bots.tolist()
    stream.shuffle(order)
    lots = np.zeros(len(field.owner), np.int64)
    lots[order] = np.arange(len(order))
    return lots


def _catch_up(field: Field, tally: Tally, lots: Ints) -> list[int]:
    """A table for the bot that is farthest behind, with those it met least: newcomers or not."""
    size = tally.next_size()
    filling = _Filling(field, tally, lots)
    farthest_behind = filling.first_by(tally.deals, tally.deals_of_size[size])
    filling.take(farthest_behind)
    while len(filling.table) < size:
        filling.take(filling.first_by(tally.meetings[farthest_behind], filling.met, tally.deals))
    tally.add(filling.table)
    return filling.table


def _round(field: Field, tally: Tally, lots: Ints) -> list[list[int]]:
    """Tables until every bot has one deal more than the least had before."""
    goal = tally.fewest_deals(field) + 1
    tables: list[list[int]] = []
    while tally.fewest_deals(field) < goal:
        behind = field.bots[tally.deals[field.bots] < goal]
        size = tally.next_size()
        fill = _choose_way if size in field.ways else _fill
        tables.append(fill(field, tally, lots, size, _urgent(field, tally, behind)))
        tally.add(tables[-1])
    return tables if field.ways or len(field.bots) > EXCHANGES_UP_TO else _exchange(field, tally, lots, tables)


def _urgent(field: Field, tally: Tally, behind: Ints) -> Ints:
    """Of those still to play in this round: whose owner has as many of them as there are tables left."""
    left = np.bincount(field.owner[behind])[field.owner[behind]]
    return behind[left >= tally.tables_for(len(behind))] if left.max() > 1 else behind[:0]


class _Filling:
    """A table that is being filled."""

    def __init__(self, field: Field, tally: Tally, lots: Ints) -> None:
        self.table: list[int] = []
        self.open = field.bots
        """Who may still sit down."""
        self.met = np.zeros_like(tally.deals)
        """By bot: meetings with those at the table."""
        self._owner = field.owner
        self._meetings = tally.meetings
        self._lots = lots

    def take(self, bot: int) -> None:
        """Sit this bot down."""
        self.table.append(bot)
        self.met += self._meetings[bot]
        self.open = self.open[self._owner[self.open] != self._owner[bot]]

    def first_by(self, *counts: Ints, among: Ints | None = None) -> int:
        """The open bot with the least of the first count, among equals of the next, and then by lot."""
        left = self.open if among is None else among
        for amounts in counts:
            of = amounts[left]
            left = left[of == of.min()]
        return int(left[self._lots[left].argmin()])


def _fill(field: Field, tally: Tally, lots: Ints, size: int, urgent: Ints) -> list[int]:
    """A table filled bot by bot: fewest deals, fewest of this size, fewest meetings with those who sit there."""
    filling = _Filling(field, tally, lots)
    while len(filling.table) < size:
        waiting = np.intersect1d(urgent, filling.open) if len(urgent) else urgent
        among = waiting if len(waiting) else None
        filling.take(filling.first_by(tally.deals, tally.deals_of_size[size], filling.met, among=among))
    return filling.table


def _choose_way(field: Field, tally: Tally, lots: Ints, size: int, urgent: Ints) -> list[int]:
    """The best of all ways to fill a table: fewest deals, fewest of this size, least used, fewest meetings."""
    ways = field.ways[size]
    due = np.isin(ways, urgent).sum(axis=1)
    pairs = np.array(list(combinations(range(size), 2)))
    met = (tally.meetings[ways[:, pairs[:, 0]], ways[:, pairs[:, 1]]] ** 2).sum(axis=1)
    deals, of_size = tally.deals[ways].sum(axis=1), tally.deals_of_size[size][ways].sum(axis=1)
    best = np.lexsort(((lots[ways] ** 2).sum(axis=1), met, field.used[size], of_size, deals, -due))[0]
    field.used[size][best] += 1
    return [int(bot) for bot in ways[best]]


def _exchange(field: Field, tally: Tally, lots: Ints, tables: list[list[int]]) -> list[list[int]]:
    """The same round, with bots exchanged between tables as long as pairs that met often are parted by it.

    Such a search ends where no single exchange helps, so it is made from several arrangements, and
    what leaves the meetings most even is taken.
    """
    for table in tables:
        tally.add(table, -1)
    who = np.concatenate([np.array(table) for table in tables])
    table_of = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    starts = [who, *_arrangements(field, who, lots)] if len(tables) < len(who) // 2 else [who]
    found = [_improve(field, tally.meetings, start, table_of) for start in starts]
    best = min(found, key=lambda one: _unevenness(field, tally.meetings, one, table_of))
    exchanged = [best[table_of == table].tolist() for table in range(len(tables))]
    for table in exchanged:
        tally.add(table)
    return exchanged


def _arrangements(field: Field, who: Ints, lots: Ints) -> list[Ints]:
    """Other ways to begin: the bots in the order of their lots, dealt out with different strides."""
    if len(set(field.owner[who].tolist())) < len(who) or len(who) > ARRANGE_UP_TO:
        return []  # where bots must not meet only an allowed round can be improved
    by_lot = who[np.argsort(lots[who], kind="stable")]
    strides = [stride for stride in range(1, len(who)) if math.gcd(stride, len(who)) == 1][:ARRANGEMENTS]
    return [by_lot[np.arange(len(who)) * stride % len(who)] for stride in strides]


def _improve(field: Field, met: Ints, start: Ints, table_of: Ints) -> Ints:
    """The best arrangement that single exchanges lead to."""
    who = start.copy()
    size = np.bincount(table_of)[table_of]
    for _ in range(2 * len(who)):
        gain = _gain(field, met, who, table_of)
        gain[size[:, None] != size[None, :]] = 0
        one, other = divmod(int(gain.argmax()), len(who))
        if gain[one, other] <= 0:
            break
        who[one], who[other] = who[other], who[one]
    return who


def _unevenness(field: Field, met: Ints, who: Ints, table_of: Ints) -> tuple[int, int]:
    """How far the meetings of pairs would lie apart after this round, and how uneven they would be in all."""
    together = np.zeros_like(met)
    for table in range(int(table_of[-1]) + 1):
        sitting = who[table_of == table]
        together[np.ix_(sitting, sitting)] = 1
    pairs = np.triu_indices(len(field.bots), 1)
    after = (met + together)[np.ix_(field.bots, field.bots)][pairs]
    return int(after.max() - after.min()), int((after**2).sum())


def _gain(field: Field, met: Ints, who: Ints, table_of: Ints) -> Ints:
    """Seat by seat: how many meetings fewer are repeated if the two bots change places; 0 if they may not."""
    tables = int(table_of[-1]) + 1
    sits = np.zeros((tables, len(met)), np.int64)
    sits[table_of, who] = 1
    with_table = (met[who] @ sits.T)[:, table_of]
    own = np.diag(with_table)
    gain = own[:, None] + own[None, :] - with_table - with_table.T + 2 * met[np.ix_(who, who)]
    owners = np.zeros((tables, len(met)), np.int64)
    np.add.at(owners, (table_of, field.owner[who]), 1)
    same = field.owner[who][:, None] == field.owner[who][None, :]
    clash = owners[table_of][:, field.owner[who]] - same > 0
    gain[clash | clash.T] = 0
    return np.asarray(gain, np.int64)
