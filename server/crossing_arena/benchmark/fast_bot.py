"""A bot that costs next to nothing: what is left is the arena's own work."""

from crossing_sdk import Bot, Move, Turn, run


class FastBot(Bot):
    """Points around in a circle."""

    def choose(self, turn: Turn) -> Move:
        """Something else every turn and in every seat."""
        return turn.legal[(turn.number + turn.seat) % len(turn.legal)]


run(FastBot)
