"""An opponent that never answers from its second turn on."""

import threading

from crossing_sdk import Bot, Move, Turn, run


class Staller(Bot):
    """Good for three timeouts."""

    def choose(self, turn: Turn) -> Move:
        """Wait for ever."""
        if turn.number > 1:
            threading.Event().wait()
        return turn.legal[0]


run(Staller)
