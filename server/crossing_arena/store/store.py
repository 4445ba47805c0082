"""A store of ladders: what was played, written once and read back in order.

Synchronous, and safe to share between threads; only the run that holds the lock should write.
On SQLite the results and the replays are two files. A batch is one transaction of the results,
and the replays are safe on disk before it ends: killed at any instant, a match that is recorded
has all its seats, its logs and its own replay.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Connection, Engine, Select, func, select, update

from crossing_arena.store import rows, schema
from crossing_arena.store.bodies import Damaged, squeeze, unsqueeze, unsqueeze_log
from crossing_arena.store.engine import WRITES, describe, insert, postgresql_engine, read_url, sqlite_engine
from crossing_arena.store.errors import DamagedReplay, StoreError, in_words
from crossing_arena.store.lock import hold_folder, hold_ladder
from crossing_arena.store.migration import schema_of, upgrade
from crossing_arena.store.replays import ReplayFile, ReplayStore, ReplayTable
from crossing_arena.store.values import (
    Attempt,
    Bot,
    Ladder,
    LadderStatus,
    MatchResult,
    Plan,
    Played,
    Revision,
    SeatResult,
)

RESULTS_FILE = "ladder.sqlite"
REPLAYS_FILE = "replays.sqlite"
_PAGE = 500
"""So many results are in memory at a time while they are read."""


class Store:
    """Open one with `Store.open`, and close it."""

    def __init__(self, engine: Engine, replays: ReplayStore, where: str, folder: Path | None) -> None:
        self.where = where
        """The folder or the database, as one tells a person."""
        self._engine = engine
        self._replays = replays
        self._folder = folder

    # --- opening and closing

    @classmethod
    def open(cls, place: str | Path, *, create: bool = True) -> Self:
        """The store in a folder or at the URL of a PostgreSQL database, brought to the present schema.

        With `create`, a store that is not there is made; without, that is an error.
        """
        if isinstance(place, str) and "://" in place:
            return cls._open_database(place, create)
        return cls._open_folder(Path(place), create)

    @classmethod
    def _open_folder(cls, folder: Path, create: bool) -> Self:
        results, replays = folder / RESULTS_FILE, folder / REPLAYS_FILE
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"{folder} is a file; wanted a folder")
        if not create and not results.exists():
            raise StoreError(f"there is no ladder in {folder}")
        with in_words(str(folder)):
            folder.mkdir(parents=True, exist_ok=True)
        with in_words(str(results)):
            engine = sqlite_engine(results, synchronous="NORMAL")
        try:
            with in_words(str(results)):
                upgrade(engine, str(results))
            with in_words(str(replays)):
                return cls(engine, ReplayFile(replays), str(folder), folder)
        except BaseException:
            engine.dispose()
            raise

    @classmethod
    def _open_database(cls, text: str, create: bool) -> Self:
        url = read_url(text)
        where = describe(url)
        engine = postgresql_engine(url)
        try:
            with in_words(where):
                if not create:
                    _insist_on_schema(engine, where)
                upgrade(engine, where)
        except BaseException:
            engine.dispose()
            raise
        return cls(engine, ReplayTable(engine), where, None)

    def close(self) -> None:
        """Let go of the database."""
        self._replays.close()
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def lock(self, name: str, now: datetime) -> AbstractContextManager[None]:
        """Be the only run of this ladder, or in this folder; raises `Held`, naming the holder, if there is another."""
        if self._folder is not None:
            return hold_folder(self._folder, now)
        return hold_ladder(self._engine, self.where, name)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with in_words(self.where), self._engine.connect() as db:
            yield db

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with in_words(self.where), self._engine.execution_options(**WRITES).begin() as db:
            yield db

    # --- ladders and bots

    def begin_ladder(self, plan: Plan, now: datetime) -> Ladder:
        """Begin a ladder, or go on with the one of this name; either way it is running now.

        The same digest goes on as before. Another digest is a new revision, which begins after the
        last match on record: nothing on record is touched, and what the numbers before it mean is
        told by the revisions before. (A revision by which nothing was played yet is replaced.)

        A secret stays for as long as it is one: while it is unopened the given secret and
        commitment are ignored, so use those of the ladder that is returned. A revision begun after
        the secret was opened takes the given ones, since everybody could foresee its deals otherwise.
        """
        rows.insist_on_text(plan.name, plan.digest, plan.commitment, plan.arena_version)
        with self._writing() as db:
            values = {"name": plan.name, "status": LadderStatus.RUNNING.value, "created": rows.stamp(now)}
            put = insert(db, schema.ladder).values(values)
            put = put.on_conflict_do_update(index_elements=["name"], set_={"status": put.excluded.status})
            ladder = db.execute(put.returning(schema.ladder.c.id)).scalar_one()
            _revise(db, ladder, plan, now)
            return _ladders(db, schema.ladder.c.id == ladder)[0]

    def ladders(self) -> list[Ladder]:
        """All ladders, in the order in which they were begun."""
        with self._reading() as db:
            return _ladders(db)

    def set_status(self, ladder: int, status: LadderStatus) -> None:
        """Say where a ladder is."""
        with self._writing() as db:
            _insist_on_ladder(db, ladder)
            db.execute(update(schema.ladder).where(schema.ladder.c.id == ladder).values(status=status.value))

    def open_secret(self, ladder: int, now: datetime) -> Ladder:
        """Declare the secret public. One that was opened before stays opened since then."""
        table = schema.revision
        with self._writing() as db:
            _insist_on_ladder(db, ladder)
            closed = (table.c.ladder_id == ladder) & table.c.opened.is_(None)
            db.execute(update(table).where(closed).values(opened=rows.stamp(now)))
            return _ladders(db, schema.ladder.c.id == ladder)[0]

    def enter_bots(self, bots: Sequence[Bot]) -> list[int]:
        """The numbers of these bots, in their order; new ones are entered, and a changed owner is noted."""
        rows.insist_on_text(*(text for bot in bots for text in (bot.name, bot.version, bot.owner)))
        with self._writing() as db:
            numbers = {}
            for bot in sorted(set(bots), key=lambda bot: (bot.name, bot.version, bot.owner)):
                put = insert(db, schema.bot).values(name=bot.name, version=bot.version, owner=bot.owner)
                put = put.on_conflict_do_update(index_elements=["name", "version"], set_={"owner": put.excluded.owner})
                numbers[bot] = db.execute(put.returning(schema.bot.c.id)).scalar_one()
            return [numbers[bot] for bot in bots]

    def bots(self) -> dict[int, Bot]:
        """All bots by their numbers."""
        with self._reading() as db:
            found = db.execute(select(schema.bot).order_by(schema.bot.c.id))
            return {row.id: Bot(row.name, row.version, row.owner) for row in found}

    # --- matches

    def record(self, ladder: int, played: Iterable[Played]) -> list[int]:
        """Write a batch of matches, all or nothing, and tell which were new, in order.

        A match that is on record already stays as it is, with its replay and its logs.
        """
        batch: dict[int, Played] = {}
        for one in played:
            batch.setdefault(one.result.n, one)
        ordered = [batch[n] for n in sorted(batch)]  # two writers that lock rows in one order never block each other
        if not ordered:
            return []
        table = schema.match
        matches = [rows.of_match(ladder, one) for one in ordered]
        with self._writing() as db:
            put = insert(db, table).on_conflict_do_nothing().returning(table.c.n)
            new = set(db.scalars(put, matches))
            fresh = [one for one in ordered if one.result.n in new]
            if fresh:
                db.execute(schema.seat.insert(), [row for one in fresh for row in rows.of_seats(ladder, one.result)])
                if logs := [row for one in fresh for row in rows.of_logs(ladder, one)]:
                    db.execute(schema.log.insert(), logs)
                squeezed = dict(zip(sorted(new), squeeze([one.replay for one in fresh]), strict=True))
                # Last, as it may be for good at once: all that can fail before has not failed.
                self._replays.put(ladder, squeezed, within=db)
        return sorted(new)

    def done(self, ladder: int) -> set[int]:
        """The matches on record."""
        with self._reading() as db:
            return set(db.scalars(select(schema.match.c.n).where(schema.match.c.ladder_id == ladder)))

    def counts(self, ladder: int) -> dict[str, int]:
        """How many matches are on record, by how they ended."""
        status = schema.match.c.status
        query = select(status, func.count()).where(schema.match.c.ladder_id == ladder).group_by(status)
        with self._reading() as db:
            return {row[0]: row[1] for row in db.execute(query.order_by(status))}

    def results(self, ladder: int, bot: int | None = None) -> Iterator[MatchResult]:
        """The matches on record, or those of one bot, in order; a few at a time are in memory."""
        after = -1
        while page := self._page(ladder, bot, after):
            yield from page
            after = page[-1].n

    def _page(self, ladder: int, bot: int | None, after: int) -> list[MatchResult]:
        match, seat = schema.match, schema.seat
        matches = select(match).where(match.c.ladder_id == ladder).order_by(match.c.n).limit(_PAGE)
        if bot is None:
            matches = matches.where(match.c.n > after)
        else:
            its = select(seat.c.n).where(seat.c.bot_id == bot, seat.c.ladder_id == ladder, seat.c.n > after)
            matches = matches.where(match.c.n.in_(its.order_by(seat.c.n).limit(_PAGE)))
        with self._reading() as db:
            found = db.execute(matches).all()
            if not found:
                return []
            numbers = [row.n for row in found]
            theirs = seat.c.n.between(numbers[0], numbers[-1]) if bot is None else seat.c.n.in_(numbers)
            seats: dict[int, list[SeatResult]] = defaultdict(list)
            for row in db.execute(
                select(seat).where(seat.c.ladder_id == ladder, theirs).order_by(seat.c.n, seat.c.seat)
            ):
                seats[row.n].append(rows.to_seat(row))
        return [rows.to_match(row, seats[row.n]) for row in found]

    def replay(self, ladder: int, n: int) -> bytes:
        """The replay of a match, exactly as it was recorded; raises `DamagedReplay` if that is not what is there."""
        match = schema.match
        query = select(match.c.replay_sha256).where(match.c.ladder_id == ladder, match.c.n == n)
        with self._reading() as db:
            wanted = db.scalar(query)
        if wanted is None:
            raise StoreError(f"match {n} of ladder {ladder} is not on record")
        with in_words(self.where):
            body = self._replays.get(ladder, n)
        if body is None:
            raise DamagedReplay(ladder, n, "is missing")
        try:
            replay = unsqueeze(body)
        except Damaged as error:
            raise DamagedReplay(ladder, n, f"is damaged: {error}") from error
        if (found := hashlib.sha256(replay).hexdigest()) != wanted:
            raise DamagedReplay(ladder, n, f"is not the one that was recorded: its SHA-256 is {found}, not {wanted}")
        return replay

    def log(self, ladder: int, n: int, bot: int) -> str:
        """What a bot's process wrote in a match, for its owner's eyes only; empty if nothing."""
        log = schema.log
        query = select(log.c.body).where(log.c.ladder_id == ladder, log.c.n == n, log.c.bot_id == bot)
        with self._reading() as db:
            body = db.scalar(query)
        return unsqueeze_log(body) if body else ""

    # --- attempts

    def note_attempt(self, ladder: int, attempt: Attempt) -> None:
        """Write down that the arena, not a bot, failed to bring a match to its end."""
        row = {
            "ladder_id": ladder,
            "n": attempt.n,
            "attempt": attempt.attempt,
            "worker": rows.tamed(attempt.worker),
            "error": rows.tamed(attempt.error),
            "at": rows.stamp(attempt.at),
        }
        with self._writing() as db:
            db.execute(schema.attempt.insert(), row)

    def attempts(self, ladder: int) -> list[Attempt]:
        """All attempts that came to nothing, in the order in which they were noted."""
        table = schema.attempt
        with self._reading() as db:
            found = db.execute(select(table).where(table.c.ladder_id == ladder).order_by(table.c.id)).all()
        return [Attempt(row.n, row.attempt, row.worker, row.error, datetime.fromisoformat(row.at)) for row in found]


def _insist_on_schema(engine: Engine, where: str) -> None:
    with engine.connect() as db:
        if schema_of(db) is None:
            raise StoreError(f"there is no ladder in {where}")


def _insist_on_ladder(db: Connection, ladder: int) -> None:
    if db.scalar(select(schema.ladder.c.id).where(schema.ladder.c.id == ladder)) is None:
        raise StoreError(f"there is no ladder {ladder}")


def _ladders(db: Connection, *which: Any) -> list[Ladder]:
    ladder, revision = schema.ladder, schema.revision
    revisions: dict[int, list[Revision]] = defaultdict(list)
    query: Select[Any] = select(revision).join(ladder).where(*which).order_by(revision.c.ladder_id, revision.c.first_n)
    for row in db.execute(query):
        revisions[row.ladder_id].append(rows.to_revision(row))
    return [
        Ladder(
            row.id, row.name, LadderStatus(row.status), datetime.fromisoformat(row.created), tuple(revisions[row.id])
        )
        for row in db.execute(select(ladder).where(*which).order_by(ladder.c.id))
    ]


def _revise(db: Connection, ladder: int, plan: Plan, now: datetime) -> None:
    """Make the plan the ladder's newest revision, unless it is that already."""
    table = schema.revision
    newest = select(table).where(table.c.ladder_id == ladder).order_by(table.c.first_n.desc()).limit(1)
    before = db.execute(newest).first()
    if before is not None and before.digest == plan.digest:
        return
    secret, commitment = plan.secret, plan.commitment
    if before is not None and before.opened is None:
        secret, commitment = before.secret, before.commitment
    last = db.scalar(select(func.max(schema.match.c.n)).where(schema.match.c.ladder_id == ladder))
    values = {
        "ladder_id": ladder,
        "first_n": 0 if last is None else last + 1,
        "digest": plan.digest,
        "spec": dict(plan.spec),
        "commitment": commitment,
        "secret": secret,
        "opened": None,
        "rules_version": plan.rules_version,
        "arena_version": plan.arena_version,
        "since": rows.stamp(now),
    }
    put = insert(db, table).values(values)
    db.execute(put.on_conflict_do_update(index_elements=["ladder_id", "first_n"], set_=values))
