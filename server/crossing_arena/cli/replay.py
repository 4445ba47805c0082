"""`crossing-arena replay`: watch a record in the terminal, or put a bot into it."""

from pathlib import Path
from typing import Annotated, Any

import typer


def replay(
    file: Annotated[Path, typer.Argument(help="A replay.", exists=True, dir_okay=False)],
    turn: Annotated[int | None, typer.Option(help="Show this turn only.", min=1, show_default=False)] = None,
    game: Annotated[int, typer.Option(help="Which game, if a tie was played again.", min=1)] = 1,
    bot: Annotated[
        str | None, typer.Option(help="With --turn: put this bot into the seat and show what it does.", metavar="BOT")
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(help="With --bot: the seat it takes.", min=0, show_default="where a bot of its name sat, or 0"),
    ] = None,
) -> None:
    """Watch a match in the terminal, turn by turn.

    On a terminal: space or → goes on, b or ← back, g and a number jumps, q leaves. Elsewhere all turns are printed.

    With --turn 7 --bot mybot.py the bot goes through the game as that seat saw and heard it, up to turn 7,
    and you see what it says and does there. There is no clock, so it may stop at a breakpoint().
    """
    from crossing_arena.cli.screen import BadInput, console
    from crossing_arena.cli.watch import show_all, step_through
    from crossing_arena.replay import Lie, read

    try:
        record = read(file.read_text(encoding="utf-8"))
    except (Lie, UnicodeDecodeError) as error:
        raise BadInput(f"{file}: {error}") from None
    if turn is not None:
        _require_turn(record, game, turn)
    if bot is not None:
        if turn is None:
            raise BadInput("--bot needs --turn: which turn shall the bot be asked?")
        _rehearse(record, bot, game, turn, seat)
        return
    out = console()
    if turn is not None:
        show_all(out, record, [line for line in record.turns if line["turn"] == turn and line["game"] == game])
    elif out.is_terminal:
        step_through(out, record)
    else:
        show_all(out, record, record.turns)


def _require_turn(record: Any, game: int, turn: int) -> None:
    from crossing_arena.cli.screen import BadInput

    turns = [line["turn"] for line in record.turns if line["game"] == game]
    if turn not in turns:
        there = f"its turns are 1 to {max(turns)}" if turns else f"there are {len(record.games)} games"
        raise BadInput(f"--turn {turn}: game {game} of this replay has no such turn; {there}")


def _rehearse(record: Any, word: str, game: int, turn: int, seat: int | None) -> None:
    import asyncio

    from crossing_arena.cli.play import terminal_of_author
    from crossing_arena.cli.screen import BadInput, console
    from crossing_arena.cli.watch import show_all, show_answers
    from crossing_arena.launcher import find_entries
    from crossing_arena.rehearsal import rehearse

    [entry] = find_entries([word])
    if seat is None:
        seat = record.names.index(entry.name) if entry.name in record.names else 0
    if seat >= len(record.names):
        raise BadInput(f"--seat {seat}: this table has the seats 0 to {len(record.names) - 1}")
    out = console()
    line = next(line for line in record.turns if line["turn"] == turn and line["game"] == game)
    show_all(out, record, [line], result=False)
    answers, log = asyncio.run(rehearse(record, entry, game=game, turn=turn, seat=seat, variables=terminal_of_author()))
    show_answers(out, answers, log, entry.name, seat, line["moves"][seat])
    if answers.faults:
        raise typer.Exit(1)
