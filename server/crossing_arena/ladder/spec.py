"""What a ladder is to be: read from a LADDER.toml, from flags, or both; every fault found before anything starts."""

import difflib
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from crossing_arena.faults import UserError
from crossing_arena.launcher.entries import BadEntry, Entry, example_names, find_entry, repeated_names
from crossing_sdk.games import GAMES

MIX = "mix"

TableSize = Annotated[int, Field(ge=2, le=6)] | Literal["mix"]


class BadSpec(UserError):
    """A ladder cannot be run as asked; every line of the text is one fault."""


class _BotTable(BaseModel):
    """`[[bot]]`: a bot with settings of its own."""

    model_config = ConfigDict(extra="forbid", strict=True)

    path: str
    name: str | None = None
    owner: str | None = None


class LadderFile(BaseModel):
    """The keys of a LADDER.toml; each has a flag of the same name."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str = Field("ladder", min_length=1, max_length=60)
    game: str = "crossing"
    bots: list[str] = []
    bot: list[_BotTable] = []
    table_size: TableSize = 4
    deals: int = Field(200, ge=1, le=1_000_000)
    seed: str | int | None = None
    clock: str = "1s+10s"
    talk: bool = True
    ties: Literal["replay", "share"] = "replay"
    owners_apart: bool = False
    workers: int = Field(32, ge=1, le=1024)
    fresh_process: bool = False
    out: str = "ladder"


@dataclass(frozen=True, slots=True)
class LadderSpec:
    """A ladder that can be run."""

    settings: LadderFile
    entries: tuple[Entry, ...]
    base: Path
    """What relative paths are relative to."""

    @property
    def out(self) -> Path:
        """The folder of the results."""
        return self.base / self.settings.out


def load(file: Path | None, flags: Mapping[str, Any]) -> LadderSpec:
    """The ladder that a file and flags ask for; flags win. Raises BadSpec with all faults at once."""
    text = file.read_text(encoding="utf-8") if file else ""
    place = str(file) if file else "command line"
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSpec(f"{place}: {error}") from None
    given = {key: value for key, value in flags.items() if value is not None}
    faults: list[str] = []
    try:
        settings = LadderFile.model_validate({**table, **given})
    except ValidationError as error:
        faults = [_fault(details, text, place) for details in error.errors()]
        raise BadSpec("\n".join(faults)) from None
    if settings.game not in GAMES:
        faults.append(f"{place}{_line_of('game', text)}: no game {settings.game!r}; known are {', '.join(GAMES)}")
    # A path in a file is relative to the file; one given by hand, to where the hand is.
    base = file.resolve().parent if file else Path.cwd()
    bot_base = Path.cwd() if "bots" in given else base
    entries = _entries(settings, bot_base, faults)
    if faults:
        raise BadSpec("\n".join(faults))
    out = settings.out if "out" not in given else str(Path.cwd() / settings.out)
    return LadderSpec(settings.model_copy(update={"out": out}), tuple(entries), base)


def _entries(settings: LadderFile, base: Path, faults: list[str]) -> list[Entry]:
    """Every bot of the ladder; a folder without a bot of its own stands for all the bots in it."""
    entries: list[Entry] = []
    words = [word for given in settings.bots for word in _inside(given, base)]
    if not settings.bots and not settings.bot:
        words = example_names()
    for word in words:
        _try_entry(word, base, entries, faults)
    for table in settings.bot:
        found: list[Entry] = []
        _try_entry(table.path, base, found, faults)
        entries += [entry.renamed(table.name or entry.name, table.owner) for entry in found]
    faults += [f"two bots are called {name}; give one of them another name" for name in repeated_names(entries)]
    players = GAMES[settings.game].players if settings.game in GAMES else range(3, 7)
    size = settings.table_size if isinstance(settings.table_size, int) else players.start
    if size not in players:
        faults.append(f"table_size = {size}: {settings.game} is for {players.start} to {players.stop - 1} players")
    elif not faults and len(entries) < size:
        faults.append(f"{len(entries)} bots cannot fill a table of {size}; name more in bots = [...] or with --bots")
    return entries


def _try_entry(word: str, base: Path, entries: list[Entry], faults: list[str]) -> None:
    try:
        entries.append(find_entry(word, base))
    except BadEntry as error:
        faults += str(error).splitlines()


def _inside(word: str, base: Path) -> Sequence[str]:
    """The bots in a folder of bots, or the word itself."""
    folder = base / Path(word).expanduser()
    if not folder.is_dir() or (folder / "bot.toml").is_file() or (folder / "bot.py").is_file():
        return [word]
    files = [path for path in folder.glob("*.py") if not path.name.startswith(("_", "test_"))]
    folders = [path for path in folder.iterdir() if (path / "bot.toml").is_file() or (path / "bot.py").is_file()]
    return [str(path) for path in sorted([*files, *folders])] or [word]


def _fault(details: Any, text: str, place: str) -> str:
    """One fault of a file, with its line and what would be right."""
    where = [str(part) for part in details["loc"]]
    key = where[-1] if where[-1] in text else where[0]
    at = f"{place}{_line_of(key, text)}"
    if details["type"] == "extra_forbidden":
        known = list((_BotTable if where[0] == "bot" else LadderFile).model_fields)
        close = difflib.get_close_matches(where[-1], known, n=1)
        hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(known)}"
        return f"{at}: unknown key {where[-1]}; {hint}"
    return f"{at}: {'.'.join(where)} = {details['input']!r}: {details['msg'].lower()}"


def _line_of(key: str, text: str) -> str:
    for number, line in enumerate(text.splitlines(), start=1):
        if re.match(rf"\s*\[*\s*{re.escape(key)}\b", line):
            return f", line {number}"
    return ""


TEMPLATE = """\
# A ladder of crossing-arena. Run it with: crossing-arena run-ladder {file}
# Everything is optional; what is commented out shows its default.

name = "{name}"

# Bots: .py files, folders with a bot.toml, folders full of bots, or names of example bots.
# Relative paths are relative to this file.
bots = ["random", "greedy", "thief", "hoarder", "diplomat", "liar", "fox", "scout"]

# A bot with a name or an owner of its own:
# [[bot]]
# path = "bots/magpie.py"
# name = "Magpie"
# owner = "Ada"

# game = "crossing"
# table_size = 4          # 3 to 6, or "mix" for a balanced mix of all
# deals = 200             # how many deals each bot plays
# seed = "spring 2027"    # the same seed gives the same deals; left out, a secret one is drawn
# clock = "1s+10s"        # time for each turn, and a bank for the whole game
# talk = true             # whether the bots may talk on "one" and "two"
# ties = "replay"         # or "share": whether a tied first place is played again
# owners_apart = false    # whether bots of one owner are kept from one table
# workers = 32            # how many tables at once
# fresh_process = false   # whether every match starts its bots anew
# out = "ladder"          # the folder of the results
"""
