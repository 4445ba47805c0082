"""`crossing-arena run-ladder`, `new-ladder` and `standings`."""

import json
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer


def run_ladder(
    file: Annotated[
        Path | None,
        typer.Argument(help="new-ladder writes one.", metavar="LADDER.toml", exists=True, dir_okay=False),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option("--bots", help="A bot, or a folder of bots; give it several times.", metavar="PATH_OR_NAME"),
    ] = None,
    name: Annotated[str | None, typer.Option(help="The ladder's name.", show_default=False)] = None,
    game: Annotated[str | None, typer.Option(help="The game.", show_default="crossing")] = None,
    table_size: Annotated[
        str | None, typer.Option(help="3 to 6, or mix for a balanced mix of all.", show_default="4")
    ] = None,
    deals: Annotated[int | None, typer.Option(help="How many deals each bot plays.", show_default="200")] = None,
    seed: Annotated[
        str | None, typer.Option(help="The same seed gives the same deals.", show_default="a secret one is drawn")
    ] = None,
    clock: Annotated[
        str | None, typer.Option(help="Time for each turn, and a bank for the game.", show_default="1s+10s")
    ] = None,
    talk: Annotated[bool | None, typer.Option("--talk/--no-talk", help="Whether the bots may talk.")] = None,
    ties: Annotated[
        str | None, typer.Option(help="replay or share: what happens to a tied first place.", show_default="replay")
    ] = None,
    owners_apart: Annotated[
        bool | None, typer.Option("--owners-apart/--owners-meet", help="Whether bots of one owner may meet.")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="How many tables at once.", show_default="32")] = None,
    fresh_process: Annotated[
        bool | None, typer.Option("--fresh-process/--warm-process", help="Whether every match starts its bots anew.")
    ] = None,
    out: Annotated[str | None, typer.Option(help="The folder of the results.", show_default="ladder")] = None,
    database: Annotated[
        str | None, typer.Option(help="A postgresql:// URL to keep results in.", show_default="a file in the folder")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be played, and how even it is, and stop.")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew; an earlier ladder is put aside.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the standings as JSON and nothing else.")] = False,
) -> None:
    """Run a ladder: every bot meets every other, results are recorded, bots are rated.

    Without arguments the example bots play. Results, ratings and replays go to the out folder. Stop it
    whenever you like: the same command goes on where it stopped, and plays only what is missing. Add bots
    or deals later in the same way.
    """
    import asyncio

    from crossing_arena.cli.screen import BadInput
    from crossing_arena.ladder.spec import load

    flags = {
        "bots": bots, "name": name, "game": game, "table_size": _size(table_size), "deals": deals, "seed": seed,
        "clock": clock, "talk": talk, "ties": ties, "owners_apart": owners_apart, "workers": workers,
        "fresh_process": fresh_process, "out": out,
    }  # fmt: skip
    spec = load(file, flags)
    if dry_run:
        _dry_run(spec, as_json)
        return
    if fresh:
        if database:
            raise BadInput("--fresh puts a folder aside, not a database; give the ladder another --name instead")
        _put_aside(spec.out, as_json)
    document, finished = asyncio.run(_run(spec, database, quiet=as_json))
    if as_json:
        print(json.dumps(document, ensure_ascii=False, indent=1))
        return
    show_standings(document)
    if finished:
        print(f"\nPublished in {spec.out}: standings.json, standings.csv, matches.csv, games.jsonl")
    else:
        print(f"\nStopped. To go on: crossing-arena {shlex.join(arg for arg in sys.argv[1:] if arg != '--fresh')}")


def _size(text: str | None) -> int | str | None:
    return int(text) if text and text.isdecimal() else text


def _put_aside(out: Path, quiet: bool) -> None:
    """An earlier ladder is not deleted: it may be somebody's night of work."""
    if not out.exists():
        return
    aside = out.with_name(f"{out.name}-{datetime.now(UTC):%Y%m%dT%H%M%S}")
    out.rename(aside)
    if not quiet:
        print(f"Put the earlier ladder aside as {aside}")


def _dry_run(spec: Any, as_json: bool) -> None:
    from dataclasses import asdict

    from crossing_arena.ladder.plan import programme
    from crossing_arena.ladder.schedule import balance
    from crossing_arena.store import Store

    before, done = None, set[int]()
    if (spec.out / "ladder.sqlite").exists():
        with Store.open(spec.out, create=False) as store:
            before, done = _so_far(store, spec.settings.name)
    even = balance(programme(spec, before, done).draw)
    if as_json:
        print(json.dumps({**asdict(even), "done": len(done)}, indent=1))
        return
    print(f"{even.bots} bots, {even.deals} deals, {even.matches} matches, {len(done)} of them played already")
    print(f"matches a bot: {_span(even.matches_each)}; deals any two share: {_span(even.meetings)}")
    print(f"how much oftener a bot has one seat than another: {even.seat_spread} at most")
    print("At 100 to 300 matches a second for fast bots on two cores, and as long as they think for slow ones.")


def _so_far(store: Any, name: str) -> tuple[Any, set[int]]:
    """The ladder of this name in a store, if there is one, and its matches on record."""
    ladder = next((ladder for ladder in store.ladders() if ladder.name == name), None)
    return ladder, store.done(ladder.id) if ladder else set()


def _span(both: tuple[int, int]) -> str:
    return str(both[0]) if both[0] == both[1] else f"{both[0]} to {both[1]}"


async def _run(spec: Any, database: str | None, *, quiet: bool) -> tuple[dict[str, Any], bool]:
    from crossing_arena.cli.ladder_view import LadderView
    from crossing_arena.ladder.plan import programme
    from crossing_arena.ladder.run import Books, Ended, run
    from crossing_arena.publish import publish
    from crossing_arena.store import Store

    now = datetime.now(UTC)
    spec.out.mkdir(parents=True, exist_ok=True)
    with Store.open(database or spec.out) as store, store.lock(spec.settings.name, now):
        plan = programme(spec, *_so_far(store, spec.settings.name))
        books = Books.open(store, plan)
        scheduled = len(plan.matches())

        def put_out(status: str) -> dict[str, Any]:
            updated = datetime.now(UTC).isoformat(timespec="seconds")
            ladder = next(ladder for ladder in store.ladders() if ladder.id == books.ladder.id)
            return publish(spec.out, store, ladder, scheduled=scheduled, status=status, updated=updated)

        view = LadderView(spec, lambda: put_out("running"), quiet=quiet)
        with view:
            ended = await run(plan, books, view)
        if ended is Ended.FINISHED:
            store.open_secret(books.ladder.id, datetime.now(UTC))
        return put_out(ended.value), ended is Ended.FINISHED


def new_ladder(
    file: Annotated[Path, typer.Argument(help="Where to write it.", metavar="FILE")] = Path("LADDER.toml"),
) -> None:
    """Write a commented LADDER.toml to start from."""
    from crossing_arena.cli.screen import BadInput
    from crossing_arena.ladder.spec import TEMPLATE

    if file.exists():
        raise BadInput(f"{file} exists already; choose another name")
    file.write_text(TEMPLATE.format(file=file, name=file.stem.lower()), encoding="utf-8")
    print(f"wrote {file}\n\nNext:\n  crossing-arena run-ladder {file} --dry-run\n  crossing-arena run-ladder {file}")


def standings(
    folder: Annotated[Path, typer.Argument(help="The folder of a ladder.", metavar="DIR")] = Path("ladder"),
    as_json: Annotated[bool, typer.Option("--json", help="Print them as JSON and nothing else.")] = False,
) -> None:
    """Show the standings that a ladder has published."""
    from crossing_arena.cli.screen import BadInput

    path = folder / "standings.json"
    if not path.is_file():
        raise BadInput(f"{folder}: no ladder has published standings here; run-ladder does")
    text = path.read_text(encoding="utf-8")
    if as_json:
        print(text, end="")
    else:
        show_standings(json.loads(text))


def show_standings(document: dict[str, Any]) -> None:
    """The table of ratings, and what its numbers mean."""
    from crossing_arena.cli.ladder_view import standings_table
    from crossing_arena.cli.screen import console

    out = console()
    out.print(standings_table(document))
    for line in legend(document):
        out.print(line, style="dim", markup=False)


def legend(document: dict[str, Any]) -> list[str]:
    """What the numbers mean, and what they do not say."""
    lines = [
        "",
        f"{document['matches']} of {document['scheduled']} matches, {document['status']}.",
        "Rating: 400 points are odds of 10 to 1 of finishing ahead; 95 of 100 such ranges hold the true value.",
        "Ranks are shared by bots that the results do not separate; > is the likelihood of being better than the next.",
    ]
    if document["misfit"] and document["misfit"] > 1.5:
        lines.append(
            f"Who beats whom depends on more than strength here (misfit {document['misfit']:.1f}): see head_to_head."
        )
    if len(document["groups"]) > 1:
        lines.append(f"{len(document['groups'])} groups never met: their ratings do not compare.")
    return lines
