"""Run the command line as its users do: as a process."""

import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

COMMAND = (sys.executable, "-m", "crossing_arena")
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def arena(*args: str | Path, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    environment = {**os.environ, "COLUMNS": "120", **variables}
    return subprocess.run(
        [*COMMAND, *map(str, args)], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


class Terminal:
    """A command on a terminal, with somebody at the keyboard."""

    def __init__(self, args: Sequence[str | Path], cwd: Path) -> None:
        self.screen = ""
        self.code: int | None = None
        pid, self._fd = pty.fork()
        if pid == 0:
            os.chdir(cwd)
            os.environ.update(TERM="xterm", COLUMNS="120", LINES="40")
            os.execv(COMMAND[0], [*COMMAND, *map(str, args)])
        self._pid = pid

    def until(self, *words: str) -> str:
        """Wait until the screen shows any of these words; returns all that was shown since the last call."""
        shown = ""
        while not any(word in _ANSI.sub("", shown) for word in words):
            chunk = self._read()
            assert chunk, f"the command ended without showing {words!r}:\n{shown}"
            shown += chunk
        return _ANSI.sub("", shown)

    def _read(self) -> str:
        ready, _, _ = select.select([self._fd], [], [], 60)
        assert ready, "nothing happened for a minute"
        try:
            return os.read(self._fd, 4096).decode(errors="replace")
        except OSError:
            return ""

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self._fd, keys.encode())

    def end(self) -> int:
        """Wait for the end; returns the exit code."""
        while self._read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
