"""`crossing-arena play`, and `verify` of what it writes."""

import json
from pathlib import Path

import pytest

from cli.commands import Terminal, arena

FOUR = ("greedy", "thief", "hoarder", "fox")

FAULTY = """
from crossing_sdk import Bot, run

class Faulty(Bot):
    def choose(self, turn):
        if turn.number == 3:
            return explode(turn)
        return turn.legal[0]

def explode(turn):
    raise ValueError("boom")

run(Faulty)
"""


def test_the_same_seed_prints_the_same_match_twice(tmp_path: Path) -> None:
    first, second = (arena("play", *FOUR, "--seed", "7", cwd=tmp_path) for _ in range(2))
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    assert "Turn 1 " in first.stdout
    assert arena("play", *FOUR, "--seed", "8", cwd=tmp_path).stdout != first.stdout


def test_its_replay_is_true_and_a_changed_one_is_not(tmp_path: Path) -> None:
    replay = tmp_path / "match.jsonl"
    assert arena("play", *FOUR, "--seed", "7", "-q", "--replay", replay).returncode == 0
    good = arena("verify", replay)
    assert (good.returncode, "true" in good.stdout) == (0, True)
    lines = replay.read_text().splitlines(keepends=True)
    lines[4] = lines[4].replace('"moves":["M', '"moves":["P', 1)
    bad = tmp_path / "bad.jsonl"
    bad.write_text("".join(lines))
    lie = arena("verify", replay, bad)
    assert lie.returncode == 1
    assert "line 5" in lie.stdout
    verdicts = json.loads(arena("verify", replay, bad, "--json").stdout)
    assert [verdict["true"] for verdict in verdicts] == [True, False]
    assert verdicts[1]["line"] == 5


def test_json_prints_only_data(tmp_path: Path) -> None:
    done = arena("play", *FOUR, "--seed", "7", "--json", FORCE_COLOR="1")
    result = json.loads(done.stdout)
    assert done.stderr == ""
    assert result["players"] == list(FOUR)
    assert min(result["places"]) == 1
    assert result["seed"] == "7"


def test_a_fault_is_loud_and_names_the_authors_own_line(tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text(FAULTY)
    done = arena("play", "faulty.py", "greedy", "thief", "--seed", "1", cwd=tmp_path)
    assert done.returncode == 1
    assert "CRASH faulty, turn 3" in done.stdout
    traceback = done.stdout.partition("Traceback")[2]
    assert "faulty.py" in traceback.splitlines()[1]
    assert "ValueError: boom" in traceback
    assert "crossing_sdk" not in traceback.partition("boom")[0]


def test_one_bot_is_enough_and_the_table_is_filled() -> None:
    done = arena("play", "random", "--seed", "1", "-q")
    assert "taken by greedy, thief" in done.stdout
    assert arena("play", "random", "--players", "6", "--seed", "1", "-q").stdout.count("\n") > 8


def test_two_copies_have_two_names() -> None:
    assert json.loads(arena("play", "random", "random", "fox", "--json").stdout)["players"] == [
        "random",
        "random#2",
        "fox",
    ]


def test_talk_is_shown_beat_by_beat_and_can_be_switched_off() -> None:
    talking = arena("play", "diplomat", "liar", "fox", "--seed", "5").stdout
    assert 'on "one" diplomat' in talking
    assert "pledges M" in talking
    assert 'on "one"' not in arena("play", "diplomat", "liar", "fox", "--seed", "5", "--no-talk").stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["play", "grady", "fox", "thief"], "Did you mean greedy?"),
        (["play", "nosuch.py", "fox", "thief"], "nosuch.py: no such file"),
        (["play", "fox", "--players", "9"], "3 to 6 players, not 9"),
        (["play", *FOUR, "--players", "3"], "4 bots do not fit at a table of 3"),
        (["play", *FOUR, "--clock", "fast"], "'fast' is no time"),
        (["play", *FOUR, "--clock", "0s"], "--no-timeout"),
        (["play", *FOUR, "--replay", "no/such/folder/r.jsonl"], "no/such/folder/r.jsonl"),
        (["replay", "README.md"], "README.md"),
        (["rules", "chess"], "known are crossing"),
        (["new", "my bot"], "letters, digits and _"),
        (["paly"], "'play'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_named_with_what_would_be_right(args: list[str], words: str, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# not a replay\n")
    done = arena(*args, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_breakpoint_talks_to_the_terminal_and_nobody_times_out(tmp_path: Path) -> None:
    (tmp_path / "curious.py").write_text(
        "from crossing_sdk import run\n\n"
        "def curious(turn):\n"
        "    if turn.number == 2:\n"
        "        breakpoint()\n"
        "    return turn.legal[0]\n\n"
        "run(curious)\n"
    )
    terminal = Terminal(["play", "curious.py", "greedy", "thief", "--seed", "1", "-q", "--no-timeout"], tmp_path)
    terminal.until("(Pdb)")
    terminal.press("p turn.number * 100\n")
    assert "200" in terminal.until("(Pdb)")
    terminal.press("c\n")
    terminal.until("place")
    assert terminal.end() == 0


def test_a_person_can_play_a_hand_in_the_terminal(tmp_path: Path) -> None:
    terminal = Terminal(["play", "human", "greedy", "hoarder", "--seed", "1", "-q"], tmp_path)
    terminal.until("Say something")
    terminal.press("M1 trust me\n")
    assert "M0 M1" in terminal.until("Your move")
    terminal.press("P9\n")
    assert "is no move" in terminal.until("Your move")
    terminal.press("M1\n")
    while "place" not in (shown := terminal.until("Say something", "Your move", "place")):
        terminal.press("\n" if "Say something" in shown else "m0\n")
    assert terminal.end() == 0
