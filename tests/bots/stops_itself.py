"""Freezes its own process in turn 2.

Expected: TIMEOUT in turns 2, 3, 4; benched.
"""

import os
import signal

from crossing_sdk import Bot, Move, Turn, run


class StopsItself(Bot):
    def choose(self, turn: Turn) -> Move:
        if turn.number == 2:
            os.kill(os.getpid(), signal.SIGSTOP)
        return turn.legal[0]


run(StopsItself)
