"""`new`, `check`, `replay`, `rules` and the help."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cli.commands import Terminal, arena
from scripted import replay_text

COMMANDS = ("new", "play", "check", "rules", "run-ladder", "bench", "replay", "verify")

CHOOSE = {
    "crashes": "raise RuntimeError('no idea')",
    "answers_wrongly": "return 'Left'",
    "throws_dice": "import random; return random.choice(turn.legal)",
}


def bot_file(folder: Path, name: str, body: str) -> Path:
    path = folder / f"{name}.py"
    path.write_text(f"from crossing_sdk import run\n\ndef {name}(turn):\n    {body}\n\nrun({name})\n")
    return path


def test_new_writes_a_bot_that_passes_its_own_test_and_the_check(tmp_path: Path) -> None:
    done = arena("new", "my_bot", cwd=tmp_path)
    assert done.returncode == 0
    assert "crossing-arena play my_bot.py greedy thief" in done.stdout
    assert "crossing-arena check my_bot.py" in done.stdout
    tests = subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=tmp_path, capture_output=True, check=False)
    assert tests.returncode == 0, tests.stdout
    check = arena("check", "my_bot.py", cwd=tmp_path)
    assert check.returncode == 0, check.stdout
    assert check.stdout.count("Passed") == 7
    again = arena("new", "my_bot", cwd=tmp_path)
    assert (again.returncode, "exists already" in again.stderr) == (2, True)


@pytest.mark.parametrize(
    ("name", "step", "words"),
    [
        ("crashes", "2. answers legally", "RuntimeError: no idea"),
        ("answers_wrongly", "2. answers legally", "'Left' (str); legal in turn 1: M0 M1"),
        ("throws_dice", "4. plays the same", "turn.rng"),
    ],
)
def test_check_names_the_step_that_failed_and_why(tmp_path: Path, name: str, step: str, words: str) -> None:
    done = arena("check", bot_file(tmp_path, name, CHOOSE[name]))
    assert done.returncode == 1
    [failed] = [line for line in done.stdout.splitlines() if "Failed" in line]
    assert failed.startswith(step)
    assert words in done.stdout


def test_check_shows_the_stderr_of_a_bot_that_never_came(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("import nosuchmodule\n")
    done = arena("check", tmp_path / "broken.py", "--json")
    result = json.loads(done.stdout)
    assert done.returncode == 1
    assert not result["passed"]
    assert "No module named 'nosuchmodule'" in result["steps"][0]["words"]


def test_check_can_leave_out_determinism(tmp_path: Path) -> None:
    bot = bot_file(tmp_path, "throws_dice", CHOOSE["throws_dice"])
    assert arena("check", bot, "--not-deterministic").returncode == 0


@pytest.fixture
def replay_file(tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    path.write_text(replay_text())
    return path


def test_replay_prints_all_turns_when_nobody_sits_there(replay_file: Path) -> None:
    done = arena("replay", replay_file)
    assert done.returncode == 0
    assert done.stdout.count("Turn ") == len(replay_file.read_text().splitlines()) - 3
    assert "place" in done.stdout
    assert "\x1b" not in arena("replay", replay_file, FORCE_COLOR="1").stdout


def test_replay_steps_on_and_back_at_the_press_of_a_key(replay_file: Path) -> None:
    terminal = Terminal(["replay", replay_file], replay_file.parent)
    terminal.until("1 of ")
    terminal.press(" ")
    assert "Turn 2" in terminal.until("2 of ")
    terminal.press("b")
    assert "Turn 1" in terminal.until("1 of ")
    terminal.press("g")
    terminal.until("go to:")
    terminal.press("5\r")
    assert "Turn 5" in terminal.until("5 of ")
    terminal.press("q")
    assert terminal.end() == 0


def test_replay_puts_a_bot_into_the_very_turn(replay_file: Path, tmp_path: Path) -> None:
    body = "print(turn.number, turn.view, len(turn.heard)); return turn.legal[-1]"
    bot = bot_file(tmp_path, "witness", body)
    done = arena("replay", replay_file, "--turn", "4", "--bot", bot, "--seat", "2")
    turn = json.loads(replay_file.read_text().splitlines()[4])
    assert done.returncode == 0, done.stderr
    assert "witness in seat 2 plays S" in done.stdout
    printed = done.stdout.partition("printed:\n")[2]
    assert printed.startswith("4 seat=2 ")
    assert turn["position"].partition(" bag=")[0] in printed
    assert printed.split()[-1] == str(len(turn["said"])) == "8"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--turn", "99"], "its turns are 1 to"),
        (["--bot", "fox"], "--bot needs --turn"),
        (["--turn", "1", "--bot", "fox", "--seat", "7"], "seats 0 to 3"),
    ],
)
def test_replay_names_what_is_not_there(replay_file: Path, args: list[str], words: str) -> None:
    done = arena("replay", replay_file, *args)
    assert done.returncode == 2
    assert words in done.stderr


def test_rules_tells_the_rules() -> None:
    done = arena("rules")
    assert "protect" in done.stdout
    assert "R-A1" in done.stdout


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_has_help_that_names_its_options(command: str) -> None:
    done = arena(*([command] if command else []), "--help")
    assert done.returncode == 0
    assert "Usage: crossing-arena" in done.stdout
    if not command:
        assert all(name in done.stdout for name in COMMANDS)


def test_version() -> None:
    assert arena("--version").stdout == "crossing-arena 0.1.0\n"
