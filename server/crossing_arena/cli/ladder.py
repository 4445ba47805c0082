"""`crossing-arena run-ladder`: everybody against everybody."""

import asyncio
import json
from itertools import combinations
from typing import Annotated, Any

import typer

TABLES_AT_ONCE = 16


def run_ladder(
    bots: Annotated[
        list[str] | None,
        typer.Option("--bots", help="A bot; give it several times.", metavar="BOT", show_default="all example bots"),
    ] = None,
    table_size: Annotated[int, typer.Option(help="How many sit at a table.", min=3, max=6)] = 4,
    deals: Annotated[int, typer.Option(help="How often each combination of bots meets.", min=1)] = 2,
    seed: Annotated[str, typer.Option(help="Any text or number; the same seed gives the same deals.")] = "ladder",
    talk: Annotated[bool, typer.Option("--talk/--no-talk", help="Whether the bots may talk.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the standings as JSON and nothing else.")] = False,
) -> None:
    """Let every combination of bots meet, and print who won how often.

    Every bot runs in one process of its own and sits at many tables at once.
    """
    from crossing_arena.cli.screen import BadInput  # noqa: PLC0415
    from crossing_arena.launcher import example_names, find_entries  # noqa: PLC0415

    entries = find_entries(bots or example_names())
    if len(entries) < table_size:
        raise BadInput(f"{len(entries)} bots cannot fill a table of {table_size}; name more with --bots")
    standings = asyncio.run(_run(entries, table_size, deals, seed, talk))
    if as_json:
        print(json.dumps(standings, ensure_ascii=False, indent=2))
    else:
        _show(standings)


async def _run(entries: list[Any], table_size: int, deals: int, seed: str, talk: bool) -> list[dict[str, Any]]:
    from crossing_arena.arena import Arena  # noqa: PLC0415
    from crossing_arena.referee import Budgets, MatchSpec  # noqa: PLC0415
    from crossing_sdk.games import derive, seed_from  # noqa: PLC0415

    budgets = Budgets()
    tables = [table for _ in range(deals) for table in combinations(range(len(entries)), table_size)]
    free = asyncio.Semaphore(TABLES_AT_ONCE)
    async with Arena() as arena:
        guests = await arena.admit(entries, budgets.start_up_ms)

        async def play(number: int, table: tuple[int, ...]) -> tuple[list[int], Any]:
            shift = number % table_size  # so that everybody sits everywhere
            seats = [table[(seat + shift) % table_size] for seat in range(table_size)]
            spec = MatchSpec(table_size, derive(seed_from(seed), f"match/{number}"), talk=talk, budgets=budgets)
            async with free:
                return seats, (await arena.play(spec, [guests[i] for i in seats])).verdict.result()

        results = await asyncio.gather(*(play(number, table) for number, table in enumerate(tables)))
    return _tally([entry.name for entry in entries], results)


def _tally(names: list[str], results: list[tuple[list[int], Any]]) -> list[dict[str, Any]]:
    """Every bot's record, the best first."""
    rows: list[dict[str, Any]] = [
        {"name": name, "matches": 0, "wins": 0.0, "places": 0, "points": 0, "faults": 0} for name in names
    ]
    for seats, verdict in results:
        for seat, bot in enumerate(seats):
            row, place = rows[bot], verdict.places[seat]
            row["matches"] += 1
            row["wins"] += 1 / verdict.places.count(1) if place == 1 else 0
            row["places"] += place
            row["points"] += verdict.points[seat]
            row["faults"] += verdict.faults[seat]
    standings = [
        {
            "name": row["name"],
            "matches": row["matches"],
            "win_share": round(row["wins"] / row["matches"], 3),
            "mean_place": round(row["places"] / row["matches"], 2),
            "mean_points": round(row["points"] / row["matches"], 1),
            "faults": row["faults"],
        }
        for row in rows
    ]
    return sorted(standings, key=lambda row: -row["win_share"])


def _show(standings: list[dict[str, Any]]) -> None:
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from crossing_arena.cli.screen import console, plain  # noqa: PLC0415

    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("", "bot", "matches", "win share", "mean place", "mean points", "faults"):
        grid.add_column(title, header_style="dim", justify="left" if title == "bot" else "right")
    for rank, row in enumerate(standings, start=1):
        numbers = (row["matches"], row["win_share"], row["mean_place"], row["mean_points"], row["faults"] or "")
        grid.add_row(str(rank), Text(plain(row["name"])), *map(str, numbers))
    console().print(grid)
