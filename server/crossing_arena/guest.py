"""One bot process in the hall.

A **guest** may sit at many tables; whatever is ready for it leaves as one frame. It thinks
only with a slot of the hall, and the clock of an ask starts when it is sent, or when the guest
answered the ask before it.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from crossing_arena._version import __version__
from crossing_arena.faults import Fault, FaultKind
from crossing_arena.hall import Lag, Slots
from crossing_arena.referee import Ask, Faulted, GameBegan, GameEnded, TurnRecord
from crossing_arena.replies import Host, Reply, pass_on
from crossing_sdk.bot import Heard
from crossing_sdk.codec import CODECS, PROTOCOL, Codec
from crossing_sdk.games import seat_seed
from crossing_sdk.wire import arena_pb2 as pb

MAX_STRAYS = 64
"""So many answers that nobody asked for, without one that somebody did, and the guest is shown out."""

NEWS_SECONDS = 0.05
"""How long news may wait for an ask to travel with: a frame of their own would cost as much as sixteen answers."""


class Link(Protocol):
    """The way to a bot's process: an open stream."""

    def send(self, frame: pb.PlayResponse) -> None:
        """Write a frame soon."""
        ...

    def close(self) -> None:
        """End the conversation after what was sent."""
        ...


@dataclass(slots=True)
class _Pending:
    """An ask to a guest, waiting or sent."""

    table: Host
    ask: Ask
    handle: int
    """The number of this seat in this game, for this guest."""


@dataclass(slots=True)
class _Chair:
    """A seat of a guest in a game under way."""

    table: Host
    seat: int
    started: pb.GameStarted


class Guest:
    """One bot process in the hall, at any number of tables: a `table.Player` for each of them."""

    def __init__(self, name: str, slots: Slots, lag: Lag, now: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self.talks = False
        self.absent = ""
        self.last_words: Callable[[], str] = lambda: ""
        """The end of the process's log, for a fault's author."""
        self._slots, self._lag, self._now = slots, lag, now
        self._link: Link | None = None
        self._wants_reveals = False
        self._chairs: dict[int, _Chair] = {}
        self._handles: dict[tuple[Host, int], int] = {}
        self._next_handle = 1
        self._next_token = self._first_token = secrets.randbits(32)
        self._waiting: list[_Pending] = []
        self._sent: dict[int, _Pending] = {}
        self._news = pb.PlayResponse()
        self._queued = False
        self._timer: asyncio.TimerHandle | None = None
        self._news_timer: asyncio.TimerHandle | None = None
        self._clock = self._clock_stalled = 0.0
        self._strays = self._old_answers = 0
        self.expelled = ""
        """Why the bot was shown out, if it was."""
        self.crashes = 0
        """In a row, without a valid answer between them."""

    # --- what tables tell a guest

    def take_seat(self, table: Host, seat: int, game: GameBegan) -> None:
        """A game begins in which this guest has a seat."""
        spec, budgets = table.spec, table.spec.budgets
        handle, self._next_handle = self._next_handle, self._next_handle + 1
        started = pb.GameStarted(
            table=handle,
            game=spec.game,
            players=spec.players,
            seat=seat,
            rng_seed=seat_seed(game.seed, seat),
            budgets=pb.Budgets(turn_ms=budgets.turn_ms, bank_ms=budgets.bank_ms, talk_ms=budgets.talk_ms),
            talk=spec.talk,
        )
        self._handles[table, seat] = handle
        self._chairs[handle] = _Chair(table, seat, started)
        self._news.started.append(started)

    def ask(self, table: Host, ask: Ask) -> None:
        """Pass an ask on as soon as there is a slot."""
        self._waiting.append(_Pending(table, ask, self._handles[table, ask.seat]))
        self._queue_up()

    def reveal(self, table: Host, seat: int, record: TurnRecord) -> None:
        """Pass on what everybody did, if the bot cares."""
        if not self._wants_reveals:
            return
        codec = CODECS[table.spec.game]
        message = self._news.revealed.add(table=self._handles[table, seat], turn=record.position.turn)
        codec.put_moves(message, record.moves)
        message.heard.extend(_heard(codec, record.said))

    def end_game(self, table: Host, seat: int, ended: GameEnded) -> None:
        """Pass on how it ended."""
        handle = self._handles.pop((table, seat))
        del self._chairs[handle]
        self._waiting = [pending for pending in self._waiting if pending.handle != handle]
        over = self._news.over.add(table=handle, plays_again=ended.plays_again)
        over.points.extend(ended.points)
        over.places.extend(ended.places)
        if self._news_timer is None:
            self._news_timer = asyncio.get_running_loop().call_later(NEWS_SECONDS, self._send_news)

    def admonish(self, table: Host, seat: int, faulted: Faulted) -> None:
        """Pass on what was wrong."""
        fault = faulted.fault
        handle = self._handles.get((table, seat), 0)
        self._complain(_PROBLEM[fault.kind], _words(fault), fault, handle)
        if fault.benched:
            words = "too many faults: this seat makes default moves to the end of the match and comes last"
            self._complain(pb.PROBLEM_KIND_BENCHED, words, fault, handle)

    def _complain(self, kind: pb.ProblemKind.ValueType, text: str, fault: Fault, handle: int) -> None:
        elapsed, limit = int(fault.elapsed_ms), int(fault.limit_ms)
        self._news.problems.add(kind=kind, text=text, table=handle, turn=fault.turn, elapsed_ms=elapsed, limit_ms=limit)

    # --- thinking: asks go out with a slot, and the slot comes back when all are answered

    def _queue_up(self) -> None:
        if self._waiting and not self._sent and not self._queued and self._link:
            self._queued = True
            self._slots.want(self)

    def think(self) -> None:
        """The guest has a slot: send it all that waits, and start its clock."""
        self._queued = False
        if not self._link or not self._waiting:
            self._slots.give_back()
            return
        frame = pb.PlayResponse()
        waiting, self._waiting = self._waiting, []
        for pending in waiting:
            token, self._next_token = self._next_token, self._next_token + 1
            self._sent[token] = pending
            self._put_ask(frame, pending, token)
        self._old_answers = 0
        self._send(frame)
        self._restart_clock()

    def _put_ask(self, frame: pb.PlayResponse, pending: _Pending, token: int) -> None:
        ask, codec = pending.ask, CODECS[pending.table.spec.game]
        message = frame.asks.add(
            table=pending.handle,
            token=token,
            seat=ask.seat,
            turn=ask.turn,
            beat=ask.beat,
            limit_ms=ask.limit_ms,
            bank_ms=ask.bank_ms,
            last_ms=ask.last_ms,
        )
        codec.put_view(message, _shown(codec, pending.table, ask), ask.legal)
        if ask.heard:
            message.heard.extend(_heard(codec, ask.heard))

    def _send(self, frame: pb.PlayResponse) -> None:
        """Send a frame, with all the news there is."""
        if self._link is None:
            self._news = pb.PlayResponse()
            return
        frame.MergeFrom(self._news)
        self._news = pb.PlayResponse()
        self._link.send(frame)

    def _send_news(self) -> None:
        """No ask came for a while that the news could have gone with."""
        self._news_timer = None
        if self._news.ByteSize():
            self._send(pb.PlayResponse())

    def _restart_clock(self) -> None:
        """Somebody's clock starts: that of the first ask not yet answered."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if not self._sent:
            self._slots.give_back()
            self._queue_up()
            return
        self._clock, self._clock_stalled = self._now(), self._lag.stalled()
        self._set_timer(0)

    def _set_timer(self, elapsed_ms: float) -> None:
        deadline = next(iter(self._sent.values())).ask.deadline_ms
        if deadline is not None:
            seconds = (deadline - elapsed_ms) / 1000
            self._timer = asyncio.get_running_loop().call_later(seconds, self._time_is_up)

    def _elapsed_ms(self) -> float:
        """Since the clock was started, less what the arena itself stood still."""
        stalled = self._lag.stalled() - self._clock_stalled
        return max(0.0, self._now() - self._clock - stalled) * 1000

    def _time_is_up(self) -> None:
        token, pending = next(iter(self._sent.items()))
        elapsed = self._elapsed_ms()
        deadline = pending.ask.deadline_ms
        if deadline is not None and elapsed < deadline:
            self._set_timer(elapsed)
            return
        del self._sent[token]
        log = self.last_words()
        if self._old_answers:
            log = f"{self._old_answers} answers bore the token of a closed ask and were dropped\n{log}".rstrip()
        pending.table.ran_out(pending.ask.seat, elapsed, log)
        self._restart_clock()

    # --- what comes from the bot

    def received(self, frame: pb.PlayRequest) -> None:
        """A frame came in: every reply in it goes to its table."""
        replies: list[Reply] = [*frame.answers, *frame.utterances, *frame.failures]
        before = next(iter(self._sent), None)
        known = [reply for reply in replies if reply.token in self._sent]
        times = self._times(known)
        for reply in known:
            self._strays = self.crashes = 0
            if pending := self._sent.pop(reply.token, None):
                pass_on(reply, pending.table, pending.ask, times[reply.token])
            else:
                self._stray(reply.token)  # answered twice in one frame
        for reply in replies:
            if reply.token not in times:
                self._stray(reply.token)
        if frame.HasField("hello"):
            self._misbehaved("it sent a second hello")
        elif not replies:
            self._misbehaved("it sent an empty frame")
        if before is not None and before not in self._sent:  # a stray must not turn the clock back
            self._restart_clock()

    def _times(self, replies: Sequence[Reply]) -> dict[int, float]:
        """How long each reply of one frame took, by token.

        They came together, so we know only the sum: shared evenly while it is within the limit,
        and charged to the ask that was sent first, whose clock was running, when it is not.
        """
        tokens = sorted({reply.token for reply in replies})
        if not tokens:
            return {}
        elapsed = self._elapsed_ms()
        limit = self._sent[tokens[0]].ask.limit_ms
        if limit and elapsed > limit:
            return {**dict.fromkeys(tokens, 0.0), tokens[0]: elapsed}
        return dict.fromkeys(tokens, elapsed / len(tokens))

    def _stray(self, token: int) -> None:
        """An answer to no open ask: late if it was once asked, and otherwise none of this guest's business."""
        if self._first_token <= token < self._next_token:
            self._count_stray()
            self._old_answers += 1
            if self.expelled:
                return
            text = f"your answer with token {token} came too late and was dropped"
            self._news.problems.add(kind=pb.PROBLEM_KIND_OLD_TOKEN, text=text)
        else:
            self._misbehaved(f"it answered with token {token}, which it was never given")

    def _misbehaved(self, text: str) -> None:
        self._count_stray()
        self._close_head(FaultKind.PROTOCOL, text)

    def _count_stray(self) -> None:
        """Listen to nonsense only so long."""
        self._strays += 1
        if self._strays > MAX_STRAYS and self._link:
            self.expelled = f"it was shown out: more than {MAX_STRAYS} messages that nobody asked for"
            self._link.close()

    def _close_head(self, kind: FaultKind, text: str, log: str = "") -> None:
        """Charge a fault to the ask that the guest was busy with, if any."""
        if self._sent:
            pending = self._sent.pop(next(iter(self._sent)))
            elapsed = self._elapsed_ms()
            pending.table.faulted(pending.ask.seat, kind, text, elapsed_ms=elapsed, log=log)

    # --- coming and going

    def greet(self, hello: pb.Hello) -> str:
        """What is wrong with a hello, in words for its author; empty if it is welcome."""
        if hello.protocol != PROTOCOL:
            return f"this arena speaks protocol {PROTOCOL}, your bot {hello.protocol}; use a matching SDK"
        if not any(name in CODECS for name in hello.games):
            return f"your bot plays {', '.join(hello.games) or 'nothing'}; this arena plays {', '.join(CODECS)}"
        return ""

    def arrive(self, hello: pb.Hello, link: Link) -> None:
        """The bot is there, for the first time or again: seat it where it belongs and let it go on."""
        self._link = link
        self._strays = 0
        self.expelled = ""
        self.talks = hello.talks
        self._wants_reveals = hello.wants_reveals
        welcome = pb.Welcome(protocol=PROTOCOL, arena=__version__, name=self.name)
        self._news = pb.PlayResponse(welcome=welcome, started=[chair.started for chair in self._chairs.values()])
        self._send(pb.PlayResponse())
        self._queue_up()

    def lose(self, link: Link) -> None:
        """A stream of the bot ended. Until it is known why, its clock stands still."""
        if self._link is link:
            self._link = None
            if self._timer:
                self._timer.cancel()
                self._timer = None

    def leave(self, kind: FaultKind, text: str, log: str = "") -> None:
        """The bot is gone: it pays for the ask it was busy with; the others wait for its return."""
        self._link = None
        thinking = bool(self._sent)
        self.crashes += 1
        self._close_head(kind, text, log)
        self._waiting = [*self._sent.values(), *self._waiting]
        self._sent.clear()
        if thinking:
            self._restart_clock()

    def give_up(self, kind: FaultKind, text: str, log: str = "") -> None:
        """The bot will not come back: it is out at all its tables."""
        self.absent = text if not log else f"{text}\n{log}"
        self._waiting = []
        for chair in list(self._chairs.values()):
            chair.table.faulted(chair.seat, kind, text, log=log, bench=True)

    def show_out(self) -> None:
        """End the conversation, after what is left to say."""
        if self._news_timer:
            self._news_timer.cancel()
        self._send_news()
        if self._link:
            self._link.close()


_PROBLEM = {
    FaultKind.TIMEOUT: pb.PROBLEM_KIND_TIMEOUT,
    FaultKind.INVALID: pb.PROBLEM_KIND_INVALID,
    FaultKind.CRASH: pb.PROBLEM_KIND_CRASH,
    FaultKind.DISCONNECT: pb.PROBLEM_KIND_DISCONNECT,
    FaultKind.PROTOCOL: pb.PROBLEM_KIND_PROTOCOL,
    FaultKind.START_UP: pb.PROBLEM_KIND_START_UP,
}


def _shown(codec: Codec, table: Host, ask: Ask) -> Any:
    """What everybody at the table sees, encoded once a turn."""
    if table.shown is None or table.shown[0] is not ask.position:
        table.shown = ask.position, codec.table(ask.position)
    return table.shown[1]


def _words(fault: Fault) -> str:
    return f"{fault.kind.value} in turn {fault.turn}: {fault.text}"


def _heard(codec: Codec, said: tuple[Heard, ...]) -> list[pb.Heard]:
    messages = []
    for heard in said:
        message = pb.Heard(seat=heard.seat, beat=heard.beat, text=heard.text)
        if heard.pledge is not None:
            codec.put_move(message, heard.pledge)
        messages.append(message)
    return messages
