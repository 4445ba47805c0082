"""Is a published ladder true? Every match is played through the rules again, every number computed again."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crossing_arena.ladder.plan import drawn, match_spec
from crossing_arena.ladder.schedule import Match, commitment, matches
from crossing_arena.publish.data import (
    GAMES_JSONL,
    MATCHES_CSV,
    STANDINGS_CSV,
    STANDINGS_JSON,
    games_text,
    ladder_standings,
    matches_text,
    standings_document,
    standings_text,
)
from crossing_arena.replay import Lie, Replay, verify
from crossing_arena.store import Bot, DamagedReplay, Ladder, MatchResult, Store, StoreError


@dataclass(frozen=True, slots=True)
class Untruth:
    """Something published that is not so."""

    where: str
    """The match or the file."""
    why: str


@dataclass(slots=True)
class Audit:
    """Goes through a ladder's folder; `problems` has what was found when it is done."""

    folder: Path
    database: str | None = None
    checked: int = 0

    def problems(self) -> Iterator[Untruth]:
        """All that is not true, in the order of the schedule, then of the files."""
        with Store.open(self.database or self.folder, create=False) as store:
            document = _read_document(self.folder / STANDINGS_JSON)
            ladder = next((one for one in store.ladders() if one.name == document.get("ladder")), None)
            if ladder is None:
                yield Untruth(STANDINGS_JSON, f"there is no ladder {document.get('ladder')!r} on record")
                return
            yield from self._matches(store, ladder)
            yield from _secrets(ladder, document)
            yield from _numbers(self.folder, store, ladder, document)

    def _matches(self, store: Store, ladder: Ladder) -> Iterator[Untruth]:
        bots = store.bots()
        schedule = {match.n: match for match in matches(drawn(ladder.current.spec))}
        for result in store.results(ladder.id):
            self.checked += 1
            try:
                if result.n not in schedule:
                    raise _Untrue("the schedule has no such match")
                replay = verify(store.replay(ladder.id, result.n).decode())
                _compare(replay, result, schedule[result.n], ladder, bots)
            except (Lie, _Untrue, DamagedReplay, UnicodeDecodeError) as error:
                yield Untruth(f"match {result.n}", str(error))


class _Untrue(Exception):
    """A match on record is not the one that was scheduled and played."""


def _insist(truth: object, claimed: object, what: str) -> None:
    if truth != claimed:
        raise _Untrue(f"{what}: on record is {claimed}, but it is {truth}")


def _compare(replay: Replay, result: MatchResult, match: Match, ladder: Ladder, bots: dict[int, Bot]) -> None:
    """The replay is that of the scheduled match, and the result is that of the replay."""
    spec = match_spec(ladder.current.spec["settings"], ladder.revision_of(match.n).secret, match)
    _insist(spec.seed.hex(), replay.match["seed"], "the seed of the replay")
    _insist(match.deal, result.deal, "the deal")
    sitting = [bots[seat.bot] for seat in result.seats]
    _insist(list(match.seats), [f"{bot.name}@{bot.version}" for bot in sitting], "who sat where")
    _insist(replay.names, [bot.name for bot in sitting], "the names")
    _insist(replay.result["places"], [seat.place for seat in result.seats], "the places")
    _insist(replay.result["points"], [seat.points for seat in result.seats], "the points")
    _insist(replay.result["tiebreaks"], [seat.tiebreak for seat in result.seats], "the white stones")
    _insist(replay.result["ending"], result.status, "the ending")
    _insist(len(replay.turns), result.turns, "the number of turns")
    for seat, kept in enumerate(result.seats):
        _insist(_faults(replay, seat), dict(kept.faults), f"the faults of seat {seat}")
        _insist(_pledges(replay, seat), (kept.pledges_made, kept.pledges_kept), f"the pledges of seat {seat}")


def _faults(replay: Replay, seat: int) -> dict[str, int]:
    counts: dict[str, int] = {}
    for line in replay.turns:
        for fault in line.get("faults", ()):
            if fault["seat"] == seat:
                counts[fault["kind"]] = counts.get(fault["kind"], 0) + 1
    return counts


def _pledges(replay: Replay, seat: int) -> tuple[int, int]:
    made = kept = 0
    for line in replay.turns:
        words = [said["pledge"] for said in line["said"] if said["seat"] == seat and "pledge" in said]
        if words:
            made += 1
            kept += line["moves"][seat] == words[-1]
    return made, kept


def _secrets(ladder: Ladder, document: dict[str, Any]) -> Iterator[Untruth]:
    for revision in ladder.revisions:
        if commitment(revision.secret) != revision.commitment:
            yield Untruth("the secret", "it is not the one that was committed to before the first match")
    secret = document.get("secret")
    if secret and commitment(bytes.fromhex(secret)) != document.get("commitment"):
        yield Untruth(STANDINGS_JSON, "the secret is not the one of the commitment")


def _numbers(folder: Path, store: Store, ladder: Ladder, document: dict[str, Any]) -> Iterator[Untruth]:
    """Everything published, computed again from the record."""
    known = store.bots()
    standings = ladder_standings(store, ladder)
    truth = standings_document(
        ladder,
        standings,
        scheduled=sum(1 for _ in matches(drawn(ladder.current.spec))),
        status=document.get("status", ""),
        updated=document.get("updated", ""),
    )
    truth["arena"] = document.get("arena")
    for path, true, claimed in _differences(json.loads(json.dumps(truth)), document, ""):
        yield Untruth(STANDINGS_JSON, f"{path} is {claimed!r}, but by the record it is {true!r}")
    texts = {
        STANDINGS_CSV: standings_text(standings.bots),
        MATCHES_CSV: matches_text(store.results(ladder.id), known),
        GAMES_JSONL: games_text(store.results(ladder.id), known),
    }
    for name, lines in texts.items():
        yield from _compare_text(folder / name, lines)


def _differences(truth: Any, claimed: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Where two JSON values differ, at the smallest part that does."""
    if isinstance(truth, dict) and isinstance(claimed, dict):
        for key in dict.fromkeys([*truth, *claimed]):
            yield from _differences(truth.get(key), claimed.get(key), f"{path}.{key}" if path else key)
    elif isinstance(truth, list) and isinstance(claimed, list) and len(truth) == len(claimed):
        for at, (one, other) in enumerate(zip(truth, claimed, strict=True)):
            yield from _differences(one, other, f"{path}[{at}]")
    elif truth != claimed:
        yield path, truth, claimed


def _compare_text(path: Path, lines: Iterator[str]) -> Iterator[Untruth]:
    if not path.is_file():
        yield Untruth(path.name, "the file is missing")
        return
    with path.open(encoding="utf-8", newline="") as file:
        for number, line in enumerate(lines, start=1):
            if (found := file.readline()) != line:
                yield Untruth(
                    path.name, f"line {number} is {found.rstrip()!r}, but by the record it is {line.rstrip()!r}"
                )
                return
        if extra := file.readline():
            yield Untruth(path.name, f"it goes on with {extra.rstrip()!r} after its end")


def _read_document(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StoreError(f"there is no {path.name} in {path.parent}") from None
    except ValueError as error:
        raise StoreError(f"{path}: not readable: {error}") from None
    if not isinstance(document, dict):
        raise StoreError(f"{path}: not standings of a ladder")
    return document
