"""One run at a time, and who comes second learns who was first."""

import os
import socket
from pathlib import Path

import pytest

from crossing_arena.store import Held, Store, StoreError
from crossing_arena.store.lock import LOCK_FILE
from store import children
from store.homes import Database, Folder, Home
from store.samples import NOW, begin, played

HOST = socket.gethostname()


def test_the_second_run_is_told_of_the_first(home: Home) -> None:
    with Store.open(home.place) as store, Store.open(home.place) as other:
        with store.lock("autumn", NOW):
            with pytest.raises(Held) as held, other.lock("autumn", NOW):
                pass
            words = str(held.value)
            assert f"another run (pid {os.getpid()} on {HOST}, since 20" in words
            assert "UTC) holds" in words
            if isinstance(home, Folder):
                assert (
                    words == f"another run (pid {os.getpid()} on {HOST}, since 2025-11-18 12:00 UTC) holds {home.path}"
                )
            else:
                assert "holds the ladder 'autumn' in PostgreSQL database 'postgres' at " in words
        with other.lock("autumn", NOW):
            pass


def test_the_lock_is_let_go_when_the_run_fails(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.lock("autumn", NOW):
        raise ZeroDivisionError
    with store.lock("autumn", NOW):
        pass


def test_what_a_run_raises_is_not_taken_for_an_error_of_the_store(store: Store) -> None:
    with pytest.raises(OSError, match="of a bot"), store.lock("autumn", NOW):
        raise OSError("of a bot")


def test_a_killed_run_leaves_no_lock(home: Home) -> None:
    process, messages = children.start(children.hold_lock, home.place)
    assert messages.recv() == "held"
    with Store.open(home.place) as store:
        with pytest.raises(Held, match=rf"another run \(pid {process.pid} on "), store.lock("autumn", NOW):
            pass
        process.kill()
        process.join()
        if isinstance(home, Database):  # the server notices a moment later
            home.sql(_ENDED)
        with store.lock("autumn", NOW):
            pass


_ENDED = """
DO $$ BEGIN
  WHILE EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND database =
                (SELECT oid FROM pg_database WHERE datname = current_database())) LOOP
    PERFORM pg_sleep(0.01);
  END LOOP;
END $$
"""


def test_reading_and_writing_need_no_lock(home: Home) -> None:
    with Store.open(home.place) as store, store.lock("autumn", NOW), Store.open(home.place) as other:
        ladder, bots = begin(other)
        assert other.record(ladder.id, [played(0, bots)]) == [0]
        assert store.done(ladder.id) == {0}


def test_two_ladders_of_one_database_run_at_once(database: Database) -> None:
    with Store.open(database.place) as store, store.lock("autumn", NOW), store.lock("winter", NOW):
        pass


@pytest.mark.parametrize("note", ["", "{", "[]", '{"pid": 1}', '{"pid": 1, "host": "a", "since": 5}'])
def test_a_lock_whose_note_cannot_be_read_holds_all_the_same(tmp_path: Path, note: str) -> None:
    with Store.open(tmp_path) as store, store.lock("autumn", NOW):
        (tmp_path / LOCK_FILE).write_text(note)
        with pytest.raises(Held, match=r"^another run holds "), store.lock("autumn", NOW):
            pass


def test_a_lock_file_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        (tmp_path / LOCK_FILE).mkdir()
        with pytest.raises(StoreError, match=LOCK_FILE), store.lock("autumn", NOW):
            pass
