"""`crossing-arena verify`: the truth of records."""

import json
from pathlib import Path
from typing import Annotated

import typer


def verify(
    files: Annotated[list[Path], typer.Argument(help="Replays.", metavar="FILE", exists=True, dir_okay=False)],
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdicts as JSON and nothing else.")] = False,
) -> None:
    """Play replays through the rules again, and name the first line that lies.

    Checked are the deal, every move, what became of it, every score and place, and the seal of every line.
    The exit code is 1 if any of them is not true.
    """
    from crossing_arena.cli.screen import console, plain  # noqa: PLC0415
    from crossing_arena.replay import Lie  # noqa: PLC0415
    from crossing_arena.replay import verify as verify_replay  # noqa: PLC0415

    verdicts = []
    for file in files:
        try:
            replay = verify_replay(file.read_text(encoding="utf-8"))
            verdicts.append({"file": str(file), "true": True, "turns": len(replay.turns)})
        except (Lie, UnicodeDecodeError) as error:
            line = error.line if isinstance(error, Lie) else 0
            verdicts.append({"file": str(file), "true": False, "line": line, "why": str(error)})
    if as_json:
        print(json.dumps(verdicts, ensure_ascii=False, indent=2))
    else:
        out = console()
        for verdict in verdicts:
            if verdict["true"]:
                out.print(f"{verdict['file']}: true, {verdict['turns']} turns", markup=False)
            else:
                out.print(plain(f"{verdict['file']}: {verdict['why']}"), style="bold red", markup=False)
    if not all(verdict["true"] for verdict in verdicts):
        raise typer.Exit(1)
