"""Standings and matches as JSON and CSV. Files appear whole: nobody ever reads half of one.

`standings.json` has `schema` 1 and these keys: `ladder`, `game`, `arena`, `status` ("running", "stopped" or
"finished"), `updated` (UTC), `matches`, `scheduled`, `commitment` (SHA-256 of the secret that all deals
come from), `secret` (once it is opened), `design_effect`, `misfit`, `groups`, `bots` (best first), and
`head_to_head` (row and column in the order of `bots`: how often they met, and the share in which the
row finished ahead). server/README.md says what every number means.
"""

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from crossing_arena._version import __version__
from crossing_arena.ladder.standings import SCHEMA, Standings, stand
from crossing_arena.store import Bot, Ladder, MatchResult, Store

STANDINGS_JSON, STANDINGS_CSV = "standings.json", "standings.csv"
MATCHES_CSV, GAMES_JSONL = "matches.csv", "games.jsonl"

_STANDINGS_COLUMNS = (
    *("rank", "rank_low", "rank_high", "name", "version", "owner", "rating", "low", "high", "los_next", "deals"),
    *("matches", "win_share", "mean_place", "mean_points", "faults", "pledges_made", "pledges_kept", "flags"),
)
_MATCH_COLUMNS = (
    *("match", "deal", "seat", "name", "version", "place", "points", "white"),
    *("faults", "ending", "turns", "played"),
)


def standings_document(
    ladder: Ladder, standings: Standings, *, scheduled: int, status: str, updated: str
) -> dict[str, Any]:
    """The content of standings.json."""
    current = ladder.current
    return {
        "schema": SCHEMA,
        "ladder": ladder.name,
        "game": current.spec["settings"]["game"],
        "arena": __version__,
        "rules": current.rules_version,
        "status": status,
        "updated": updated,
        "matches": standings.matches,
        "scheduled": scheduled,
        "commitment": current.commitment,
        "secret": current.secret.hex() if current.opened else None,
        "design_effect": standings.design_effect,
        "misfit": standings.misfit,
        "groups": standings.groups,
        "bots": standings.bots,
        "head_to_head": standings.head_to_head,
    }


def ladder_standings(store: Store, ladder: Ladder) -> Standings:
    """The standings of what is on record, of all bots that ever took part."""
    known = store.bots()
    number = {f"{bot.name}@{bot.version}": number for number, bot in known.items()}
    keys = sorted({key for stage in ladder.current.spec["stages"] for key, _ in stage["entrants"]})
    numbers = [number[key] for key in keys]
    at = {number: place for place, number in enumerate(numbers)}
    results = (_renumbered(result, at) for result in store.results(ladder.id))
    return stand([known[number] for number in numbers], results)


def _renumbered(result: MatchResult, at: Mapping[int, int]) -> MatchResult:
    return replace(result, seats=tuple(replace(seat, bot=at[seat.bot]) for seat in result.seats))


def publish(folder: Path, store: Store, ladder: Ladder, *, scheduled: int, status: str, updated: str) -> dict[str, Any]:
    """Write the four files into a folder; returns the content of standings.json."""
    standings = ladder_standings(store, ladder)
    document = standings_document(ladder, standings, scheduled=scheduled, status=status, updated=updated)
    bots = store.bots()
    write_whole(folder / STANDINGS_JSON, [json_text(document)])
    write_whole(folder / STANDINGS_CSV, standings_text(standings.bots))
    write_whole(folder / MATCHES_CSV, matches_text(store.results(ladder.id), bots))
    write_whole(folder / GAMES_JSONL, games_text(store.results(ladder.id), bots))
    return document


def json_text(document: Any) -> str:
    """JSON for files: stable, readable, safe to be put into a page."""
    return json.dumps(document, ensure_ascii=False, indent=1).replace("<", "\\u003c") + "\n"


def write_whole(path: Path, lines: Iterable[str]) -> None:
    """Write a file so that it is there whole or not at all."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("w", encoding="utf-8", newline="") as file:
            file.writelines(lines)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def harmless(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula."""
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{value}"
    return value


def _row_text(cells: Iterable[Any]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow([harmless("" if cell is None else cell) for cell in cells])
    return line.getvalue()


def standings_text(bots: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The lines of standings.csv."""
    yield _row_text(_STANDINGS_COLUMNS)
    for bot in bots:
        faults = " ".join(f"{kind}:{count}" for kind, count in bot["faults"].items())
        row = {**bot, "faults": faults, "flags": ", ".join(bot["flags"])}
        yield _row_text(row[column] for column in _STANDINGS_COLUMNS)


def matches_text(results: Iterable[MatchResult], bots: Mapping[int, Bot]) -> Iterator[str]:
    """The lines of matches.csv, one a seat: a spreadsheet can group them by match or by bot."""
    yield _row_text(_MATCH_COLUMNS)
    for result in results:
        for number, seat in enumerate(result.seats):
            bot = bots[seat.bot]
            head = [result.n, result.deal, number, bot.name, bot.version, seat.place, seat.points, seat.tiebreak]
            rest = [sum(seat.faults.values()), result.status, result.turns, result.played.isoformat()]
            yield _row_text(head + rest)


def games_text(results: Iterable[MatchResult], bots: Mapping[int, Bot]) -> Iterator[str]:
    """The lines of games.jsonl, one a match."""
    for result in results:
        line = asdict(result)
        line["played"] = result.played.isoformat()
        for seat in line["seats"]:
            bot = bots[seat.pop("bot")]
            seat.update(name=bot.name, version=bot.version)
        yield json.dumps(line, ensure_ascii=False) + "\n"
