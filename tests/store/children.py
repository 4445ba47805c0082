"""Work on a store in processes of their own, which may be killed."""

import multiprocessing
import os
import random
import signal
from collections.abc import Callable
from itertools import count, islice
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from crossing_arena.store import Store
from store.samples import NOW, begin, played

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["store.children", "alembic.command", "psycopg"])


def start(work: Callable[..., None], *arguments: Any) -> tuple[BaseProcess, Connection]:
    """A process that does some work, and where its messages arrive."""
    here, there = _context.Pipe(duplex=False)
    process = _context.Process(target=work, args=(*arguments, there))
    process.start()
    there.close()
    return process, here


def play_for_ever(place: str, _: Connection) -> None:
    """Play what is missing, in batches whose order is nearly that of the schedule, until the end."""
    with Store.open(place) as store:
        ladder, bots = begin(store)
        done = store.done(ladder.id)
        missing = (n for n in count() if n not in done)
        while batch := list(islice(missing, random.randrange(1, 12))):
            random.shuffle(batch)
            store.record(ladder.id, [played(n, bots, by=os.getpid()) for n in batch])


def play_all(place: str, matches: int, messages: Connection) -> None:
    """Play all matches, whoever else does, in an order of one's own; tells which were new."""
    with Store.open(place) as store:
        ladder, bots = begin(store)
        order = list(range(matches))
        random.shuffle(order)
        new: list[int] = []
        while order:
            batch, order = order[:20], order[20:]
            new += store.record(ladder.id, [played(n, bots, by=os.getpid()) for n in batch])
        messages.send((os.getpid(), new))


def read_all(place: str, ladder: int, messages: Connection) -> None:
    """Read all results; tells how many, the sum of their numbers, and by how many kilobytes that made us grow."""
    with Store.open(place) as store:
        results = store.results(ladder)
        total, last = 1, next(results).n
        before = _peak_memory()
        summed = last
        for result in results:
            assert result.n > last
            last = result.n
            total, summed = total + 1, summed + last
        messages.send((total, summed, _peak_memory() - before))


def hold_lock(place: str, messages: Connection) -> None:
    """Hold the lock until the end."""
    with Store.open(place) as store, store.lock("autumn", NOW):
        messages.send("held")
        signal.pause()


def _peak_memory() -> int:
    [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1])
