"""Who meets whom: even, the same every time, and never changed by what is added later."""

import hashlib
import hmac
import math
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossing_arena.ladder.schedule import (
    Balance,
    CannotSchedule,
    Deal,
    Draw,
    Entrant,
    Rotations,
    Stage,
    balance,
    commitment,
    deals,
    extended,
    match_seed,
    matches,
)
from crossing_sdk.games import seed_from

SEED = seed_from("the schedule's tests")


def entrants(bots: int, each: int = 1) -> tuple[Entrant, ...]:
    """So many bots, every owner with so many of them."""
    return tuple(Entrant(f"bot-{at:03}", f"owner-{at // each:03}") for at in range(bots))


def draw(
    bots: int,
    deals_each: int,
    *sizes: int,
    each: int = 1,
    apart: bool = False,
    seed: bytes = SEED,
    rotations: Rotations = Rotations.ONE,
) -> Draw:
    return Draw(seed, (Stage(entrants(bots, each), deals_each),), sizes or (4,), rotations, apart)


def spread(of: tuple[int, int]) -> int:
    return of[1] - of[0]


def even_meetings(evenness: Balance, drawn: Draw) -> float:
    seats = sum(math.comb(len(deal.seats), 2) for deal in deals(drawn))
    return seats / math.comb(evenness.bots, 2)


# --- even


ONE_SIZE = [
    # bots, deals each, table size
    (3, 5, 3), (4, 1, 4), (4, 9, 4), (4, 10, 3), (5, 7, 3), (5, 12, 4), (6, 25, 4), (7, 5, 6), (7, 30, 3), (8, 1, 4),
    (8, 35, 4), (8, 36, 4), (8, 100, 5), (9, 40, 3), (10, 17, 4), (11, 50, 6), (12, 33, 4), (13, 21, 5), (14, 40, 6),
    (16, 20, 4), (20, 8, 4), (24, 40, 6), (30, 12, 5), (50, 10, 4), (100, 6, 3), (300, 3, 4),
]  # fmt: skip


@pytest.mark.parametrize(("bots", "deals_each", "size"), ONE_SIZE)
def test_one_table_size_is_even_in_every_way(bots: int, deals_each: int, size: int) -> None:
    drawn = draw(bots, deals_each, size)
    evenness = balance(drawn)
    assert evenness.deals == evenness.matches == math.ceil(bots * deals_each / size)
    assert evenness.deals_each[0] == deals_each
    assert spread(evenness.deals_each) <= 1
    assert evenness.seat_spread <= 1
    even = even_meetings(evenness, drawn)
    assert math.floor(even) - 2 <= evenness.meetings[0] <= evenness.meetings[1] <= math.ceil(even) + 2


@settings(max_examples=50, deadline=None)
@given(st.integers(3, 15), st.integers(3, 6), st.integers(1, 14), st.binary(min_size=32, max_size=32))
def test_any_draw_of_one_size_is_even(bots: int, size: int, deals_each: int, seed: bytes) -> None:
    drawn = draw(max(bots, size), deals_each, size, seed=seed)
    evenness = balance(drawn)
    even = even_meetings(evenness, drawn)
    assert spread(evenness.matches_each) <= 1
    assert evenness.seat_spread <= 1
    assert math.floor(even) - 2 <= evenness.meetings[0] <= evenness.meetings[1] <= math.ceil(even) + 2


@pytest.mark.parametrize(
    ("bots", "deals_each", "sizes"),
    [(6, 20, (3, 4, 5, 6)), (7, 33, (3, 4)), (12, 40, (3, 4, 5, 6)), (20, 30, (3, 4, 5, 6)), (30, 25, (3, 6))],
)
def test_a_mix_of_table_sizes_is_even_in_deals_seats_sizes_and_meetings(
    bots: int, deals_each: int, sizes: tuple[int, ...]
) -> None:
    drawn = draw(bots, deals_each, *sizes)
    evenness = balance(drawn)
    assert spread(evenness.deals_each) <= 1
    assert evenness.seat_spread <= 2
    sat = Counter(len(deal.seats) for deal in deals(drawn) for _ in deal.seats)
    assert max(sat.values()) - min(sat.values()) <= max(sizes)
    of_size = Counter((name, len(deal.seats)) for deal in deals(drawn) for name in deal.seats)
    for size in sizes:
        times = [of_size[bot.name, size] for bot in entrants(bots)]
        assert max(times) - min(times) <= 3
    even = even_meetings(evenness, drawn)
    assert math.floor(even) - 3 <= evenness.meetings[0] <= evenness.meetings[1] <= math.ceil(even) + 3


@pytest.mark.parametrize(("bots", "size"), [(5, 3), (5, 4), (6, 4), (6, 3), (7, 5), (8, 4)])
def test_few_ways_to_fill_a_table_are_all_used(bots: int, size: int) -> None:
    ways = math.comb(bots, size)
    used = Counter(frozenset(deal.seats) for deal in deals(draw(bots, 4 * math.comb(bots - 1, size - 1), size)))
    assert len(used) == ways
    assert 3 <= min(used.values()) <= max(used.values()) <= 5


def test_all_rotations_put_every_bot_of_a_deal_in_every_seat_with_one_seed() -> None:
    drawn = draw(9, 4, 3, rotations=Rotations.ALL)
    played = list(matches(drawn))
    assert balance(drawn) == Balance(
        9, 12, 36, (4, 4), (12, 12), balance(draw(9, 4, 3)).meetings, seats=(4, 4), seat_spread=0
    )
    assert [match.n for match in played] == list(range(1, 37))
    for first, second, third in zip(played[::3], played[1::3], played[2::3], strict=True):
        a, b, c = first.seats
        assert (second.seats, third.seats) == ((b, c, a), (c, a, b))
        assert (first.deal, first.rotation, second.rotation, third.rotation) == (second.deal, 0, 1, 2)
        assert match_seed(SEED, first) == match_seed(SEED, second) == match_seed(SEED, third)


# --- owners


@pytest.mark.parametrize(
    ("bots", "deals_each", "sizes", "each"),
    [
        (8, 30, (4,), 2),
        (12, 40, (4,), 3),
        (13, 41, (4,), 3),
        (14, 41, (3,), 4),
        (9, 10, (3,), 3),
        (24, 30, (3, 4, 6), 4),
    ],
)
def test_owners_are_kept_apart_and_all_stays_even(
    bots: int, deals_each: int, sizes: tuple[int, ...], each: int
) -> None:
    drawn = draw(bots, deals_each, *sizes, each=each, apart=True)
    owner = {bot.name: bot.owner for bot in entrants(bots, each)}
    for deal in deals(drawn):
        assert len({owner[name] for name in deal.seats}) == len(deal.seats)
    evenness = balance(drawn)
    assert spread(evenness.deals_each) <= 1
    assert evenness.seat_spread <= (1 if len(sizes) == 1 else 2)
    assert evenness.meetings[0] > 0


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 5), st.lists(st.integers(1, 3), min_size=5, max_size=9), st.integers(1, 12))
def test_owners_are_kept_apart_whatever_they_own(size: int, owned: list[int], deals_each: int) -> None:
    field = tuple(Entrant(f"{owner}/{at}", f"{owner}") for owner, bots in enumerate(owned) for at in range(bots))
    drawn = Draw(SEED, (Stage(field, deals_each),), (size,), owners_apart=True)
    if max(owned) > len(field) // size:
        with pytest.raises(CannotSchedule):
            list(deals(drawn))
        return
    for deal in deals(drawn):
        assert len({name.split("/")[0] for name in deal.seats}) == size
    assert spread(balance(drawn).deals_each) <= 1


def test_bots_without_an_owner_are_nobodys_siblings() -> None:
    field = tuple(Entrant(name) for name in "abcd")
    assert balance(Draw(SEED, (Stage(field, 3),), owners_apart=True)).meetings == (3, 3)


# --- the same every time


def test_the_schedule_of_a_seed_never_changes() -> None:
    """A change here renumbers the matches of every ladder that is under way: never edit it to make a test pass."""
    told = [" ".join(name[-1] for name in deal.seats) for deal in deals(draw(7, 4, 4))]
    assert told == ["4 3 2 1", "6 5 3 0", "2 0 1 6", "5 1 6 4", "0 2 4 5", "1 4 0 3", "3 6 5 2"]
    mixed = [" ".join(name[-1] for name in deal.seats) for deal in deals(draw(9, 2, 3, 4, 5))]
    assert mixed == ["4 5 7", "6 3 8 1", "5 0 4 6 2", "0 2 8", "7 1 3 2"]


def test_seeds_differ_and_the_order_in_which_bots_are_listed_does_not_matter() -> None:
    drawn = draw(10, 6)
    shuffled = Draw(SEED, (Stage(entrants(10)[::-1], 6),))
    assert list(deals(shuffled)) == list(deals(drawn)) == list(deals(drawn))
    assert list(deals(draw(10, 6, seed=seed_from("another")))) != list(deals(drawn))


def test_seeds_of_matches_come_from_the_secret_by_hmac_and_the_commitment_is_its_hash() -> None:
    first, second, *_ = matches(draw(8, 2))
    assert match_seed(SEED, second) == hmac.digest(SEED, b"deal/2", "sha256")
    assert match_seed(SEED, first) != match_seed(SEED, second)
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


# --- what is added later


@pytest.mark.parametrize("sizes", [(4,), (3, 5)])
@pytest.mark.parametrize("bots", [7, 8, 13])
def test_more_deals_are_the_same_deals_and_more_after_them(bots: int, sizes: tuple[int, ...]) -> None:
    whole = list(deals(draw(bots, 11, *sizes)))
    for fewer in range(1, 11):
        part = list(deals(draw(bots, fewer, *sizes)))
        assert part == whole[: len(part)]
        assert list(deals(extended(draw(bots, fewer, *sizes), entrants(bots), 11))) == whole


def with_newcomers(bots: int, newcomers: int, deals_each: int, *sizes: int) -> tuple[Draw, list[Deal]]:
    """A ladder that newcomers join after its end, and the deals that are added for them."""
    before = draw(bots, deals_each, *sizes)
    after = extended(before, entrants(bots + newcomers), deals_each)
    old, new = list(deals(before)), list(deals(after))
    assert new[: len(old)] == old
    return after, new[len(old) :]


@pytest.mark.parametrize("sizes", [(4,), (3, 4, 5)])
@pytest.mark.parametrize(("bots", "newcomers"), [(8, 1), (8, 3), (5, 1), (20, 4)])
def test_newcomers_play_only_what_they_lack(bots: int, newcomers: int, sizes: tuple[int, ...]) -> None:
    after, added = with_newcomers(bots, newcomers, 24, *sizes)
    names = {bot.name for bot in entrants(bots + newcomers)[bots:]}
    assert all(names & set(deal.seats) for deal in added)
    dealt = Counter(name for deal in added for name in deal.seats)
    assert all(24 <= dealt[name] <= 24 + 2 * newcomers for name in names)
    assert balance(after).deals_each[0] == 24
    assert balance(after).seat_spread <= 3


def test_newcomers_meet_the_others_and_each_other_about_as_often() -> None:
    _, added = with_newcomers(8, 3, 40, 4)
    met = Counter(pair for deal in added for pair in combinations(sorted(deal.seats), 2))
    names = [bot.name for bot in entrants(11)]
    for newcomer in names[8:]:
        times = [met[min(newcomer, other), max(newcomer, other)] for other in names if other != newcomer]
        assert max(times) - min(times) <= 4


def test_a_ladder_that_goes_on_after_newcomers_becomes_even_again() -> None:
    drawn = extended(draw(8, 10), entrants(9), 10)
    drawn = extended(drawn, entrants(9), 60)
    evenness = balance(drawn)
    assert len(drawn.stages) == 2
    assert spread(evenness.deals_each) <= 1
    assert spread(evenness.meetings) <= 5


def test_a_bot_that_left_is_dealt_no_more_and_what_it_played_stays() -> None:
    before = draw(8, 10)
    after = extended(before, entrants(8)[1:], 20)
    old, new = list(deals(before)), list(deals(after))
    assert new[: len(old)] == old
    left = entrants(8)[0].name
    assert all(left not in deal.seats for deal in new[len(old) :])
    assert balance(after).deals_each[0] >= 20


@pytest.mark.parametrize("last_deal", [0, 1, 7, 12, 20])
def test_a_stage_broken_off_leaves_what_is_lacking_to_the_bots_there_are_now(last_deal: int) -> None:
    before = draw(8, 10)
    now = (*entrants(8)[1:], Entrant("bot-000 mended"))
    after = extended(before, now, 10, last_deal)
    new = list(deals(after))
    assert new[:last_deal] == list(deals(before))[:last_deal]
    assert all("bot-000" not in deal.seats for deal in new[last_deal:])
    assert balance(after).deals_each[0] == 10


def test_a_goal_already_reached_adds_nothing() -> None:
    assert list(deals(extended(draw(8, 10), entrants(8), 4))) == list(deals(draw(8, 10)))


# --- what cannot be


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        (draw(3, 5, 4), "3 bots cannot fill a table of 4"),
        (draw(8, 0), "at least 1 deal, not 0"),
        (draw(8, 5, 7), r"from 2 to 6, not \[7\]"),
        (draw(8, 5, 4, 4), r"different numbers.*\[4, 4\]"),
        (Draw(SEED, (Stage((*entrants(4), Entrant("bot-002")), 5),)), "more than one 'bot-002'"),
        (draw(8, 5, each=3, apart=True), "'owner-000' owns 3 of 8 bots.*tables of 4.*at most 2"),
        (extended(draw(8, 5), entrants(2), 9), "2 bots cannot fill a table of 4"),
    ],
)
def test_what_cannot_be_scheduled_is_refused_with_words(drawn: Draw, words: str) -> None:
    with pytest.raises(CannotSchedule, match=words):
        next(deals(drawn))
