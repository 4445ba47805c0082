"""The two kinds of place where a store can be, and a way into them that is not the store's."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Engine

from crossing_arena.store.engine import postgresql_engine, read_url, sqlite_engine
from crossing_arena.store.store import REPLAYS_FILE, RESULTS_FILE


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder with SQLite files."""

    path: Path

    @property
    def place(self) -> str:
        return str(self.path)

    def engine(self) -> Engine:
        self.path.mkdir(exist_ok=True)
        return sqlite_engine(self.path / RESULTS_FILE, synchronous="NORMAL")

    def sql(self, statement: str) -> list[tuple[Any, ...]]:
        """Run SQL on the results."""
        return self._sql(RESULTS_FILE, statement)

    def replay_sql(self, statement: str) -> list[tuple[Any, ...]]:
        """Run SQL on the replays."""
        return self._sql(REPLAYS_FILE, statement)

    def _sql(self, file: str, statement: str) -> list[tuple[Any, ...]]:
        self.path.mkdir(exist_ok=True)
        with closing(sqlite3.connect(self.path / file, isolation_level=None)) as db:
            return db.execute(statement).fetchall()


@dataclass(frozen=True, slots=True)
class Database:
    """A PostgreSQL database."""

    place: str

    def engine(self) -> Engine:
        return postgresql_engine(read_url(self.place))

    def sql(self, statement: str) -> list[tuple[Any, ...]]:
        """Run SQL on the results."""
        with psycopg.connect(self.place, autocommit=True) as db:
            cursor = db.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    replay_sql = sql


Home = Folder | Database
