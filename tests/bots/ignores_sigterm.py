"""Plays well, but ignores SIGTERM and does not end when its stream does.

Expected: no fault.
"""

import signal

from crossing_sdk import Bot, Move, Turn, run


class IgnoresSigterm(Bot):
    def choose(self, turn: Turn) -> Move:
        return turn.legal[0]


signal.signal(signal.SIGTERM, signal.SIG_IGN)
try:
    run(IgnoresSigterm)
finally:
    while True:
        signal.pause()
