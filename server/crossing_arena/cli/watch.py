"""A replay on the terminal: all at once, or step by step."""

import os
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console

from crossing_arena.cli import screen
from crossing_arena.rehearsal import Answers
from crossing_arena.replay import Replay

FORWARD, BACK = (" ", "\r", "\n", "n", "\x1b[C", "\x1b[B"), ("b", "p", "\x1b[D", "\x1b[A")
LEAVE = ("q", "\x1b", "\x04", "")


def _headline(replay: Replay) -> str:
    match = replay.match
    return f"{replay.rules.title}, {len(replay.names)} players, seed {match['seed']}, played {match['played']}"


def _show_turn(out: Console, replay: Replay, line: dict[str, Any]) -> None:
    position = replay.rules.read_position(line["position"])
    out.print(screen.turn(line, position, replay.names))
    for fault in line.get("faults", ()):
        out.print(f"{fault['kind']} {screen.plain(replay.names[fault['seat']])}", style="bold red", markup=False)
        out.print(screen.plain(fault.get("text", "")), markup=False)
    for kind in ("notes", "printed"):
        for seat, what in line.get(kind, {}).items():
            text = what if isinstance(what, str) else "\n".join(what)
            words = f"{screen.plain(replay.names[int(seat)])} {'notes' if kind == 'notes' else 'printed'}: "
            out.print(screen.plain(words + text.rstrip()), style="dim", markup=False)


def show_all(out: Console, replay: Replay, lines: Sequence[dict[str, Any]], *, result: bool = True) -> None:
    """Print turns one after the other, and the result if they are all."""
    out.print(_headline(replay), style="bold", markup=False)
    out.print()
    for line in lines:
        _show_turn(out, replay, line)
    if result and len(lines) == len(replay.turns):
        out.print(screen.result(replay.result, replay.names))


@contextmanager
def _keyboard() -> Iterator[Callable[[], str]]:
    """A way to read single keys; keys pressed early are not lost."""
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    tty.setcbreak(fd, termios.TCSADRAIN)
    try:
        yield lambda: os.read(fd, 32).decode(errors="replace")
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def step_through(out: Console, replay: Replay) -> None:
    """Show one turn after the other, as the watcher presses keys."""
    at, last = 0, len(replay.turns)
    with _keyboard() as read_key:
        while True:
            _show_page(out, replay, at)
            key = read_key()
            if key in LEAVE:
                return
            if key in FORWARD:
                at = min(at + 1, last)
            elif key in BACK:
                at = max(at - 1, 0)
            elif key == "g":
                at = _ask_where(out, read_key, at, last)


def _show_page(out: Console, replay: Replay, at: int) -> None:
    last = len(replay.turns)
    out.clear()
    out.print(_headline(replay), style="bold", markup=False)
    out.print()
    if at < last:
        _show_turn(out, replay, replay.turns[at])
    else:
        out.print(screen.result(replay.result, replay.names))
    out.print(f"{at + 1} of {last + 1}   space → on   b ← back   g jump   q leave", style="dim", markup=False)


def _ask_where(out: Console, read_key: Callable[[], str], at: int, last: int) -> int:
    """Let the watcher type the page to go to."""
    out.print("go to: ", end="", markup=False)
    number = ""
    while not (key := read_key()).endswith(("\r", "\n")):
        if not key.isdecimal():
            return at
        number += key
        out.print(key, end="", markup=False)
    number += key.strip()
    return max(0, min(int(number) - 1, last)) if number.isdecimal() else at


def show_answers(out: Console, answers: Answers, log: str, name: str, seat: int, before: str) -> None:
    """What a bot said and did in somebody's seat."""
    who = f"{screen.plain(name)} in seat {seat}"
    for heard in answers.said:
        words = f"“{heard.text}”" if heard.text else "nothing"
        pledge = f", pledges {heard.pledge}" if heard.pledge is not None else ""
        out.print(screen.plain(f"{who} on beat {heard.beat} says {words}{pledge}"), markup=False)
    if answers.move is not None:
        same = "as in the replay" if str(answers.move) == before else f"the replay has {before}"
        out.print(f"{who} plays {answers.move} after {answers.elapsed_ms:.0f} ms; {same}", style="bold", markup=False)
    for note in answers.notes:
        out.print(screen.plain(f"{who} notes: {note}"), style="dim", markup=False)
    if answers.printed:
        out.print(screen.plain(f"{who} printed:\n{answers.printed.rstrip()}"), style="dim", markup=False)
    for fault in answers.faults:
        out.print(screen.plain(f"{fault.kind.value} {who}\n{fault.text}"), style="bold red", markup=False)
    if answers.faults and log.strip():
        out.print(screen.plain(f"its log:\n{log.rstrip()}"), style="dim", markup=False)
