"""Ends its process whenever it is asked.

Expected: CRASH in turns 1, 2, 3; benched.
"""

import os

from crossing_sdk import Bot, Move, Turn, run


class ExitsInEveryTurn(Bot):
    def choose(self, turn: Turn) -> Move:
        os._exit(5)


run(ExitsInEveryTurn)
