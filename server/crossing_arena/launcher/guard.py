"""Stands between the arena and one bot process, so that nothing of a bot outlives it.

Run as `python guard.py CONTROL_FD COMMAND...`. The guard adopts whatever the bot leaves
behind (it is a child subreaper), and when the bot ends, or the arena closes the control pipe
or dies, it kills every descendant, daemons included. It ends the way the bot ended.

It imports as little as it can: it is started once for every bot.
"""

import os
import resource
import select
import signal
import sys

PR_SET_CHILD_SUBREAPER = 36


def main() -> None:
    """Start the command, wait for its end or the arena's, and leave no process behind."""
    control, command = int(sys.argv[1]), sys.argv[2:]
    _adopt_orphans()
    wake_reader, wake_writer = os.pipe()
    os.set_blocking(wake_writer, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_writer, warn_on_full_buffer=False)
    bot = _start(command, control)
    for stream in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    status = None
    while status is None:
        ready, _, _ = select.select([control, wake_reader], [], [])
        if wake_reader in ready:
            os.read(wake_reader, 512)
        status = _reap(bot)
        if control in ready and not os.read(control, 1):
            break
    status = _kill_all(bot, status)
    _end_like(status)


def _adopt_orphans() -> None:
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415  # a slow import, needed here only

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _start(command: list[str], control: int) -> int:
    bot = os.fork()
    if bot:
        return bot
    try:
        os.close(control)
        os.setpgid(0, 0)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores two of them
            signal.signal(number, signal.SIG_DFL)
        os.execvp(command[0], command)  # noqa: S606  # starting the bot is what this is for
    except OSError as error:
        os.write(2, f"cannot start {command[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(127)


def _reap(bot: int) -> int | None:
    """Collect the dead; returns how the bot itself ended, if it did."""
    status = None
    try:
        while (dead := os.waitpid(-1, os.WNOHANG)) != (0, 0):
            if dead[0] == bot:
                status = dead[1]
    except ChildProcessError:
        pass
    return status


def _kill_all(bot: int, status: int | None) -> int:
    """Kill until nothing is left; a process that forks while we kill is killed in the next round."""
    while True:
        for pid in (*_descendants(os.getpid()), *([bot] if status is None else [])):
            _kill(pid)
        try:
            pid, ended = os.waitpid(-1, 0)
        except ChildProcessError:
            return status if status is not None else 0
        if pid == bot:
            status = ended


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _descendants(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    try:
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208  # pathlib is slow to load
    except FileNotFoundError:
        return []
    for pid in pids:
        try:
            with open(f"/proc/{pid}/stat", "rb") as stat:  # noqa: PTH123
                parent = int(stat.read().rpartition(b")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(pid)
    found, queue = [], [root]
    while queue:
        below = children.get(queue.pop(), [])
        found += below
        queue += below
    return found


def _end_like(status: int) -> None:
    """Exit with the bot's code, or die of the signal it died of."""
    if os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        number = os.WTERMSIG(status)
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    main()
