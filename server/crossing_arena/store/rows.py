"""Values as the rows of a database, and back."""

import hashlib
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row

from crossing_arena.store.bodies import squeeze_log
from crossing_arena.store.errors import StoreError
from crossing_arena.store.values import MatchResult, Played, Revision, SeatResult


def to_revision(row: Row[Any]) -> Revision:
    """A revision, from its row."""
    return Revision(
        first_n=row.first_n,
        digest=row.digest,
        spec=row.spec,
        commitment=row.commitment,
        secret=bytes(row.secret),
        opened=datetime.fromisoformat(row.opened) if row.opened else None,
        rules_version=row.rules_version,
        arena_version=row.arena_version,
        since=datetime.fromisoformat(row.since),
    )


def of_match(ladder: int, played: Played) -> dict[str, Any]:
    """The row of a match."""
    result = played.result
    return {
        "ladder_id": ladder,
        "n": result.n,
        "deal": result.deal,
        "status": result.status,
        "attempt": result.attempt,
        "turns": result.turns,
        "ms": result.ms,
        "played": stamp(result.played),
        "replay_sha256": hashlib.sha256(played.replay).hexdigest(),
    }


def to_match(row: Row[Any], seats: list[SeatResult]) -> MatchResult:
    """A match, from its row and its seats."""
    return MatchResult(
        n=row.n,
        deal=row.deal,
        status=row.status,
        turns=row.turns,
        ms=row.ms,
        played=datetime.fromisoformat(row.played),
        seats=tuple(seats),
        attempt=row.attempt,
        replay_sha256=row.replay_sha256,
    )


def of_seats(ladder: int, result: MatchResult) -> list[dict[str, Any]]:
    """The rows of a match's seats."""
    return [
        {
            "ladder_id": ladder,
            "n": result.n,
            "seat": number,
            "bot_id": seat.bot,
            "place": seat.place,
            "points": seat.points,
            "tiebreak": seat.tiebreak,
            "faults": dict(seat.faults),
            "pledges_made": seat.pledges_made,
            "pledges_kept": seat.pledges_kept,
            "think_ms": seat.think_ms,
            "worst_ms": seat.worst_ms,
        }
        for number, seat in enumerate(result.seats)
    ]


def to_seat(row: Row[Any]) -> SeatResult:
    """A seat, from its row."""
    return SeatResult(
        bot=row.bot_id,
        place=row.place,
        points=row.points,
        tiebreak=row.tiebreak,
        faults=row.faults,
        pledges_made=row.pledges_made,
        pledges_kept=row.pledges_kept,
        think_ms=row.think_ms,
        worst_ms=row.worst_ms,
    )


def of_logs(ladder: int, played: Played) -> list[dict[str, Any]]:
    """The rows of a match's logs."""
    return [
        {"ladder_id": ladder, "n": played.result.n, "bot_id": bot, "body": squeeze_log(text)}
        for bot, text in sorted(played.logs.items())
        if text
    ]


def stamp(time: datetime) -> str:
    """A time as text: in UTC, as ISO 8601 says."""
    if time.tzinfo is None:
        raise ValueError(f"{time} has no time zone")
    return time.astimezone(UTC).isoformat()


def insist_on_text(*texts: str) -> None:
    """Refuse what one of the databases could not give back unchanged."""
    for text in texts:
        if "\0" in text or not _is_unicode(text):
            raise StoreError(f"{text!r} cannot be stored: it holds a character that no database keeps")


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def tamed(text: str) -> str:
    """A text for people's eyes with what no database keeps spelled out."""
    return text.replace("\0", "\\0").encode(errors="backslashreplace").decode()
