"""Ends its process in turn 3, after a word on stderr.

Expected: CRASH in turn 3.
"""

import os
import sys

from crossing_sdk import Bot, Move, Turn, run


class ExitsInTurn3(Bot):
    def choose(self, turn: Turn) -> Move:
        if turn.number == 3:
            print("out of here", file=sys.stderr, flush=True)
            os._exit(3)
        return turn.legal[0]


run(ExitsInTurn3)
