"""Put a bot into a seat of a match long over, and ask it what its predecessor was asked.

The bot goes through the whole game up to the turn in question, so that its memory and its dice
are as they were; what it answers before that turn is heard by nobody.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from crossing_arena.arena import Arena
from crossing_arena.faults import Fault, FaultKind
from crossing_arena.guest import Guest
from crossing_arena.launcher import Entry
from crossing_arena.referee import Ask, Budgets, GameBegan, MatchSpec, TurnRecord
from crossing_arena.replay import Replay
from crossing_sdk.bot import Heard, Say


@dataclass(slots=True)
class Answers:
    """What a bot said and did in one turn."""

    said: list[Heard] = field(default_factory=list)
    move: Any = None
    faults: list[Fault] = field(default_factory=list)
    printed: str = ""
    notes: list[str] = field(default_factory=list)
    elapsed_ms: float = 0.0
    """For the move."""


class Rehearsal:
    """A table with one guest and a script: the turns of a replay."""

    def __init__(self, replay: Replay, game: int, seat: int) -> None:
        self.spec = MatchSpec(
            players=len(replay.names),
            seed=replay.seed_of(game),
            game=replay.match["game"],
            talk=replay.match["talk"],
            budgets=Budgets(turn_ms=0, bank_ms=0, talk_ms=0, start_up_ms=0),
        )
        self.shown: tuple[Any, Any] | None = None
        self.answers = Answers()
        self._began = GameBegan(game, self.spec.seed)
        self._seat = seat
        self._rules = replay.rules
        self._answered = asyncio.Event()

    async def play(self, guest: Guest, turns: Sequence[dict[str, Any]]) -> Answers:
        """Go through these turns; returns the answers to the last."""
        guest.take_seat(self, self._seat, self._began)
        for line in turns:
            self.answers = Answers()
            record = self._record(line)
            for beat in range(1, self._rules.beats + 2):
                await self._ask(guest, record, beat)
            guest.reveal(self, self._seat, record)
        return self.answers

    def _record(self, line: dict[str, Any]) -> TurnRecord:
        pledges = [words.get("pledge") for words in line["said"]]
        read = self._rules.read_move
        said = tuple(
            Heard(words["seat"], words["beat"], words["text"], read(pledge) if pledge else None)
            for words, pledge in zip(line["said"], pledges, strict=True)
        )
        position = self._rules.read_position(line["position"])
        moves = tuple(read(text) for text in line["moves"])
        return TurnRecord(line["game"], position, said, moves, tuple(line["ms"]), (), {}, {})

    async def _ask(self, guest: Guest, record: TurnRecord, beat: int) -> None:
        points = beat == self._rules.beats + 1
        wanted = self._seat in record.position.to_act if points else guest.talks and self.spec.talk
        if not wanted:
            return
        self._answered.clear()
        guest.ask(
            self,
            Ask(
                seat=self._seat,
                turn=record.position.turn,
                beat=beat,
                limit_ms=0,
                bank_ms=0,
                last_ms=0.0,
                legal=record.position.legal(self._seat),
                heard=tuple(heard for heard in record.said if heard.beat < beat),
                position=record.position,
                moves=points,
            ),
        )
        await self._answered.wait()

    def moved(self, seat: int, move: Any, elapsed_ms: float) -> None:
        """The bot made its move."""
        self.answers.move, self.answers.elapsed_ms = move, elapsed_ms
        self._answered.set()

    def spoke(self, seat: int, say: Say, elapsed_ms: float) -> None:
        """The bot said something."""
        self.answers.said.append(Heard(seat, 1 + len(self.answers.said), say.text, say.pledge))
        self._answered.set()

    def ran_out(self, seat: int, elapsed_ms: float, log: str) -> None:
        """There is no clock at a rehearsal."""
        raise RuntimeError(f"a rehearsal has no clock, but {elapsed_ms} ms ran out")

    def faulted(self, seat: int, kind: FaultKind, text: str, **details: Any) -> None:
        """The bot did something wrong."""
        self.answers.faults.append(Fault(seat, kind, 0, 0, text, log=details.get("log", "")))
        self._answered.set()

    def remark(self, seat: int, printed: str, notes: Sequence[str]) -> None:
        """The bot printed or noted something."""
        self.answers.printed += printed
        self.answers.notes += notes


async def rehearse(
    replay: Replay, entry: Entry, *, game: int, turn: int, seat: int, variables: dict[str, str]
) -> tuple[Answers, str]:
    """What this bot says and does in a turn of a replay, and its log."""
    turns = [line for line in replay.turns if line["game"] == game and line["turn"] <= turn]
    async with Arena() as arena:
        [bot] = await arena.admit([entry], start_up_ms=0, variables=variables)
        if bot.guest.absent:
            return Answers(faults=[Fault(seat, FaultKind.START_UP, turn, 0, bot.guest.absent)]), bot.log
        answers = await Rehearsal(replay, game, seat).play(bot.guest, turns)
        return answers, bot.log
