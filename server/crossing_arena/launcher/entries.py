"""Which bot is meant, and how it is started."""

import difflib
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path

from crossing_arena.faults import UserError

NAME_LIMIT = 60
_EXAMPLES = (Path(__file__).parents[1] / "example_bots", Path(__file__).parents[3] / "example_bots")


class BadEntry(UserError):
    """No bot can be started from what was given; the words say what would be right."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot as it enters a match: its name and how to start it."""

    name: str
    command: tuple[str, ...]
    folder: Path
    """Where it is started."""
    owner: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)

    def renamed(self, name: str, owner: str | None) -> "Entry":
        """The same bot under another name, and with another owner if one is given."""
        return replace(self, name=checked_name(name, name), owner=self.owner if owner is None else owner)


def example_folder() -> Path:
    """Where the example bots are: in the installed package, or beside it in a checkout."""
    return next(folder for folder in _EXAMPLES if folder.is_dir())


def example_names() -> list[str]:
    """The example bots, from the simplest to the strongest."""
    order = ["random", "greedy", "thief", "hoarder", "diplomat", "liar", "fox", "scout"]
    found = {path.stem.removesuffix("_bot") for path in example_folder().glob("*_bot.py")}
    return [name for name in order if name in found] + sorted(found - set(order))


def find_entries(words: Sequence[str], base: Path | None = None) -> list[Entry]:
    """The bots that these words name; several of one name get a number: fox, fox#2."""
    numbered: dict[str, Entry] = {}
    for entry in [find_entry(word, base or Path.cwd()) for word in words]:
        copies = (f"{entry.name}#{number}" for number in count(2))
        name = next(name for name in chain([entry.name], copies) if name not in numbered)
        numbered[name] = replace(entry, name=name)
    return list(numbered.values())


def repeated_names(entries: Sequence[Entry]) -> list[str]:
    """The names that more than one of the bots has."""
    return [name for name, count in Counter(entry.name for entry in entries).items() if count > 1]


def find_entry(word: str, base: Path) -> Entry:
    """The bot that a word names: a .py file, a folder with a bot.toml, or an example bot."""
    path = (base / Path(word).expanduser()).resolve()
    if path.is_dir():
        return _from_folder(path, word)
    if path.is_file():
        if path.suffix != ".py":
            raise BadEntry(f"{word}: a bot is a .py file, a folder with a bot.toml, or an example bot's name")
        return _from_file(path, checked_name(path.stem, word))
    example = example_folder() / f"{word}_bot.py"
    if re.fullmatch(r"\w+", word) and example.is_file():
        return _from_file(example, word)
    raise BadEntry(_unknown(word, base))


def _unknown(word: str, base: Path) -> str:
    nearby = [entry.name for entry in base.glob("*.py")]
    close = difflib.get_close_matches(word, [*example_names(), *nearby], n=1, cutoff=0.5)
    hint = f" Did you mean {close[0]}?" if close else ""
    what = "no such file" if "/" in word or word.endswith(".py") else "no bot of this name"
    return f"{word}: {what}.{hint} Example bots: {', '.join(example_names())}."


def _from_file(path: Path, name: str) -> Entry:
    return Entry(name, (sys.executable, path.name), path.parent)


def _from_folder(folder: Path, word: str) -> Entry:
    settings = folder / "bot.toml"
    if not settings.is_file():
        if (folder / "bot.py").is_file():
            return _from_file(folder / "bot.py", checked_name(folder.name, word))
        raise BadEntry(f"{word}: the folder has neither a bot.toml nor a bot.py")
    try:
        table = tomllib.loads(settings.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadEntry(f"{settings}: {error}") from None
    return _from_table(table, folder, settings)


_KEYS: dict[str, type] = {"name": str, "command": list, "owner": str, "env": dict}


def _from_table(table: Mapping[str, object], folder: Path, settings: Path) -> Entry:
    faults = [f"{settings}: {fault}" for fault in _table_faults(table)]
    if faults:
        raise BadEntry("\n".join(faults))
    command = table.get("command", ["python", "bot.py"])
    environment = table.get("env", {})
    if not isinstance(command, list) or not isinstance(environment, dict):
        raise TypeError("the faults above cover this")
    words = [str(word) for word in command]
    if words[0] in ("python", "python3"):  # the interpreter of the arena, which has the SDK
        words[0] = sys.executable
    elif (folder / words[0]).is_file():
        words[0] = str(folder / words[0])
    name = checked_name(str(table.get("name", folder.name)), str(settings))
    variables = {str(key): str(value) for key, value in environment.items()}
    return Entry(name, tuple(words), folder, str(table.get("owner", "")), variables)


def _table_faults(table: Mapping[str, object]) -> list[str]:
    faults = []
    for key, value in table.items():
        if key not in _KEYS:
            close = difflib.get_close_matches(key, _KEYS, n=1)
            hint = f"; did you mean {close[0]}?" if close else f"; known are {', '.join(_KEYS)}"
            faults.append(f"unknown key {key}{hint}")
        elif not isinstance(value, _KEYS[key]):
            faults.append(f"{key} = {value!r} must be a {_KEYS[key].__name__}")
    command = table.get("command")
    if isinstance(command, list) and (not command or not all(isinstance(word, str) for word in command)):
        faults.append(f'command = {command!r} must be a list of words such as ["python", "bot.py"]')
    name = table.get("name", "unnamed")
    return [*faults, *([why] if isinstance(name, str) and (why := _name_fault(name)) else [])]


def checked_name(name: str, place: str) -> str:
    """A bot's name, if people can read it; raises BadEntry."""
    if why := _name_fault(name):
        raise BadEntry(f"{place}: {why}")
    return name


def _name_fault(name: str) -> str:
    """What is wrong with a name: any script will do, but no control or invisible characters, and not too many."""
    if not name.strip() or len(name) > NAME_LIMIT:
        return f"the name {name!r} must have 1 to {NAME_LIMIT} characters"
    bad = next((char for char in name if not char.isprintable()), None)
    return f"the name {name!r} contains U+{ord(bad):04X}, which cannot be shown" if bad else ""
