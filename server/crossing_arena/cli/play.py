"""`crossing-arena play`: one match, to be watched in the terminal."""

import json
import os
import secrets
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

HUMAN = "human"
CLOCK_HELP = "Time for each turn, and a bank for the whole game that pays for overruns, such as 500ms+5s."


def play(
    bots: Annotated[
        list[str],
        typer.Argument(
            help="One or more of: a .py file, a folder with a bot.toml, or the name of an example bot"
            " (random, greedy, thief, hoarder, diplomat, liar, fox, scout). They take their seats in this order."
            " One of them may be `human`: you.",
            metavar="BOT",
            show_default=False,
        ),
    ],
    seed: Annotated[
        str | None, typer.Option(help="Any text or number; the same seed gives the same deal.", show_default="random")
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(help="Table size, 3 to 6. Empty seats are taken by example bots.", show_default="as many as bots"),
    ] = None,
    clock: Annotated[str, typer.Option(help=CLOCK_HELP)] = "1s+10s",
    no_timeout: Annotated[
        bool, typer.Option("--no-timeout", help="No time limits, so that a bot may stop at a breakpoint().")
    ] = False,
    talk: Annotated[bool, typer.Option("--talk/--no-talk", help="Whether the bots may talk before they point.")] = True,
    replay: Annotated[
        Path | None, typer.Option(help="Write the record of the match to this file.", show_default=False)
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show the result only, not every turn.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")] = False,
) -> None:
    """Play one match and show it turn by turn.

    Every bot runs in a process of its own and plays over gRPC, with real deadlines. With too few bots
    the table is filled with example bots, so `crossing-arena play mybot.py` is enough.

    The exit code is 1 if a bot made a fault, so that you notice.

    Example: crossing-arena play mybot.py greedy thief fox --seed 7 --replay match.jsonl
    """
    import asyncio

    from crossing_arena.arena import play_match
    from crossing_arena.clock import NO_LIMIT, read_clock
    from crossing_arena.launcher import find_entries
    from crossing_arena.referee import MatchSpec
    from crossing_sdk.games import seed_from

    words = fill_table(bots, players)
    entries = [*find_entries([word for word in words if word != HUMAN])]
    if HUMAN in words:
        no_timeout = True
        entries.insert(words.index(HUMAN), _human())
    if replay:
        replay.touch()  # a record that cannot be written is better known before the match
    seed = seed or str(secrets.randbelow(10**6))
    spec = MatchSpec(len(entries), seed_from(seed), talk=talk, budgets=NO_LIMIT if no_timeout else read_clock(clock))
    names = [entry.name for entry in entries]
    screen = _Screen(names, every_turn=not (quiet or as_json), silent=as_json)
    screen.start(seed, words[len(bots) :])
    played = asyncio.run(play_match(entries, spec, screen.watch, terminal_of_author() if no_timeout else {}))
    if replay:
        replay.write_text(played.replay, encoding="utf-8")
    if as_json:
        print(json.dumps(_summary(played, names, seed, replay), ensure_ascii=False, indent=2))
    else:
        screen.end(played, replay)
    if any(played.verdict.faults):
        raise typer.Exit(1)


def _human() -> Any:
    """The seat of whoever sits at this terminal."""
    from crossing_arena.cli import human_bot
    from crossing_arena.cli.screen import BadInput
    from crossing_arena.launcher.entries import Entry

    if not sys.stdin.isatty():
        raise BadInput("human: there is nobody at a terminal to play this seat")
    path = Path(human_bot.__file__)
    return Entry("you", (sys.executable, path.name), path.parent)


def fill_table(bots: list[str], players: int | None) -> list[str]:
    """The bots that were named, and example bots in the seats that are left."""
    from crossing_arena.cli.screen import BadInput
    from crossing_sdk.games import CROSSING

    size = players if players is not None else max(len(bots), CROSSING.players.start)
    if size not in CROSSING.players:
        raise BadInput(f"Crossing is for 3 to 6 players, not {size}")
    if len(bots) > size:
        raise BadInput(f"{len(bots)} bots do not fit at a table of {size}; leave some out or raise --players")
    opponents = ["greedy", "thief", "hoarder", "fox", "diplomat"]
    return [*bots, *[name for name in opponents if name not in bots][: size - len(bots)]]


def terminal_of_author() -> dict[str, str]:
    """Where a bot's breakpoint() may talk to its author."""
    return {"CROSSING_TERMINAL": os.ttyname(sys.stdin.fileno())} if sys.stdin.isatty() else {}


def _summary(played: Any, names: list[str], seed: str, replay: Path | None) -> dict[str, Any]:
    from dataclasses import asdict

    from crossing_arena import __version__

    faults = [fault for record in played.table.records for fault in record.faults]
    verdict = played.verdict
    return {
        "arena": __version__,
        "seed": seed,
        "players": names,
        **asdict(verdict),
        "ending": verdict.ending.value,
        "fault_list": [{**asdict(fault), "kind": fault.kind.value, "bot": names[fault.seat]} for fault in faults],
        "replay": str(replay) if replay else None,
    }


class _Screen:
    """Shows a match as it happens."""

    def __init__(self, names: list[str], *, every_turn: bool, silent: bool) -> None:
        from crossing_arena.cli.screen import console

        self._names = names
        self._every_turn = every_turn
        self._silent = silent
        self._out = console()

    def start(self, seed: str, filled: list[str]) -> None:
        if self._silent:
            return
        self._out.print(f"Crossing, {len(self._names)} players, seed {seed}", style="bold")
        if filled:
            self._out.print(f"The other seats are taken by {', '.join(filled)}.", style="dim")
        self._out.print()

    def watch(self, event: Any) -> None:
        from crossing_arena.cli import screen
        from crossing_arena.referee import Faulted, TurnPlayed
        from crossing_arena.replay import turn_line

        if isinstance(event, TurnPlayed) and self._every_turn:
            self._out.print(screen.turn(turn_line(event.record), event.record.position, self._names))
        elif isinstance(event, Faulted) and not self._silent:
            self._out.print(screen.fault(event.fault, self._names[event.fault.seat]))
            self._out.print()

    def end(self, played: Any, replay: Path | None) -> None:
        from crossing_arena.cli import screen
        from crossing_arena.replay import result_line

        self._out.print(screen.result(result_line(played.verdict), self._names))
        if replay:
            self._out.print(f"Replay written to {replay}. Watch it: crossing-arena replay {replay}")
