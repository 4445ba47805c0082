"""What people see in the terminal."""

import re
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from crossing_arena.faults import Fault, UserError
from crossing_sdk.games.crossing import Position, Stones

COLOURS = {"R": "red", "B": "blue", "Y": "yellow", "W": "bold"}
_PILE = re.compile(r"([RBYW])(\d+)")


class BadInput(UserError):
    """The command was given something it cannot work with; the words say what would be right."""


def console(*, stderr: bool = False) -> Console:
    """Where to print. Colours only on a real terminal, whatever FORCE_COLOR says: logs stay clean."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(
        stderr=stderr,
        force_terminal=stream.isatty(),
        highlight=False,
        width=None if stream.isatty() else 160,
        emoji=False,
    )


def complain(text: str) -> None:
    """Say what is wrong with the input, on standard error."""
    console(stderr=True).print(Text.assemble(("error: ", "bold red"), plain(text)))


def plain(text: str) -> str:
    """Text from a bot or a file, with everything that could move a cursor or turn the line around made visible."""
    return "".join(char if char.isprintable() or char == "\n" else f"\\u{ord(char):04x}" for char in text)


def stones(pile: Stones | str) -> Text:
    """A pile with every colour in its colour, and told by its letter too."""
    found = _PILE.findall(str(pile))
    return Text(" ").join([Text(f"{c}{n}", COLOURS[c]) for c, n in found]) if found else Text("·", "dim")


def _headline(position: Position, game: int) -> Text:
    again = f" of game {game}" if game > 1 else ""
    last = "  the last turn" if position.is_last_turn else ""
    bag = position.bag
    line = Text.assemble((f"Turn {position.turn}{again}", "bold"), (last, "bold magenta"))
    line.append(f"   bag {bag.count}: " if bag else "   bag empty")
    if bag:
        line.append_text(stones(bag))
    return line


def _mushrooms(position: Position) -> Text:
    line = Text("  ")
    for index, pile in enumerate(position.mushrooms):
        line.append(f"M{index} ", "bold").append_text(stones(pile)).append("    ")
    return line


def turn(turn_line: dict[str, Any], position: Any, names: Sequence[str]) -> RenderableType:
    """One turn of a replay: the table before it, what was said, and what everybody did."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False)
    for title in ("", "bot", "tile", "safe", "points", "does", ""):
        grid.add_column(title, header_style="dim", justify="right" if title == "points" else "left")
    for seat, name in enumerate(names):
        resting = position.on_break[seat]
        grid.add_row(
            f"  P{seat}",
            Text(plain(name), overflow="ellipsis"),
            Text("on break", "dim") if resting else stones(position.tiles[seat]),
            stones(position.claimed[seat]),
            str(Stones(position.claimed[seat] + position.tiles[seat]).points),
            Text("" if resting else turn_line["moves"][seat], "bold"),
            _became(turn_line["became"][seat], resting),
        )
    talk = [_words(words, names) for words in turn_line["said"]]
    return Group(_headline(position, turn_line["game"]), _mushrooms(position), *talk, grid, "")


def _became(text: str, resting: bool) -> Text:
    if resting or text == "idle":
        return Text("" if resting else "nothing", "dim")
    fate, _, pile = text.partition(" ")
    style = {"took": "green", "clashed": "red", "thwarted": "magenta", "protected": "cyan"}.get(fate, "dim")
    line = Text(fate, style)
    return line.append(" ").append_text(stones(pile)) if pile else line


def _words(words: dict[str, Any], names: Sequence[str]) -> Text:
    count = ("one", "two")[words["beat"] - 1]
    line = Text.assemble((f'  on "{count}" ', "dim"), plain(names[words["seat"]]))
    if words["text"]:
        line.append(f": “{plain(words['text'])}”")
    if "pledge" in words:
        line.append(f" (pledges {words['pledge']})", "dim")
    return line


def fault(fault: Fault, name: str) -> Text:
    """A fault, with all its author needs."""
    text = Text.assemble((f"{fault.kind.value} ", "bold red"), f"{plain(name)}, turn {fault.turn}")
    text.append(f" (asked: {fault.asked})" if fault.asked else "")
    text.append(f"\n{_indent(plain(fault.text))}")
    if fault.limit_ms and fault.elapsed_ms:
        text.append(f"\n    after {fault.elapsed_ms:.0f} ms; the limit is {fault.limit_ms:.0f} ms", "dim")
    if fault.log and fault.log not in fault.text:
        text.append(f"\n    its last words:\n{_indent(plain(fault.log))}", "dim")
    if fault.benched:
        text.append("\n    benched: it makes no more moves in this match and comes last", "yellow")
    return text


def _indent(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def result(line: dict[str, Any], names: Sequence[str]) -> RenderableType:
    """The final table of a match."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title, justify in (("place", "right"), ("bot", "left"), ("points", "right"), ("white", "right")):
        grid.add_column(title, header_style="dim", justify=justify)  # type: ignore[arg-type]
    grid.add_column("faults", header_style="dim", justify="right")
    for seat in sorted(range(len(names)), key=lambda seat: (line["places"][seat], seat)):
        style = "bold green" if line["places"][seat] == 1 else ""
        grid.add_row(
            str(line["places"][seat]),
            Text(plain(names[seat])),
            str(line["points"][seat]),
            str(line["tiebreaks"][seat]),
            f"{line['faults'][seat] or ''}{' benched' if line['benched'][seat] else ''}",
            style=style,
        )
    again = f" First place was tied: {line['games']} games were played." if line["games"] > 1 else ""
    words = {"won": "", "shared": "First place is shared.", "no contest": "Nobody made a move: this is no result."}
    return Group(grid, Text((words[line["ending"]] + again).strip()))
