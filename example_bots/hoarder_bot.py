"""Hoarder: gathers a handful, brings it to safety, gathers again.

Protecting costs two turns, the one in which it covers its tile and the break after it, so it waits
until what lies exposed is worth that much. Good against a thief or two, who never find much on its
tile. Bad where nobody steals, since its breaks are wasted there, and against cleverer bots, who gather
as fast and rob besides.
"""

from crossing_sdk import Bot, Move, Turn, run


class HoarderBot(Bot):
    """Protects once enough is at stake."""

    enough = 7
    """The exposed points at which it protects."""

    def choose(self, turn: Turn) -> Move:
        """Protect, or point at a mushroom drawn by its gain."""
        view = turn.view
        mushrooms = [move for move in turn.legal if move.mushroom is not None]
        at_stake = view.points(turn.seat) - view.claimed[turn.seat].points
        enough = self.enough
        if view.is_last_turn:  # no turn comes after it, so the break costs nothing
            enough = min(enough, max(map(view.gain, mushrooms)))
        if at_stake >= enough:
            return Move.S
        return turn.rng.choices(mushrooms, [0.1 + view.gain(move) ** 2 for move in mushrooms])[0]


if __name__ == "__main__":
    run(HoarderBot)
