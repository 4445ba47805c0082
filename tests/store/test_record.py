"""What is recorded is read back, once and unchanged."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest

from crossing_arena.store import Attempt, Played, Store, StoreError
from store import children
from store.homes import Folder, Home
from store.samples import NOW, assert_whole, begin, plan, played, result_of


def test_results_come_back_as_they_were_in_order_of_the_schedule(store: Store) -> None:
    ladder, bots = begin(store)
    matches = [played(n, bots) for n in range(30)]
    assert store.record(ladder.id, [matches[n] for n in (7, 3, 29)]) == [3, 7, 29]
    assert store.record(ladder.id, reversed(matches)) == [n for n in range(30) if n not in (3, 7, 29)]
    assert list(store.results(ladder.id)) == [match.result for match in matches]
    assert store.done(ladder.id) == set(range(30))
    assert store.counts(ladder.id) == {"shared": 6, "won": 24}
    assert_whole(store, ladder.id, bots, set(range(30)))


def test_a_result_tells_the_checksum_of_its_replay(store: Store) -> None:
    ladder, bots = begin(store)
    match = played(0, bots)
    store.record(ladder.id, [match])
    [result] = store.results(ladder.id)
    assert result.replay_sha256 == hashlib.sha256(match.replay).hexdigest()


def test_recording_twice_changes_nothing(store: Store) -> None:
    ladder, bots = begin(store)
    assert store.record(ladder.id, [played(n, bots, by=1) for n in range(5)]) == [0, 1, 2, 3, 4]
    assert store.record(ladder.id, [played(n, bots, by=2) for n in range(5)]) == []
    assert store.record(ladder.id, [played(n, bots, by=2) for n in (4, 5, 5, 6)]) == [5, 6]
    assert [result.ms for result in store.results(ladder.id)] == [1, 1, 1, 1, 1, 2, 2]
    assert_whole(store, ladder.id, bots, set(range(7)))


def test_of_a_match_twice_in_a_batch_the_first_counts(store: Store) -> None:
    ladder, bots = begin(store)
    assert store.record(ladder.id, [played(0, bots, by=1), played(0, bots, by=2)]) == [0]
    assert [result.ms for result in store.results(ladder.id)] == [1]
    assert_whole(store, ladder.id, bots, {0})


def test_an_empty_batch_is_no_work(store: Store) -> None:
    ladder, _ = begin(store)
    assert store.record(ladder.id, []) == []
    assert list(store.results(ladder.id)) == []
    assert store.done(ladder.id) == set()
    assert store.counts(ladder.id) == {}


def test_ladders_do_not_mix(store: Store) -> None:
    autumn, bots = begin(store)
    winter = store.begin_ladder(plan("winter"), NOW)
    store.record(autumn.id, [played(n, bots, by=1) for n in (0, 1)])
    store.record(winter.id, [played(n, bots, by=2) for n in (1, 2)])
    assert [(result.n, result.ms) for result in store.results(autumn.id)] == [(0, 1), (1, 1)]
    assert [(result.n, result.ms) for result in store.results(winter.id)] == [(1, 2), (2, 2)]
    assert_whole(store, autumn.id, bots, {0, 1})
    assert_whole(store, winter.id, bots, {1, 2})


def test_the_matches_of_one_bot(store: Store) -> None:
    ladder, bots = begin(store)
    store.record(ladder.id, [Played(result_of(n, bots), b"") for n in range(800)])
    for bot in bots:
        its = [result for result in store.results(ladder.id) if bot in [seat.bot for seat in result.seats]]
        assert list(store.results(ladder.id, bot)) == its
        assert len(its) > 500, "more than a page"


@pytest.mark.parametrize("wrong", ["ladder", "bot"])
def test_a_batch_that_fails_leaves_nothing_and_can_be_given_again(store: Store, home: Home, wrong: str) -> None:
    ladder, bots = begin(store)
    batch = [played(n, bots) for n in range(4)]
    strangers = [*bots[:-1], 999]
    with pytest.raises(StoreError):
        store.record(999 if wrong == "ladder" else ladder.id, [*batch, played(5, strangers)])
    for table in ("match", "seat", "log"):
        assert home.sql(f'SELECT count(*) FROM "{table}"') == [(0,)], table
    assert home.replay_sql("SELECT count(*) FROM replay") == [(0,)]
    assert store.record(ladder.id, batch) == [0, 1, 2, 3]
    assert_whole(store, ladder.id, bots, {0, 1, 2, 3})


def test_a_time_without_its_zone_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="2025-11-18 12:00:00 has no time zone"):
        store.begin_ladder(plan(), datetime(2025, 11, 18, 12))


def test_attempts_that_came_to_nothing_are_no_results(store: Store) -> None:
    ladder, bots = begin(store)
    first = Attempt(3, 1, "host-a", "the worker was lost", NOW)
    second = Attempt(3, 1, "host-b", "lost again, after a restart", NOW)
    nasty = Attempt(4, 2, "host\0", "a\0b \ud800 traceback", NOW)
    for attempt in (first, second, nasty):
        store.note_attempt(ladder.id, attempt)
    assert store.attempts(ladder.id) == [first, second, Attempt(4, 2, "host\\0", "a\\0b \\ud800 traceback", NOW)]
    assert store.done(ladder.id) == set()
    assert store.record(ladder.id, [played(3, bots)]) == [3]


def test_many_writers_at_once_record_every_match_once(home: Home) -> None:
    running = [children.start(children.play_all, home.place, 150) for _ in range(3)]
    told = [messages.recv() for _, messages in running]
    for process, _ in running:
        process.join()
        assert process.exitcode == 0
    assert sorted(n for _, new in told for n in new) == list(range(150))
    with Store.open(home.place) as store:
        ladder, bots = begin(store)
        assert_whole(store, ladder.id, bots, set(range(150)))
        by = {result.n: int(result.ms) for result in store.results(ladder.id)}
    assert by == {n: pid for pid, new in told for n in new}, "each match is the one of who was told that it was new"


def test_one_thread_writes_while_another_reads(store: Store) -> None:
    ladder, bots = begin(store)
    batches = [[played(n, bots) for n in range(first, first + 20)] for first in range(0, 400, 20)]
    wanted = [match.result for batch in batches for match in batch]
    with ThreadPoolExecutor(1) as writer:
        writing = [writer.submit(store.record, ladder.id, batch) for batch in batches]
        while not writing[-1].done():
            found = list(store.results(ladder.id))
            assert found == wanted[: len(found)]
        assert [n for written in writing for n in written.result()] == list(range(400))
    assert list(store.results(ladder.id)) == wanted


def test_thousands_of_results_are_read_with_flat_memory(home: Home) -> None:
    matches = 20_000 if isinstance(home, Folder) else 5_000  # PostgreSQL takes four times as long
    with Store.open(home.place) as store:
        ladder, bots = begin(store)
        for first in range(0, matches, 1_000):
            batch = [Played(result_of(n, bots), b"") for n in range(first, first + 1_000)]
            assert len(store.record(ladder.id, batch)) == 1_000
        assert len(store.done(ladder.id)) == sum(store.counts(ladder.id).values()) == matches
    process, messages = children.start(children.read_all, home.place, ladder.id)
    total, summed, growth = messages.recv()
    process.join()
    assert (total, summed) == (matches, sum(range(matches)))
    assert growth < 4_000, f"{growth} kB more"
