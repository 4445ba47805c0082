"""Budgets as people write them."""

import re
from dataclasses import replace

from crossing_arena.cli.screen import BadInput
from crossing_arena.referee import Budgets

_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)(ms|s)")


def read_clock(text: str, *, no_timeout: bool) -> Budgets:
    """The budgets of `--clock`, such as 500ms+5s: time for a turn, and a bank for the whole game."""
    if no_timeout:
        return Budgets(turn_ms=0, bank_ms=0, talk_ms=0, start_up_ms=0)
    turn, _, bank = text.partition("+")
    milliseconds = [_read_amount(part, text) for part in (turn, bank or "0s")]
    if not milliseconds[0]:
        raise BadInput(f"--clock {text}: a turn needs some time; use --no-timeout to have no limit")
    return replace(Budgets(), turn_ms=milliseconds[0], bank_ms=milliseconds[1])


def _read_amount(part: str, whole: str) -> int:
    match = _AMOUNT.fullmatch(part.strip())
    if not match:
        raise BadInput(f"--clock {whole}: {part!r} is no time; write a turn and a bank like 500ms+5s, or 1s")
    return round(float(match[1]) * (1 if match[2] == "ms" else 1000))
