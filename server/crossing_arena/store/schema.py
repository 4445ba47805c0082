"""The tables, once for both databases.

A match is keyed (ladder, n), n its place in the schedule: small, ever growing numbers, which both
databases insert at the end of their tables. Its seats come and stay with it. What is here is a
copy of what the newest migration makes; a test compares the two on both databases.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
)

SCHEMA = "0001"
"""The newest migration this version knows."""
VERSION_TABLE = "crossing_arena_schema"
"""Where a database says which migration it is at: a name of its own, as a PostgreSQL may have other users."""

_names = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
results_tables = MetaData(naming_convention=_names)
replay_tables = MetaData(naming_convention=_names)
"""Apart, since on SQLite they live in a file of their own."""

Id = BigInteger().with_variant(Integer(), "sqlite")  # SQLite numbers rows by itself only where it reads INTEGER

bot = Table(
    "bot",
    results_tables,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("owner", Text, nullable=False),
    UniqueConstraint("name", "version"),
)

ladder = Table(
    "ladder",
    results_tables,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("created", Text, nullable=False),
    UniqueConstraint("name"),
)

revision = Table(
    "revision",
    results_tables,
    Column("ladder_id", Id, ForeignKey("ladder.id"), primary_key=True, autoincrement=False),
    Column("first_n", BigInteger, primary_key=True, autoincrement=False),
    Column("digest", Text, nullable=False),
    Column("spec", JSON, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("opened", Text),
    Column("rules_version", Integer, nullable=False),
    Column("arena_version", Text, nullable=False),
    Column("since", Text, nullable=False),
)

match = Table(
    "match",
    results_tables,
    Column("ladder_id", Id, ForeignKey("ladder.id"), primary_key=True, autoincrement=False),
    Column("n", BigInteger, primary_key=True, autoincrement=False),
    Column("deal", BigInteger, nullable=False),
    Column("status", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("ms", Double, nullable=False),
    Column("played", Text, nullable=False),
    Column("replay_sha256", Text, nullable=False),
    sqlite_with_rowid=False,
)

seat = Table(
    "seat",
    results_tables,
    Column("ladder_id", Id, primary_key=True, autoincrement=False),
    Column("n", BigInteger, primary_key=True, autoincrement=False),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("bot_id", Id, ForeignKey("bot.id"), nullable=False),
    Column("place", SmallInteger, nullable=False),
    Column("points", Integer, nullable=False),
    Column("tiebreak", Integer, nullable=False),
    Column("faults", JSON, nullable=False),
    Column("pledges_made", Integer, nullable=False),
    Column("pledges_kept", Integer, nullable=False),
    Column("think_ms", Double, nullable=False),
    Column("worst_ms", Double, nullable=False),
    ForeignKeyConstraint(["ladder_id", "n"], ["match.ladder_id", "match.n"]),
    Index(None, "bot_id", "ladder_id", "n"),
    sqlite_with_rowid=False,
)

attempt = Table(
    "attempt",
    results_tables,
    Column("id", Id, primary_key=True),
    Column("ladder_id", Id, ForeignKey("ladder.id"), nullable=False),
    Column("n", BigInteger, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("worker", Text, nullable=False),
    Column("error", Text, nullable=False),
    Column("at", Text, nullable=False),
    Index(None, "ladder_id", "n"),
)

log = Table(
    "log",
    results_tables,
    Column("ladder_id", Id, primary_key=True, autoincrement=False),
    Column("n", BigInteger, primary_key=True, autoincrement=False),
    Column("bot_id", Id, ForeignKey("bot.id"), primary_key=True, autoincrement=False),
    Column("body", LargeBinary, nullable=False),
    ForeignKeyConstraint(["ladder_id", "n"], ["match.ladder_id", "match.n"]),
)

replay = Table(
    "replay",
    replay_tables,
    Column("ladder_id", Id, primary_key=True, autoincrement=False),
    Column("n", BigInteger, primary_key=True, autoincrement=False),
    Column("body", LargeBinary, nullable=False),
)
