"""Between the rules' values and the wire's messages, one codec a game.

In every `oneof` of the wire the field of a game bears the game's name.
"""

from typing import Any, Protocol

from crossing_sdk.games import CROSSING, GAMES, Game, UnreadableText, View
from crossing_sdk.games.crossing import MOVES, Move, Stones
from crossing_sdk.games.crossing import Position as CrossingPosition
from crossing_sdk.games.crossing import View as CrossingView
from crossing_sdk.wire import arena_pb2 as pb
from crossing_sdk.wire import crossing_pb2 as crossing

PROTOCOL = 1
"""The version of the wire contract."""

MoveMessage = pb.Answer | pb.Utterance | pb.Heard
"""The messages that carry one move, or a pledge of one."""


class Codec(Protocol):
    """How one game travels."""

    game: Game[Any]

    def table(self, position: Any) -> Any:
        """What everybody at the table sees, encoded once for all asks of a turn."""
        ...

    def put_view(self, ask: pb.Ask, table: Any, legal: tuple[Any, ...]) -> None:
        """Make an ask complete: the table and the seat's legal moves."""
        ...

    def view(self, ask: pb.Ask) -> View[Any]:
        """What the asked seat may know."""
        ...

    def put_move(self, message: MoveMessage, move: Any) -> None:
        """Write a move or pledge."""
        ...

    def move(self, message: MoveMessage) -> Any | None:
        """The move or pledge of a message, None if it has none; raises UnreadableText."""
        ...

    def put_moves(self, message: pb.Revealed, moves: tuple[Any, ...]) -> None:
        """Write what everybody did."""
        ...

    def moves(self, message: pb.Revealed) -> tuple[Any, ...]:
        """What everybody did, by seat."""
        ...


def _read(number: int) -> Move:
    if 0 < number <= len(MOVES):
        return MOVES[number - 1]
    raise UnreadableText(f"CrossingMove {number} does not exist; there are 1 to {len(MOVES)}")


class CrossingCodec:
    """Crossing on the wire; see `Codec`."""

    game: Game[Any] = CROSSING

    def __init__(self) -> None:
        self._numbers: dict[tuple[Move, ...], list[int]] = {}

    def table(self, position: CrossingPosition) -> crossing.CrossingView:
        """The public part of a position."""
        return crossing.CrossingView(
            mushrooms=position.mushrooms,
            tiles=position.tiles,
            claimed=position.claimed,
            on_break=position.on_break,
            bag=position.bag,
        )

    def put_view(self, ask: pb.Ask, table: crossing.CrossingView, legal: tuple[Move, ...]) -> None:
        """The table and the seat's legal moves; there are few kinds of those, so their numbers are kept."""
        ask.crossing.CopyFrom(table)
        numbers = self._numbers.get(legal)
        if numbers is None:
            numbers = self._numbers[legal] = [move.code + 1 for move in legal]
        ask.crossing.legal.extend(numbers)  # type: ignore[arg-type]  # the stub wants enum wrappers for plain numbers

    def view(self, ask: pb.Ask) -> CrossingView:
        """What the asked seat may know."""
        table = ask.crossing
        return CrossingView(
            seat=ask.seat,
            turn=ask.turn,
            mushrooms=tuple(map(Stones, table.mushrooms)),
            tiles=tuple(map(Stones, table.tiles)),
            claimed=tuple(map(Stones, table.claimed)),
            on_break=tuple(table.on_break),
            bag=Stones(table.bag),
        )

    def put_move(self, message: MoveMessage, move: Move) -> None:
        """Write a move or pledge."""
        message.crossing = move.code + 1  # type: ignore[assignment]

    def move(self, message: MoveMessage) -> Move | None:
        """The move or pledge of a message."""
        return _read(message.crossing) if message.HasField("crossing") else None

    def put_moves(self, message: pb.Revealed, moves: tuple[Move, ...]) -> None:
        """Write what everybody did."""
        message.crossing.moves.extend([move.code + 1 for move in moves])  # type: ignore[misc]

    def moves(self, message: pb.Revealed) -> tuple[Move, ...]:
        """What everybody did, by seat."""
        return tuple(_read(number) for number in message.crossing.moves)


CODECS: dict[str, Codec] = {codec.game.name: codec for codec in (CrossingCodec(),)}
"""The codec of every game, by the game's name."""

assert CODECS.keys() == GAMES.keys(), "every game needs a codec"  # noqa: S101  # a broken build, not input
