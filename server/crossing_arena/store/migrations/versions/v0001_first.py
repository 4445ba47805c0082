"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# Written out, not taken from schema.py: a migration must go on making what it made when it was new.
_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """From nothing to 0001."""
    op.create_table(
        "bot",
        sa.Column("id", _id, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_bot"),
        sa.UniqueConstraint("name", "version", name="uq_bot_name_version"),
    )
    op.create_table(
        "ladder",
        sa.Column("id", _id, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_ladder"),
        sa.UniqueConstraint("name", name="uq_ladder_name"),
    )
    op.create_table(
        "revision",
        sa.Column("ladder_id", _id, autoincrement=False, nullable=False),
        sa.Column("first_n", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("spec", sa.JSON(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("opened", sa.Text(), nullable=True),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("arena_version", sa.Text(), nullable=False),
        sa.Column("since", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("ladder_id", "first_n", name="pk_revision"),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladder.id"], name="fk_revision_ladder"),
    )
    op.create_table(
        "match",
        sa.Column("ladder_id", _id, autoincrement=False, nullable=False),
        sa.Column("n", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("deal", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("ms", sa.Double(), nullable=False),
        sa.Column("played", sa.Text(), nullable=False),
        sa.Column("replay_sha256", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("ladder_id", "n", name="pk_match"),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladder.id"], name="fk_match_ladder"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "seat",
        sa.Column("ladder_id", _id, autoincrement=False, nullable=False),
        sa.Column("n", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("bot_id", _id, nullable=False),
        sa.Column("place", sa.SmallInteger(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("tiebreak", sa.Integer(), nullable=False),
        sa.Column("faults", sa.JSON(), nullable=False),
        sa.Column("pledges_made", sa.Integer(), nullable=False),
        sa.Column("pledges_kept", sa.Integer(), nullable=False),
        sa.Column("think_ms", sa.Double(), nullable=False),
        sa.Column("worst_ms", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("ladder_id", "n", "seat", name="pk_seat"),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name="fk_seat_bot"),
        sa.ForeignKeyConstraint(["ladder_id", "n"], ["match.ladder_id", "match.n"], name="fk_seat_match"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seat_bot_id_ladder_id_n", "seat", ["bot_id", "ladder_id", "n"])
    op.create_table(
        "attempt",
        sa.Column("id", _id, nullable=False),
        sa.Column("ladder_id", _id, nullable=False),
        sa.Column("n", sa.BigInteger(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_attempt"),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladder.id"], name="fk_attempt_ladder"),
    )
    op.create_index("ix_attempt_ladder_id_n", "attempt", ["ladder_id", "n"])
    op.create_table(
        "log",
        sa.Column("ladder_id", _id, autoincrement=False, nullable=False),
        sa.Column("n", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("bot_id", _id, autoincrement=False, nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("ladder_id", "n", "bot_id", name="pk_log"),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name="fk_log_bot"),
        sa.ForeignKeyConstraint(["ladder_id", "n"], ["match.ladder_id", "match.n"], name="fk_log_match"),
    )
    if op.get_bind().dialect.name != "sqlite":  # there, replays have a file of their own
        op.create_table(
            "replay",
            sa.Column("ladder_id", _id, autoincrement=False, nullable=False),
            sa.Column("n", sa.BigInteger(), autoincrement=False, nullable=False),
            sa.Column("body", sa.LargeBinary(), nullable=False),
            sa.PrimaryKeyConstraint("ladder_id", "n", name="pk_replay"),
        )
