"""Diplomat: says what it will do, and does it.

Two at the same mushroom get nothing, so it talks. On "one" it pledges the mushroom it would like. If
somebody else speaks of the same, one of the two must step aside; who does goes round the table, and on
"two" the diplomat whose turn it is pledges a mushroom that is still free. It gives way only to those
who kept their word so far. On "three" it does what it said. It also says when it will protect.

Good among bots that talk and listen: no pointing goes to waste, and four diplomats collect more than
four of any other kind. Bad against whoever listens with bad intent, since an honest bot that speaks of
a mushroom has left its tile open.
"""

from crossing_sdk import Bot, GameStart, Move, Reveal, Say, Turn, run


class DiplomatBot(Bot):
    """Keeps its word."""

    enough = 7
    """The exposed points at which it protects."""

    def game_started(self, game: GameStart) -> None:
        """It trusts everybody at first."""
        self.word: Move | None = None
        self.trust = [1] * game.players

    def talk(self, turn: Turn) -> Say | None:
        """A pledge on "one", and another on "two" if it has to step aside."""
        if not turn.legal:
            return Say("I rest. Share fairly!") if turn.beat == 1 else None
        if turn.beat == 1:
            self.word = self.wish(turn, taken=set())
            return Say("I protect." if self.word is Move.S else f"I take {self.word}.", self.word)
        taken = {heard.pledge for heard in turn.heard if heard.seat != turn.seat and self.trust[heard.seat] > 0}
        if self.word is Move.S or self.word not in taken or self.goes_first(turn):
            return None
        self.word = self.wish(turn, taken)
        return Say(f"After you. I take {self.word}.", self.word)

    def choose(self, turn: Turn) -> Move:
        """What it pledged; at a silent table, what it would have pledged."""
        word, self.word = self.word, None
        return word or self.wish(turn, taken=set())

    def wish(self, turn: Turn, taken: set[Move | None]) -> Move:
        """Protect when there is enough to lose, else a mushroom that nobody has spoken for."""
        view = turn.view
        at_stake = view.points(turn.seat) - view.claimed[turn.seat].points
        mushrooms = [move for move in turn.legal if move.mushroom is not None]
        enough = self.enough
        if view.is_last_turn:  # no turn comes after it, so the break costs nothing
            enough = min(enough, max(map(view.gain, mushrooms)))
        if at_stake >= enough:
            return Move.S
        free = [move for move in mushrooms if move not in taken] or mushrooms
        return turn.rng.choices(free, [0.1 + view.gain(move) ** 3 for move in free])[0]

    def goes_first(self, turn: Turn) -> bool:
        """Whether it is the first, in this turn's order, of those who pledged the same."""
        players = turn.view.players
        same = [heard.seat for heard in turn.heard if heard.pledge is self.word]
        return min(same, key=lambda seat: (seat + turn.number) % players) == turn.seat

    def revealed(self, reveal: Reveal) -> None:
        """A word that was kept earns trust, a broken one costs it."""
        for seat, pledge in {heard.seat: heard.pledge for heard in reveal.heard if heard.pledge}.items():
            self.trust[seat] += 1 if reveal.moves[seat] is pledge else -1


if __name__ == "__main__":
    run(DiplomatBot)
