"""The hall's own machinery: thinking slots, and the measure of the arena's own delay.

A guest with unanswered asks holds one of the hall's **thinking slots**, of which there are as
many as cores, so that its clock runs only while it has a core to itself.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol


class Thinker(Protocol):
    """Who waits for a thinking slot."""

    def think(self) -> None:
        """The slot is granted; give it back with `Slots.give_back`."""
        ...


class Lag:
    """How long the arena itself stood still, so that no bot is charged for it."""

    BEAT = 0.01
    TOLERANCE = 0.002

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._total = 0.0
        self._due = now() + self.BEAT
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to measure."""
        self._due = self._now() + self.BEAT
        self._timer = asyncio.get_running_loop().call_later(self.BEAT, self._beat)

    def stop(self) -> None:
        """End measuring."""
        if self._timer:
            self._timer.cancel()

    def stalled(self) -> float:
        """Seconds stood still so far, an unfinished stall included."""
        late = self._now() - self._due
        return self._total + (late if late > self.TOLERANCE else 0.0)

    def _beat(self) -> None:
        self._total = self.stalled()
        self.start()


class Slots:
    """The thinking slots: a guest asks for one, is called when it has one, and gives it back."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._queue: deque[Thinker] = deque()
        self._scheduled = False

    def want(self, guest: Thinker) -> None:
        """Queue for a slot. It is granted after the present burst of work, so that frames are full."""
        self._queue.append(guest)
        self._schedule()

    def give_back(self) -> None:
        """A guest is done thinking."""
        self._free += 1
        self._schedule()

    def _schedule(self) -> None:
        if not self._scheduled and self._free and self._queue:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._grant)

    def _grant(self) -> None:
        self._scheduled = False
        while self._free and self._queue:
            self._free -= 1
            self._queue.popleft().think()
