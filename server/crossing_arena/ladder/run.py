"""Run a ladder: play what is missing, record it, lose nothing."""

import asyncio
import queue
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Protocol

from crossing_arena.arena import Arena
from crossing_arena.clock import read_clock
from crossing_arena.ladder.floor import Finished, Floor
from crossing_arena.ladder.plan import Programme
from crossing_arena.referee import TurnRecord
from crossing_arena.store import Ladder, LadderStatus, MatchResult, Played, SeatResult, Store

BATCH = 100
BATCH_SECONDS = 0.5
"""A result is on disk at the latest this long after its match."""


class Ended(Enum):
    """How a run came to its end."""

    FINISHED = "finished"
    STOPPED = "stopped"
    """By the organiser; the same command goes on."""


class Watcher(Protocol):
    """Who looks on while a ladder runs."""

    def begin(self, total: int, done: int) -> None:
        """So many matches are there, so many are on record already."""
        ...

    def announce(self, text: str) -> None:
        """Something happened that the organiser should know."""
        ...

    def recorded(self, done: int) -> None:
        """So many are on record now."""
        ...


@dataclass(frozen=True, slots=True)
class Books:
    """A ladder in its store: the numbers its bots have there."""

    store: Store
    ladder: Ladder
    numbers: tuple[int, ...]
    """By competitor."""

    @classmethod
    def open(cls, store: Store, programme: Programme) -> "Books":
        """Begin the ladder in the store, or go on with it."""
        ladder = store.begin_ladder(programme.plan, datetime.now(UTC))
        numbers = store.enter_bots([competitor.bot for competitor in programme.competitors])
        return cls(store, ladder, tuple(numbers))


class Recorder:
    """Writes results in batches on a thread of its own, so that no table waits for a disk."""

    def __init__(self, books: Books, recorded: Callable[[int], None]) -> None:
        self._books = books
        self._recorded = recorded
        self._queue: queue.SimpleQueue[Played | None] = queue.SimpleQueue()
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._write, name="recorder")
        self._thread.start()

    def put(self, played: Played) -> None:
        """Write this soon; raises what went wrong with an earlier one."""
        if self.error:
            raise self.error
        self._queue.put(played)

    def close(self) -> None:
        """Write all that is left; raises what went wrong."""
        self._queue.put(None)
        self._thread.join()
        if self.error:
            raise self.error

    def _write(self) -> None:
        try:
            while batch := self._next_batch():
                new = self._books.store.record(self._books.ladder.id, batch)
                self._recorded(len(new))
        except Exception as error:  # noqa: BLE001  # handed to whoever puts or closes
            self.error = error

    def _next_batch(self) -> list[Played]:
        """What came in within a moment; empty at the end."""
        first = self._queue.get()
        batch = []
        end = time.monotonic() + BATCH_SECONDS
        while first is not None:
            batch.append(first)
            if len(batch) == BATCH:
                break
            try:
                first = self._queue.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                break
        else:
            self._queue.put(None)  # so that the next call ends too
        return batch


async def run(programme: Programme, books: Books, watcher: Watcher) -> Ended:
    """Play what is missing. Ctrl-C once writes what is finished and stops; twice stops at once."""
    settings = programme.spec.settings
    done = books.store.done(books.ladder.id)
    missing = sum(1 for _ in programme.tasks(books.ladder, done))
    watcher.begin(len(done) + missing, len(done))
    recorder = Recorder(books, watcher.recorded)
    stop = asyncio.Event()
    try:
        async with Arena() as arena:
            floor = Floor(
                arena,
                [competitor.entry for competitor in programme.competitors if competitor.entry],
                workers=settings.workers,
                fresh_process=settings.fresh_process,
                start_up_ms=read_clock(settings.clock).start_up_ms,
                announce=watcher.announce,
            )
            tasks = programme.tasks(books.ladder, done)
            playing = asyncio.create_task(floor.play(tasks, lambda one: recorder.put(played_match(one, books.numbers))))
            _stop_on_signals(stop)
            stopping = asyncio.create_task(stop.wait())
            await asyncio.wait([playing, stopping], return_when=asyncio.FIRST_COMPLETED)
            ended = Ended.FINISHED if playing.done() else Ended.STOPPED
            for task in (playing, stopping):
                task.cancel()
            await asyncio.gather(stopping, return_exceptions=True)
            await _result(playing)
    finally:
        recorder.close()
    status = LadderStatus.FINISHED if ended is Ended.FINISHED else LadderStatus.STOPPED
    books.store.set_status(books.ladder.id, status)
    return ended


async def _result(playing: asyncio.Task[None]) -> None:
    try:
        await playing
    except asyncio.CancelledError:
        if not playing.cancelled():
            raise


def _stop_on_signals(stop: asyncio.Event) -> None:
    """The first signal asks to stop; after it the usual manners hold, so that a second one ends it at once."""
    loop = asyncio.get_running_loop()

    def first() -> None:
        stop.set()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_DFL)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, first)


def played_match(finished: Finished, numbers: Sequence[int]) -> Played:
    """A finished match as the store keeps it; bots by their numbers there."""
    seats = []
    for seat, bot in enumerate(finished.task.bots):
        verdict, records = finished.verdict, finished.records
        faults: dict[str, int] = {}
        for record in records:
            for fault in record.faults:
                if fault.seat == seat:
                    faults[fault.kind.value] = faults.get(fault.kind.value, 0) + 1
        made, kept = pledges(records, seat)
        times = [record.ms[seat] for record in records]
        seats.append(
            SeatResult(
                bot=numbers[bot],
                place=verdict.places[seat],
                points=verdict.points[seat],
                tiebreak=verdict.tiebreaks[seat],
                faults=faults,
                pledges_made=made,
                pledges_kept=kept,
                think_ms=round(sum(times), 1),
                worst_ms=round(max(times, default=0), 1),
            )
        )
    result = MatchResult(
        n=finished.task.n,
        deal=finished.task.deal,
        status=finished.verdict.ending.value,
        turns=len(finished.records),
        ms=round(finished.ms, 1),
        played=finished.played,
        seats=tuple(seats),
        attempt=finished.attempt,
    )
    logs = {numbers[bot]: text for bot, text in finished.logs.items()}
    return Played(result, finished.replay.encode(), logs)


def pledges(records: Sequence[TurnRecord], seat: int) -> tuple[int, int]:
    """How many turns a seat gave its word in, and how often it kept it; its last word counts."""
    made = kept = 0
    for record in records:
        words = [heard.pledge for heard in record.said if heard.seat == seat and heard.pledge is not None]
        if words:
            made += 1
            kept += record.moves[seat] == words[-1]
    return made, kept
