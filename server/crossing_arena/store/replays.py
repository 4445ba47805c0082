"""Where replays are kept: beside the results, behind two methods."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, Engine, select

from crossing_arena.store.engine import WRITES, insert, sqlite_engine
from crossing_arena.store.errors import StoreError
from crossing_arena.store.schema import replay, replay_tables

_FILE_SCHEMA = 1


class ReplayStore(Protocol):
    """Keeps what it is given, byte for byte, by ladder and match."""

    def put(self, ladder: int, bodies: Mapping[int, bytes], within: Connection) -> None:
        """Keep these, in place of what was there: for good no later than the results in the transaction `within`."""

    def get(self, ladder: int, n: int) -> bytes | None:
        """What is kept of a match."""

    def close(self) -> None:
        """Let go of it."""


class ReplayTable:
    """Replays in a table of the database that holds the results."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def put(self, ladder: int, bodies: Mapping[int, bytes], within: Connection) -> None:
        """Keep these as a part of the results' own transaction."""
        _put(within, ladder, bodies)

    def get(self, ladder: int, n: int) -> bytes | None:
        """What is kept of a match."""
        with self._engine.connect() as db:
            return _get(db, ladder, n)

    def close(self) -> None:
        """Nothing to let go of: the database is not its own."""


class ReplayFile:
    """Replays in a SQLite file of their own, easily copied or thrown away."""

    def __init__(self, path: Path) -> None:
        # Every commit reaches the disk before the result it belongs to does, even if the power fails.
        self._engine = sqlite_engine(path, synchronous="FULL")
        try:
            self._prepare(path)
        except BaseException:
            self.close()
            raise

    def _prepare(self, path: Path) -> None:
        with self._engine.connect() as db:
            found = db.exec_driver_sql("PRAGMA user_version").scalar_one()
        if found > _FILE_SCHEMA:
            words = f"schema {found}, this version knows {_FILE_SCHEMA}"
            raise StoreError(f"{path} was made by a newer crossing-arena; {words}")
        if found < _FILE_SCHEMA:
            with self._engine.execution_options(**WRITES).begin() as db:
                replay_tables.create_all(db)
                db.exec_driver_sql(f"PRAGMA user_version={_FILE_SCHEMA}")

    def put(self, ladder: int, bodies: Mapping[int, bytes], within: Connection) -> None:
        """Keep these for good at once; should the results then fail, they are replaced with the next attempt's."""
        with self._engine.execution_options(**WRITES).begin() as db:
            _put(db, ladder, bodies)

    def get(self, ladder: int, n: int) -> bytes | None:
        """What is kept of a match."""
        with self._engine.connect() as db:
            return _get(db, ladder, n)

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()


def _put(db: Connection, ladder: int, bodies: Mapping[int, bytes]) -> None:
    put = insert(db, replay)
    put = put.on_conflict_do_update(index_elements=["ladder_id", "n"], set_={"body": put.excluded.body})
    db.execute(put, [{"ladder_id": ladder, "n": n, "body": body} for n, body in bodies.items()])


def _get(db: Connection, ladder: int, n: int) -> bytes | None:
    return db.scalar(select(replay.c.body).where(replay.c.ladder_id == ladder, replay.c.n == n))
