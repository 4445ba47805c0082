"""Liar: says what is useful, does what pays.

While stones lie on its tile it swears to protect them, so that thieves who listen look elsewhere, and
goes out for more. When it does protect, it speaks of a mushroom, so that thieves waste their turn. With
nothing to lose it claims the richest mushroom, so that polite bots step aside. And it takes the others
at their word: who pledges a mushroom has left the tile open.

Good among bots that believe. Bad against whoever counts how often a word was kept: to them its lies
tell what it will not do. Against the deaf it is just a thief with some sense of safety.
"""

from crossing_sdk import Bot, Move, Say, Turn, run


class LiarBot(Bot):
    """Breaks its word when that pays."""

    enough = 6
    """The exposed points at which it protects."""

    def talk(self, turn: Turn) -> Say | None:
        """One lie on "one", for all to rely on."""
        if turn.beat == 2 or not turn.legal:
            return None
        exposed = at_stake(turn)
        if Move.S in turn.legal and 0 < exposed < self.enough and not turn.view.is_last_turn:
            return Say("I protect. Do not bother.", Move.S)
        mushrooms = [move for move in turn.legal if move.mushroom is not None]
        return Say("This one is mine!", max(mushrooms, key=turn.view.gain))

    def choose(self, turn: Turn) -> Move:
        """Protect what is worth it, else one of the moves that pay, drawn by how well."""
        if Move.S in turn.legal and at_stake(turn) >= (2 if turn.view.is_last_turn else self.enough):
            return Move.S
        moves = [move for move in turn.legal if move is not Move.S]
        return turn.rng.choices(moves, [0.01 + self.hope(turn, move) for move in moves])[0]

    def hope(self, turn: Turn, move: Move) -> float:
        """What pointing there may bring, given what the others say."""
        pledges = {heard.seat: heard.pledge for heard in turn.heard if heard.seat != turn.seat and heard.pledge}
        if move in pledges.values():
            return 0.3 * turn.view.gain(move)
        if move.rival is None:
            return turn.view.gain(move)
        if move.rival not in pledges:
            return 0.7 * turn.view.gain(move)
        return 0 if pledges[move.rival] is Move.S else turn.view.gain(move)


def at_stake(turn: Turn) -> int:
    """The points it would lose with its tile."""
    return turn.view.points(turn.seat) - turn.view.claimed[turn.seat].points


if __name__ == "__main__":
    run(LiarBot)
