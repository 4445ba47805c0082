"""One bot process, owned wholly: its group, its pipes, its death."""

import asyncio
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from crossing_arena.launcher.entries import Entry

GUARD = Path(__file__).with_name("guard.py")

LOG_HEAD, LOG_TAIL = 64 * 1024, 4 * 1024
"""How many bytes of a bot's output are kept from its beginning and its end."""

_PASSED_ON = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "VIRTUAL_ENV")


class Log:
    """What a process wrote, capped: the first words, the last words, and how much was dropped between."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0

    def write(self, data: bytes) -> None:
        """Take more output."""
        self.total += len(data)
        room = LOG_HEAD - len(self._head)
        self._head += data[:room]
        self._tail = (self._tail + data[max(room, 0) :])[-LOG_TAIL:]

    @property
    def text(self) -> str:
        """All that was kept, bytes that are no UTF-8 replaced."""
        head, tail = self._head.decode(errors="replace"), self._tail.decode(errors="replace")
        dropped = self.total - len(self._head) - len(self._tail)
        return f"{head}\n... {dropped} bytes dropped ...\n{tail}" if dropped else head + tail

    def last(self, lines: int = 20) -> str:
        """The last lines."""
        return "\n".join(self.text.rstrip().splitlines()[-lines:])


class BotProcess:
    """A running bot. Start it with `BotProcess.start`, always end it with `stop`."""

    def __init__(self, process: asyncio.subprocess.Process, control: int, scratch: Path) -> None:
        self.log = Log()
        self._process = process
        self._control = control
        self._scratch = scratch
        streams = [stream for stream in (process.stdout, process.stderr) if stream]
        self._drains = [asyncio.create_task(self._drain(stream)) for stream in streams]
        self.exited = asyncio.create_task(process.wait())
        """Done when the process and all it started are gone."""

    @classmethod
    async def start(cls, entry: Entry, variables: Mapping[str, str], first_line: str) -> "BotProcess":
        """Start a bot in its own folder, session and environment; `first_line` is what it reads first."""
        scratch = Path(tempfile.mkdtemp(prefix="crossing-bot-"))
        passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        own = {"HOME": str(scratch), "TMPDIR": str(scratch), "PYTHONDONTWRITEBYTECODE": "1"}
        control_reader, control = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", str(GUARD), str(control_reader), *entry.command),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=entry.folder,
                env={**passed_on, **own, **entry.environment, **variables},
                start_new_session=True,
                pass_fds=(control_reader,),
            )
        except BaseException:
            os.close(control)
            shutil.rmtree(scratch, ignore_errors=True)
            raise
        finally:
            os.close(control_reader)
        started = cls(process, control, scratch)
        started._tell(first_line)
        return started

    def _tell(self, line: str) -> None:
        if self._process.stdin:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.close()

    async def _drain(self, stream: asyncio.StreamReader) -> None:
        while data := await stream.read(1 << 16):
            self.log.write(data)

    @property
    def pid(self) -> int:
        """The pid of the guard, the bot's parent."""
        return self._process.pid

    @property
    def how_it_ended(self) -> str:
        """The exit in words, once it has exited."""
        code = self._process.returncode
        if code is None:
            return "is still running"
        if code < 0:
            return f"was killed by {signal.Signals(-code).name}"
        return f"exited with code {code}"

    def peak_memory_mb(self) -> float | None:
        """The most memory the bot itself has used, where /proc tells."""
        try:
            children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
            status = Path(f"/proc/{children[0]}/status").read_text()
        except (OSError, IndexError):
            return None
        peak = re.search(r"VmHWM:\s+(\d+) kB", status)
        return int(peak[1]) / 1024 if peak else None

    async def stop(self, grace: float = 1.0) -> None:
        """End the process and everything it started; a polite one may end by itself first."""
        await asyncio.wait([self.exited], timeout=grace)
        if self._control >= 0:
            os.close(self._control)
            self._control = -1
        await asyncio.wait([self.exited], timeout=5.0)
        if not self.exited.done():  # somebody stopped the guard itself
            self._process.send_signal(signal.SIGKILL)
            await self.exited
        _, pending = await asyncio.wait(self._drains, timeout=1.0)
        for drain in pending:
            drain.cancel()
        shutil.rmtree(self._scratch, ignore_errors=True)
