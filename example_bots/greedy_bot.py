"""Greedy: takes the mushroom that adds most to its own collection.

`view.gain` does the sums: it knows that the stone which completes a set is worth three points and not
one. Good at a peaceful table. Bad where there are thieves: it cannot stop gathering, and covers its
tile only when a huge heap lies there, which seldom lasts that long.

It does not always take the very best mushroom. Two who point at the same one get nothing, so it draws
lots, and a better mushroom gets more of them.
"""

from crossing_sdk import Bot, Move, Turn, run


class GreedyBot(Bot):
    """Points at rich mushrooms."""

    heap = 15
    """The exposed points at which even it protects."""

    def choose(self, turn: Turn) -> Move:
        """A mushroom, drawn by its gain."""
        view = turn.view
        if view.tiles[turn.seat].points >= self.heap:
            return Move.S
        mushrooms = [move for move in turn.legal if move.mushroom is not None]
        return turn.rng.choices(mushrooms, [0.1 + view.gain(move) ** 2 for move in mushrooms])[0]


if __name__ == "__main__":
    run(GreedyBot)
