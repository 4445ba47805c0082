"""Leaves a daemon behind: twice forked, in its own session, deaf to SIGTERM, with stdout open.

Expected: no fault.
"""

import os
import signal
import sys

from crossing_sdk import Bot, Move, Turn, run

if not os.fork():
    os.setsid()
    if os.fork():
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.execv(sys.executable, [sys.executable, "-c", "import signal\nwhile True: signal.pause()", "daemon"])
os.wait()


class ForksAChild(Bot):
    def choose(self, turn: Turn) -> Move:
        return turn.legal[0]


run(ForksAChild)
