"""Ends its process when the bag is empty.

Expected: CRASH in the last turn.
"""

import os

from crossing_sdk import Bot, Move, Turn, run


class ExitsInItsLastTurn(Bot):
    def choose(self, turn: Turn) -> Move:
        if turn.view.is_last_turn:
            os._exit(4)
        return turn.legal[0]


run(ExitsInItsLastTurn)
