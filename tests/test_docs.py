"""The documentation cannot lie: its Python runs, its commands exist, its numbers are the code's."""

import asyncio
import re
from pathlib import Path

import pytest

from cli.commands import arena
from crossing_arena.arena import play_match
from crossing_arena.launcher import find_entries
from crossing_arena.referee import Budgets, MatchSpec
from crossing_sdk.bot import MAX_TEXT
from crossing_sdk.games import CROSSING, Stream, derive, seed_from

ROOT = Path(__file__).parents[1]
GUIDES = ("README.md", "sdk/README.md", "proto/README.md", "server/README.md")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[tuple[str, str]]:
    """(guide, code) of every block of a language."""
    return [
        (guide, code)
        for guide in GUIDES
        for found, code in FENCE.findall((ROOT / guide).read_text())
        if found == language
    ]


BOTS = [(guide, code) for guide, code in blocks("python") if "\nrun(" in code]
SNIPPETS = [(guide, code) for guide, code in blocks("python") if "\nrun(" not in code]
COMMANDS = sorted({line for _, code in blocks("sh") for line in code.splitlines() if line.startswith("crossing-arena")})


def test_there_is_something_to_test() -> None:
    assert len(BOTS) >= 4
    assert len(SNIPPETS) >= 2
    assert len(COMMANDS) >= 6


@pytest.mark.parametrize(("guide", "code"), BOTS, ids=[f"{guide}-{i}" for i, (guide, _) in enumerate(BOTS)])
def test_every_bot_in_the_guides_plays_a_match_without_fault(guide: str, code: str, tmp_path: Path) -> None:
    bot = tmp_path / "mybot.py"
    bot.write_text(code)
    entries = find_entries([str(bot), "random", "greedy"])
    played = asyncio.run(play_match(entries, MatchSpec(3, seed_from(7), budgets=Budgets(turn_ms=10_000))))
    faults = [fault.text for record in played.table.records for fault in record.faults]
    assert faults == []


@pytest.mark.parametrize(("guide", "code"), SNIPPETS, ids=[f"{guide}-{i}" for i, (guide, _) in enumerate(SNIPPETS)])
def test_every_snippet_in_the_guides_runs(guide: str, code: str) -> None:
    exec(compile(code, guide, "exec"), {})


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_in_the_guides_is_understood(command: str) -> None:
    """Each option that a guide names is one that the command's help names."""
    words = command.split()[1:]
    done = arena(words[0], "--help", COLUMNS="200")
    assert done.returncode == 0, command
    for option in (word for word in words if word.startswith("--")):
        assert option in done.stdout, f"{option} in: {command}"


def test_the_ten_line_bot_has_ten_lines() -> None:
    [code] = [code for guide, code in BOTS if guide == "README.md"][:1]
    assert len([line for line in code.splitlines() if line.strip()]) <= 10


def test_the_vectors_of_the_wire_guide_are_true() -> None:
    guide = (ROOT / "proto/README.md").read_text()
    seed = seed_from(7)
    stream = Stream(seed, "crossing/bag")
    bag = "".join({1: "R", 1 << 8: "B", 1 << 16: "Y", 1 << 24: "W"}[unit] for unit in CROSSING.start(3, seed).order)
    vectors = [seed.hex(), " ".join(str(stream.below(100)) for _ in range(8)), bag]
    vectors += [derive(seed, label).hex() for label in ("seat/0", "again/1")]
    for vector in vectors:
        assert vector in guide


@pytest.mark.parametrize(
    "words",
    [
        f"{Budgets().turn_ms // 1000} s unless the organiser says otherwise",
        f"({Budgets().bank_ms // 1000} s)",
        f"{Budgets().talk_ms} ms for each thing you say",
        f"({Budgets().start_up_ms // 1000} s)",
        f"{MAX_TEXT} characters",
    ],
)
def test_the_numbers_of_the_author_guide_are_the_codes(words: str) -> None:
    assert words in (ROOT / "sdk/README.md").read_text()
