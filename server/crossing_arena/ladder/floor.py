"""The playing floor of a ladder: many matches at once over warm bot processes.

A bot's process is started when it is first needed and stays. How many tables it may sit at grows
with how fast it answers: who thinks long gets one table at a time, so that no match waits for
another. A bot that is benched in match after match is put on probation: it is announced, and from
then on it does not come to the table any more.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from crossing_arena.arena import Arena, LocalBot
from crossing_arena.faults import ArenaFault
from crossing_arena.launcher import Entry
from crossing_arena.referee import Ask, Faulted, GameBegan, GameEnded, MatchSpec, TurnRecord, Verdict
from crossing_arena.replay import write
from crossing_arena.table import Table

PROBATION_AFTER = 5
"""So many matches in a row on the bench, and a bot is on probation."""

MAX_ATTEMPTS = 3
"""How often a match is played that the arena itself spoils."""

MAX_TABLES = 32
"""At how many tables a bot that answers at once may sit."""

PATIENCE_MS = 30.0
"""How long the asks of all a bot's tables together may take it, one after the other."""


@dataclass(frozen=True, slots=True)
class Task:
    """A match to be played."""

    n: int
    """Its place in the schedule."""
    deal: int
    bots: tuple[int, ...]
    """By seat: which of the ladder's bots."""
    spec: MatchSpec


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that was played."""

    task: Task
    attempt: int
    verdict: Verdict
    records: Sequence[TurnRecord]
    replay: str
    played: datetime
    ms: float
    logs: dict[int, str]
    """By bot: what the processes of those wrote that made a fault."""


class Absentee:
    """The empty seat of a bot that is not let in: a `table.Player` that never comes."""

    talks = False

    def __init__(self, why: str) -> None:
        self.absent = why

    def take_seat(self, table: Table, seat: int, game: GameBegan) -> None:
        """Nobody is there to sit down."""

    def ask(self, table: Table, ask: Ask) -> None:
        """Nobody asks an empty seat."""

    def reveal(self, table: Table, seat: int, record: TurnRecord) -> None:
        """Nobody looks."""

    def end_game(self, table: Table, seat: int, ended: GameEnded) -> None:
        """Nobody cares."""

    def admonish(self, table: Table, seat: int, faulted: Faulted) -> None:
        """Nobody listens."""


@dataclass(slots=True)
class _Regular:
    """One of the ladder's bots on the floor."""

    entry: Entry
    start: asyncio.Task[list[LocalBot]] | None = None
    """Done when its process has come in, or is known not to."""
    tables: int = 0
    """At how many it sits now."""
    answer_ms: float = 1.0
    """How long an answer takes it lately."""
    benched: int = 0
    """Matches in a row."""
    probation: str = ""

    @property
    def has_room(self) -> bool:
        return self.tables < max(1, min(MAX_TABLES, int(PATIENCE_MS / max(self.answer_ms, 0.1))))

    def learn(self, finished: Finished, seat: int) -> None:
        """Remember how fast it was, and whether it behaved."""
        times = [record.ms[seat] for record in finished.records if record.ms[seat]]
        if times:
            self.answer_ms += 0.2 * (sum(times) / len(times) - self.answer_ms)
        self.benched = self.benched + 1 if finished.verdict.benched[seat] else 0


class Floor:
    """Plays a ladder's matches on this machine."""

    def __init__(
        self,
        arena: Arena,
        entries: Sequence[Entry],
        *,
        workers: int,
        fresh_process: bool,
        start_up_ms: int,
        announce: Callable[[str], None],
    ) -> None:
        self._arena = arena
        self._regulars = [_Regular(entry) for entry in entries]
        self._workers = workers
        self._fresh = fresh_process
        self._start_up_ms = start_up_ms
        self._announce = announce

    async def play(self, tasks: Iterator[Task], deliver: Callable[[Finished], None]) -> None:
        """Play all of them, as many at once as there are workers; each is delivered when it is finished."""
        waiting: list[Task] = []
        playing: set[asyncio.Task[Finished]] = set()
        try:
            while True:
                waiting += islice(tasks, max(0, 4 * self._workers - len(waiting)))
                while len(playing) < self._workers and (task := self._take(waiting)):
                    playing.add(asyncio.create_task(self._play(task)))
                if not playing:
                    return
                done, playing = await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
                for finished in done:
                    deliver(finished.result())
        finally:
            for unfinished in playing:
                unfinished.cancel()
            await asyncio.gather(*playing, return_exceptions=True)

    def _take(self, waiting: list[Task]) -> Task | None:
        """The first match all of whose bots have room; they have less from now on."""
        for at, task in enumerate(waiting):
            regulars = [self._regulars[bot] for bot in task.bots]
            if all(regular.has_room for regular in regulars):
                for regular in regulars:
                    regular.tables += 1
                return waiting.pop(at)
        return None

    async def _play(self, task: Task) -> Finished:
        """Play a match, again if the arena spoiled it."""
        regulars = [self._regulars[bot] for bot in task.bots]
        try:
            for attempt in range(1, MAX_ATTEMPTS + 1):
                try:
                    finished = await self._play_once(task, attempt, regulars)
                    break
                except ArenaFault as fault:
                    self._announce(f"match {task.n} is void and played again: {fault}")
                    if attempt == MAX_ATTEMPTS:
                        raise
        finally:
            for regular in regulars:
                regular.tables -= 1
        for seat, regular in enumerate(regulars):
            regular.learn(finished, seat)
            if regular.benched >= PROBATION_AFTER and not regular.probation:
                regular.probation = f"on probation: benched in {regular.benched} matches in a row"
                self._announce(f"{regular.entry.name} is {regular.probation}; the ladder goes on without it")
        return finished

    async def _play_once(self, task: Task, attempt: int, regulars: Sequence[_Regular]) -> Finished:
        played, started = datetime.now(UTC), asyncio.get_running_loop().time()
        bots = [await self._process(regular) for regular in regulars]
        players = [
            bot.guest if bot else Absentee(regular.probation) for bot, regular in zip(bots, regulars, strict=True)
        ]
        try:
            table = Table(task.spec, players)
            table.begin()
            verdict = await table.verdict
        finally:
            if self._fresh:
                await self._arena.dismiss([bot for bot in bots if bot])
        names = [regular.entry.name for regular in regulars]
        return Finished(
            task=task,
            attempt=attempt,
            verdict=verdict,
            records=table.records,
            replay=write(task.spec, names, table.records, table.endings, verdict, played),
            played=played,
            ms=(asyncio.get_running_loop().time() - started) * 1000,
            logs={task.bots[seat]: bot.log for seat, bot in enumerate(bots) if bot and verdict.faults[seat]},
        )

    async def _process(self, regular: _Regular) -> LocalBot | None:
        """The process of a bot, started if need be; None on probation."""
        if regular.probation:
            return None
        if self._fresh:
            [bot] = await self._arena.admit([regular.entry], self._start_up_ms)
            return bot
        if regular.start is None:
            regular.start = asyncio.create_task(self._arena.admit([regular.entry], self._start_up_ms))
        [bot] = await regular.start
        return bot
