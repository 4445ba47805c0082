"""The referee is told what happened and says what follows: no process, no clock, no wire."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest

from arena.sums import NOTHING, Sums
from crossing_arena.faults import Fault, FaultKind
from crossing_arena.referee import (
    Ask,
    Budgets,
    Ending,
    Event,
    Faulted,
    GameBegan,
    GameEnded,
    MatchOver,
    MatchSpec,
    Referee,
    Ties,
    TurnPlayed,
    TurnRecord,
    Verdict,
)
from crossing_sdk.bot import Heard, Say
from crossing_sdk.games import GAMES, derive, seed_from
from crossing_sdk.games.crossing import Move

SEED = seed_from("referee")
BUDGETS = Budgets(turn_ms=100, bank_ms=50, talk_ms=20)
TWO: Any = 2  # a pledge in Sums; `Say` is typed for Crossing
THREE: Any = 3
FOUR: Any = 4
E = TypeVar("E")


class Match:
    """A referee, and all that it said."""

    def __init__(
        self,
        players: int = 3,
        *,
        talkers: Sequence[int] = (),
        game: str = "sums",
        ties: Ties = Ties.REPLAY,
        budgets: Budgets = BUDGETS,
        absent: Sequence[int] = (),
    ) -> None:
        spec = MatchSpec(players, SEED, game=game, ties=ties, budgets=budgets)
        self.referee = Referee(spec, [seat in talkers for seat in range(players)])
        self.events: list[Event] = []
        for seat in absent:
            self.hear(self.referee.faulted(seat, FaultKind.START_UP, "it never came", bench=True))
        self.hear(self.referee.begin())

    def hear(self, events: list[Event]) -> list[Event]:
        self.events += events
        return events

    def moved(self, seat: int, move: Any = 1, ms: float = 1.0) -> list[Event]:
        return self.hear(self.referee.moved(seat, move, ms))

    def spoke(self, seat: int, say: Say = Say(), ms: float = 1.0) -> list[Event]:  # noqa: B008  # a frozen value
        return self.hear(self.referee.spoke(seat, say, ms))

    def ran_out(self, seat: int, ms: float) -> list[Event]:
        return self.hear(self.referee.ran_out(seat, ms))

    def failed(self, seat: int, kind: FaultKind = FaultKind.CRASH) -> list[Event]:
        return self.hear(self.referee.faulted(seat, kind, "it failed"))

    def all_point(self, move: Callable[[Ask], Any] = lambda ask: 1) -> None:
        """Everybody who is still asked on this beat answers."""
        for ask in list(self.asks.values()):
            self.moved(ask.seat, move(ask))

    def play_out(self, move: Callable[[Ask], Any] = lambda ask: 1) -> Verdict:
        """Everybody answers until the match is over."""
        while not self.referee.verdict:
            self.all_point(move)
        return self.verdict

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def asks(self) -> dict[int, Ask]:
        return self.referee.open

    @property
    def faults(self) -> list[Fault]:
        return [event.fault for event in self.of(Faulted)]

    @property
    def records(self) -> list[TurnRecord]:
        return [event.record for event in self.of(TurnPlayed)]

    @property
    def verdict(self) -> Verdict:
        [over] = self.of(MatchOver)
        return over.verdict


@pytest.fixture(autouse=True)
def sums(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of five turns."""
    monkeypatch.setitem(GAMES, "sums", Sums(turns=5))


# --- clocks


@pytest.mark.parametrize(
    ("took", "banks", "late"),
    [
        ([100], [50, 50], []),
        ([101], [50, 49], []),
        ([100.5], [50, 49], []),
        ([150], [50, 0], []),
        ([151], [50, 0], [1]),
        ([150.5], [50, 0], [1]),
        ([120, 130], [50, 30, 0], []),
        ([120, 131], [50, 30, 0], [2]),
        ([150, 100, 101], [50, 0, 0, 0], [3]),
        ([120, 99, 120], [50, 30, 30, 10], []),
    ],
)
def test_time_over_the_limit_comes_from_the_bank(took: list[float], banks: list[int], late: list[int]) -> None:
    match = Match()
    told = [match.asks[0].bank_ms]
    for ms in took:
        match.moved(0, ms=ms)
        match.all_point()
        told.append(match.asks[0].bank_ms)
    assert told == banks
    assert [(fault.kind, fault.turn) for fault in match.faults] == [(FaultKind.TIMEOUT, turn) for turn in late]
    assert [record.moves[0] for record in match.records] == [
        NOTHING if turn in late else 1 for turn in range(1, len(took) + 1)
    ]
    assert match.asks[1].bank_ms == 50, "nobody pays for another"


def test_an_answer_one_millisecond_late_is_as_late_as_none() -> None:
    by_answer, by_silence = Match(), Match()
    by_answer.moved(0, ms=151)
    by_silence.ran_out(0, 151)
    assert by_answer.faults == by_silence.faults
    [fault] = by_answer.faults
    assert fault == Fault(
        seat=0,
        kind=FaultKind.TIMEOUT,
        turn=1,
        beat=3,
        text="151 ms of 100 ms and 50 ms from the bank on turn 1",
        asked="0 1 2 3",
        elapsed_ms=151,
        limit_ms=150,
    )


def test_whoever_ran_out_has_an_empty_bank_and_is_told_so() -> None:
    match = Match()
    match.ran_out(0, 150)
    match.all_point()
    assert match.asks[0].deadline_ms == 100
    match.ran_out(0, 100)
    assert [fault.text for fault in match.faults] == [
        "150 ms of 100 ms and 50 ms from the bank on turn 1",
        "100 ms of 100 ms on turn 2",
    ]


def test_without_a_limit_there_is_no_deadline() -> None:
    match = Match(budgets=Budgets(turn_ms=0, bank_ms=50))
    assert (match.asks[0].limit_ms, match.asks[0].bank_ms, match.asks[0].deadline_ms) == (0, 0, None)
    match.moved(0, ms=1e9)
    assert match.faults == []


def test_an_ask_says_how_long_the_answer_before_it_took() -> None:
    match = Match(talkers=[0])
    match.spoke(0, ms=3)
    assert match.asks[0].last_ms == 3
    match.spoke(0, ms=4)
    assert [ask.last_ms for ask in match.asks.values()] == [4, 0, 0]


def test_the_record_says_how_long_each_move_took() -> None:
    match = Match()
    match.moved(2, ms=7)
    match.ran_out(1, 160)
    match.moved(0, ms=5)
    assert match.records[0].ms == (5, 160, 7)


# --- talk


def test_talk_has_its_own_limit_and_never_touches_the_bank() -> None:
    match = Match(talkers=[0, 1])
    assert {(ask.beat, ask.limit_ms, ask.bank_ms, ask.moves) for ask in match.asks.values()} == {(1, 20, 0, False)}
    match.spoke(0, Say("in time"), ms=20)
    match.spoke(1, Say("too late"), ms=21)
    [fault] = match.faults
    assert (fault.seat, fault.kind, fault.beat, fault.limit_ms) == (1, FaultKind.TIMEOUT, 1, 20)
    assert sorted(match.asks) == [0, 1], "who was late on one may speak on two"
    match.spoke(0)
    match.spoke(1)
    assert [ask.bank_ms for ask in match.asks.values()] == [50, 50, 50]
    match.all_point()
    assert match.records[0].said == (Heard(0, 1, "in time", None),)
    assert match.records[0].moves == (1, 1, 1), "a fault in talk does not cost the move"


def test_a_beat_is_heard_only_when_it_is_over_and_in_the_order_of_seats() -> None:
    match = Match(talkers=[0, 2])
    assert match.spoke(2, Say("two", pledge=TWO)) == []
    assert match.asks[0].heard == ()
    match.spoke(0, Say("zero"))
    first = (Heard(0, 1, "zero", None), Heard(2, 1, "two", TWO))
    assert [ask.heard for ask in match.asks.values()] == [first, first]
    match.spoke(0, Say(pledge=THREE))
    match.spoke(2)
    both = (*first, Heard(0, 2, "", THREE))
    assert {seat: ask.heard for seat, ask in match.asks.items()} == dict.fromkeys(range(3), both)
    match.all_point()
    assert match.records[0].said == both
    assert match.asks[0].heard == (), "a new turn begins in silence"


def test_only_talkers_are_asked_to_talk_and_silent_tables_never() -> None:
    assert sorted(Match(talkers=[1]).asks) == [1]
    assert {ask.beat for ask in Match(talkers=[]).asks.values()} == {3}
    silent = MatchSpec(3, SEED, game="sums", talk=False)
    [_, *asks] = Referee(silent, [True] * 3).begin()
    assert [ask.beat for ask in asks if isinstance(ask, Ask)] == [3, 3, 3]


@pytest.mark.parametrize(
    ("fails", "asked"),
    [
        ([1, 2, 3], {1: [0, 1], 2: [0, 1], 3: [0, 1, 2]}),
        ([1, 1, 1], {1: [0, 1], 2: [0, 1], 3: [0, 1, 2]}),
    ],
)
def test_three_faults_bench_wherever_they_happen(fails: list[int], asked: dict[int, list[int]]) -> None:
    """In one turn on all three counts, or on the first count of three turns."""
    match = Match(talkers=[0, 1])
    while not match.referee.benched:
        beat = match.asks[0].beat
        assert sorted(match.asks) == asked[beat]
        match.failed(0) if beat in fails else match.moved(0) if beat == 3 else match.spoke(0)
        for ask in list(match.asks.values()):
            if ask.beat == beat and ask.seat in match.asks and match.asks[ask.seat] is ask:
                match.moved(ask.seat) if ask.moves else match.spoke(ask.seat)
    assert [fault.benched for fault in match.faults] == [False, False, True]
    assert 0 not in match.asks


# --- the bench


def test_after_three_faults_a_seat_is_asked_no_more_and_comes_last() -> None:
    match = Match()
    for _ in range(2):
        match.moved(0, 3)
        match.all_point()
    for _ in range(3):
        assert 0 in match.asks
        match.failed(0)
        match.all_point(lambda ask: ask.seat)
    verdict = match.play_out()
    assert [(fault.turn, fault.benched) for fault in match.faults] == [(3, False), (4, False), (5, True)]
    assert verdict == Verdict(
        ending=Ending.WON,
        points=(6, 5, 8),
        tiebreaks=(0, 0, 0),
        places=(3, 2, 1),
        faults=(3, 0, 0),
        benched=(True, False, False),
        games=1,
    )


def test_the_benched_share_the_places_after_all_others_by_their_points() -> None:
    match = Match(4)
    for turn in range(1, 6):
        for seat in (0, 1):
            if turn <= 2:
                match.moved(seat, 3 - seat)
            elif seat not in match.referee.benched:
                match.failed(seat)
        match.all_point(lambda ask: ask.seat - 2)
    assert match.verdict.points == (6, 4, 0, 5)
    assert match.verdict.places == (3, 4, 2, 1)


def test_the_benched_can_do_nothing_wrong_any_more() -> None:
    match = Match()
    for _ in range(3):
        match.failed(0)
        match.all_point()
    assert match.failed(0) == []
    assert match.play_out(lambda ask: ask.seat).faults == (3, 0, 0)


def test_faults_are_counted_anew_in_every_game_but_the_bench_is_for_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "sums", Sums(turns=3))
    match = Match()
    for _ in range(2):  # two games with two faults of seat 0, in which the others tie
        for _ in range(2):
            match.failed(0)
            match.all_point()
        match.all_point()
    assert match.referee.benched == set()
    for _ in range(3):
        match.failed(0)
        match.all_point()
    assert match.referee.benched == {0}
    assert sorted(match.asks) == [1, 2], "the fourth game goes on without it"
    verdict = match.play_out(lambda ask: ask.seat)
    assert (verdict.faults, verdict.places, verdict.games) == ((7, 0, 0), (3, 2, 1), 4)


def test_whoever_never_came_is_out_from_the_start() -> None:
    match = Match(absent=[1])
    assert sorted(match.asks) == [0, 2]
    match.all_point()
    [fault] = match.records[0].faults
    assert (fault.seat, fault.kind, fault.turn, fault.benched) == (1, FaultKind.START_UP, 1, True)
    verdict = match.play_out(lambda ask: ask.seat)
    assert (verdict.places, verdict.faults, verdict.ending) == ((2, 3, 1), (0, 1, 0), Ending.WON)


def test_the_record_has_the_faults_of_a_turn_in_order() -> None:
    match = Match(talkers=[0, 1, 2])
    for beat_seats in ([2, 1, 0], [0, 1, 2], [1, 0, 2]):
        for seat in beat_seats:
            match.failed(seat)
    assert [(fault.beat, fault.seat) for fault in match.records[0].faults] == [
        (b, s) for b in (1, 2, 3) for s in range(3)
    ]
    assert match.records[0].moves == (NOTHING,) * 3


# --- illegal answers


def test_an_illegal_move_is_shown_beside_the_legal_ones() -> None:
    match = Match()
    match.moved(0, 4, ms=9)
    [fault] = match.faults
    assert (fault.kind, fault.asked, fault.answered) == (FaultKind.INVALID, "0 1 2 3", "4")
    assert (fault.text, fault.elapsed_ms) == ("4 is not legal here", 9)


def test_an_illegal_move_that_is_also_late_is_late() -> None:
    match = Match()
    match.moved(0, 4, ms=151)
    assert [fault.kind for fault in match.faults] == [FaultKind.TIMEOUT]


def test_an_illegal_pledge_is_not_heard() -> None:
    match = Match(talkers=[0])
    match.spoke(0, Say("trust me", pledge=FOUR))
    [fault] = match.faults
    assert (fault.kind, fault.beat, fault.answered) == (FaultKind.INVALID, 1, "4")
    assert fault.text == "a pledge of 4 is not legal here"
    assert match.asks[0].heard == ()


# --- ties


def test_a_tie_is_played_again_with_derived_seeds_and_shared_after_the_third() -> None:
    match = Match()
    verdict = match.play_out()
    again = [derive(SEED, f"again/{number}") for number in (1, 2, 3)]
    assert match.of(GameBegan) == [GameBegan(number, seed) for number, seed in enumerate([SEED, *again], start=1)]
    assert [ended.plays_again for ended in match.of(GameEnded)] == [True, True, True, False]
    assert (verdict.ending, verdict.games, verdict.places) == (Ending.SHARED, 4, (1, 1, 1))
    assert [record.game for record in match.records] == [1] * 5 + [2] * 5 + [3] * 5 + [4] * 5


def test_the_game_that_breaks_the_tie_decides_the_match() -> None:
    match = Match()
    for _ in range(5):
        match.all_point(lambda ask: 3 - ask.seat // 2)  # 0 and 1 tie, 2 is behind
    verdict = match.play_out(lambda ask: ask.seat)
    assert [ended.places for ended in match.of(GameEnded)] == [(1, 1, 3), (3, 2, 1)]
    assert (verdict.ending, verdict.games, verdict.points, verdict.places) == (Ending.WON, 2, (0, 5, 10), (3, 2, 1))


def test_a_replay_starts_with_a_full_bank() -> None:
    match = Match()
    match.moved(0, ms=140)
    match.all_point()
    assert match.asks[0].bank_ms == 10
    for _ in range(4):
        match.all_point()
    assert (match.asks[0].turn, match.asks[0].bank_ms, match.asks[0].last_ms) == (1, 50, 0)


def test_a_tie_behind_the_winner_is_no_tie() -> None:
    verdict = Match().play_out(lambda ask: ask.seat // 2)
    assert (verdict.ending, verdict.games, verdict.places) == (Ending.WON, 1, (2, 2, 1))


def test_ties_can_be_shared_at_once() -> None:
    match = Match(ties=Ties.SHARE)
    verdict = match.play_out()
    assert (verdict.ending, verdict.games) == (Ending.SHARED, 1)
    assert [ended.plays_again for ended in match.of(GameEnded)] == [False]


def test_a_tie_with_a_benched_seat_is_none() -> None:
    match = Match(2)
    match.moved(0, 3)
    match.all_point(lambda ask: 3)
    for _ in range(3):
        match.failed(0)
        match.all_point(lambda ask: 0)
    verdict = match.play_out(lambda ask: 0)
    assert (verdict.points, verdict.places, verdict.games) == ((3, 3), (2, 1), 1)


def test_where_nobody_is_left_to_play_a_tie_is_not_played_again() -> None:
    match = Match()
    match.all_point(lambda ask: 3 - ask.seat // 2)
    for _ in range(3):
        for seat in range(3):
            match.failed(seat)
    assert (match.verdict.games, match.verdict.places) == (1, (1, 1, 3))


# --- no contest


def test_where_nobody_makes_a_single_move_there_is_no_contest() -> None:
    match = Match()
    for _ in range(3):
        for seat in range(3):
            match.failed(seat)
    assert (match.verdict.ending, match.verdict.games) == (Ending.NO_CONTEST, 1)
    assert match.verdict.benched == (True, True, True)
    assert match.asks == {}


def test_talk_alone_is_no_contest_either() -> None:
    match = Match(absent=[0, 1], talkers=[2])
    while not match.referee.verdict:
        match.failed(2) if match.asks[2].moves else match.spoke(2, Say("I could, if I would"))
    assert match.verdict.ending is Ending.NO_CONTEST


def test_one_move_is_a_contest() -> None:
    match = Match(absent=[0, 1])
    match.moved(2, 1)
    for _ in range(3):
        match.failed(2)
    assert (match.verdict.ending, match.verdict.games) == (Ending.WON, 1)


def test_where_nobody_came_the_match_is_over_at_once() -> None:
    match = Match(absent=[0, 1, 2])
    assert len(match.records) == 5
    assert match.verdict.ending is Ending.NO_CONTEST


# --- breaks


@pytest.mark.parametrize(("talkers", "asked_in_turn_3"), [([], []), ([1], [(1, 1), (1, 2)])])
def test_a_turn_in_which_everybody_is_on_break_is_played_without_a_move(
    talkers: list[int], asked_in_turn_3: list[tuple[int, int]]
) -> None:
    match = Match(talkers=talkers, game="crossing")
    while len(match.records) < 3:
        for ask in list(match.asks.values()):
            if not ask.moves:
                match.spoke(ask.seat)
            else:
                match.moved(ask.seat, Move.M0 if ask.turn == 1 else Move.S)
    assert [(ask.seat, ask.beat) for ask in match.of(Ask) if ask.turn == 3] == asked_in_turn_3
    assert match.records[2].position.to_act == ()
    assert match.records[2].moves == (Move.NONE,) * 3
    assert {ask.turn for ask in match.asks.values()} == {4}


def test_who_is_on_break_may_talk_but_not_pledge() -> None:
    match = Match(talkers=[0], game="crossing")
    for turn, moves in ((1, [Move.M0] * 3), (2, [Move.S, Move.M0, Move.M1])):
        match.spoke(0)
        match.spoke(0)
        for seat, move in enumerate(moves):
            assert match.asks[seat].turn == turn
            match.moved(seat, move)
    assert match.asks[0].legal == ()
    match.spoke(0, Say("I rest"))
    match.spoke(0, Say(pledge=Move.M0))
    assert [(fault.kind, fault.turn, fault.beat) for fault in match.faults] == [(FaultKind.INVALID, 3, 2)]
    assert sorted(match.asks) == [1, 2]
    assert match.asks[1].heard == (Heard(0, 1, "I rest", None),)


# --- what bots remark


def test_what_a_seat_prints_and_notes_is_kept_with_its_turn() -> None:
    match = Match(talkers=[0])
    match.referee.remark(0, "thinking\n", ["a"])
    match.spoke(0)
    match.spoke(0)
    match.referee.remark(0, "done\n", ["b", "c"])
    match.referee.remark(1, "", [])
    match.all_point()
    assert (match.records[0].printed, match.records[0].notes) == ({0: "thinking\ndone\n"}, {0: ("a", "b", "c")})
    match.spoke(0)
    match.spoke(0)
    match.all_point()
    assert (match.records[1].printed, match.records[1].notes) == ({}, {})
