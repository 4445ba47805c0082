"""Diplomat: says what it will do, and does it.

Two at the same mushroom get nothing, so that it talks. On "one" it pledges the mushroom it would
like. On "two" it steps aside for whoever spoke of the same, and pledges one that is still free; of
two diplomats only one steps aside, whose turn that is goes round the table. On "three" it keeps its
word. Before it protects it says so as well, which keeps thieves who listen away.

Good among bots that talk and listen: no pointing goes to waste. Bad against whoever listens with
bad intent, since an honest bot that speaks of a mushroom has left its tile open.
"""

from crossing_sdk import Bot, Move, Say, Turn, run


class DiplomatBot(Bot):
    """Keeps its word."""

    power = 3
    enough = 7
    """The exposed points at which it protects."""
    word: Move | None = None
    """What it last pledged."""

    def talk(self, turn: Turn) -> Say | None:
        """A pledge on "one", and another on "two" if somebody wants the same."""
        if not turn.legal:
            return Say("I rest. Share fairly!") if turn.beat == 1 else None
        if turn.beat == 1:
            self.word = self.wish(turn, taken=set())
            return Say(f"I take {self.word}." if self.word is not Move.S else "I protect.", self.word)
        if not self.must_yield(turn):
            return None
        self.word = self.wish(turn, taken={heard.pledge for heard in turn.heard})
        return Say(f"After you. Then I take {self.word}.", self.word)

    def choose(self, turn: Turn) -> Move:
        """What it pledged; at a silent table, what it would have pledged."""
        word, self.word = self.word, None
        return word if word in turn.legal else self.wish(turn, taken=set())

    def wish(self, turn: Turn, taken: set[Move | None]) -> Move:
        """Protect when there is enough to lose, else a mushroom nobody has spoken for."""
        view = turn.view
        at_stake = view.points(turn.seat) - view.claimed[turn.seat].points
        if Move.S in turn.legal and at_stake >= (1 if view.is_last_turn else self.enough):
            return Move.S
        mushrooms = [move for move in turn.legal if move.mushroom is not None]
        free = [move for move in mushrooms if move not in taken] or mushrooms
        return turn.rng.choices(free, [0.1 + view.gain(move) ** self.power for move in free])[0]

    def must_yield(self, turn: Turn) -> bool:
        """Whether somebody who goes before it this turn pledged the same."""
        players = turn.view.players
        mine = (turn.seat + turn.number) % players
        return any(
            heard.pledge is self.word and self.word is not Move.S and (heard.seat + turn.number) % players < mine
            for heard in turn.heard
        )


if __name__ == "__main__":
    run(DiplomatBot)
