"""Thief."""

from crossing_sdk import Bot, Move, Turn, run


class ThiefBot(Bot):
    """Robs the rich."""
    ratio = 0
    power = 2
    loot = 1
    bold = 1.0
    def choose(self, turn: Turn) -> Move:
        """A rival's tile if there is loot, else a mushroom; in the last turn it hides what it has."""
        view = turn.view
        tiles = [move for move in turn.legal if move.rival is not None]
        mushrooms = [move for move in turn.legal if move.mushroom is not None]
        best = max(map(view.gain, turn.legal))
        if view.is_last_turn and view.tiles[turn.seat].points >= best:
            return Move.S
        if turn.rng.random() < self.bold and tiles and max(map(view.gain, tiles)) >= max(self.loot, self.ratio*max(map(view.gain, mushrooms))):
            return turn.rng.choices(tiles, [view.gain(move) ** self.power for move in tiles])[0]
        return turn.rng.choices(mushrooms, [0.1 + view.gain(move) for move in mushrooms])[0]


if __name__ == "__main__":
    run(ThiefBot)
