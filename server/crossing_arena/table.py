"""One match: a referee, and the players who sit before it."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from crossing_arena.faults import ArenaFault, FaultKind
from crossing_arena.referee import (
    Ask,
    Event,
    Faulted,
    GameBegan,
    GameEnded,
    MatchOver,
    MatchSpec,
    Referee,
    TurnPlayed,
    TurnRecord,
    Verdict,
)
from crossing_sdk.bot import Say


class Player(Protocol):
    """Who sits in a seat: it is told and asked things, and answers by calling the table's methods."""

    @property
    def talks(self) -> bool:
        """Whether it wants to be asked at the talking beats."""
        ...

    @property
    def absent(self) -> str:
        """Why it never came to the table; empty if it did."""
        ...

    def take_seat(self, table: "Table", seat: int, game: GameBegan) -> None:
        """A game begins in which the player has this seat."""
        ...

    def ask(self, table: "Table", ask: Ask) -> None:
        """Answer this, by `moved` or `spoke`."""
        ...

    def reveal(self, table: "Table", seat: int, record: TurnRecord) -> None:
        """A turn was played."""
        ...

    def end_game(self, table: "Table", seat: int, ended: GameEnded) -> None:
        """The game is over."""
        ...

    def admonish(self, table: "Table", seat: int, faulted: Faulted) -> None:
        """The player made a fault."""
        ...


class Table:
    """Drives a referee with real players. `verdict` is done when the match is over, or failed by our own fault."""

    def __init__(
        self, spec: MatchSpec, players: Sequence[Player], watch: Callable[[Event], None] = lambda event: None
    ) -> None:
        self.spec = spec
        self.players = players
        self.games: list[GameBegan] = []
        self.endings: list[GameEnded] = []
        self.records: list[TurnRecord] = []
        self.shown: tuple[Any, Any] | None = None
        """The last position and its encoding for the wire, made by who first needs it."""
        self.verdict: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
        self._watch = watch
        self._referee = Referee(spec, [player.talks for player in players])

    def begin(self) -> None:
        """Start the match; players who are not there are out at once."""
        absent = [(seat, player.absent) for seat, player in enumerate(self.players) if player.absent]
        for seat, why in absent:
            self._tell(self._referee.faulted, seat, FaultKind.START_UP, why, bench=True)
        self._tell(self._referee.begin)

    def moved(self, seat: int, move: Any, elapsed_ms: float) -> None:
        """A player answered with a move."""
        self._tell(self._referee.moved, seat, move, elapsed_ms)

    def spoke(self, seat: int, say: Say, elapsed_ms: float) -> None:
        """A player said something, or nothing."""
        self._tell(self._referee.spoke, seat, say, elapsed_ms)

    def ran_out(self, seat: int, elapsed_ms: float, log: str) -> None:
        """A player's time is over."""
        self._tell(self._referee.ran_out, seat, elapsed_ms, log)

    def faulted(self, seat: int, kind: FaultKind, text: str, **details: Any) -> None:
        """A player did something wrong."""
        self._tell(self._referee.faulted, seat, kind, text, **details)

    def remark(self, seat: int, printed: str, notes: Sequence[str]) -> None:
        """A player printed or noted something."""
        self._referee.remark(seat, printed, notes)

    def _tell(self, what: Callable[..., list[Event]], *args: Any, **details: Any) -> None:
        """Tell the referee something and do what follows; a mistake of ours ends this match and no other."""
        if self.verdict.done():
            return
        try:
            for event in what(*args, **details):
                self._follow(event)
        except Exception as error:  # noqa: BLE001  # the one boundary between a match and the hall
            fault = ArenaFault(f"the arena failed in {what.__name__}: {error!r}")
            fault.__cause__ = error
            self.verdict.set_exception(fault)

    def _follow(self, event: Event) -> None:
        if isinstance(event, Ask):
            self.players[event.seat].ask(self, event)
            return
        if isinstance(event, TurnPlayed):
            self.records.append(event.record)
            for seat, player in enumerate(self.players):
                player.reveal(self, seat, event.record)
        elif isinstance(event, GameBegan):
            self.games.append(event)
            for seat, player in enumerate(self.players):
                player.take_seat(self, seat, event)
        elif isinstance(event, GameEnded):
            self.endings.append(event)
            for seat, player in enumerate(self.players):
                player.end_game(self, seat, event)
        elif isinstance(event, Faulted):
            self.players[event.fault.seat].admonish(self, event.fault.seat, event)
        elif isinstance(event, MatchOver):
            self.verdict.set_result(event.verdict)
        self._watch(event)
