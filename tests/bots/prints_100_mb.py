"""Prints 50 MB to each of stdout and stderr in turn 2.

Expected: no fault.
"""

import sys

from crossing_sdk import Bot, Move, Turn, run

MEGABYTE = ("x" * 99 + "\n") * 10_000


class Prints100Mb(Bot):
    def choose(self, turn: Turn) -> Move:
        if turn.number == 2:
            for _ in range(50):
                print(MEGABYTE, end="")
                print(MEGABYTE, end="", file=sys.stderr)
        return turn.legal[0]


run(Prints100Mb)
