"""Ladders begin, go on, change and open their secrets; bots are who they are."""

from dataclasses import replace
from datetime import timedelta

import pytest

from crossing_arena.store import Bot, LadderStatus, Store, StoreError
from store.homes import Home
from store.samples import BOTS, NOW, begin, plan, played

LATER = NOW + timedelta(days=1)

HOSTILE = [
    "Robert'); DROP TABLE match;--",
    '"; SELECT 1',
    "%s %(name)s :name ? $1 {0} {name}",
    "\\x00 \\' \\",
    "new\nline\ttab\r\x1b[31m\x7f\x01",
    "\u202egnp.exe \u200b\ufeff",
    "🦊" * 50,
    "e\u0301 is not é",
    " surrounded ",
    "Thief",
    "x" * 2_000,
]


def test_a_ladder_begins_as_planned(store: Store) -> None:
    wanted = plan()
    ladder = store.begin_ladder(wanted, NOW)
    assert (ladder.name, ladder.status, ladder.created) == ("autumn", LadderStatus.RUNNING, NOW)
    [revision] = ladder.revisions
    assert revision == ladder.current
    for part in ("digest", "spec", "commitment", "secret", "rules_version", "arena_version"):
        assert getattr(revision, part) == getattr(wanted, part), part
    assert (revision.first_n, revision.opened, revision.since) == (0, None, NOW)
    assert store.ladders() == [ladder]


def test_the_same_plan_goes_on(home: Home) -> None:
    with Store.open(home.place) as store:
        before = store.begin_ladder(plan(secret=b"first"), NOW)
        store.set_status(before.id, LadderStatus.STOPPED)
    with Store.open(home.place, create=False) as store:
        [stopped] = store.ladders()
        assert stopped == replace(before, status=LadderStatus.STOPPED)
        assert store.begin_ladder(plan(secret=b"a new one is drawn for every run"), LATER) == before


def test_another_plan_goes_on_after_what_is_on_record(store: Store) -> None:
    ladder, bots = begin(store)
    store.record(ladder.id, [played(n, bots) for n in (0, 1, 5)])
    second = store.begin_ladder(plan(digest="d2", secret=b"ignored"), LATER)
    assert second.id == ladder.id
    assert [(revision.first_n, revision.digest) for revision in second.revisions] == [(0, "d1"), (6, "d2")]
    assert second.revisions[0] == ladder.current
    assert second.current.since == LATER
    assert second.current.secret == ladder.current.secret, "an unopened secret stays"
    assert second.current.commitment == ladder.current.commitment
    assert [second.revision_of(n).digest for n in (0, 5, 6, 100)] == ["d1", "d1", "d2", "d2"]
    assert store.done(ladder.id) == {0, 1, 5}
    assert store.begin_ladder(plan(digest="d2"), LATER) == second


def test_a_plan_by_which_nothing_was_played_is_replaced(store: Store) -> None:
    begin(store)
    ladder = store.begin_ladder(plan(digest="d2"), LATER)
    assert [(revision.first_n, revision.digest) for revision in ladder.revisions] == [(0, "d2")]


def test_a_plan_made_after_the_secret_was_opened_has_a_new_one(store: Store) -> None:
    ladder, bots = begin(store)
    store.record(ladder.id, [played(0, bots)])
    store.begin_ladder(plan(digest="d2"), NOW)
    store.record(ladder.id, [played(1, bots)])
    opened = store.open_secret(ladder.id, LATER)
    assert [revision.opened for revision in opened.revisions] == [LATER, LATER]
    assert store.open_secret(ladder.id, LATER + timedelta(days=1)) == opened
    assert store.begin_ladder(plan(digest="d2", secret=b"new"), LATER) == opened, "the same plan has its secret"
    third = store.begin_ladder(plan(digest="d3", secret=b"new"), LATER)
    assert third.revisions[:2] == opened.revisions
    assert (third.current.first_n, third.current.secret, third.current.opened) == (2, b"new", None)
    assert third.current.commitment == plan(secret=b"new").commitment


def test_a_secret_is_not_shown_by_accident(store: Store) -> None:
    secret = b"hush, hush"
    ladder = store.begin_ladder(plan(secret=secret), NOW)
    assert "hush" not in repr(ladder)
    assert "hush" not in repr(plan(secret=secret))


def test_what_is_asked_of_a_ladder_that_is_not_there_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="there is no ladder 7"):
        store.set_status(7, LadderStatus.FINISHED)
    with pytest.raises(StoreError, match="there is no ladder 7"):
        store.open_secret(7, NOW)


def test_a_spec_comes_back_as_it_was(store: Store) -> None:
    spec = {"z": 1, "a": [1.5, None, True, "\0 \ud800 é"], "": {}, "deep": {"er": [[]]}, "long": 2**53}
    ladder = store.begin_ladder(replace(plan(), spec=spec), NOW)
    assert ladder.current.spec == spec
    assert list(ladder.current.spec) == list(spec)


def test_a_bot_has_one_number_for_ever(store: Store) -> None:
    numbers = store.enter_bots(BOTS)
    assert len(set(numbers)) == 4
    assert store.enter_bots([*reversed(BOTS), Bot("new", "1"), BOTS[0]])[:4] == numbers[::-1]
    assert [store.bots()[number] for number in numbers] == BOTS
    assert len(store.bots()) == 5
    assert store.enter_bots([]) == []


def test_a_bot_may_change_its_owner_but_not_its_version(store: Store) -> None:
    [before] = store.enter_bots([Bot("thief", "a1", "ann")])
    [after, changed] = store.enter_bots([Bot("thief", "a1", "bob"), Bot("thief", "a2", "ann")])
    assert after == before != changed
    assert store.bots() == {before: Bot("thief", "a1", "bob"), changed: Bot("thief", "a2", "ann")}


def test_hostile_names_come_back_unchanged(store: Store) -> None:
    bots = [Bot(name, name, name) for name in [*HOSTILE, ""]]
    numbers = store.enter_bots(bots)
    assert [store.bots()[number] for number in numbers] == bots
    for name in HOSTILE:
        assert store.begin_ladder(plan(name), NOW).name == name
    assert [ladder.name for ladder in store.ladders()] == HOSTILE


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b", "\udfff"])
def test_what_no_database_keeps_is_refused_by_both(store: Store, name: str) -> None:
    with pytest.raises(StoreError, match="cannot be stored"):
        store.enter_bots([Bot("fine", "1"), Bot(name, "1")])
    with pytest.raises(StoreError, match="cannot be stored"):
        store.begin_ladder(plan(name), NOW)
    assert store.bots() == {}
    assert store.ladders() == []
