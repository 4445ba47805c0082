"""One bot process, owned wholly: its group, its pipes, its death."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from crossing_arena.launcher.entries import Entry

GUARD = Path(__file__).with_name("guard.py")

LOG_HEAD, LOG_TAIL = 64 * 1024, 4 * 1024
"""How many bytes of a bot's output are kept from its beginning and its end."""

MARK = "CROSSING_BOT"
"""The variable by which all processes of one bot are known."""

GUARD_SECONDS = 3.0
"""How long a guard may take to end what it guards, before it is ended itself."""

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
    """A running bot. Start it with `BotProcess.start`, always end it with `stop`.

    It is watched through its pidfd and read without tasks: asyncio's own subprocesses do not
    notice the end of a process whose pipes somebody else holds open.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", control: int, scratch: Path) -> None:
        loop = asyncio.get_running_loop()
        self.log = Log()
        self.exited: asyncio.Future[int] = loop.create_future()
        """Done when the guard, and with it all that it guarded, is gone."""
        self._process = process
        self._control = control
        self._scratch = scratch
        self._drained = loop.create_future()
        self._pidfd = os.pidfd_open(process.pid)
        loop.add_reader(self._pidfd, self._on_exit)
        self._streams = [stream.fileno() for stream in (process.stdout, process.stderr) if stream]
        for stream in self._streams:
            os.set_blocking(stream, False)
            loop.add_reader(stream, self._on_output, stream)

    @classmethod
    async def start(cls, entry: Entry, variables: Mapping[str, str], first_line: str) -> "BotProcess":
        """Start a bot in its own folder, session and environment; `first_line` is what it reads first."""
        scratch = Path(tempfile.mkdtemp(prefix="crossing-bot-"))
        passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        own = {"HOME": str(scratch), "TMPDIR": str(scratch), "PYTHONDONTWRITEBYTECODE": "1"}
        control_reader, control = os.pipe()
        try:
            # Without a wait, on the thread of the event loop: nobody can come between start and ownership.
            process = subprocess.Popen(  # noqa: ASYNC220
                [sys.executable, "-I", "-S", str(GUARD), str(control_reader), *entry.command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=entry.folder,
                env={**passed_on, **own, **entry.environment, **variables, MARK: str(scratch)},
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
            try:
                self._process.stdin.write(line.encode() + b"\n")
                self._process.stdin.close()
            except BrokenPipeError:
                return  # it is gone already, which is noticed elsewhere

    def _on_output(self, stream: int) -> None:
        """Always take what there is: a bot whose pipe is full would stand still."""
        try:
            data = os.read(stream, 1 << 16)
        except BlockingIOError:
            return
        if data:
            self.log.write(data)
        else:
            self._close_stream(stream)

    def _close_stream(self, stream: int) -> None:
        asyncio.get_running_loop().remove_reader(stream)
        self._streams.remove(stream)
        if not self._streams and not self._drained.done():
            self._drained.set_result(None)

    def _on_exit(self) -> None:
        asyncio.get_running_loop().remove_reader(self._pidfd)
        os.close(self._pidfd)
        self.exited.set_result(self._process.wait())

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
        if code >= 0:
            return f"exited with code {code}"
        known = {number.value for number in signal.Signals}
        return f"was killed by {signal.Signals(-code).name if -code in known else f'signal {-code}'}"

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
        if not self.exited.done():
            self._process.send_signal(signal.SIGCONT)  # in case somebody stopped the guard itself
        await asyncio.wait([self.exited], timeout=GUARD_SECONDS)
        if not self.exited.done():
            self._process.kill()
            await self.exited
        await asyncio.wait([self._drained], timeout=0.2)
        # Nothing tells of the end of a process that is not our child, so we have to look again.
        while (not self._drained.done() or self._process.returncode < 0) and self._sweep():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        for stream in list(self._streams):
            self._close_stream(stream)
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe:
                pipe.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _sweep(self) -> bool:
        """Kill what outlived its guard, which its own bot can do away with; returns whether there was any."""
        found = list(_processes_with(f"{MARK}={self._scratch}\0".encode()))
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        return bool(found)


def _processes_with(variable: bytes) -> Iterator[int]:
    """The living processes that were started with this in their environment."""
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if variable in (path / "environ").read_bytes():
                yield int(path.name)
        except OSError:
            continue
