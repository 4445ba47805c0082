"""Runs migrations on the connection it is given; Alembic loads this file by its path."""

from alembic import context

from crossing_arena.store.schema import VERSION_TABLE, replay_tables, results_tables

connection = context.config.attributes["connection"]
sqlite = connection.dialect.name == "sqlite"

context.configure(
    connection=connection,
    target_metadata=results_tables if sqlite else [results_tables, replay_tables],
    version_table=VERSION_TABLE,
    render_as_batch=True,
    compare_server_default=True,
)
context.run_migrations()
