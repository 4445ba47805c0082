"""Freezes the process that watches over it, and never ends.

Expected: no fault.
"""

import os
import signal

from crossing_sdk import Bot, Move, Turn, run


class StopsItsGuard(Bot):
    def choose(self, turn: Turn) -> Move:
        os.kill(os.getppid(), signal.SIGSTOP)
        return turn.legal[0]


try:
    run(StopsItsGuard)
finally:
    while True:
        signal.pause()
