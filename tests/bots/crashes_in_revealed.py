"""Raises when it is told what everybody did.

Expected: CRASH in turns 2, 3, 4; benched.
"""

from crossing_sdk import Bot, Move, Reveal, Turn, run


class CrashesInRevealed(Bot):
    def revealed(self, reveal: Reveal) -> None:
        raise LookupError(f"turn {reveal.number} is not in my table")

    def choose(self, turn: Turn) -> Move:
        return turn.legal[0]


run(CrashesInRevealed)
