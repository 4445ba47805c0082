"""Budgets as people write them."""

import re
from dataclasses import replace

from crossing_arena.faults import UserError
from crossing_arena.referee import Budgets

_AMOUNT = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s)")

NO_LIMIT = Budgets(turn_ms=0, bank_ms=0, talk_ms=0, start_up_ms=0)


class BadClock(UserError):
    """What was written is no clock."""


def read_clock(text: str) -> Budgets:
    """The budgets of a clock such as 500ms+5s: time for a turn, and a bank for the whole game."""
    turn, _, bank = text.partition("+")
    milliseconds = [_read_amount(part, text) for part in (turn, bank or "0s")]
    if not milliseconds[0]:
        raise BadClock(f"the clock {text!r} gives a turn no time; play --no-timeout has no limit")
    return replace(Budgets(), turn_ms=milliseconds[0], bank_ms=milliseconds[1])


def _read_amount(part: str, whole: str) -> int:
    match = _AMOUNT.fullmatch(part.strip())
    if not match:
        raise BadClock(f"the clock {whole!r}: {part!r} is no time; write a turn and a bank like 500ms+5s, or 1s")
    return round(float(match[1]) * (1 if match[2] == "ms" else 1000))
