"""Brings a database to the schema this version knows, by the migrations shipped with it.

To change the schema, write the next migration beside the last (four digits, one more), change
schema.py to match, and raise SCHEMA there: the tests fail until the three agree on both databases.
"""

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from crossing_arena.store.engine import WRITES
from crossing_arena.store.errors import StoreError
from crossing_arena.store.schema import SCHEMA, VERSION_TABLE, replay_tables, results_tables

MIGRATIONS = Path(__file__).with_name("migrations")
VERSIONS = MIGRATIONS / "versions"
_TURNSTILE = int.from_bytes(b"crossing")
"""The advisory lock on PostgreSQL that lets one migration happen at a time."""


def schema_of(db: Connection) -> str | None:
    """Which schema a database has; None if it has none of ours."""
    if not inspect(db).has_table(VERSION_TABLE):
        return None
    found: str | None = db.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}"))  # noqa: S608 - a constant
    return found


def upgrade(engine: Engine, where: str, *, known: str = SCHEMA, versions: Sequence[Path] = (VERSIONS,)) -> None:
    """Bring a database to the schema `known`; one that is there already is only looked at."""
    with engine.connect() as db:
        found = schema_of(db)
    if found != known:
        _refuse_newer(found, known, where)
        with engine.execution_options(**WRITES).connect() as db:
            _upgrade(db, where, known, versions)


def _upgrade(db: Connection, where: str, known: str, versions: Sequence[Path]) -> None:
    sqlite = db.dialect.name == "sqlite"
    if sqlite:
        db.detach()  # this connection is closed after use, not used again: it minds no foreign keys
        db.connection.cursor().execute("PRAGMA foreign_keys=OFF")  # or remaking a table empties those that refer to it
    with db.begin():
        if not sqlite:
            db.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _TURNSTILE})
        found = schema_of(db)  # somebody else may have been quicker
        _refuse_newer(found, known, where)
        if found is None:
            _refuse_strangers(db, where)
        if found != known:
            _run_migrations(db, known, versions)
        if sqlite and db.exec_driver_sql("PRAGMA foreign_key_check").first():
            raise StoreError(f"{where} is damaged: it has rows that refer to rows which are not there")


def _refuse_newer(found: str | None, known: str, where: str) -> None:
    if found is not None and found > known:
        raise StoreError(f"{where} was made by a newer crossing-arena; schema {found}, this version knows {known}")


def _refuse_strangers(db: Connection, where: str) -> None:
    ours = {*results_tables.tables, *replay_tables.tables}
    if strangers := sorted(ours & set(inspect(db).get_table_names())):
        raise StoreError(f"{where} has tables that crossing-arena did not make: {', '.join(strangers)}")


def _run_migrations(db: Connection, known: str, versions: Sequence[Path]) -> None:
    from alembic import command  # noqa: PLC0415 - slow to load, and rarely needed
    from alembic.config import Config  # noqa: PLC0415

    config = Config(attributes={"connection": db})
    config.set_main_option("script_location", _escaped(MIGRATIONS))
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", "\n".join(map(_escaped, versions)))
    command.upgrade(config, known)


def _escaped(path: Path) -> str:
    return str(path).replace("%", "%%")
