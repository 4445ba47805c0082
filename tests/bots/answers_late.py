"""Oversleeps in turn 2, by half of its limit, and then protects; points at M0 in all other turns.

Expected: TIMEOUT in turn 2.
"""

import time

from crossing_sdk import Bot, Move, Turn, run


class AnswersLate(Bot):
    def choose(self, turn: Turn) -> Move:
        if turn.number != 2:
            return Move.M0
        time.sleep((turn.clock.limit_ms * 1.5 + turn.clock.bank_ms) / 1000)
        return Move.S


run(AnswersLate)
