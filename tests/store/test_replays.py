"""Replays and logs are kept whole, or it is said that they are not."""

import pytest

from crossing_arena.store import DamagedReplay, Played, Store, StoreError
from crossing_arena.store.bodies import LOG_HEAD, LOG_TAIL
from store.homes import Home
from store.samples import begin, played, result_of


def squeezed(home: Home, n: int) -> bytes:
    [[body]] = home.replay_sql(f"SELECT body FROM replay WHERE n = {n}")
    return bytes(body)


def damage(home: Home, n: int, body: bytes) -> None:
    literal = f"x'{body.hex()}'" if "://" not in home.place else f"'\\x{body.hex()}'"
    home.replay_sql(f"UPDATE replay SET body = {literal} WHERE n = {n}")


@pytest.mark.parametrize("replay", [b"", b"\0\xff" * 1_000, "é\n".encode() * 50_000])
def test_a_replay_comes_back_byte_for_byte(store: Store, replay: bytes) -> None:
    ladder, bots = begin(store)
    store.record(ladder.id, [Played(result_of(0, bots), replay)])
    assert store.replay(ladder.id, 0) == replay


def test_replays_are_kept_small(store: Store, home: Home) -> None:
    ladder, bots = begin(store)
    store.record(ladder.id, [played(0, bots)])
    assert len(squeezed(home, 0)) < len(store.replay(ladder.id, 0)) / 3


def test_a_damaged_replay_is_found_and_named(store: Store, home: Home) -> None:
    ladder, bots = begin(store)
    store.record(ladder.id, [played(n, bots) for n in range(43)])
    body = squeezed(home, 42)
    harmless = []
    for at in range(len(body)):
        damage(home, 42, body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :])
        try:
            assert store.replay(ladder.id, 42) == played(42, bots).replay
            harmless.append(at)
        except DamagedReplay as damaged:
            found = damaged
    assert len(harmless) < 3, "a bit or two of the frame's header change nothing"
    assert (found.ladder, found.n) == (ladder.id, 42)
    assert f"the replay of match 42 of ladder {ladder.id} is" in str(found)
    assert store.replay(ladder.id, 41) == played(41, bots).replay


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lambda home: damage(home, 1, b""), "match 1 .* is damaged"),
        (lambda home: damage(home, 1, squeezed(home, 1)[:-5]), "match 1 .* is damaged"),
        (lambda home: damage(home, 1, b"\x28\xb5\x2f\xfd\xe0" + b"\xff" * 7 + b"\x00"), "impossible size"),
        (lambda home: damage(home, 1, squeezed(home, 0)), "match 1 .* not the one that was recorded: its SHA-256 is"),
        (lambda home: home.replay_sql("DELETE FROM replay WHERE n = 1"), "match 1 .* is missing"),
    ],
    ids=["empty", "cut", "bomb", "another", "gone"],
)
def test_whatever_happened_to_a_replay_is_said(store: Store, home: Home, harm: object, words: str) -> None:
    assert callable(harm)
    ladder, bots = begin(store)
    store.record(ladder.id, [played(n, bots) for n in range(2)])
    harm(home)
    with pytest.raises(DamagedReplay, match=words):
        store.replay(ladder.id, 1)


def test_there_is_no_replay_of_what_was_not_played(store: Store) -> None:
    ladder, _ = begin(store)
    with pytest.raises(StoreError, match="match 5 of ladder 1 is not on record"):
        store.replay(ladder.id, 5)


def test_a_replay_left_by_a_killed_run_is_replaced(store: Store, home: Home) -> None:
    ladder, bots = begin(store)
    store.record(ladder.id, [played(0, bots, by=1)])
    for table in ("seat", "log", "match"):
        home.sql(f'DELETE FROM "{table}"')  # as if the run had been killed between the two files
    assert store.done(ladder.id) == set()
    assert store.record(ladder.id, [played(0, bots, by=2)]) == [0]
    assert store.replay(ladder.id, 0) == played(0, bots, by=2).replay


def test_logs_are_kept_by_bot(store: Store) -> None:
    ladder, bots = begin(store)
    logs = {bots[0]: "first\n", bots[1]: "\0 \ud800 é \x1b[31m", bots[2]: ""}
    store.record(ladder.id, [Played(result_of(0, bots), b"", logs)])
    assert [store.log(ladder.id, 0, bot) for bot in bots] == ["first\n", "\0 \ud800 é \x1b[31m", "", ""]
    assert store.log(ladder.id, 1, bots[0]) == ""


def test_a_log_is_capped(store: Store) -> None:
    ladder, bots = begin(store)
    fits = "a" * (LOG_HEAD + LOG_TAIL)
    flood = "é" * LOG_HEAD + "z" * LOG_TAIL
    store.record(ladder.id, [Played(result_of(0, bots), b"", {bots[0]: fits, bots[1]: flood})])
    assert store.log(ladder.id, 0, bots[0]) == fits
    kept = f"{'é' * (LOG_HEAD // 2)}\n... {LOG_HEAD} bytes dropped ...\n{'z' * LOG_TAIL}"
    assert store.log(ladder.id, 0, bots[1]) == kept
