"""Play matches of the bots in tests/bots through a real arena."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from arena.place import Place
from crossing_arena.faults import Fault, FaultKind
from crossing_arena.launcher import Entry, find_entries
from crossing_arena.referee import Budgets, MatchSpec, Ties
from crossing_arena.table import Table
from crossing_sdk.games import seed_from

BOTS = Path(__file__).parents[1] / "bots"

PATIENT = Budgets(turn_ms=30_000, bank_ms=30_000, talk_ms=30_000, start_up_ms=60_000)
"""For culprits that need no clock: nobody else runs out of time, however slow the machine."""

BRISK = Budgets(turn_ms=400, bank_ms=300, talk_ms=400, start_up_ms=60_000)
"""For culprits that do not answer."""


def entries(place: Place, *names: str) -> list[Entry]:
    """The bots of these names; one that is no Python is brought where it can be started."""
    return find_entries([str(_script(place, name)) for name in names])


def _script(place: Place, name: str) -> Path:
    script = BOTS / f"{name}.py"
    if script.exists():
        return script
    copy = place.folder / script.name
    shutil.copy(BOTS / f"{name}.py.txt", copy)
    return copy


def match(players: int = 4, budgets: Budgets = PATIENT, *, seed: int = 1, talk: bool = True) -> MatchSpec:
    """A match of one game."""
    return MatchSpec(players, seed_from(seed), talk=talk, ties=Ties.SHARE, budgets=budgets)


def faults(table: Table, seat: int = 0) -> list[Fault]:
    """All that one seat did wrong."""
    return [fault for record in table.records for fault in record.faults if fault.seat == seat]


def moves(table: Table, seat: int = 0) -> list[str]:
    """What one seat did, turn by turn."""
    return [str(record.moves[seat]) for record in table.records]


@dataclass(frozen=True, slots=True)
class Expected:
    """What a bot's docstring says of its faults at a table of its own."""

    faults: tuple[tuple[FaultKind, int], ...]
    benched: bool


_EXPECTED = re.compile(
    r"^Expected: (?:no fault|(\S+) in (?:turns? ([\d, ]+)|the last turn))(; benched)?\.$", re.MULTILINE
)


def expected(name: str, last_turn: int) -> Expected:
    """What a bot's docstring says of its faults."""
    [script] = BOTS.glob(f"{name}.py*")
    match = _EXPECTED.search(script.read_text())
    assert match, f"{script} must say what is expected of it"
    kind, turns, benched = match.groups()
    if kind is None:
        return Expected((), benched=False)
    numbers = [int(turn) for turn in turns.split(",")] if turns else [last_turn]
    return Expected(tuple((FaultKind(kind), turn) for turn in numbers), bool(benched))


def names() -> list[str]:
    """Every bot that plays: whatever starts with a docstring and an expectation."""
    return sorted(path.name.partition(".")[0] for path in BOTS.glob("*.py*") if path.stem != "wire_bot")
