"""Greedy."""

from crossing_sdk import Bot, Move, Turn, run


class GreedyBot(Bot):
    """Points at rich mushrooms."""
    power = 2
    enough = 15
    last = 99
    def choose(self, turn: Turn) -> Move:
        """A mushroom, drawn with a weight that grows with its gain."""
        mushrooms = [move for move in turn.legal if move.mushroom is not None]
        if Move.S in turn.legal and turn.view.tiles[turn.seat].points >= (self.last if turn.view.is_last_turn else self.enough): return Move.S
        lots = [0.1 + turn.view.gain(move) ** self.power for move in mushrooms]
        return turn.rng.choices(mushrooms, lots)[0]


if __name__ == "__main__":
    run(GreedyBot)
