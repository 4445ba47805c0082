"""Raises in turn 3, two calls deep, and is fine otherwise.

Expected: CRASH in turn 3.
"""

from crossing_sdk import Bot, Move, Turn, run


class CrashInTurn3(Bot):
    def choose(self, turn: Turn) -> Move:
        return ponder(turn) if turn.number == 3 else turn.legal[0]


def ponder(turn: Turn) -> Move:
    book: dict[int, Move] = {}
    return book[turn.number]


run(CrashInTurn3)
