"""Connections to the two databases, each set up the way a store needs it."""

import json
import os
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError

from crossing_arena.store.errors import StoreError

WRITES = {"crossing_writes": True}
"""The execution option of a connection that is going to write."""
_BUSY_SECONDS = 30
_CONNECT_SECONDS = 10


def _to_json(value: Any) -> str:
    # Almost every seat's faults are none, and they are most of what is written as JSON.
    return "{}" if value == {} else json.dumps(value, allow_nan=False, separators=(",", ":"))


def _from_json(text: str) -> Any:
    return {} if text == "{}" else json.loads(text)


_JSON = {"json_serializer": _to_json, "json_deserializer": _from_json}


def sqlite_engine(path: Path, *, synchronous: str) -> Engine:
    """A database in a file, which is made if it is not there, for its owner's eyes only."""
    # The file holds the secret until it is opened, and the logs: SQLite gives its side files the same mode.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"timeout": _BUSY_SECONDS, "isolation_level": None},  # we say BEGIN ourselves, see below
        **_JSON,
        hide_parameters=True,
    )

    def prepare(connection: Any, _: Any) -> None:
        for pragma in ("journal_mode=WAL", f"synchronous={synchronous}", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}").close()

    def begin(db: Connection) -> None:
        # A writer takes its turn at once: one that reads first could find at its first write that it is too late.
        db.exec_driver_sql("BEGIN IMMEDIATE" if WRITES.items() <= db.get_execution_options().items() else "BEGIN")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin)
    return engine


def postgresql_engine(url: URL) -> Engine:
    """A database on a PostgreSQL server."""
    try:
        return create_engine(
            url,
            connect_args={"connect_timeout": _CONNECT_SECONDS},
            **_JSON,
            hide_parameters=True,
            pool_pre_ping=True,  # a server that was restarted costs no batch
        )
    except ImportError as error:
        raise StoreError(
            "PostgreSQL needs the package psycopg: install it with  pip install 'crossing-arena[postgres]'"
        ) from error


def read_url(text: str) -> URL:
    """The URL of a PostgreSQL database, or words about what would have been one."""
    wanted = "wanted a folder, or postgresql://user@host/database"
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):  # the latter for a port that is no number
        raise StoreError(f"{text!r} is not the URL of a database; {wanted}") from None
    if url.drivername not in ("postgres", "postgresql", "postgresql+psycopg"):
        raise StoreError(f"cannot keep results in a database of kind {url.drivername!r}; {wanted}")
    return url.set(drivername="postgresql+psycopg")


def describe(url: URL) -> str:
    """A URL as it may be shown: no password, no options."""
    host = url.host or url.query.get("host") or "this machine"
    return f"PostgreSQL database {url.database or url.username or ''!r} at {host}"


def insert(db: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An INSERT that knows ON CONFLICT, which both databases have and SQL's standard has not."""
    return sqlite.insert(table) if db.dialect.name == "sqlite" else postgresql.insert(table)
