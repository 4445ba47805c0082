"""Fox: weighs every move by what it will probably bring.

What a move brings is its gain times the chance that nobody else points there and that the victim
does not protect. For that it needs a guess of what the others do: they go where there is something
for them to get, and protect when they have much to lose. Protecting brings what it probably saves,
less the price of a break. Good almost everywhere, best against those who do as it guesses. Bad
against those who do not: it learns nothing about them, and it does not listen.
"""

from crossing_sdk import Bot, Move, Turn, View, run

Guess = dict[Move, float]
"""How likely a rival makes each move."""


class FoxBot(Bot):
    """Plays the odds."""

    caution = 2.0
    """How much a point it may lose now counts: more than one, since later turns are dangerous too."""
    break_price = 1.0
    """The points it expects to miss on a break."""

    def choose(self, turn: Turn) -> Move:
        """One of the moves that are nearly the best; always the very best would meet its own copies there."""
        view = turn.view
        guesses = {rival: guess(view, rival) for rival in view.rivals if not view.on_break[rival]}
        worth = {move: self.worth(view, move, guesses) for move in turn.legal}
        bar = 0.7 * max(worth.values())
        good = [move for move in turn.legal if worth[move] > bar]
        turn.note(" ".join(f"{move}={worth[move]:.1f}" for move in good))
        return turn.rng.choices(good, [worth[move] - bar for move in good])[0] if good else turn.rng.choice(turn.legal)

    def worth(self, view: View, move: Move, guesses: dict[int, Guess]) -> float:
        """The points a move probably brings."""
        if move is Move.S:
            robbed = chance_of_one([odds[Move.at_rival(view.seat)] for odds in guesses.values()])
            price = 0 if view.is_last_turn else self.break_price
            return self.caution * robbed * at_stake(view, view.seat) - price
        brings = float(view.gain(move))
        for rival, odds in guesses.items():
            brings *= 1 - odds.get(Move.S if rival == move.rival else move, 0)
        return brings


def guess(view: View, rival: int) -> Guess:
    """How likely a rival makes each move: in proportion to what it would get or keep by it."""
    owned = view.collection(rival)
    odds: Guess = {}
    for mushroom, stones in enumerate(view.mushrooms):
        odds[Move.at_mushroom(mushroom)] = 0.2 + owned.plus(stones).points - owned.points
    if view.turn > 1:
        odds[Move.S] = at_stake(view, rival)
        for seat, stones in enumerate(view.tiles):
            if seat != rival:
                odds[Move.at_rival(seat)] = 0.5 * (owned.plus(stones).points - owned.points)
    total = sum(odds.values())
    return {move: lots / total for move, lots in odds.items()}


def at_stake(view: View, seat: int) -> int:
    """The points a player would lose with its tile."""
    return view.points(seat) - view.claimed[seat].points


def chance_of_one(chances: list[float]) -> float:
    """How likely exactly one of these things happens."""
    none, one = 1.0, 0.0
    for chance in chances:
        none, one = none * (1 - chance), one * (1 - chance) + none * chance
    return one


if __name__ == "__main__":
    run(FoxBot)
