"""The schema is what the migrations make, whatever they start from; a newer one is left alone."""

from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from crossing_arena.store import Store, StoreError
from crossing_arena.store.engine import sqlite_engine
from crossing_arena.store.migration import MIGRATIONS, VERSIONS, upgrade
from crossing_arena.store.schema import SCHEMA, VERSION_TABLE, replay_tables, results_tables
from crossing_arena.store.store import REPLAYS_FILE
from store import children
from store.homes import Folder, Home
from store.samples import NOW, assert_whole, begin, played

NEXT = Path(__file__).with_name("next")


def drift(home: Home) -> list[Any]:
    """What Alembic would change to make the database what schema.py says."""
    wanted: Any = results_tables if isinstance(home, Folder) else [results_tables, replay_tables]
    engine = home.engine()
    with engine.connect() as db:
        options = {"compare_type": True, "compare_server_default": True, "version_table": VERSION_TABLE}
        found: list[Any] = compare_metadata(MigrationContext.configure(db, opts=options), wanted)
    engine.dispose()
    return found


def test_the_newest_migration_is_the_one_this_version_names() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "newline")
    script = ScriptDirectory.from_config(config)
    assert script.get_heads() == [SCHEMA]
    steps = [step.revision for step in script.walk_revisions()]
    assert steps == sorted(steps, reverse=True), "a newer schema has a greater number"
    assert {len(step) for step in steps} == {4}


@pytest.mark.usefixtures("store")
def test_the_migrations_make_what_the_schema_says(home: Home) -> None:
    assert drift(home) == []


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    "change",
    [
        'ALTER TABLE "match" ADD COLUMN more TEXT',
        "DROP INDEX ix_seat_bot_id_ladder_id_n",
        "DROP TABLE log",
        "CREATE TABLE other (id INTEGER)",
    ],
)
def test_a_drift_would_be_noticed(home: Home, change: str) -> None:
    home.sql(change)
    assert drift(home) != []


def test_the_file_of_replays_is_what_the_schema_says(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    engine = sqlite_engine(tmp_path / REPLAYS_FILE, synchronous="FULL")
    with engine.connect() as db:
        assert compare_metadata(MigrationContext.configure(db), replay_tables) == []
    engine.dispose()


def test_matches_and_seats_lie_in_the_order_of_their_keys(tmp_path: Path) -> None:
    home = Folder(tmp_path)
    Store.open(home.place).close()
    tables = dict(home.sql("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    assert sorted(name for name, made in tables.items() if "WITHOUT ROWID" in made) == ["match", "seat"]
    assert home.sql("PRAGMA journal_mode") == [("wal",)]


def test_opening_again_changes_nothing(home: Home) -> None:
    with Store.open(home.place) as store:
        ladder, bots = begin(store)
        store.record(ladder.id, [played(0, bots)])
    with Store.open(home.place) as store:
        assert_whole(store, ladder.id, bots, {0})
    assert home.sql(f"SELECT version_num FROM {VERSION_TABLE}") == [(SCHEMA,)]


def test_an_older_schema_is_brought_up_with_all_it_holds_and_the_newer_one_refused(home: Home) -> None:
    with Store.open(home.place) as store:
        ladder, bots = begin(store)
        store.record(ladder.id, [played(n, bots) for n in range(20)])
        before = home.sql('SELECT ladder_id, n, attempt, replay_sha256 FROM "match" ORDER BY n')
        seats = home.sql("SELECT * FROM seat ORDER BY n, seat")
    engine = home.engine()
    upgrade(engine, "here", known="0002", versions=[VERSIONS, NEXT])
    upgrade(engine, "here", known="0002", versions=[VERSIONS, NEXT])
    with engine.connect() as db:
        if db.dialect.name == "sqlite":
            assert db.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    engine.dispose()
    assert home.sql(f"SELECT version_num FROM {VERSION_TABLE}") == [("0002",)]
    assert home.sql('SELECT ladder_id, n, attempt, replay_sha256 FROM "match" ORDER BY n') == before
    assert home.sql('SELECT DISTINCT worker FROM "match"') == [("here",)]
    assert home.sql("SELECT author FROM bot ORDER BY id") == [("bob",), ("",), ("",), ("ann",)]
    assert home.sql("SELECT * FROM seat ORDER BY n, seat") == seats
    if isinstance(home, Folder):
        [[made]] = home.sql("SELECT sql FROM sqlite_master WHERE name = 'match'")
        assert "WITHOUT ROWID" in made
    with pytest.raises(StoreError, match="was made by a newer crossing-arena; schema 0002, this version knows 0001"):
        Store.open(home.place)
    assert home.sql('SELECT count(*) FROM "match"') == [(20,)]


def test_a_migration_that_fails_changes_nothing(home: Home, tmp_path: Path) -> None:
    with Store.open(home.place) as store:
        ladder, bots = begin(store)
        store.record(ladder.id, [played(0, bots)])
    broken = tmp_path / "broken %(here)s"
    broken.mkdir()
    text = (NEXT / "v0002_next.py").read_text()
    (broken / "v0002_broken.py").write_text(f'{text}    op.execute("SELECT * FROM nowhere")\n')
    engine = home.engine()
    with pytest.raises(Exception, match="nowhere"):
        upgrade(engine, "here", known="0002", versions=[VERSIONS, broken])
    engine.dispose()
    assert drift(home) == []
    with Store.open(home.place) as store:
        assert_whole(store, ladder.id, bots, {0})


def test_a_newer_file_of_replays_is_refused(tmp_path: Path) -> None:
    home = Folder(tmp_path)
    Store.open(home.place).close()
    home.replay_sql("PRAGMA user_version = 2")
    with pytest.raises(StoreError, match=r"replays\.sqlite was made by a newer .*; schema 2, this version knows 1"):
        Store.open(home.place)


def test_tables_of_somebody_else_are_left_alone(home: Home) -> None:
    home.sql("CREATE TABLE seat (leather INTEGER)")
    with pytest.raises(StoreError, match="has tables that crossing-arena did not make: seat"):
        Store.open(home.place)
    assert home.sql("SELECT * FROM seat") == []


def test_other_tables_beside_ours_do_no_harm(home: Home) -> None:
    home.sql("CREATE TABLE alembic_version (version_num VARCHAR(32))")
    home.sql("INSERT INTO alembic_version VALUES ('of another program')")
    with Store.open(home.place) as store:
        assert store.ladders() == []


def test_many_may_open_a_new_store_at_once(home: Home) -> None:
    running = [children.start(children.play_all, home.place, 1) for _ in range(4)]
    told = [messages.recv() for _, messages in running]
    for process, _ in running:
        process.join()
    assert sorted(n for _, new in told for n in new) == [0]
    with Store.open(home.place) as store:
        [ladder] = store.ladders()
        assert ladder.created == NOW
