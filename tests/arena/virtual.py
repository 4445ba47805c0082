"""An event loop whose time passes only when nobody has anything to do, so that a deadline takes no time."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any

ROUND = 1e-7
"""The seconds that a round of the loop takes in which there was something to do."""


class _Jump(selectors.DefaultSelector):
    """Where others would wait, it moves the clock on."""

    loop: "VirtualLoop"

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            raise RuntimeError("nothing will ever happen")
        self.loop.stall(max(timeout, ROUND))
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """The loop; its time starts at zero."""

    def __init__(self) -> None:
        self._virtual = 0.0
        selector = _Jump()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self._virtual

    def stall(self, seconds: float) -> None:
        """Time passes without anybody getting to work."""
        self._virtual += seconds


def run(scene: Callable[[VirtualLoop], Coroutine[Any, Any, None]]) -> None:
    """Play a scene to its end."""
    loop = VirtualLoop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(scene(loop))
