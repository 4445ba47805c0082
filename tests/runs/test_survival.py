"""A ladder loses nothing: not when it is killed, stopped, extended, or when its bots change."""

import json
import random
import shutil
import signal
import sqlite3
import subprocess
from pathlib import Path

import pytest

from cli.commands import arena
from runs.ladders import FAST, kill, ladder_args, run, standings, start, write_bots

DEALS = ("--deals", "60")
KILLS = 20


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bots(tmp_path_factory.mktemp("bots") / "bots", 5)


@pytest.fixture(scope="module")
def whole(bots: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An uninterrupted ladder."""
    out = tmp_path_factory.mktemp("whole") / "ladder"
    run(bots, out, *DEALS)
    return out


def recorded(out: Path) -> list[int]:
    """The numbers of the matches on record, straight from the file."""
    if not (out / "ladder.sqlite").exists():
        return []
    with sqlite3.connect(out / "ladder.sqlite") as db:
        tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
        return [row[0] for row in db.execute("SELECT n FROM match")] if "match" in tables else []


def until_recorded(process: "subprocess.Popen[str]", out: Path) -> None:
    """Wait until a run has something on record."""
    while not recorded(out):
        with pytest.raises(subprocess.TimeoutExpired):  # it must not end before
            process.wait(0.05)


def test_twenty_kills_lose_nothing_and_change_nothing(bots: Path, whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "ladder"
    dice = random.Random(20)
    before = 0
    for _ in range(KILLS):
        with start(bots, out, *DEALS) as process:
            try:
                process.communicate(timeout=dice.uniform(0.2, 2.0))
                break
            except subprocess.TimeoutExpired:
                process.kill()
        now = recorded(out)
        assert len(now) >= before
        assert len(now) == len(set(now))
        before = len(now)
    run(bots, out, *DEALS)
    assert standings(out) == standings(whole)
    assert sorted(recorded(out)) == sorted(recorded(whole))
    assert arena("verify", out).returncode == 0


def test_ctrl_c_once_writes_prints_and_names_the_command_that_goes_on(bots: Path, tmp_path: Path) -> None:
    out, many = tmp_path / "ladder", ("--deals", "400")
    process = start(bots, out, *many)
    until_recorded(process, out)
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "stopped." in printed
    assert "To go on: crossing-arena run-ladder" in printed
    kept = set(recorded(out))
    assert standings(out)["status"] == "stopped"
    assert standings(out)["matches"] == len(kept) < 500
    run(bots, out, *many)
    assert kept < set(recorded(out))
    assert len(recorded(out)) == 500


def test_a_second_run_in_the_same_folder_is_refused_and_names_the_first(bots: Path, tmp_path: Path) -> None:
    out = tmp_path / "ladder"
    first = start(bots, out, "--deals", "5000")
    try:
        until_recorded(first, out)
        second = arena(*ladder_args(bots, out, "--deals", "5000"))
        assert second.returncode == 2
        assert f"pid {first.pid}" in second.stderr
    finally:
        kill(first)


def test_the_same_command_again_plays_nothing(bots: Path, whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "copy of the ladder"
    shutil.copytree(whole, out)
    again = run(bots, out, *DEALS)
    assert "75 of them played already" in again.stderr
    assert standings(out) == standings(whole)


def test_more_deals_and_another_bot_play_only_what_is_missing(bots: Path, whole: Path, tmp_path: Path) -> None:
    more, out = tmp_path / "bots", tmp_path / "ladder"
    shutil.copytree(bots, more)
    shutil.copytree(whole, out)
    played = dict(_results(out))
    run(more, out, "--deals", "80")
    assert {n: result for n, result in _results(out) if n in played} == played
    (more / "newcomer.py").write_text(FAST.format(step=9))
    run(more, out, "--deals", "80")
    rows = {bot["name"]: bot for bot in standings(out)["bots"]}
    assert rows["newcomer"]["deals"] >= 80
    assert {n: result for n, result in _results(out) if n in played} == played
    assert arena("verify", out).returncode == 0


def _results(out: Path) -> list[tuple[int, str]]:
    lines = (out / "games.jsonl").read_text().splitlines()
    return [(json.loads(line)["n"], line) for line in lines]


def test_a_changed_bot_is_a_new_version_rated_apart(bots: Path, whole: Path, tmp_path: Path) -> None:
    changed, out = tmp_path / "bots", tmp_path / "ladder"
    shutil.copytree(bots, changed)
    shutil.copytree(whole, out)
    (changed / "bot0.py").write_text(FAST.format(step=17))
    run(changed, out, *DEALS)
    versions = [bot["version"] for bot in standings(out)["bots"] if bot["name"] == "bot0"]
    assert len(set(versions)) == 2


def test_fresh_puts_the_earlier_ladder_aside(bots: Path, whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "ladder"
    shutil.copytree(whole, out)
    done = run(bots, out, "--deals", "8", "--fresh")
    [aside] = [path for path in tmp_path.iterdir() if path.name.startswith("ladder-")]
    assert str(aside) in done.stdout
    assert standings(aside) == standings(whole)
    assert standings(out)["matches"] < standings(whole)["matches"]


def test_settings_that_would_spoil_the_comparison_are_refused(bots: Path, whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "ladder"
    shutil.copytree(whole, out)
    done = arena(*ladder_args(bots, out, "--table-size", "5", "--clock", "2s"))
    assert done.returncode == 2
    assert "table_size is 5, but the ladder" in done.stderr
    assert "clock is '2s'" in done.stderr
    assert standings(out) == standings(whole)


def test_a_fresh_process_for_every_match_gives_the_same_results(bots: Path, tmp_path: Path) -> None:
    warm, cold = tmp_path / "warm", tmp_path / "cold"
    run(bots, warm, "--deals", "4")
    run(bots, cold, "--deals", "4", "--fresh-process", "--workers", "2")
    assert standings(warm) == standings(cold)
