"""What a bot's reply means to its table; what cannot be read or goes too far is the bot's fault."""

from collections.abc import Sequence
from typing import Any, Protocol

from crossing_arena.faults import FaultKind
from crossing_arena.referee import Ask, MatchSpec
from crossing_sdk.bot import Say
from crossing_sdk.codec import CODECS, Codec, MoveMessage
from crossing_sdk.games import UnreadableText
from crossing_sdk.seat import text_fault
from crossing_sdk.wire import arena_pb2 as pb

Reply = pb.Answer | pb.Utterance | pb.Failure

MAX_WORDS, MAX_NOTE, MAX_NOTES = 8_000, 500, 20
"""Characters kept of what a bot prints or says of its failure in one answer, of one note, and how many notes."""


class Host(Protocol):
    """What a guest needs of the table it sits at."""

    spec: MatchSpec
    shown: tuple[Any, Any] | None
    """The last position and its encoding for the wire, made by who first needs it."""

    def moved(self, seat: int, move: Any, elapsed_ms: float) -> None:
        """It answered with a move."""
        ...

    def spoke(self, seat: int, say: Say, elapsed_ms: float) -> None:
        """It said something, or nothing."""
        ...

    def ran_out(self, seat: int, elapsed_ms: float, log: str) -> None:
        """Its time is over."""
        ...

    def faulted(self, seat: int, kind: FaultKind, text: str, **details: Any) -> None:
        """It did something wrong."""
        ...

    def remark(self, seat: int, printed: str, notes: Sequence[str]) -> None:
        """It printed or noted something."""
        ...


def pass_on(reply: Reply, table: Host, ask: Ask, elapsed_ms: float) -> None:
    """Give a bot's reply to its table; what cannot be read is the bot's fault."""
    seat, codec = ask.seat, CODECS[table.spec.game]
    if reply.printed or reply.notes:
        table.remark(seat, _cut(reply.printed), tuple(_cut(note, MAX_NOTE) for note in reply.notes[:MAX_NOTES]))
    if isinstance(reply, pb.Failure):
        invalid = reply.kind == pb.FAILURE_KIND_INVALID
        kind, text = FaultKind.INVALID if invalid else FaultKind.CRASH, _cut(reply.text)
        table.faulted(seat, kind, text, answered=text if invalid else "", elapsed_ms=elapsed_ms)
    elif isinstance(reply, pb.Answer) != ask.moves:
        wanted = "a move" if ask.moves else "something to say"
        table.faulted(seat, FaultKind.PROTOCOL, f"beat {ask.beat} asks for {wanted}", elapsed_ms=elapsed_ms)
    elif isinstance(reply, pb.Answer):
        _pass_on_move(codec, reply, table, seat, elapsed_ms)
    else:
        _pass_on_talk(codec, reply, table, seat, elapsed_ms)


def _cut(text: str, limit: int = MAX_WORDS) -> str:
    """What is kept of a bot's words, whatever kit it uses."""
    return text if len(text) <= limit else f"{text[:limit]}\n... {len(text) - limit} characters dropped"


def _pass_on_move(codec: Codec, answer: pb.Answer, table: Host, seat: int, elapsed_ms: float) -> None:
    move, why = _read(codec, answer)
    if move is None:
        table.faulted(seat, FaultKind.INVALID, why or "the answer has no move", answered=why, elapsed_ms=elapsed_ms)
    else:
        table.moved(seat, move, elapsed_ms)


def _pass_on_talk(codec: Codec, utterance: pb.Utterance, table: Host, seat: int, elapsed_ms: float) -> None:
    pledge, why = _read(codec, utterance)
    if not why and (fault := text_fault(utterance.text)):
        why = f"the text {fault}"
    if why:
        table.faulted(seat, FaultKind.INVALID, why, answered=repr(utterance.text[:200]), elapsed_ms=elapsed_ms)
    else:
        table.spoke(seat, Say(utterance.text, pledge), elapsed_ms)


def _read(codec: Codec, message: MoveMessage) -> tuple[Any, str]:
    try:
        return codec.move(message), ""
    except UnreadableText as error:
        return None, str(error)
