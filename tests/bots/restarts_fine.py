"""Ends its process in turn 2, once: a file remembers it.

Expected: CRASH in turn 2.
"""

import os
from pathlib import Path

from crossing_sdk import Bot, Move, Turn, run

CRASHED = Path(os.environ["CROSSING_TEST_PLACE"], "restarts_fine.crashed")


class RestartsFine(Bot):
    def choose(self, turn: Turn) -> Move:
        if turn.number == 2 and not CRASHED.exists():
            CRASHED.touch()
            os._exit(6)
        return turn.legal[-2]


run(RestartsFine)
