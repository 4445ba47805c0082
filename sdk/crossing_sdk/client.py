"""The gRPC loop around the session: the only module of the SDK that imports grpc."""

import io
import os
import pdb
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn, TextIO

import grpc

from crossing_sdk.bot import BotLike, as_bot
from crossing_sdk.session import Reply, Session
from crossing_sdk.wire import arena_pb2 as pb
from crossing_sdk.wire import arena_pb2_grpc as rpc

ADDRESS = "CROSSING_ADDRESS"
TOKEN = "CROSSING_TOKEN"  # noqa: S105  # the name of a variable
TERMINAL = "CROSSING_TERMINAL"

FLUSH_AFTER = 0.002
"""Seconds an answer may wait for the others of its frame; a slow decision must not hold back a quick one."""

PRINTED_LIMIT = 4_000
"""Characters kept of what a bot prints in one turn; the process log has the rest."""


class Outbox:
    """Replies on their way out: those made within a moment leave as one frame."""

    def __init__(self, first: pb.PlayRequest) -> None:
        self._first = first
        self._replies: list[Reply] = []
        self._changed = threading.Condition()
        self._whole = False
        self._closed = False

    def put(self, reply: Reply, *, whole: bool) -> None:
        """Take a reply; `whole` says that no other of this frame will follow."""
        with self._changed:
            self._replies.append(reply)
            self._whole = whole
            if whole or len(self._replies) == 1:
                self._changed.notify()

    def close(self) -> None:
        """No more replies will come."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def frames(self) -> Iterator[pb.PlayRequest]:
        """The frames to send, until closed."""
        yield self._first
        while replies := self._next():
            yield _frame(replies)

    def _next(self) -> list[Reply]:
        with self._changed:
            self._changed.wait_for(lambda: self._replies or self._closed)
            self._changed.wait_for(lambda: self._whole or self._closed, timeout=FLUSH_AFTER)
            replies, self._replies, self._whole = self._replies, [], False
            return replies


def _frame(replies: list[Reply]) -> pb.PlayRequest:
    frame = pb.PlayRequest()
    for reply in replies:
        if isinstance(reply, pb.Answer):
            frame.answers.append(reply)
        elif isinstance(reply, pb.Utterance):
            frame.utterances.append(reply)
        else:
            frame.failures.append(reply)
    return frame


class Printed(io.TextIOBase):
    """Standard output that also remembers what was printed since it was last asked."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._kept = io.StringIO()
        self._room = PRINTED_LIMIT
        self._dropped = 0

    def write(self, text: str) -> int:
        """Pass text on, and keep the beginning of it."""
        kept = text[: self._room]
        self._room -= len(kept)
        self._dropped += len(text) - len(kept)
        self._kept.write(kept)
        self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Pass on what is still buffered."""
        self._stream.flush()

    def isatty(self) -> bool:
        """A bot's output is never a terminal."""
        return False

    def take(self) -> str:
        """What was printed since the last call, capped."""
        if self._room == PRINTED_LIMIT:
            return ""
        kept, dropped = self._kept.getvalue(), self._dropped
        self._kept, self._room, self._dropped = io.StringIO(), PRINTED_LIMIT, 0
        return f"{kept}\n... {dropped} characters dropped" if dropped else kept


def run(bot: BotLike) -> NoReturn:
    """Play for the arena that started this process: the last line of every bot.

    Takes a Bot class, or a function `choose(turn)` that returns one of `turn.legal`.
    """
    bot_class = as_bot(bot)
    address = os.environ.get(ADDRESS)
    if not address:
        script = Path(sys.argv[0]).name
        _stop(2, f"{script} is a bot; an arena starts it. Try: crossing-arena play {script} greedy thief")
    token = os.environ.pop(TOKEN, None) or sys.stdin.readline().strip()
    printed = Printed(sys.stdout)
    sys.stdout = printed
    if terminal := os.environ.get(TERMINAL):
        sys.breakpointhook = _breakpoints_at(terminal)
    session = Session(bot_class, printed.take, _say)
    _converse(session, address, token)
    sys.exit(0)


def _converse(session: Session, address: str, token: str) -> None:
    outbox = Outbox(session.hello(token))
    options = [("grpc.enable_retries", 0), ("grpc.max_receive_message_length", 16 << 20)]
    with grpc.insecure_channel(address, options=options) as channel:
        call = rpc.ArenaStub(channel).Play(outbox.frames())
        try:
            for frame in call:
                unanswered = len(frame.asks)
                for reply in session.receive(frame):
                    unanswered -= 1
                    outbox.put(reply, whole=not unanswered)
        except grpc.RpcError as error:
            _stop(1, f"the arena at {address} hung up: {error.details()} ({error.code().name})")
        finally:
            outbox.close()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201  # the process log is where an author looks


def _stop(code: int, text: str) -> NoReturn:
    _say(text)
    sys.exit(code)


def _breakpoints_at(terminal: str) -> Any:
    """A breakpoint() talks to the author's terminal, since the bot's own input and output belong to the arena."""

    def hook(*_args: object, **_kwargs: object) -> None:
        reader, writer = Path(terminal).open(), Path(terminal).open("w")  # noqa: SIM115  # open as long as pdb is
        pdb.Pdb(stdin=reader, stdout=writer).set_trace(sys._getframe(1))

    return hook
