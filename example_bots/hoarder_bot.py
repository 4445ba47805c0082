"""Hoarder: gathers a handful, brings it to safety, gathers again.

Protecting costs two turns (the one in which it covers its tile and the break after it), so that it
waits until what lies exposed is worth that much. Good against thieves, who never find much on its
tile. Bad at a table where nobody steals: there its breaks are wasted.
"""

from crossing_sdk import Bot, Move, Turn, run


class HoarderBot(Bot):
    """Protects once enough is at stake."""

    power = 3
    enough = 7
    """The exposed points at which it protects."""

    def choose(self, turn: Turn) -> Move:
        """Protect, or point at a mushroom drawn by its gain."""
        view = turn.view
        at_stake = view.points(turn.seat) - view.claimed[turn.seat].points
        mushrooms = [move for move in turn.legal if move.mushroom is not None]
        best = max(map(view.gain, mushrooms))
        # Nothing comes after the last turn, so protecting costs no break then.
        if Move.S in turn.legal and at_stake >= (min(best, self.enough) if view.is_last_turn else self.enough):
            return Move.S
        return turn.rng.choices(mushrooms, [0.1 + view.gain(move) ** self.power for move in mushrooms])[0]


if __name__ == "__main__":
    run(HoarderBot)
