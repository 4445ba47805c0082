"""`crossing-arena verify`: the truth of records."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer


def verify(
    paths: Annotated[
        list[Path], typer.Argument(help="Replays, or folders of ladders.", metavar="FILE_OR_DIR", exists=True)
    ],
    database: Annotated[
        str | None, typer.Option(help="Where a ladder's results are, if not in its folder.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdicts as JSON and nothing else.")] = False,
) -> None:
    """Play records through the rules again, and name what lies.

    Of a replay: the deal, every move, what became of it, every score and place, and the seal of every line.
    Of a ladder's folder: every match, that it is the scheduled one with the committed seed, and every number
    that was published. The exit code is 1 if anything is not true.
    """
    verdicts = [_of_ladder(path, database) if path.is_dir() else _of_replay(path) for path in paths]
    if as_json:
        print(json.dumps(verdicts, ensure_ascii=False, indent=2))
    else:
        _show(verdicts)
    if not all(verdict["true"] for verdict in verdicts):
        raise typer.Exit(1)


def _of_replay(path: Path) -> dict[str, Any]:
    from crossing_arena.replay import Lie
    from crossing_arena.replay import verify as verify_replay

    try:
        replay = verify_replay(path.read_text(encoding="utf-8"))
    except (Lie, UnicodeDecodeError) as error:
        line = error.line if isinstance(error, Lie) else 0
        return {"file": str(path), "true": False, "line": line, "why": [str(error)]}
    return {"file": str(path), "true": True, "turns": len(replay.turns)}


def _of_ladder(path: Path, database: str | None) -> dict[str, Any]:
    from crossing_arena.publish.audit import Audit

    audit = Audit(path, database)
    why = [f"{problem.where}: {problem.why}" for problem in audit.problems()]
    return {"file": str(path), "true": not why, "matches": audit.checked, "why": why}


def _show(verdicts: list[dict[str, Any]]) -> None:
    from crossing_arena.cli.screen import console, plain

    out = console()
    for verdict in verdicts:
        if verdict["true"]:
            what = f"{verdict['turns']} turns" if "turns" in verdict else f"{verdict['matches']} matches"
            out.print(f"{verdict['file']}: true, {what}", markup=False, soft_wrap=True)
        for why in verdict.get("why", ())[:20]:
            out.print(plain(f"{verdict['file']}: {why}"), style="bold red", markup=False, soft_wrap=True)
