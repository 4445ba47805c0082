"""Scout: tries every move in worlds that may be, and takes the one that turns out best.

The rules come with the SDK, so a bot can play a turn in its head: `view.sample` gives a whole position
that fits what it sees, `position.play` the position after everybody's move. The scout draws the others'
moves from a guess, plays each of its own against them, and judges where it would stand. After every
look it drops the worse half of its moves and spends the same effort on the rest.

Its guess gets better during the game: from `revealed` it learns how often each rival takes, robs and
protects, and how often each kept a pledge. Good almost everywhere, most of all in long games and against
those who talk. Bad in the first turns, when it knows nobody yet: its lead shrinks the more sit at the table.
"""

from crossing_sdk import Bot, GameStart, Move, Position, Reveal, Turn, View, run

Guess = dict[Move, float]
"""How likely a rival makes each move."""


class ScoutBot(Bot):
    """Looks one turn ahead."""

    effort = 50
    """How many turns it plays in its head at each look."""
    risk = 0.3
    """The part of the points on a tile that it counts as lost already."""
    break_price = 1.5
    """The points a player misses on a break."""

    def game_started(self, game: GameStart) -> None:
        """Nothing is known about anybody yet."""
        self.habits = [Habits() for _ in range(game.players)]
        self.view: View | None = None

    def choose(self, turn: Turn) -> Move:
        """The move that did best in the sampled worlds."""
        self.view = view = turn.view
        pledges = {heard.seat: heard.pledge for heard in turn.heard}
        active = [rival for rival in view.rivals if not view.on_break[rival]]
        guesses = {rival: self.habits[rival].guess(view, rival, pledges.get(rival)) for rival in active}
        moves = [move for move in turn.legal if view.at(move)] or [turn.rng.choice(turn.legal)]
        score = dict.fromkeys(moves, 0.0)
        while len(moves) > 1 and turn.clock.remaining_ms > 5:
            worlds = self.effort // len(moves)
            draws = [turn.rng.choices(list(odds), list(odds.values()), k=worlds) for odds in guesses.values()]
            position = view.sample(turn.rng.getrandbits(64))
            for world in range(worlds):
                others = {rival: draw[world] for rival, draw in zip(guesses, draws, strict=True)}
                for move in moves:
                    score[move] += self.judge(position.play({**others, turn.seat: move}), turn.seat)
            moves = sorted(moves, key=score.__getitem__, reverse=True)[: (len(moves) + 1) // 2]
        return moves[0]

    def judge(self, position: Position, me: int) -> float:
        """How far ahead of the best rival it is."""
        worths = [self.worth(position, seat) for seat in range(position.players)]
        return worths.pop(me) - max(worths)

    def worth(self, position: Position, seat: int) -> float:
        """A player's points, less what may still be lost of them and what a break costs."""
        safe = position.claimed[seat]
        points = safe.plus(position.tiles[seat]).points
        if position.over:
            return points
        return points - self.risk * (points - safe.points) - self.break_price * position.on_break[seat]

    def revealed(self, reveal: Reveal) -> None:
        """Compare what the rivals did with what was to be expected of them."""
        if self.view is None or self.view.turn != reveal.number:
            return  # it was on break, and did not look
        pledges = {heard.seat: heard.pledge for heard in reveal.heard}
        for rival in self.view.rivals:
            if reveal.moves[rival] is not Move.NONE:
                self.habits[rival].learn(self.view, rival, reveal.moves[rival], pledges.get(rival))


class Habits:
    """What the scout has learned about one rival."""

    def __init__(self) -> None:
        self.seen = {"take": 1.0, "rob": 1.0, "protect": 1.0}
        self.expected = {"take": 1.0, "rob": 1.0, "protect": 1.0}
        self.kept, self.broken = 1, 1

    def guess(self, view: View, rival: int, pledge: Move | None) -> Guess:
        """How likely the rival makes each move, given its habits and its word."""
        lots = {
            move: odds * self.seen[kind(move)] / self.expected[kind(move)] for move, odds in hunch(view, rival).items()
        }
        total = sum(lots.values())
        if pledge not in lots:
            return {move: lot / total for move, lot in lots.items()}
        trust = self.kept / (self.kept + self.broken)
        rest = total - lots[pledge] or 1
        return {move: trust if move is pledge else (1 - trust) * lot / rest for move, lot in lots.items()}

    def learn(self, view: View, rival: int, move: Move, pledge: Move | None) -> None:
        """Take note of what the rival did in this position."""
        if pledge is not None:
            self.kept += move is pledge
            self.broken += move is not pledge
        self.seen[kind(move)] += 1
        for other, odds in hunch(view, rival).items():
            self.expected[kind(other)] += odds


def kind(move: Move) -> str:
    """What sort of move it is."""
    return "protect" if move is Move.S else "take" if move.rival is None else "rob"


def hunch(view: View, rival: int) -> Guess:
    """What a stranger does: go where there is something to get, protect when there is much to lose."""
    owned = view.collection(rival)
    lots: Guess = {}
    for mushroom, stones in enumerate(view.mushrooms):
        lots[Move.at_mushroom(mushroom)] = 0.2 + owned.plus(stones).points - owned.points
    if view.turn > 1:
        lots[Move.S] = owned.points - view.claimed[rival].points
        for seat, stones in enumerate(view.tiles):
            if seat != rival:
                lots[Move.at_rival(seat)] = 0.5 * (owned.plus(stones).points - owned.points)
    total = sum(lots.values())
    return {move: lot / total for move, lot in lots.items()}


if __name__ == "__main__":
    run(ScoutBot)
