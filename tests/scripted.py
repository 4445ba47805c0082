"""A match without processes: a referee and a policy that answers for every seat."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from crossing_arena.faults import FaultKind
from crossing_arena.referee import Ask, Event, GameEnded, MatchOver, MatchSpec, Referee, TurnPlayed
from crossing_arena.replay import write
from crossing_sdk.bot import Say
from crossing_sdk.games import seed_from

PLAYED = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)


def first_legal(ask: Ask) -> Any:
    """Point somewhere, not all at the same place."""
    return ask.legal[(ask.seat + ask.turn) % len(ask.legal)]


def chatty(ask: Ask) -> Say:
    return Say(f"on {ask.beat} in turn {ask.turn}", ask.legal[0] if ask.legal else None)


def play_events(
    spec: MatchSpec,
    choose: Callable[[Ask], Any] = first_legal,
    talk: Callable[[Ask], Say] = chatty,
) -> list[Event]:
    """All that happens in a match in which everybody answers after 2 ms; None is a timeout."""
    referee = Referee(spec, [True] * spec.players)
    events = referee.begin()
    queue = list(events)
    while queue:
        ask = queue.pop(0)
        if not isinstance(ask, Ask):
            continue
        if not ask.moves:
            more = referee.spoke(ask.seat, talk(ask), 2.0)
        elif (move := choose(ask)) is None:
            more = referee.faulted(ask.seat, FaultKind.TIMEOUT, "too late", elapsed_ms=9.0)
        else:
            more = referee.moved(ask.seat, move, 2.0)
        events += more
        queue += more
    return events


def replay_text(players: int = 4, seed: str | int = 7, choose: Callable[[Ask], Any] = first_legal) -> str:
    """The replay of a scripted match."""
    spec = MatchSpec(players, seed_from(seed))
    events = play_events(spec, choose)
    records = [event.record for event in events if isinstance(event, TurnPlayed)]
    endings = [event for event in events if isinstance(event, GameEnded)]
    [verdict] = [event.verdict for event in events if isinstance(event, MatchOver)]
    return write(spec, [f"bot {seat}" for seat in range(players)], records, endings, verdict, PLAYED)
