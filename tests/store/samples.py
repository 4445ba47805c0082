"""Ladders, bots and matches to put into a store."""

from datetime import UTC, datetime, timedelta

from crossing_arena.store import Bot, Ladder, MatchResult, Plan, Played, SeatResult, Store

NOW = datetime(2025, 11, 18, 12, 0, 0, 123456, tzinfo=UTC)
BOTS = [Bot("thief", "a1", "ann"), Bot("greedy", "b2", "bob"), Bot("random", "c3"), Bot("random", "c4")]


def plan(name: str = "autumn", digest: str = "d1", secret: bytes = b"\0secret\xff" * 4) -> Plan:
    spec = {"bots": ["thief", "greedy"], "deals": 10, "clock": {"turn_ms": 1000}}
    return Plan(name, digest, spec, secret, f"commitment to {secret.hex()}", 1, "0.1.0")


def begin(store: Store) -> tuple[Ladder, list[int]]:
    """A ladder, and the numbers of its bots."""
    return store.begin_ladder(plan(), NOW), store.enter_bots(BOTS)


def played(n: int, bots: list[int], *, by: int = 0) -> Played:
    """A match; the result, the replay and the log of one and the same match tell by whom it was played."""
    return Played(result_of(n, bots, by), replay_of(n, by), {bots[0]: f"log of match {n} by {by}\n"})


def result_of(n: int, bots: list[int], by: int = 0) -> MatchResult:
    seats = tuple(
        SeatResult(
            bot=bots[(n + seat) % len(bots)],
            place=seat + 1,
            points=40 - seat,
            tiebreak=seat,
            faults={"TIMEOUT": 2, "INVALID": 1} if seat == 2 else {},
            pledges_made=n,
            pledges_kept=n // 2,
            think_ms=n / 3,
            worst_ms=0.1,
        )
        for seat in range(3 + n % 2)
    )
    return MatchResult(n, n // 2, "shared" if n % 5 == 0 else "won", 30, by, NOW + timedelta(seconds=n), seats)


def replay_of(n: int, by: int) -> bytes:
    return "".join(f"turn {turn} of match {n} by {by}\n" for turn in range(20)).encode()


def assert_whole(store: Store, ladder: int, bots: list[int], numbers: set[int]) -> None:
    """Every one of these matches is there, with all its seats, its replay and its log, all of one playing."""
    found = {result.n: result for result in store.results(ladder) if result.n in numbers}
    assert found.keys() == numbers
    for n, result in found.items():
        by = int(result.ms)
        assert result == result_of(n, bots, by)
        assert store.replay(ladder, n) == replay_of(n, by)
        assert store.log(ladder, n, bots[0]) == f"log of match {n} by {by}\n"
