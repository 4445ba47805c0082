"""Random: points anywhere, all legal moves alike.

The smallest bot there is, and a yardstick: whoever loses to it has a bug. It is not quite harmless,
since it protects one time in seven and nobody can guess where it points, itself included.
"""

from crossing_sdk import Bot, Move, Turn, run


class RandomBot(Bot):
    """Rolls a die."""

    def choose(self, turn: Turn) -> Move:
        """Any legal move; the dice come from the arena, so that a match can be played again."""
        return turn.rng.choice(turn.legal)


if __name__ == "__main__":
    run(RandomBot)
