"""Thief: lets others gather, and points at their tiles.

A tile can hold the stones of many turns, a mushroom seldom more than three. So it robs whoever has
something to its taste, and picks a mushroom only when that pays better. Good against the careless
who never protect; bad against hoarders, who leave it nothing, and against other thieves, who point
at the same fat tile. It draws lots among the tiles for that reason.
"""

from crossing_sdk import Bot, Move, Turn, run


class ThiefBot(Bot):
    """Robs the rich."""

    def choose(self, turn: Turn) -> Move:
        """A rival's tile if there is loot, else a mushroom; in the last turn it hides what it has."""
        view = turn.view
        tiles = [move for move in turn.legal if move.rival is not None]
        mushrooms = [move for move in turn.legal if move.mushroom is not None]
        best = max(map(view.gain, turn.legal))
        if view.is_last_turn and view.tiles[turn.seat].points >= best:
            return Move.S
        if tiles and max(map(view.gain, tiles)) >= max(map(view.gain, mushrooms)):
            return turn.rng.choices(tiles, [view.gain(move) ** 2 for move in tiles])[0]
        return turn.rng.choices(mushrooms, [0.1 + view.gain(move) for move in mushrooms])[0]


if __name__ == "__main__":
    run(ThiefBot)
