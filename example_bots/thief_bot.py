"""Thief: lets the others gather, and points at their tiles.

A tile can hold the stones of many turns, a mushroom seldom more than three. So it robs whenever a rival
has something it can use, and takes a mushroom only when all tiles are bare. Good against the careless,
who leave a heap lying. Bad against whoever protects in time, and against a second thief: two who point
at the same tile leave it as it is. That is why it draws lots, and a fatter tile gets more of them.
"""

from crossing_sdk import Bot, Move, Turn, run


class ThiefBot(Bot):
    """Robs the rich."""

    def choose(self, turn: Turn) -> Move:
        """A rival's tile if there is loot, else a mushroom; in the last turn it may hide its own loot."""
        view = turn.view
        if view.is_last_turn and view.tiles[turn.seat].points >= max(map(view.gain, turn.legal)):
            return Move.S  # no turn comes after it, so the break costs nothing
        loot = [move for move in turn.legal if move.rival is not None and view.gain(move)]
        if loot:
            return turn.rng.choices(loot, [view.gain(move) ** 2 for move in loot])[0]
        mushrooms = [move for move in turn.legal if move.mushroom is not None]
        return turn.rng.choices(mushrooms, [0.1 + view.gain(move) for move in mushrooms])[0]


if __name__ == "__main__":
    run(ThiefBot)
