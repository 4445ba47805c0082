"""Where a test's processes and folders are, and what is left of them."""

import os
import select
import signal
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MARK = "CROSSING_TEST_PLACE"
"""The environment variable that every process of a place inherits."""


@dataclass(frozen=True, slots=True)
class Place:
    """A folder for all that a test starts, whose path marks every process started for it."""

    folder: Path

    @property
    def variables(self) -> dict[str, str]:
        """Give these to every process."""
        return {MARK: str(self.folder)}

    def processes(self, word: str = "") -> dict[int, str]:
        """The living processes of this place and their command lines, those with this word in it."""
        mark = f"{MARK}={self.folder}".encode()
        found = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):  # it ended while we looked
                if mark in (stat.parent / "environ").read_bytes().split(b"\0"):
                    found[int(stat.parent.name)] = (stat.parent / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        return {pid: line for pid, line in found.items() if word in line}

    def bot(self, name: str) -> int:
        """The process of the only bot of this name."""
        [pid] = [pid for pid, line in self.processes(f"{name}.py").items() if "guard.py" not in line]
        return pid

    def folders(self) -> list[str]:
        """The folders that the arena made here."""
        return sorted(path.name for path in self.folder.glob("crossing-*"))

    def left(self) -> list[str]:
        """All that should be gone after the arena is."""
        return [*self.processes().values(), *self.folders()]

    def clear(self) -> None:
        """End what is left."""
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def wait_for_death(pid: int) -> None:
    """Come back when a process has ended."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        ended, _, _ = select.select([handle], [], [], 30)
        assert ended, f"process {pid} lives on"
    finally:
        os.close(handle)
