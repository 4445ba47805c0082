"""An opponent that answers with what is no legal move, and talks nonsense."""

from crossing_sdk import Bot, Move, Say, Turn, run


class Cheater(Bot):
    """Good for three invalid answers."""

    def talk(self, turn: Turn) -> Say:
        """Pledge anything."""
        return Say("trust me", turn.rng.choice(turn.legal) if turn.legal else None)

    def choose(self, turn: Turn) -> Move:
        """Point at nothing."""
        return Move.NONE


run(Cheater)
