"""Who sits where: so that every bot has every seat of its tables equally often."""

from collections.abc import Sequence
from functools import cache
from itertools import permutations

import numpy as np

from crossing_arena.ladder.results import Ints


def seat_tables(tables: Sequence[Sequence[int]], had: Ints) -> list[list[int]]:
    """The bots of each table, all of one size, by seat; `had` counts by bot and seat what was before.

    If every bot had all seats equally often, none has a seat again before it has had them all. Else
    table by table what is least uneven.
    """
    bots = sorted({bot for table in tables for bot in table})
    if np.ptp(had[bots], axis=1).any():
        return _one_by_one(tables, had.copy())
    plan = _Plan(len(tables), had.shape[1])
    for table, sitting in enumerate(tables):
        for bot in sitting:
            plan.seat(bot, table)
    return [[plan.bots[turn] for turn in seats if turn is not None] for seats in plan.by_table]


def _one_by_one(tables: Sequence[Sequence[int]], had: Ints) -> list[list[int]]:
    """Each table seated so that seats are repeated as little as may be; counts them."""
    seated = []
    for table in tables:
        orders = _orders(len(table))
        bots = np.sort(table)
        over = had[bots] - had[bots].min(axis=1, keepdims=True)
        best = orders[(over[orders, np.arange(len(table))] ** 2).sum(axis=1).argmin()]
        seated.append([int(bot) for bot in bots[best]])
        had[bots[best], np.arange(len(table))] += 1
    return seated


@cache
def _orders(size: int) -> Ints:
    """All orders in which a table can sit: by seat, which of them."""
    return np.array(list(permutations(range(size))))


class _Plan:
    """The seats given so far, as a graph that is being coloured.

    A bot's appearances are taken in turns of as many as a table has seats. Bots (by turn) and tables
    are the two sides of a graph whose edges have to be coloured with seats, no two edges at a point
    alike. Koenig's theorem says that it can be done, and his proof says how: where no seat is free on
    both sides, two seats are exchanged along a chain of tables.
    """

    def __init__(self, tables: int, size: int) -> None:
        self.seats = range(size)
        self.by_table: list[list[int | None]] = [[None] * size for _ in range(tables)]
        """By table and seat: the turn of the bot that sits there."""
        self.by_turn: list[list[int | None]] = []
        """By turn and seat: the table."""
        self.bots: list[int] = []
        """By turn."""
        self._latest: dict[int, int] = {}

    def seat(self, bot: int, table: int) -> None:
        """Give the bot a seat at this table, moving others at other tables if need be."""
        turn = self._turn_of(bot)
        free = [seat for seat in self.seats if self.by_table[table][seat] is None]
        lacking = [seat for seat in self.seats if self.by_turn[turn][seat] is None]
        fitting = [seat for seat in free if seat in lacking]
        if not fitting:
            self._exchange(turn, free[0], lacking[0])
        self._put(turn, table, (fitting or free)[0])

    def _turn_of(self, bot: int) -> int:
        """The bot's turn that still lacks a seat, or a new one."""
        turn = self._latest.get(bot)
        if turn is None or None not in self.by_turn[turn]:
            turn = self._latest[bot] = len(self.by_turn)
            self.by_turn.append([None for _ in self.seats])
            self.bots.append(bot)
        return turn

    def _exchange(self, turn: int, wanted: int, lacking: int) -> None:
        """Make the wanted seat free in this turn: exchange both seats along the chain of tables that begins there."""
        chain: list[tuple[int, int, int]] = []
        at: int | None = turn
        while at is not None and (table := self.by_turn[at][wanted]) is not None:
            chain.append((at, table, lacking))
            at = self.by_table[table][lacking]
            if at is not None:
                chain.append((at, table, wanted))
        for of, table, seat in chain:
            self.by_turn[of][wanted + lacking - seat] = None
            self.by_table[table][wanted + lacking - seat] = None
        for of, table, seat in chain:
            self._put(of, table, seat)

    def _put(self, turn: int, table: int, seat: int) -> None:
        self.by_turn[turn][seat] = table
        self.by_table[table][seat] = turn
