"""A ladder as it runs: a live table on a terminal, plain lines elsewhere."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from crossing_arena.cli.screen import console, plain

PUBLISH_SECONDS = 3.0
LINE_SECONDS = 5.0


def standings_table(document: dict[str, Any]) -> RenderableType:
    """The standings as a table for the terminal."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    columns = ("rank", "bot", "rating", "95 %", ">", "deals", "win", "place", "points", "kept", "faults", "")
    for title in columns:
        grid.add_column(title, header_style="dim", justify="left" if title in ("bot", "") else "right")
    for bot in document["bots"]:
        grid.add_row(*_cells(bot))
    return grid


def _cells(bot: dict[str, Any]) -> list[str | Text]:
    ranks = str(bot["rank"]) if bot["rank_low"] == bot["rank_high"] else f"{bot['rank_low']}-{bot['rank_high']}"
    faults = sum(bot["faults"].values())
    return [
        ranks,
        Text(plain(bot["name"]), overflow="ellipsis"),
        f"{bot['rating']:.0f}",
        _interval(bot["low"], bot["high"]),
        "" if bot["los_next"] is None else f"{100 * bot['los_next']:.0f} %",
        str(bot["deals"]),
        _number(bot["win_share"], 3),
        _number(bot["mean_place"], 2),
        _number(bot["mean_points"], 1),
        f"{100 * bot['pledges_kept'] / bot['pledges_made']:.0f} %" if bot["pledges_made"] else "",
        str(faults or ""),
        Text(", ".join(bot["flags"]), "yellow"),
    ]


def _interval(low: float | None, high: float | None) -> str:
    if low is None and high is None:
        return "unknown"
    if low is None:
        return f"≤ {high:.0f}"
    return f"≥ {low:.0f}" if high is None else f"{low:.0f}..{high:.0f}"


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


class LadderView:
    """Watches a run, shows it, and has it published every few seconds."""

    def __init__(self, spec: Any, publish: Callable[[], dict[str, Any]], *, quiet: bool) -> None:
        self._publish = publish
        self._quiet = quiet
        self._spec = spec
        self._out = console(stderr=True)
        self._live = Live(console=self._out, auto_refresh=False) if self._out.is_terminal and not quiet else None
        self._document: dict[str, Any] | None = None
        self._total = self._done = self._fresh = 0
        self._memory = 0.0
        self._started = self._published = self._printed = time.monotonic()

    def __enter__(self) -> Self:
        cores = os.cpu_count() or 1
        settings = self._spec.settings
        self._say(
            f"{len(self._spec.entries)} bots, {settings.workers} tables at once, {cores} cores, into {self._spec.out}"
        )
        if settings.fresh_process and settings.workers > cores:
            self._say(f"warning: {settings.workers} tables of new processes on {cores} cores: expect slow starts")
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._live:
            self._live.update("", refresh=True)
            self._live.stop()
        if self._fresh and kind is None:
            self._say(
                f"{self._progress()}; the arena's memory: {self._memory:.0f} MB before, {_memory_mb():.0f} MB after"
            )

    def begin(self, total: int, done: int) -> None:
        """So many matches are there, so many are on record already."""
        self._total, self._done = total, done
        self._memory = _memory_mb()
        words = f"{total} matches" + (f", {done} of them played already" if done else "")
        self._say(words)
        self._document = self._publish()

    def announce(self, text: str) -> None:
        """Something happened that the organiser should know."""
        self._say(plain(text))

    def recorded(self, done: int) -> None:
        """So many more are on record now."""
        self._done += done
        self._fresh += done
        now = time.monotonic()
        if now - self._published >= PUBLISH_SECONDS:
            self._published = now
            self._document = self._publish()
        if self._live:
            self._live.update(self._picture(), refresh=True)
        elif now - self._printed >= LINE_SECONDS:
            self._printed = now
            self._say(self._progress())

    def _progress(self) -> str:
        pace = self._fresh / max(time.monotonic() - self._started, 0.001)
        left = (self._total - self._done) / pace if pace else 0
        return f"{self._done} of {self._total} matches, {pace:.0f} a second, about {_duration(left)} left"

    def _picture(self) -> RenderableType:
        line = Table.grid(padding=(0, 2, 0, 0))
        line.add_row(ProgressBar(total=max(self._total, 1), completed=self._done, width=30), self._progress())
        table = standings_table(self._document) if self._document else ""
        return Group(line, "", table)

    def _say(self, text: str) -> None:
        if self._quiet:
            return
        if self._live and self._live.is_started:
            self._live.console.print(text, markup=False)
        else:
            print(text, file=sys.stderr, flush=True)


def _memory_mb() -> float:
    """What this process holds in memory now, where /proc tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
