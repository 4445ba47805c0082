"""Does nothing wrong: random legal moves from its own dice.

Expected: no fault.
"""

from crossing_sdk import Bot, Move, Turn, run


class Honest(Bot):
    def choose(self, turn: Turn) -> Move:
        return turn.rng.choice(turn.legal)


run(Honest)
