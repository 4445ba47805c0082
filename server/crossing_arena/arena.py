"""The whole arena on one machine: a hall, its door, and the bots' processes."""

import asyncio
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from crossing_arena.faults import FaultKind
from crossing_arena.guest import Guest
from crossing_arena.hall import Lag, Slots
from crossing_arena.launcher import BotProcess, Entry
from crossing_arena.referee import Event, MatchSpec, Verdict
from crossing_arena.replay import write
from crossing_arena.service import Door, UnwelcomeError
from crossing_arena.table import Table

MAX_CRASHES = 3
"""A bot whose process ends so often in a row without one valid answer is not started again."""

HANG_UP_SECONDS = 0.5
"""How long after the end of its stream a process may take to end, before it counts as hung up rather than crashed."""


class LocalBot:
    """A bot process that the arena starts, watches and starts again, and its guest in the hall."""

    def __init__(self, entry: Entry, guest: Guest, door: Door, start_up_ms: int, variables: Mapping[str, str]) -> None:
        self.entry = entry
        self.guest = guest
        self._door = door
        self._start_up = start_up_ms / 1000 or None
        self._variables = {"CROSSING_ADDRESS": door.address, **variables}
        self._process: BotProcess | None = None
        self.ready = asyncio.get_running_loop().create_future()
        """Done when the bot has come in, or is known not to."""
        self._life = asyncio.create_task(self._live())
        guest.last_words = lambda: self._process.log.last() if self._process else ""

    @property
    def log(self) -> str:
        """What the present process of the bot wrote."""
        return self._process.log.text if self._process else ""

    @property
    def peak_memory_mb(self) -> float | None:
        """The most memory its present process has used, if the system tells."""
        return self._process.peak_memory_mb() if self._process else None

    async def _live(self) -> None:
        """Come in, play, and come in again after a crash."""
        while True:
            problem = await self._come_in()
            if problem:
                await self._end_process()
                self.guest.give_up(FaultKind.START_UP, problem, self.guest.last_words())
                break
            self._settle()
            kind, text = await self._until_gone()
            await self._end_process()
            self.guest.leave(kind, text, self.guest.last_words())
            if self.guest.crashes >= MAX_CRASHES:
                self.guest.give_up(kind, f"it ended {MAX_CRASHES} times in a row without an answer", text)
                break
        self._settle()

    def _settle(self) -> None:
        if not self.ready.done():
            self.ready.set_result(None)

    async def _come_in(self) -> str:
        """Start the process and wait for its hello; returns why it did not come."""
        token = secrets.token_urlsafe(32)
        loop = asyncio.get_running_loop()
        arrived = self._door.service.arrivals[self.guest] = loop.create_future()
        self._departed = self._door.service.departures[self.guest] = loop.create_future()
        self._door.tickets.issue(token, self.guest)
        try:
            self._process = await BotProcess.start(self.entry, self._variables, first_line=token)
            await asyncio.wait(
                [arrived, self._process.exited], timeout=self._start_up, return_when=asyncio.FIRST_COMPLETED
            )
        except OSError as error:
            return f"cannot be started: {error}"
        finally:
            self._door.tickets.withdraw(token)
        if arrived.done():
            unwelcome = arrived.exception()
            return str(unwelcome) if isinstance(unwelcome, UnwelcomeError) else ""
        if self._process.exited.done():
            return f"{self._process.how_it_ended} before it said hello"
        return f"no hello within {self._start_up:g} s"

    async def _until_gone(self) -> tuple[FaultKind, str]:
        process = self._process
        if process is None:
            raise RuntimeError("a bot that came in has a process")
        await asyncio.wait([process.exited, self._departed], return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait([process.exited], timeout=HANG_UP_SECONDS)
        if self.guest.expelled:
            return FaultKind.PROTOCOL, self.guest.expelled
        if process.exited.done():
            return FaultKind.CRASH, f"the process {process.how_it_ended}"
        return FaultKind.DISCONNECT, "it hung up while its process lived on"

    async def _end_process(self) -> None:
        if self._process:
            await self._process.stop(grace=0)

    async def close(self) -> None:
        """Show the bot out; what does not go by itself is killed."""
        self._life.cancel()  # first, lest it starts the bot again
        await asyncio.gather(self._life, return_exceptions=True)
        self._settle()
        self.guest.show_out()
        if self._process:
            await self._process.stop()
        self._door.service.forget(self.guest)


class Arena:
    """Use as `async with Arena() as arena`: admit bots, then let them play."""

    def __init__(self, slots: int | None = None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="crossing-arena-"))
        self._lag = Lag()
        self._slots = Slots(slots or os.cpu_count() or 1)
        self._bots: list[LocalBot] = []

    async def __aenter__(self) -> Self:
        self._door = Door(self._folder)
        await self._door.open()
        self._lag.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.dismiss(self._bots)
        self._lag.stop()
        await self._door.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    async def admit(
        self, entries: Sequence[Entry], start_up_ms: int, variables: Mapping[str, str] | None = None
    ) -> list[LocalBot]:
        """Start bots and wait until each has come in, or is known not to come."""
        bots = [
            LocalBot(entry, Guest(entry.name, self._slots, self._lag), self._door, start_up_ms, variables or {})
            for entry in entries
        ]
        self._bots += bots
        await asyncio.gather(*(bot.ready for bot in bots))
        return bots

    async def dismiss(self, bots: Sequence[LocalBot]) -> None:
        """Show bots out."""
        await asyncio.gather(*(bot.close() for bot in bots))
        self._bots = [bot for bot in self._bots if bot not in bots]

    async def play(
        self, spec: MatchSpec, bots: Sequence[LocalBot], watch: Callable[[Event], None] = lambda event: None
    ) -> Table:
        """Play one match; returns the table with its record and verdict. Raises ArenaFault."""
        table = Table(spec, [bot.guest for bot in bots], watch)
        table.begin()
        await table.verdict
        return table


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played, and its record."""

    table: Table
    verdict: Verdict
    replay: str


async def play_match(
    entries: Sequence[Entry],
    spec: MatchSpec,
    watch: Callable[[Event], None] = lambda event: None,
    variables: Mapping[str, str] | None = None,
) -> Played:
    """Start these bots in an arena of their own and let them play one match."""
    played = datetime.now(UTC)
    async with Arena() as arena:
        bots = await arena.admit(entries, spec.budgets.start_up_ms, variables)
        table = await arena.play(spec, bots, watch)
    verdict = table.verdict.result()
    names = [entry.name for entry in entries]
    return Played(table, verdict, write(spec, names, table.records, table.endings, verdict, played))
