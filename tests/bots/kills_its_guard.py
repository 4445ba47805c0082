"""Kills the process that watches over it in turn 2, and never ends.

Expected: CRASH in turn 2.
"""

import os
import signal

from crossing_sdk import Bot, Move, Turn, run


class KillsItsGuard(Bot):
    def choose(self, turn: Turn) -> Move:
        if turn.number == 2:
            os.kill(os.getppid(), signal.SIGKILL)
            while True:
                signal.pause()
        return turn.legal[0]


try:
    run(KillsItsGuard)
finally:
    while True:
        signal.pause()
