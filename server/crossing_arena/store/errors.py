"""What can go wrong with a store, in words.

StoreError
 ├─ Held            another run holds the folder or the ladder
 └─ DamagedReplay   a replay is not what was recorded
"""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from crossing_arena.faults import UserError


class StoreError(UserError):
    """A store cannot do what it was asked; nothing of it was written, and it can be asked again."""


class Held(StoreError):
    """Another run is at work here."""


class DamagedReplay(StoreError):
    """A replay is missing, or not the one that was recorded."""

    def __init__(self, ladder: int, n: int, why: str) -> None:
        super().__init__(f"the replay of match {n} of ladder {ladder} {why}")
        self.ladder = ladder
        self.n = n


_LONGEST_DETAIL = 300
_SAFE = "what was recorded before is safe, and the same command goes on from there"
_FULL = "the disk is full: make room for {where}; " + _SAFE
_READ_ONLY = "cannot write to {where}: it is read-only, or not yours to write"

_SQLITE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR: "the disk fails to read or write {where} ({detail}); " + _SAFE,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: "cannot open {where}: its folder is read-only, or the file not yours to open",
    sqlite3.SQLITE_NOTADB: "{where} is not a database of crossing-arena",
    sqlite3.SQLITE_CORRUPT: "{where} is damaged: {detail}",
    sqlite3.SQLITE_BUSY: "{where} has been kept busy by another process for too long",
}
_UNREACHABLE = "cannot reach {where}: {detail}"
_POSTGRESQL = {
    "53100": _FULL,
    "25006": _READ_ONLY,
    "42501": "{where} does not let this user do that: {detail}",
}
_FILES = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EACCES: _READ_ONLY,
    errno.EPERM: _READ_ONLY,
    errno.EROFS: _READ_ONLY,
}


@contextmanager
def in_words(where: str) -> Iterator[None]:
    """Whatever goes wrong with a database or a file inside is raised as a StoreError that says where."""
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        raise StoreError(words(error, where)) from error


def words(error: SQLAlchemyError | OSError, where: str) -> str:
    """What an error means to whoever runs a ladder."""
    cause = (error.orig or error) if isinstance(error, DBAPIError) else error
    known = None
    if isinstance(cause, sqlite3.Error):
        known = _SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF)  # the low byte is the kind, the rest details
    elif isinstance(cause, OSError):
        known = _FILES.get(cause.errno or 0)
    elif isinstance(error, DBAPIError):
        state = getattr(cause, "sqlstate", None)
        known = _POSTGRESQL.get(state) if state else _UNREACHABLE if isinstance(error, OperationalError) else None
    detail = " ".join(str(cause).split())[:_LONGEST_DETAIL] or type(cause).__name__
    return (known or "{where}: {detail}").format(where=where, detail=detail)
