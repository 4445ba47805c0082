"""Scout: tries every move in worlds that may be, and takes the one that turns out best.

The rules come with the SDK, so that a bot can play a turn in its head: `view.sample` gives a whole
position that fits what it sees, `position.play` the position after everybody's move. The scout draws
the others' moves from a guess, plays each of its own against them, and judges where it stands then.
After every look it drops the worse half of its moves and spends its effort on the rest.

Its guess gets better during the game. `revealed` tells what everybody did, so it counts how often each
rival takes, robs and protects, and how often a word was kept. Good almost everywhere, most of all in
long games. Bad in the first turns, when it knows nobody yet.
"""

from crossing_sdk import Bot, GameStart, Move, Position, Reveal, Turn, View, run

Guess = dict[Move, float]
"""How likely a rival makes each move."""

KINDS = ("take", "rob", "protect")
self_w = [0.5, 1.0]


class ScoutBot(Bot):
    """Looks one turn ahead."""

    effort = 60
    """How many turns it plays in its head in each look."""
    risk = 0.35
    """The part of its exposed points that it counts as lost."""
    rest = 1.5
    """The points a break costs."""
    envy = 0.5
    """How much the best rival's points count against its own."""
    doubt = 3.0
    """How many turns it must see before it believes its eyes more than its prior."""

    def game_started(self, game: GameStart) -> None:
        """Nothing is known about anybody yet."""
        self.expected = [dict.fromkeys(KINDS, self.doubt) for _ in range(game.players)]
        self.seen = [dict.fromkeys(KINDS, self.doubt) for _ in range(game.players)]
        self.kept = [1.0] * game.players
        self.broken = [1.0] * game.players
        self.view: View | None = None

    def choose(self, turn: Turn) -> Move:
        """The move that did best in the sampled worlds."""
        self.view = view = turn.view
        pledges = {heard.seat: heard.pledge for heard in turn.heard}
        guesses = {
            rival: self.guess(view, rival, pledges.get(rival)) for rival in view.rivals if not view.on_break[rival]
        }
        moves = [move for move in turn.legal if view.at(move)]
        total = dict.fromkeys(moves, 0.0)
        while len(moves) > 1 and turn.clock.remaining_ms > 2:
            worlds = self.effort // len(moves)
            drawn = {
                rival: turn.rng.choices(list(odds), list(odds.values()), k=worlds) for rival, odds in guesses.items()
            }
            position = view.sample(turn.rng.getrandbits(64))
            for world in range(worlds):
                others = {rival: drawn[rival][world] for rival in drawn}
                for move in moves:
                    total[move] += self.judge(position.play({**others, turn.seat: move}), turn.seat)
            moves = sorted(moves, key=total.__getitem__, reverse=True)[: (len(moves) + 1) // 2]
        return moves[0] if moves else turn.rng.choice(turn.legal)

    def judge(self, position: Position, me: int) -> float:
        """How good a position is: the own points against the best rival's."""
        worths = [self.worth(position, seat) for seat in range(position.players)]
        mine = worths.pop(me)
        return mine - self.envy * max(worths) - (1 - self.envy) * sum(worths) / len(worths)

    def worth(self, position: Position, seat: int) -> float:
        """A player's points, less what may be lost of them and what a break costs."""
        safe = position.claimed[seat]
        points = safe.plus(position.tiles[seat]).points
        if position.over:
            return points
        return points - self.risk * (points - safe.points) - self.rest * position.on_break[seat]

    def guess(self, view: View, rival: int, pledge: Move | None) -> Guess:
        """How likely a rival makes each move, from the prior, its habits and its word."""
        odds = prior(view, rival)
        for move in odds:
            odds[move] *= self.seen[rival][kind(move)] / self.expected[rival][kind(move)]
        total = sum(odds.values())
        odds = {move: weight / total for move, weight in odds.items()}
        if pledge in odds:
            trust = self.kept[rival] / (self.kept[rival] + self.broken[rival])
            odds = {move: (1 - trust) * weight for move, weight in odds.items() if move is not pledge} | {pledge: trust}
        return odds

    def revealed(self, reveal: Reveal) -> None:
        """Compare what the rivals did with what it expected of them."""
        if self.view is None or self.view.turn != reveal.number:
            return
        pledges = {heard.seat: heard.pledge for heard in reveal.heard if heard.pledge}
        for rival in self.view.rivals:
            move = reveal.moves[rival]
            if move is Move.NONE:
                continue
            if rival in pledges:
                if move is pledges[rival]:
                    self.kept[rival] += 1
                else:
                    self.broken[rival] += 1
            if reveal.number > 1:
                self.seen[rival][kind(move)] += 1
                for other, weight in prior(self.view, rival).items():
                    self.expected[rival][kind(other)] += weight


def kind(move: Move) -> str:
    """What sort of move it is."""
    return "protect" if move is Move.S else "take" if move.rival is None else "rob"


def prior(view: View, rival: int) -> Guess:
    """What a player does of whom nothing is known: go where there is something to get or to lose."""
    mine = view.collection(rival)
    odds = {}
    for index, stones in enumerate(view.mushrooms):
        odds[Move.at_mushroom(index)] = 0.2 + mine.plus(stones).points - mine.points
    if view.turn > 1:
        for seat, stones in enumerate(view.tiles):
            if seat != rival:
                odds[Move.at_rival(seat)] = self_w[0] * (mine.plus(stones).points - mine.points)
        odds[Move.S] = self_w[1] * (mine.points - view.claimed[rival].points)
    total = sum(odds.values())
    return {move: weight / total for move, weight in odds.items()}


if __name__ == "__main__":
    run(ScoutBot)
