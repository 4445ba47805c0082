"""A guest between scripted tables and a scripted stream, in virtual time."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from arena.virtual import VirtualLoop, run
from crossing_arena.faults import Fault, FaultKind
from crossing_arena.guest import MAX_STRAYS, NEWS_SECONDS, Guest
from crossing_arena.hall import Lag, Slots
from crossing_arena.referee import Ask, Budgets, Faulted, GameBegan, GameEnded, MatchSpec, TurnRecord
from crossing_sdk.bot import Heard, Say
from crossing_sdk.games import CROSSING, seat_seed, seed_from
from crossing_sdk.games.crossing import Move
from crossing_sdk.wire import arena_pb2 as pb
from crossing_sdk.wire import crossing_pb2 as crossing

SEED = seed_from("guest")
POSITION = CROSSING.start(3, SEED)
GAME = GameBegan(1, SEED)
LIMIT = 100
SPEC = MatchSpec(3, SEED, budgets=Budgets(turn_ms=LIMIT, bank_ms=0))


class Line:
    """The stream to a bot, as a list of what was sent."""

    def __init__(self) -> None:
        self.frames: list[pb.PlayResponse] = []
        self.closed = False

    def send(self, frame: pb.PlayResponse) -> None:
        self.frames.append(frame)

    def close(self) -> None:
        self.closed = True

    @property
    def asks(self) -> list[pb.Ask]:
        return [ask for frame in self.frames for ask in frame.asks]

    @property
    def problems(self) -> list[pb.Problem]:
        return [problem for frame in self.frames for problem in frame.problems]


@dataclass(eq=False)
class Desk:
    """A table, as a list of what it was told."""

    spec: MatchSpec = SPEC
    shown: tuple[Any, Any] | None = None
    told: list[tuple[Any, ...]] = field(default_factory=list)
    remarks: list[tuple[int, str, tuple[str, ...]]] = field(default_factory=list)
    logs: list[str] = field(default_factory=list)

    def moved(self, seat: int, move: Any, elapsed_ms: float) -> None:
        self.told.append(("moved", seat, str(move), round(elapsed_ms)))

    def spoke(self, seat: int, say: Say, elapsed_ms: float) -> None:
        self.told.append(("spoke", seat, say.text, round(elapsed_ms)))

    def ran_out(self, seat: int, elapsed_ms: float, log: str) -> None:
        self.told.append(("ran out", seat, round(elapsed_ms)))
        self.logs.append(log)

    def faulted(self, seat: int, kind: FaultKind, text: str, **details: Any) -> None:
        self.told.append((kind.value, seat, text))
        self.logs.append(details.get("log", ""))

    def remark(self, seat: int, printed: str, notes: Sequence[str]) -> None:
        self.remarks.append((seat, printed, tuple(notes)))


def question(seat: int = 0, turn: int = 1, beat: int = 3, limit: int = LIMIT, bank: int = 0) -> Ask:
    """What a referee asks."""
    legal = POSITION.legal(seat)
    return Ask(seat, turn, beat, limit, bank, 0.0, legal, (), POSITION, moves=beat == 3)


def answer(token: int, move: Move = Move.M0) -> pb.Answer:
    number: Any = move.code + 1
    return pb.Answer(token=token, crossing=number)


@dataclass
class Hall:
    """What guests share."""

    loop: VirtualLoop
    slots: Slots
    lag: Lag

    def guest(self, name: str = "fox", *, reveals: bool = False) -> tuple[Guest, Line]:
        """A guest that has come in; its stream shows nothing of that."""
        guest, line = Guest(name, self.slots, self.lag, self.loop.time), Line()
        guest.arrive(hello(reveals=reveals), line)
        line.frames.clear()
        return guest, line


def hello(*, reveals: bool = False) -> pb.Hello:
    return pb.Hello(protocol=1, games=["crossing"], talks=True, wants_reveals=reveals)


def in_hall(scene: Callable[[Hall], Awaitable[None]], slots: int = 1) -> None:
    """Play a scene in a hall with so many thinking slots."""

    async def whole(loop: VirtualLoop) -> None:
        hall = Hall(loop, Slots(slots), Lag(loop.time))
        hall.lag.start()
        try:
            await scene(hall)
        finally:
            hall.lag.stop()

    run(whole)


async def a_moment() -> None:
    """Whatever is ready happens; no time passes."""
    for _ in range(3):
        await asyncio.sleep(0)


async def after(ms: float) -> None:
    """Virtual milliseconds pass."""
    await asyncio.sleep(ms / 1000)


def seated(guest: Guest, count: int = 1) -> list[Desk]:
    """Tables at which the guest has seat 0 and is asked for a move."""
    desks = [Desk() for _ in range(count)]
    for desk in desks:
        guest.take_seat(desk, 0, GAME)
        guest.ask(desk, question())
    return desks


# --- frames


def test_whatever_is_ready_leaves_as_one_frame() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        seated(guest, 3)
        await a_moment()
        [frame] = line.frames
        assert [started.table for started in frame.started] == [1, 2, 3]
        assert [ask.table for ask in frame.asks] == [1, 2, 3]
        first = frame.asks[0].token
        assert [ask.token for ask in frame.asks] == [first, first + 1, first + 2]
        assert {started.rng_seed for started in frame.started} == {seat_seed(SEED, 0)}

    in_hall(scene)


def test_an_ask_on_the_wire_is_complete() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        desk = Desk()
        guest.take_seat(desk, 1, GAME)
        said = (Heard(2, 1, "hi", Move.M1), Heard(0, 1, "", None))
        guest.ask(desk, Ask(1, 4, 2, 20, 7, 3.5, (Move.M0, Move.S), said, POSITION, moves=False))
        await a_moment()
        [ask] = line.asks
        assert (ask.seat, ask.turn, ask.beat, ask.limit_ms, ask.bank_ms, ask.last_ms) == (1, 4, 2, 20, 7, 3.5)
        assert list(ask.crossing.mushrooms) == list(POSITION.mushrooms)
        legal = [crossing.CROSSING_MOVE_MUSHROOM_0, crossing.CROSSING_MOVE_PROTECT]
        assert list(ask.crossing.legal) == legal
        assert [(heard.seat, heard.text, heard.HasField("crossing")) for heard in ask.heard] == [
            (2, "hi", True),
            (0, "", False),
        ]

    in_hall(scene)


def test_what_is_asked_while_the_bot_thinks_waits_for_the_next_frame() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        seated(guest, 2)
        await a_moment()
        seated(guest, 2)
        await a_moment()
        assert len(line.frames) == 1
        first, second = line.asks
        guest.received(pb.PlayRequest(answers=[answer(first.token)]))
        await a_moment()
        assert len(line.frames) == 1
        guest.received(pb.PlayRequest(answers=[answer(second.token)]))
        await a_moment()
        assert [len(frame.asks) for frame in line.frames] == [2, 2]

    in_hall(scene)


def test_news_travels_with_an_ask_or_alone_after_a_while() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest(reveals=True)
        first, second = seated(guest, 2)
        await a_moment()
        for ask in line.asks:
            guest.received(pb.PlayRequest(answers=[answer(ask.token)]))
        ended = GameEnded(POSITION, (3, 2, 1), (1, 2, 3), plays_again=False)
        moves = (Move.M0, Move.M1, Move.NONE)
        guest.reveal(second, 0, TurnRecord(1, POSITION, (), moves, (0, 0, 0), (), {}, {}))
        guest.end_game(first, 0, ended)
        guest.ask(second, question(turn=2))
        await a_moment()
        with_ask = line.frames[-1]
        assert [(over.table, list(over.places)) for over in with_ask.over] == [(1, [1, 2, 3])]
        assert [(revealed.table, revealed.turn) for revealed in with_ask.revealed] == [(2, 1)]
        assert len(with_ask.asks) == 1
        guest.received(pb.PlayRequest(answers=[answer(with_ask.asks[0].token)]))
        guest.end_game(second, 0, ended)
        await after(NEWS_SECONDS * 1000 + 1)
        alone = line.frames[-1]
        assert ([over.table for over in alone.over], len(alone.asks)) == ([2], 0)

    in_hall(scene)


def test_who_does_not_want_reveals_gets_none() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest(reveals=False)
        [desk] = seated(guest)
        guest.reveal(desk, 0, TurnRecord(1, POSITION, (), (Move.M0,) * 3, (0, 0, 0), (), {}, {}))
        await a_moment()
        assert not any(frame.revealed for frame in line.frames)

    in_hall(scene)


# --- slots


def test_two_guests_share_one_slot_one_after_another() -> None:
    async def scene(hall: Hall) -> None:
        (fox, fox_line), (owl, owl_line) = hall.guest("fox"), hall.guest("owl")
        [fox_desk], [owl_desk] = seated(fox), seated(owl)
        await after(30)
        assert (len(fox_line.asks), len(owl_line.asks)) == (1, 0)
        fox.received(pb.PlayRequest(answers=[answer(fox_line.asks[0].token)]))
        await a_moment()
        assert len(owl_line.asks) == 1
        await after(40)
        owl.received(pb.PlayRequest(answers=[answer(owl_line.asks[0].token)]))
        assert fox_desk.told == [("moved", 0, "M0", 30)]
        assert owl_desk.told == [("moved", 0, "M0", 40)], "its clock ran only while it had the slot"

    in_hall(scene, slots=1)


def test_two_guests_with_two_slots_think_at_once() -> None:
    async def scene(hall: Hall) -> None:
        (fox, fox_line), (owl, owl_line) = hall.guest("fox"), hall.guest("owl")
        seated(fox)
        seated(owl)
        await a_moment()
        assert (len(fox_line.asks), len(owl_line.asks)) == (1, 1)

    in_hall(scene, slots=2)


@pytest.mark.parametrize("how", ["times out", "leaves", "misbehaves", "leaves while queued"])
def test_a_slot_always_comes_back(how: str) -> None:
    async def scene(hall: Hall) -> None:
        (fox, fox_line), (owl, owl_line) = hall.guest("fox"), hall.guest("owl")
        seated(fox)
        seated(owl)
        if how == "leaves while queued":
            fox.leave(FaultKind.CRASH, "gone")
        await a_moment()
        if how == "leaves":
            fox.leave(FaultKind.CRASH, "gone")
        elif how == "misbehaves":
            fox.received(pb.PlayRequest(answers=[answer(fox_line.asks[0].token + 1)]))
        elif how == "times out":
            await after(LIMIT + 1)
        await a_moment()
        assert len(owl_line.asks) == 1
        owl.received(pb.PlayRequest(answers=[answer(owl_line.asks[0].token)]))
        seated(owl)
        await a_moment()
        assert len(owl_line.asks) == 2, "and only once"

    in_hall(scene, slots=1)


# --- clocks


def test_the_clock_of_an_ask_starts_when_the_one_before_it_is_answered() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        first, second = seated(guest, 2)
        await a_moment()
        await after(30)
        guest.received(pb.PlayRequest(answers=[answer(line.asks[0].token)]))
        await after(90)
        guest.received(pb.PlayRequest(answers=[answer(line.asks[1].token, Move.M1)]))
        assert first.told == [("moved", 0, "M0", 30)]
        assert second.told == [("moved", 0, "M1", 90)]

    in_hall(scene)


def test_each_ask_has_its_whole_time_even_if_the_one_before_it_ran_out() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        guest.last_words = lambda: "still loading"
        first, second = seated(guest, 2)
        await after(LIMIT + 90)
        assert first.told == [("ran out", 0, LIMIT)]
        assert first.logs == ["still loading"]
        guest.received(pb.PlayRequest(answers=[answer(line.asks[1].token)]))
        assert second.told == [("moved", 0, "M0", 90)]

    in_hall(scene)


def test_the_deadline_includes_the_bank() -> None:
    async def scene(hall: Hall) -> None:
        guest, _ = hall.guest()
        desk = Desk()
        guest.take_seat(desk, 0, GAME)
        guest.ask(desk, question(limit=100, bank=50))
        await after(149)
        assert desk.told == []
        await after(2)
        assert desk.told == [("ran out", 0, 150)]

    in_hall(scene)


def test_without_a_limit_nobody_runs_out() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        desk = Desk()
        guest.take_seat(desk, 0, GAME)
        guest.ask(desk, question(limit=0))
        await after(20_000)
        guest.received(pb.PlayRequest(answers=[answer(line.asks[0].token)]))
        assert desk.told == [("moved", 0, "M0", 20_000)]

    in_hall(scene)


@pytest.mark.parametrize(("took", "shares"), [(60, (30, 30)), (98, (49, 49)), (150, (150, 0))])
def test_replies_of_one_frame_share_their_time_unless_it_is_over_the_limit(took: int, shares: tuple[int, int]) -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        desks = [Desk(), Desk()]
        for desk in desks:
            guest.take_seat(desk, 0, GAME)
            guest.ask(desk, question(bank=1_000))
        await a_moment()
        await after(took)
        guest.received(pb.PlayRequest(answers=[answer(ask.token) for ask in line.asks]))
        assert [desk.told for desk in desks] == [[("moved", 0, "M0", share)] for share in shares]

    in_hall(scene)


@pytest.mark.parametrize("took", [60, 150])
def test_a_stray_in_the_frame_pays_for_nobody(took: int) -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        [desk] = seated(guest)
        await a_moment()
        old = line.asks[0].token
        guest.received(pb.PlayRequest(answers=[answer(old)]))
        guest.ask(desk, question(turn=2, bank=1_000))
        await a_moment()
        await after(took)
        guest.received(pb.PlayRequest(answers=[answer(old), answer(line.asks[1].token)]))
        assert desk.told[1:] == [("moved", 0, "M0", took)]

    in_hall(scene)


def test_time_over_the_limit_is_charged_to_the_ask_whose_clock_ran_whatever_the_order_of_replies() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        desks = [Desk(), Desk()]
        for desk in desks:
            guest.take_seat(desk, 0, GAME)
            guest.ask(desk, question(bank=1_000))
        await a_moment()
        await after(150)
        guest.received(pb.PlayRequest(answers=[answer(ask.token) for ask in reversed(line.asks)]))
        assert [desk.told for desk in desks] == [[("moved", 0, "M0", 150)], [("moved", 0, "M0", 0)]]

    in_hall(scene)


def test_a_stray_answer_does_not_turn_the_clock_back() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        [desk] = seated(guest)
        await a_moment()
        old = line.asks[0].token
        guest.received(pb.PlayRequest(answers=[answer(old)]))
        guest.ask(desk, question(turn=2))
        await a_moment()
        await after(60)
        guest.received(pb.PlayRequest(answers=[answer(old)]))
        await after(60)
        assert desk.told[1:] == [("ran out", 0, LIMIT)]

    in_hall(scene)


def test_what_the_arena_itself_stood_still_is_not_charged() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        [desk] = seated(guest)
        await after(50)
        hall.loop.stall(5)
        await after(30)
        assert desk.told == []
        guest.received(pb.PlayRequest(answers=[answer(line.asks[0].token)]))
        [(what, _, _, elapsed)] = desk.told
        assert what == "moved"
        assert 80 <= elapsed <= 80 + Lag.BEAT * 1000, "the stall is known to one heartbeat"

    in_hall(scene)


def test_a_stall_does_not_save_who_would_have_been_late_anyhow() -> None:
    async def scene(hall: Hall) -> None:
        guest, _ = hall.guest()
        [desk] = seated(guest)
        await after(50)
        hall.loop.stall(5)
        await after(LIMIT)
        [(what, _, elapsed)] = desk.told
        assert what == "ran out"
        assert LIMIT <= elapsed <= LIMIT + Lag.BEAT * 1000

    in_hall(scene)


def test_lag_counts_stalls_and_nothing_else() -> None:
    async def scene(loop: VirtualLoop) -> None:
        lag = Lag(loop.time)
        lag.start()
        await after(1_000)
        assert lag.stalled() == 0
        loop.stall(0.5)
        unfinished = lag.stalled()
        assert 0.49 <= unfinished <= 0.5
        await after(1_000)
        assert lag.stalled() == pytest.approx(unfinished)
        loop.stall(0.25)
        await after(1_000)
        assert lag.stalled() == pytest.approx(unfinished + 0.25, abs=Lag.BEAT)
        lag.stop()

    run(scene)


# --- answers that do not belong here


def test_a_token_it_was_never_given_costs_the_ask_in_hand() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        first, second = seated(guest, 2)
        await a_moment()
        token = line.asks[1].token + 1
        guest.received(pb.PlayRequest(answers=[answer(token)]))
        assert first.told == [("PROTOCOL", 0, f"it answered with token {token}, which it was never given")]
        assert second.told == []

    in_hall(scene)


def test_an_old_token_is_dropped_and_the_author_told() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        [desk] = seated(guest)
        await after(LIMIT + 1)
        old = line.asks[0].token
        guest.ask(desk, question(turn=2))
        await a_moment()
        guest.received(pb.PlayRequest(answers=[answer(old, Move.M1)]))
        assert desk.told == [("ran out", 0, LIMIT)]
        await after(LIMIT + 1)
        assert desk.told[1:] == [("ran out", 0, LIMIT)]
        assert desk.logs[1].startswith("1 answers bore the token of a closed ask and were dropped")
        guest.ask(desk, question(turn=3))
        await a_moment()
        [problem] = line.problems
        assert (problem.kind, str(old) in problem.text) == (pb.PROBLEM_KIND_OLD_TOKEN, True)

    in_hall(scene)


def test_whoever_sends_nothing_but_strays_is_shown_out() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        for _ in range(MAX_STRAYS):
            guest.received(pb.PlayRequest(answers=[answer(1)]))
        assert not line.closed
        guest.received(pb.PlayRequest(answers=[answer(1)]))
        assert line.closed

    in_hall(scene)


def test_an_answer_that_was_asked_for_redeems_strays() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        for _ in range(3):
            for _ in range(MAX_STRAYS):
                guest.received(pb.PlayRequest(answers=[answer(1)]))
            seated(guest)
            await a_moment()
            guest.received(pb.PlayRequest(answers=[answer(line.asks[-1].token)]))
        assert not line.closed

    in_hall(scene)


def test_a_new_process_does_not_pay_for_the_strays_of_the_one_before() -> None:
    async def scene(hall: Hall) -> None:
        guest, _ = hall.guest()
        for _ in range(MAX_STRAYS + 1):
            guest.received(pb.PlayRequest(answers=[answer(1)]))
        guest.leave(FaultKind.PROTOCOL, "shown out")
        line = Line()
        guest.arrive(hello(), line)
        guest.received(pb.PlayRequest(answers=[answer(1)]))
        assert not line.closed

    in_hall(scene)


@pytest.mark.parametrize("frame", [pb.PlayRequest(), pb.PlayRequest(hello=hello())], ids=["empty", "hello"])
def test_frames_that_say_nothing_are_not_listened_to_for_ever(frame: pb.PlayRequest) -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        for _ in range(1_000):
            guest.received(frame)
        assert line.closed

    in_hall(scene)


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (pb.PlayRequest(), "it sent an empty frame"),
        (pb.PlayRequest(hello=hello()), "it sent a second hello"),
    ],
    ids=["empty", "hello"],
)
def test_a_frame_that_does_not_belong_here_costs_the_ask_in_hand(frame: pb.PlayRequest, words: str) -> None:
    async def scene(hall: Hall) -> None:
        guest, _ = hall.guest()
        [desk] = seated(guest)
        await a_moment()
        guest.received(frame)
        assert desk.told == [("PROTOCOL", 0, words)]

    in_hall(scene)


@pytest.mark.parametrize(
    ("beat", "reply", "told"),
    [
        (3, pb.Utterance(text="hm"), ("PROTOCOL", 0, "beat 3 asks for a move")),
        (1, answer(0), ("PROTOCOL", 0, "beat 1 asks for something to say")),
        (3, pb.Answer(), ("INVALID", 0, "the answer has no move")),
        (1, pb.Utterance(text="a\nb"), ("INVALID", 0, "the text contains U+000A, which cannot be shown")),
        (1, pb.Utterance(text="a\u200bb"), ("INVALID", 0, "the text contains U+200B, which cannot be shown")),
        (2, pb.Utterance(text="x" * 201), ("INVALID", 0, "the text has 201 characters, more than 200")),
        (3, pb.Failure(kind=pb.FAILURE_KIND_CRASH, text="oh"), ("CRASH", 0, "oh")),
        (3, pb.Failure(kind=pb.FAILURE_KIND_INVALID, text="oh"), ("INVALID", 0, "oh")),
        (1, pb.Failure(text="oh"), ("CRASH", 0, "oh")),
        (1, pb.Utterance(text="hi"), ("spoke", 0, "hi", 0)),
        (2, pb.Utterance(), ("spoke", 0, "", 0)),
        (3, answer(0, Move.S), ("moved", 0, "S", 0)),
    ],
)
def test_a_reply_is_passed_on_or_is_a_fault(beat: int, reply: Any, told: tuple[Any, ...]) -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        desk = Desk()
        guest.take_seat(desk, 0, GAME)
        guest.ask(desk, question(beat=beat))
        await a_moment()
        whole = type(reply)()
        whole.CopyFrom(reply)
        whole.token = line.asks[0].token
        kind = {pb.Answer: "answers", pb.Utterance: "utterances", pb.Failure: "failures"}[type(reply)]
        frame = pb.PlayRequest()
        getattr(frame, kind).append(whole)
        guest.received(frame)
        assert desk.told == [told]

    in_hall(scene)


def test_a_move_number_that_does_not_exist_is_named() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        [desk] = seated(guest)
        await a_moment()
        number: Any = 99
        guest.received(pb.PlayRequest(answers=[pb.Answer(token=line.asks[0].token, crossing=number)]))
        assert desk.told == [("INVALID", 0, "CrossingMove 99 does not exist; there are 1 to 13")]

    in_hall(scene)


def test_what_a_bot_prints_and_notes_is_passed_on() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        [desk] = seated(guest)
        await a_moment()
        number: Any = 1
        token = line.asks[0].token
        guest.received(
            pb.PlayRequest(answers=[pb.Answer(token=token, crossing=number, printed="hm\n", notes=["a", "b"])])
        )
        assert desk.remarks == [(0, "hm\n", ("a", "b"))]

    in_hall(scene)


@pytest.mark.parametrize(
    "reply",
    [
        pb.Failure(text="x" * 900_000),
        pb.Failure(printed="x" * 900_000),
        pb.Failure(notes=["x" * 900_000]),
        pb.Failure(notes=["x"] * 100_000),
    ],
    ids=["text", "printed", "one note", "many notes"],
)
def test_a_bot_cannot_fill_the_record(reply: pb.Failure) -> None:
    """The SDK cuts what is printed, but a bot need not use it: a record is kept for every match of a ladder."""

    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        [desk] = seated(guest)
        await a_moment()
        whole = pb.Failure(token=line.asks[0].token)
        whole.MergeFrom(reply)
        guest.received(pb.PlayRequest(failures=[whole]))
        kept = len(repr(desk.told)) + len(repr(desk.remarks)) + len(repr(desk.logs))
        assert kept < 50_000

    in_hall(scene)


# --- what a bot is told of its faults


def test_a_fault_is_told_to_its_bot_with_the_next_frame() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        desk = Desk()
        guest.take_seat(desk, 0, GAME)
        fault = Fault(0, FaultKind.TIMEOUT, 4, 3, "151 ms of 150 ms", elapsed_ms=151, limit_ms=150, benched=True)
        guest.admonish(desk, 0, Faulted(fault))
        guest.ask(desk, question())
        await a_moment()
        timeout, benched = line.problems
        assert timeout.kind == pb.PROBLEM_KIND_TIMEOUT
        assert timeout.text == "TIMEOUT in turn 4: 151 ms of 150 ms"
        assert (timeout.table, timeout.turn, timeout.elapsed_ms, timeout.limit_ms) == (1, 4, 151, 150)
        assert benched.kind == pb.PROBLEM_KIND_BENCHED

    in_hall(scene)


# --- coming and going


def test_who_comes_back_is_seated_where_it_was_and_asked_again() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        first, second = seated(guest, 2)
        await a_moment()
        before = line.asks[1]
        guest.leave(FaultKind.CRASH, "the process exited with code 3", "its last words")
        assert first.told == [("CRASH", 0, "the process exited with code 3")]
        assert first.logs == ["its last words"]
        assert second.told == [], "only the ask in hand is lost"
        await after(20_000)
        assert second.told == [], "nobody's clock runs while it is away"
        again = Line()
        guest.arrive(hello(), again)
        guest.ask(first, question(turn=2))
        await a_moment()
        welcome, frame = again.frames
        assert welcome.welcome.name == "fox"
        assert [started.table for started in welcome.started] == [1, 2]
        assert [(ask.table, ask.turn) for ask in frame.asks] == [(2, 1), (1, 2)]
        assert frame.asks[0].token != before.token
        await after(40)
        guest.received(pb.PlayRequest(answers=[answer(frame.asks[0].token)]))
        assert second.told == [("moved", 0, "M0", 40)]

    in_hall(scene)


def test_an_answer_of_the_former_process_does_not_count() -> None:
    async def scene(hall: Hall) -> None:
        guest, line = hall.guest()
        _, second = seated(guest, 2)
        await a_moment()
        guest.leave(FaultKind.CRASH, "gone")
        guest.arrive(hello(), Line())
        await a_moment()
        guest.received(pb.PlayRequest(answers=[answer(line.asks[1].token)]))
        assert second.told == []

    in_hall(scene)


def test_games_that_ended_while_it_was_away_are_not_taken_up_again() -> None:
    async def scene(hall: Hall) -> None:
        guest, _ = hall.guest()
        first, _ = seated(guest, 2)
        await a_moment()
        guest.leave(FaultKind.CRASH, "gone")
        guest.end_game(first, 0, GameEnded(POSITION, (0, 0, 0), (1, 1, 1), plays_again=False))
        again = Line()
        guest.arrive(hello(), again)
        await after(100)
        assert [started.table for frame in again.frames for started in frame.started] == [2]
        assert [ask.table for ask in again.asks] == [2]

    in_hall(scene)


def test_crashes_are_counted_until_an_answer_is_given() -> None:
    async def scene(hall: Hall) -> None:
        guest, _ = hall.guest()
        for _ in range(2):
            guest.leave(FaultKind.CRASH, "gone")
            guest.arrive(hello(), Line())
        assert guest.crashes == 2
        line = Line()
        guest.arrive(hello(), line)
        seated(guest)
        await a_moment()
        guest.received(pb.PlayRequest(answers=[answer(line.asks[0].token)]))
        assert guest.crashes == 0

    in_hall(scene)


def test_who_will_not_come_back_is_out_at_all_its_tables() -> None:
    async def scene(hall: Hall) -> None:
        guest, _ = hall.guest()
        first, second = seated(guest, 2)
        await a_moment()
        guest.leave(FaultKind.CRASH, "gone")
        guest.give_up(FaultKind.START_UP, "no hello within 5 s", "its last words")
        assert first.told == [("CRASH", 0, "gone"), ("START-UP", 0, "no hello within 5 s")]
        assert second.told == [("START-UP", 0, "no hello within 5 s")]
        assert guest.absent == "no hello within 5 s\nits last words"

    in_hall(scene)


@pytest.mark.parametrize(
    ("hello", "words"),
    [
        (pb.Hello(protocol=1, games=["crossing"]), ""),
        (pb.Hello(protocol=1, games=["chess", "crossing"]), ""),
        (
            pb.Hello(protocol=2, games=["crossing"]),
            "this arena speaks protocol 1, your bot 2; use a matching SDK",
        ),
        (pb.Hello(protocol=1, games=["chess", "go"]), "your bot plays chess, go; this arena plays crossing"),
        (pb.Hello(protocol=1), "your bot plays nothing; this arena plays crossing"),
    ],
)
def test_a_hello_is_welcome_or_told_why_not(hello: pb.Hello, words: str) -> None:
    assert Guest("fox", Slots(1), Lag()).greet(hello) == words
