"""An opponent whose code fails in its second turn, and whose process ends in its third."""

import os

from crossing_sdk import Bot, Move, Turn, run


class Crasher(Bot):
    """Good for two faults."""

    def choose(self, turn: Turn) -> Move:
        """Fail."""
        if turn.number == 2:
            raise RuntimeError("this opponent fails on purpose")
        if turn.number == 3:
            os._exit(3)
        return turn.legal[0]


run(Crasher)
