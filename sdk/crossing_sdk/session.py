"""The bot's side of the conversation, without any I/O: frames in, replies out."""

import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from crossing_sdk._version import __version__
from crossing_sdk.bot import Bot, Clock, GameStart, Heard, Result, Reveal, Turn
from crossing_sdk.codec import CODECS, PROTOCOL, Codec
from crossing_sdk.seat import BadAnswer, Seat, explain
from crossing_sdk.wire import arena_pb2 as pb

Reply = pb.Answer | pb.Utterance | pb.Failure


@dataclass(slots=True)
class _Place:
    """A seat of ours, or why there is none."""

    codec: Codec
    seat: Seat | None = None
    broken: str = ""
    """The traceback of an error outside any ask; the next ask is answered with it."""


@dataclass(slots=True)
class Session:
    """All the seats of one bot process. It answers every ask of a frame, in order."""

    bot_class: type[Bot]
    take_printed: Callable[[], str] = lambda: ""
    """What the bot printed since the last call."""
    complain: Callable[[str], None] = lambda text: None
    """Where to put words for the author that belong to no ask."""
    _places: dict[int, _Place] = field(default_factory=dict)

    def hello(self, token: str) -> pb.PlayRequest:
        """The first frame of the conversation."""
        bot = self.bot_class
        return pb.PlayRequest(
            hello=pb.Hello(
                token=token,
                protocol=PROTOCOL,
                sdk=f"crossing-sdk/{__version__} python/{platform.python_version()}",
                games=bot.games,
                talks=bot.talk is not Bot.talk,
                wants_reveals=bot.revealed is not Bot.revealed,
            )
        )

    def receive(self, frame: pb.PlayResponse) -> Iterator[Reply]:
        """Work through a frame; replies come one by one, as soon as the bot has made up its mind."""
        for started in frame.started:
            self._start(started)
        for revealed in frame.revealed:
            self._reveal(revealed)
        for over in frame.over:
            self._end(over)
        for problem in frame.problems:
            self.complain(f"the arena says: {problem.text}")
        for ask in frame.asks:
            yield self._answer(ask)

    def _start(self, started: pb.GameStarted) -> None:
        budgets = started.budgets
        place = self._places[started.table] = _Place(CODECS[started.game])
        game = GameStart(
            game=started.game,
            players=started.players,
            seat=started.seat,
            talk=started.talk,
            turn_ms=budgets.turn_ms,
            bank_ms=budgets.bank_ms,
            talk_ms=budgets.talk_ms,
        )
        try:
            place.seat = Seat(self.bot_class, game, started.rng_seed)
        except Exception as error:  # noqa: BLE001  # the bot's code may raise anything; its author is told
            place.broken = explain(error)

    def _reveal(self, revealed: pb.Revealed) -> None:
        place = self._places.get(revealed.table)
        if place is None or place.seat is None:
            return
        reveal = Reveal(revealed.turn, place.codec.moves(revealed), _heard(place.codec, revealed))
        try:
            place.seat.revealed(reveal)
        except Exception as error:  # noqa: BLE001
            place.broken = explain(error)

    def _end(self, over: pb.GameOver) -> None:
        place = self._places.pop(over.table, None)
        if place is None or place.seat is None:
            return
        try:
            place.seat.game_over(Result(tuple(over.points), tuple(over.places), over.plays_again))
        except Exception as error:  # noqa: BLE001
            self.complain(explain(error))

    def _answer(self, ask: pb.Ask) -> Reply:
        place = self._places[ask.table]
        seat = place.seat
        if seat is None or place.broken:
            text = place.broken
            if seat is not None:
                place.broken = ""
            return self._failed(ask, [], pb.FAILURE_KIND_CRASH, text)
        view = place.codec.view(ask)
        clock = Clock(ask.limit_ms, ask.bank_ms, ask.last_ms)
        heard = _heard(place.codec, ask) if ask.heard else ()
        turn = Turn(view, view.legal, ask.seat, ask.turn, ask.beat, clock, heard, seat.rng)  # type: ignore[arg-type]
        try:
            return self._talk(place, seat, ask, turn) if ask.beat < 3 else self._choose(place, seat, ask, turn)
        except BadAnswer as error:
            return self._failed(ask, turn.notes, pb.FAILURE_KIND_INVALID, str(error))
        except Exception as error:  # noqa: BLE001
            return self._failed(ask, turn.notes, pb.FAILURE_KIND_CRASH, explain(error))

    def _choose(self, place: _Place, seat: Seat, ask: pb.Ask, turn: Turn) -> pb.Answer:
        move = seat.choose(turn)
        answer = pb.Answer(token=ask.token, printed=self.take_printed(), notes=turn.notes)
        place.codec.put_move(answer, move)
        return answer

    def _talk(self, place: _Place, seat: Seat, ask: pb.Ask, turn: Turn) -> pb.Utterance:
        said = seat.talk(turn)
        utterance = pb.Utterance(token=ask.token, printed=self.take_printed(), notes=turn.notes, text=said.text)
        if said.pledge is not None:
            place.codec.put_move(utterance, said.pledge)
        return utterance

    def _failed(self, ask: pb.Ask, notes: list[str], kind: pb.FailureKind.ValueType, text: str) -> pb.Failure:
        self.complain(f"turn {ask.turn}, seat {ask.seat}: {text}")
        return pb.Failure(token=ask.token, printed=self.take_printed(), notes=notes, kind=kind, text=text)


def _heard(codec: Codec, message: pb.Ask | pb.Revealed) -> tuple[Heard, ...]:
    return tuple(Heard(heard.seat, heard.beat, heard.text, codec.move(heard)) for heard in message.heard)
