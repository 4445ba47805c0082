"""Ladders run as an organiser runs them: as a process, on a folder of bots."""

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

from cli.commands import COMMAND, arena

FAST = '''\
"""A bot that plays by arithmetic: the same match is always played the same way."""

from crossing_sdk import run


def choose(turn):
    return turn.legal[(turn.number * {step} + turn.seat + turn.view.bag.count) % len(turn.legal)]


run(choose)
'''


def write_bots(folder: Path, count: int) -> Path:
    """A folder of deterministic bots."""
    folder.mkdir()
    for number in range(count):
        (folder / f"bot{number}.py").write_text(FAST.format(step=number + 1))
    return folder


def ladder_args(bots: Path, out: Path, *more: str) -> list[str]:
    return ["run-ladder", "--bots", str(bots), "--out", str(out), "--seed", "test", "--no-talk", *more]


def run(bots: Path, out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    done = arena(*ladder_args(bots, out, *more))
    assert done.returncode == 0, done.stderr + done.stdout
    return done


def standings(out: Path) -> dict[str, Any]:
    """What was published, but for the time it was."""
    document: dict[str, Any] = json.loads((out / "standings.json").read_text())
    del document["updated"]
    return document


def start(bots: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *ladder_args(bots, out, *more)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def kill(process: "subprocess.Popen[str]", number: int = signal.SIGKILL) -> None:
    os.kill(process.pid, number)
    process.communicate()
