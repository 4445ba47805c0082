"""One run at a time: whoever comes second is told who was first.

Both locks end with their holder, however it ends: the kernel lets go of a folder, the server of a ladder.
"""

import fcntl
import hashlib
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, Engine, text

from crossing_arena.store.errors import Held, in_words

LOCK_FILE = "ladder.lock"
_NAME_BYTES = 63
"""So much of a session's name does PostgreSQL keep."""


@contextmanager
def hold_folder(folder: Path, now: datetime) -> Iterator[None]:
    """Be the only run in a folder."""
    path = folder / LOCK_FILE
    with in_words(str(path)):
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        with in_words(str(path)):
            if not _lock(file):
                raise Held(f"{_named(os.pread(file, 1_000, 0))} holds {folder}")
            _sign(file, now)
        yield
    finally:
        os.close(file)


def _lock(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sign(file: int, now: datetime) -> None:
    me = {"pid": os.getpid(), "host": socket.gethostname(), "since": now.astimezone(UTC).isoformat()}
    os.ftruncate(file, 0)
    os.pwrite(file, json.dumps(me).encode() + b"\n", 0)


def _named(note: bytes) -> str:
    try:
        holder = json.loads(note)
        return _another(f"pid {holder['pid']} on {holder['host']}", datetime.fromisoformat(holder["since"]))
    except (ValueError, KeyError, TypeError):  # it has only just begun, or somebody wrote into the file
        return "another run"


def _another(who: str, since: datetime) -> str:
    return f"another run ({who}, since {since.astimezone(UTC):%Y-%m-%d %H:%M} UTC)"


@contextmanager
def hold_ladder(engine: Engine, where: str, name: str) -> Iterator[None]:
    """Be the only run of a ladder on a PostgreSQL server."""
    key = int.from_bytes(
        hashlib.sha256(f"crossing-arena ladder {name}".encode(errors="surrogatepass")).digest()[:8], signed=True
    )
    with in_words(where):
        db = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    try:
        with in_words(where):
            if not _try(db, key):
                raise Held(f"{_holder(db, key)} holds the ladder {name!r} in {where}")
        yield
    finally:
        db.invalidate()  # closed, not kept for the next: the lock ends with its session
        db.close()


def _try(db: Connection, key: int) -> bool:
    me = f"crossing-arena: pid {os.getpid()} on {socket.gethostname()}".encode()[:_NAME_BYTES].decode(errors="ignore")
    db.execute(text("SELECT set_config('application_name', :me, false)"), {"me": me})
    # A machine that lost its power or its network holds the lock for a minute, not for hours.
    for setting, seconds in (("tcp_keepalives_idle", 30), ("tcp_keepalives_interval", 10), ("tcp_keepalives_count", 3)):
        db.execute(text("SELECT set_config(:setting, :value, false)"), {"setting": setting, "value": str(seconds)})
    return bool(db.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": key}))


def _holder(db: Connection, key: int) -> str:
    query = """
        SELECT application_name, backend_start FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE locktype = 'advisory' AND granted AND objsubid = 1
          AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND (classid::bigint << 32) | objid::bigint = :key
    """
    row = db.execute(text(query), {"key": key}).first()
    if row is None or not row.application_name:
        return "another run"
    return _another(row.application_name.removeprefix("crossing-arena: "), row.backend_start)
