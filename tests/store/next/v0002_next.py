"""A migration as a later version might bring it: it remakes a table that others refer to."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """From 0001 to 0002."""
    with op.batch_alter_table("match") as match:
        match.add_column(sa.Column("worker", sa.Text(), nullable=False, server_default="here"))
        match.alter_column("attempt", type_=sa.BigInteger(), existing_type=sa.Integer(), existing_nullable=False)
    with op.batch_alter_table("bot") as bot:
        bot.alter_column("owner", new_column_name="author", existing_type=sa.Text(), existing_nullable=False)
