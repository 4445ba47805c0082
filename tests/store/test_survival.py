"""Whatever ends a run, what is on record is whole, and nothing is on record twice."""

import random
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from crossing_arena.store import Store, StoreError
from crossing_arena.store.store import REPLAYS_FILE, RESULTS_FILE
from store import children
from store.homes import Database, Folder, Home
from store.samples import assert_whole, begin, played

ROUNDS = 12
LONGEST_SECONDS = 0.3


def test_killed_at_any_instant_no_match_is_half_there(home: Home) -> None:
    seen: set[int] = set()
    for _ in range(ROUNDS):
        process, _messages = children.start(children.play_for_ever, home.place)
        process.join(random.uniform(0, LONGEST_SECONDS))
        assert process.exitcode is None, "it plays for ever"
        process.kill()
        process.join()
        with Store.open(home.place) as store:
            ladder, bots = begin(store)
            done = store.done(ladder.id)
            assert seen <= done, "nothing is lost"
            assert_whole(store, ladder.id, bots, done - seen)
            seen = done
    assert len(seen) > ROUNDS, "something was played"
    with Store.open(home.place) as store:
        assert [ladder.name for ladder in store.ladders()] == ["autumn"]
        assert_whole(store, ladder.id, bots, seen)
        assert sorted(seen) == [result.n for result in store.results(ladder.id)]
    if isinstance(home, Folder):
        assert home.sql("PRAGMA integrity_check") == home.replay_sql("PRAGMA integrity_check") == [("ok",)]


@contextmanager
def full_disk(home: Home, file: str) -> Iterator[None]:
    """Nothing more can be written to a file of the store."""
    if isinstance(home, Database):
        table = "seat" if file == RESULTS_FILE else "replay"
        with trigger(home, table, "RAISE disk_full"):
            yield
        return

    def limit(connection: Any, *_: Any) -> None:
        paths = {name: path for _, name, path in connection.execute("PRAGMA database_list")}
        if Path(paths["main"]).name == file:
            connection.execute("PRAGMA max_page_count = 1").close()  # as many as there are, and no more

    def lift(connection: Any, *_: Any) -> None:
        connection.execute("PRAGMA max_page_count = 1073741823").close()

    event.listen(Engine, "checkout", limit)
    event.listen(Engine, "checkin", lift)
    try:
        yield
    finally:
        event.remove(Engine, "checkout", limit)
        event.remove(Engine, "checkin", lift)


@contextmanager
def trigger(home: Database, table: str, action: str) -> Iterator[None]:
    """Every row that is inserted into a table makes the server do something."""
    home.sql(
        f"CREATE FUNCTION act() RETURNS trigger AS $$ BEGIN {action}; RETURN NEW; END $$ LANGUAGE plpgsql;"
        f"CREATE TRIGGER act BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION act()"
    )
    yield
    home.sql(f"DROP TRIGGER act ON {table}")


@pytest.mark.parametrize("file", [RESULTS_FILE, REPLAYS_FILE])
def test_a_full_disk_loses_nothing(store: Store, home: Home, file: str) -> None:
    ladder, bots = begin(store)
    store.record(ladder.id, [played(n, bots) for n in range(10)])
    batch = [played(n, bots) for n in range(100)]
    with full_disk(home, file):
        for _ in range(2):
            with pytest.raises(StoreError, match=r"the disk is full: make room for .*; what was recorded .* is safe"):
                store.record(ladder.id, batch)
        assert store.done(ladder.id) == set(range(10))
        assert_whole(store, ladder.id, bots, set(range(10)))
    assert store.record(ladder.id, batch) == list(range(10, 100))
    assert_whole(store, ladder.id, bots, set(range(100)))
    with Store.open(home.place) as other:
        assert len(list(other.results(ladder.id))) == 100


def test_a_disk_that_fails_loses_nothing(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        ladder, bots = begin(store)
        store.record(ladder.id, [played(n, bots) for n in range(10)])
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        batch = [played(n, bots) for n in range(2_000)]
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))  # Python ignores the signal: a write just fails
        try:
            with pytest.raises(
                StoreError, match=r"the disk fails to read or write .* what was recorded before is safe"
            ):
                store.record(ladder.id, batch)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert store.done(ladder.id) == set(range(10))
        assert len(store.record(ladder.id, batch)) == 1_990
        assert_whole(store, ladder.id, bots, set(range(0, 2_000, 37)))


def test_a_server_that_drops_us_costs_no_result(database: Database) -> None:
    with Store.open(database.place) as store:
        _drop_and_go_on(store, database)


def _drop_and_go_on(store: Store, home: Database) -> None:
    ladder, bots = begin(store)
    ours = "datname = current_database() AND pid <> pg_backend_pid()"
    home.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}")
    assert store.record(ladder.id, [played(0, bots)]) == [0], "a connection lost between two batches is made anew"
    batch = [played(n, bots) for n in range(5)]
    with trigger(home, "replay", "PERFORM pg_terminate_backend(pg_backend_pid())"):
        with pytest.raises(StoreError, match="PostgreSQL database"):
            store.record(ladder.id, batch)
        assert store.done(ladder.id) == {0}
    assert store.record(ladder.id, batch) == [1, 2, 3, 4]
    assert_whole(store, ladder.id, bots, set(range(5)))
