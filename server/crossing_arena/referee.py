"""The authority over one match, without any I/O.

The referee holds the rules, the budgets and the record. It is *told* what happened ("answered
after 31 ms", "ran out of time", "hung up") and says what follows: whom to ask what, what to
reveal, how it ended. It never reads a clock, so a test of a deadline takes no time.

A match is one game, and up to three more while first place is tied (R-A3). A turn of a talking
game is counted to three: on the talking beats every talker may speak, on the last all point.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from crossing_arena.faults import BENCH_AFTER, Fault, FaultKind
from crossing_sdk.bot import Heard, Say
from crossing_sdk.games import GAMES, Game, Outcome, Position, derive

MAX_REPLAYS = 3
"""A tie for first place is played again at most this often, then shared (R-A3)."""


@dataclass(frozen=True, slots=True)
class Budgets:
    """How much time a bot has. Zero means no limit."""

    turn_ms: int = 1_000
    bank_ms: int = 10_000
    """For a whole game, to pay for moves that take longer."""
    talk_ms: int = 250
    start_up_ms: int = 20_000


class Ties(Enum):
    """What to do when first place is tied."""

    REPLAY = "replay"
    SHARE = "share"


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """All that decides a match but the bots."""

    players: int
    seed: bytes
    game: str = "crossing"
    talk: bool = True
    ties: Ties = Ties.REPLAY
    budgets: Budgets = Budgets()


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to one seat."""

    seat: int
    turn: int
    beat: int
    """The last beat asks for a move, those before it for something to say."""
    limit_ms: int
    bank_ms: int
    last_ms: float
    """How long this seat's answer before this one took."""
    legal: tuple[Any, ...]
    heard: tuple[Heard, ...]
    position: Position[Any]
    moves: bool
    """Whether it asks for a move."""

    @property
    def deadline_ms(self) -> int | None:
        """When the answer is too late, the bank included."""
        return self.limit_ms + self.bank_ms if self.limit_ms else None


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """All that happened in one turn."""

    game: int
    """Which game of the match, from 1."""
    position: Position[Any]
    """Before the turn."""
    said: tuple[Heard, ...]
    moves: tuple[Any, ...]
    """By seat; the game's default move for who had none or did not answer."""
    ms: tuple[float, ...]
    """By seat: how long the move took."""
    faults: tuple[Fault, ...]
    printed: dict[int, str]
    """By seat: what the bot printed in this turn."""
    notes: dict[int, tuple[str, ...]]
    """By seat: what the bot remarked for its own replay."""


class Ending(Enum):
    """How a match ended."""

    WON = "won"
    SHARED = "shared"
    """First place was still tied after all replays."""
    NO_CONTEST = "no contest"
    """Nobody made a single move: that is no result."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a match ended, by seat: of its last game, unless it says otherwise."""

    ending: Ending
    points: tuple[int, ...]
    tiebreaks: tuple[int, ...]
    places: tuple[int, ...]
    """1 is first; seats that tie share the better place; benched seats come last."""
    faults: tuple[int, ...]
    """In the whole match."""
    benched: tuple[bool, ...]
    games: int
    """How many were played: more than one when first place was tied."""


@dataclass(frozen=True, slots=True)
class GameBegan:
    """A game of the match begins."""

    number: int
    seed: bytes


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """A turn is complete."""

    record: TurnRecord


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game of the match is over."""

    position: Position[Any]
    """The final one."""
    points: tuple[int, ...]
    places: tuple[int, ...]
    plays_again: bool


@dataclass(frozen=True, slots=True)
class Faulted:
    """A bot made a fault."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match is over."""

    verdict: Verdict


Event = Ask | GameBegan | TurnPlayed | GameEnded | Faulted | MatchOver


@dataclass(slots=True)
class _TurnInProgress:
    """What the turn under way has brought so far."""

    moves: dict[int, Any] = field(default_factory=dict)
    ms: dict[int, float] = field(default_factory=dict)
    said: tuple[Heard, ...] = ()
    saying: list[Heard] = field(default_factory=list)
    """What is said on the present beat: nobody hears it before all have spoken."""
    faults: list[Fault] = field(default_factory=list)
    printed: dict[int, str] = field(default_factory=dict)
    notes: dict[int, tuple[str, ...]] = field(default_factory=dict)


class Referee:
    """Drives one match. Every method returns what follows from what it was told."""

    def __init__(self, spec: MatchSpec, talkers: Sequence[bool]) -> None:
        self.spec = spec
        self.rules: Game[Any] = GAMES[spec.game]
        self.open: dict[int, Ask] = {}
        """The asks not yet answered, by seat."""
        self.benched: set[int] = set()
        self.verdict: Verdict | None = None
        self._talkers = [seat for seat, talks in enumerate(talkers) if talks] if spec.talk else []
        self._pointing_beat = self.rules.beats + 1
        self._fault_counts = [0] * spec.players
        self._decisions = 0
        self._game = 0
        self._start_game(spec.seed)

    def _start_game(self, seed: bytes) -> None:
        players = self.spec.players
        self._game += 1
        self._seed = seed
        self.position = self.rules.start(players, seed)
        self._banks: list[float] = [self.spec.budgets.bank_ms] * players
        self._game_faults = [0] * players
        self._last_ms = [0.0] * players
        self._beat = 0
        self._turn = _TurnInProgress()

    def begin(self) -> list[Event]:
        """Start the match."""
        return [GameBegan(self._game, self._seed), *self._advance()]

    def moved(self, seat: int, move: Any, elapsed_ms: float) -> list[Event]:
        """A seat answered with a move."""
        ask = self.open[seat]
        if late := self._pay(ask, elapsed_ms):
            return self.faulted(seat, FaultKind.TIMEOUT, late, elapsed_ms=elapsed_ms)
        if move not in ask.legal:
            words = f"{move} is not legal here"
            return self.faulted(seat, FaultKind.INVALID, words, answered=str(move), elapsed_ms=elapsed_ms)
        self._decisions += 1
        self._turn.moves[seat] = move
        self._turn.ms[seat] = elapsed_ms
        return self._close(seat, elapsed_ms)

    def spoke(self, seat: int, say: Say, elapsed_ms: float) -> list[Event]:
        """A seat said something, or nothing, at a talking beat."""
        ask = self.open[seat]
        if late := self._pay(ask, elapsed_ms):
            return self.faulted(seat, FaultKind.TIMEOUT, late, elapsed_ms=elapsed_ms)
        if say.pledge is not None and say.pledge not in ask.legal:
            words = f"a pledge of {say.pledge} is not legal here"
            return self.faulted(seat, FaultKind.INVALID, words, answered=str(say.pledge), elapsed_ms=elapsed_ms)
        if say.text or say.pledge is not None:
            self._turn.saying.append(Heard(seat, ask.beat, say.text, say.pledge))
        return self._close(seat, elapsed_ms)

    def ran_out(self, seat: int, elapsed_ms: float, log: str = "") -> list[Event]:
        """A seat's time for its open ask is over."""
        ask = self.open[seat]
        text = self._pay(ask, elapsed_ms) or _late(ask, elapsed_ms)
        return self.faulted(seat, FaultKind.TIMEOUT, text, elapsed_ms=elapsed_ms, log=log)

    def faulted(
        self,
        seat: int,
        kind: FaultKind,
        text: str,
        *,
        answered: str = "",
        elapsed_ms: float = 0,
        log: str = "",
        bench: bool = False,
    ) -> list[Event]:
        """A seat did something wrong: its open ask gets the default answer; three times, or `bench`, and it is out."""
        if seat in self.benched:
            return []  # it plays no more, so it can do nothing wrong
        ask = self.open.get(seat)
        turn, beat = (ask.turn, ask.beat) if ask else (self.position.turn, self._beat)
        asked = " ".join(map(str, ask.legal)) if ask else ""
        limit_ms = ask.deadline_ms or 0 if ask else 0
        self._fault_counts[seat] += 1
        self._game_faults[seat] += 1
        out = bench or self._game_faults[seat] >= BENCH_AFTER
        if out:
            self.benched.add(seat)
        fault = Fault(seat, kind, turn, beat, text, asked, answered, elapsed_ms, limit_ms, log, out)
        self._turn.faults.append(fault)
        if ask and ask.moves:
            self._turn.ms[seat] = elapsed_ms
        return [Faulted(fault), *(self._close(seat, elapsed_ms) if ask else [])]

    def remark(self, seat: int, printed: str, notes: Sequence[str]) -> None:
        """A seat printed or noted something in this turn."""
        if printed:
            self._turn.printed[seat] = self._turn.printed.get(seat, "") + printed
        if notes:
            self._turn.notes[seat] = (*self._turn.notes.get(seat, ()), *notes)

    def _pay(self, ask: Ask, elapsed_ms: float) -> str:
        """Charge time over the limit to the seat's bank; says so when it does not suffice."""
        overrun = elapsed_ms - ask.limit_ms
        if not ask.limit_ms or overrun <= 0:
            return ""
        if ask.moves:
            self._banks[ask.seat] = max(0, self._banks[ask.seat] - overrun)
        return _late(ask, elapsed_ms) if overrun > ask.bank_ms else ""

    def _close(self, seat: int, elapsed_ms: float) -> list[Event]:
        self._last_ms[seat] = elapsed_ms
        del self.open[seat]
        return [] if self.open else self._advance()

    def _advance(self) -> list[Event]:
        """Go on, beat by beat and turn by turn, until somebody has to be asked or the match is over."""
        events: list[Event] = []
        while self.verdict is None:
            if self._beat == self._pointing_beat:
                events += self._point()
                continue
            self._beat += 1
            turn = self._turn
            turn.said, turn.saying = (*turn.said, *sorted(turn.saying, key=lambda heard: heard.seat)), []
            if asks := self._asks():
                self.open = {ask.seat: ask for ask in asks}
                return events + asks
        return events

    def _asks(self) -> list[Ask]:
        pointing = self._beat == self._pointing_beat
        seats = self.position.to_act if pointing else self._talkers
        budgets = self.spec.budgets
        limit = budgets.turn_ms if pointing else budgets.talk_ms
        return [
            Ask(
                seat=seat,
                turn=self.position.turn,
                beat=self._beat,
                limit_ms=limit,
                bank_ms=int(self._banks[seat]) if pointing and limit else 0,
                last_ms=self._last_ms[seat],
                legal=self.position.legal(seat),
                heard=self._turn.said,
                position=self.position,
                moves=pointing,
            )
            for seat in seats
            if seat not in self.benched
        ]

    def _point(self) -> list[Event]:
        """All have pointed: play the turn, and end the game or open the next turn."""
        turn, before = self._turn, self.position
        seats = range(self.spec.players)
        self.position = before.play(turn.moves)
        record = TurnRecord(
            game=self._game,
            position=before,
            said=turn.said,
            moves=tuple(turn.moves.get(seat, self.rules.default) for seat in seats),
            ms=tuple(turn.ms.get(seat, 0.0) for seat in seats),
            faults=tuple(sorted(turn.faults, key=lambda fault: (fault.beat, fault.seat))),
            printed=turn.printed,
            notes=turn.notes,
        )
        self._turn = _TurnInProgress()
        self._beat = 0
        outcome = self.position.outcome
        return [TurnPlayed(record), *(self._end_game(outcome) if outcome else [])]

    def _may_play_again(self) -> bool:
        """Whether a tie is played again: somebody must be there to play."""
        someone = self._decisions > 0 and len(self.benched) < self.spec.players
        return someone and self.spec.ties is Ties.REPLAY and self._game <= MAX_REPLAYS

    def _end_game(self, outcome: Outcome) -> list[Event]:
        places = places_with_bench(outcome, self.benched)
        tied = places.count(1) > 1
        again = tied and self._may_play_again()
        ended = GameEnded(self.position, outcome.points, places, again)
        if again:
            self._start_game(game_seed(self.spec.seed, self._game + 1))
            return [ended, GameBegan(self._game, self._seed)]
        ending = Ending.SHARED if tied else Ending.WON
        self.verdict = Verdict(
            ending=ending if self._decisions else Ending.NO_CONTEST,
            points=outcome.points,
            tiebreaks=outcome.tiebreaks,
            places=places,
            faults=tuple(self._fault_counts),
            benched=tuple(seat in self.benched for seat in range(self.spec.players)),
            games=self._game,
        )
        return [ended, MatchOver(self.verdict)]


def game_seed(seed: bytes, game: int) -> bytes:
    """The seed of one game of a match, from 1: a tie is played again with the next derived one (R-A3)."""
    return seed if game == 1 else derive(seed, f"again/{game - 1}")


def places_with_bench(outcome: Outcome, benched: set[int]) -> tuple[int, ...]:
    """The places of a game in which benched seats come after all others."""
    keys = [
        (seat not in benched, points, tiebreak)
        for seat, (points, tiebreak) in enumerate(zip(outcome.points, outcome.tiebreaks, strict=True))
    ]
    return tuple(1 + sum(other > key for other in keys) for key in keys)


def _late(ask: Ask, elapsed_ms: float) -> str:
    bank = f" and {ask.bank_ms} ms from the bank" if ask.bank_ms else ""
    return f"{elapsed_ms:.0f} ms of {ask.limit_ms} ms{bank} on turn {ask.turn}"
