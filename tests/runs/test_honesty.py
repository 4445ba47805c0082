"""What a ladder publishes is true, and its audit finds what is not."""

import csv
import json
import re
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import zstandard

from cli.commands import arena
from runs.ladders import FAST, ladder_args, standings, write_bots

KEYS = {
    *("rank", "rank_low", "rank_high", "name", "version", "owner", "rating", "low", "high", "los_next", "deals"),
    *("matches", "win_share", "mean_place", "mean_points", "faults", "pledges_made", "pledges_kept", "flags"),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("honest")
    bots = write_bots(folder / "bots", 5)
    (bots / "formula.py").write_text(FAST.format(step=7))
    (bots / "LADDER.toml").write_text('bots = ["."]\n')
    spec = folder / "LADDER.toml"
    spec.write_text(
        'name = "<b>spring</b>"\nbots = ["bots"]\ndeals = 40\nseed = "x"\nout = "out"\ntalk = false\n\n'
        '[[bot]]\npath = "bots/formula.py"\nname = "=HYPERLINK(1)"\nowner = "Ada"\n'
    )
    done = arena("run-ladder", spec)
    assert done.returncode == 0, done.stderr
    return folder / "out"


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "out"))


def test_a_true_ladder_is_accepted(whole: Path) -> None:
    done = arena("verify", whole)
    assert done.returncode == 0, done.stdout
    assert "true, " in done.stdout


def test_the_standings_have_the_documented_keys(whole: Path) -> None:
    document = standings(whole)
    assert document["schema"] == 1
    assert document["status"] == "finished"
    assert {"commitment", "design_effect", "misfit", "head_to_head"} <= document.keys()
    assert all(bot.keys() >= KEYS for bot in document["bots"])
    size = len(document["bots"])
    assert [len(row) for row in document["head_to_head"]] == [size] * size
    for row in range(size):
        for column in range(size):
            one, other = document["head_to_head"][row][column], document["head_to_head"][column][row]
            assert (row == column) == (one is None)
            assert one is None or one["ahead"] + other["ahead"] == pytest.approx(1, abs=2e-4)


def test_the_commitment_is_opened_at_the_end(whole: Path) -> None:
    import hashlib

    document = standings(whole)
    assert hashlib.sha256(bytes.fromhex(document["secret"])).hexdigest() == document["commitment"]


def test_no_spreadsheet_takes_a_name_for_a_formula(whole: Path) -> None:
    for name in ("standings.csv", "matches.csv"):
        with (whole / name).open(newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert "'=HYPERLINK(1)" in cells
        assert not any(cell.startswith(("=", "+", "@")) for cell in cells)
    assert "<" not in (whole / "standings.json").read_text()


def test_everybody_played_as_often_and_sat_everywhere_as_often(whole: Path) -> None:
    bots = standings(whole)["bots"]
    assert max(bot["matches"] for bot in bots) - min(bot["matches"] for bot in bots) <= 1
    seats: dict[tuple[str, str], int] = {}
    with (whole / "matches.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            seats[row["name"], row["seat"]] = seats.get((row["name"], row["seat"]), 0) + 1
    assert max(seats.values()) - min(seats.values()) <= 1


NUMBERS = [("rating", 0.1), ("low", 0.1), ("matches", 1), ("mean_points", 0.01), ("rank", 1), ("pledges_made", 1)]


@pytest.mark.parametrize(("key", "change"), NUMBERS)
def test_one_changed_number_is_named(copy: Path, key: str, change: float) -> None:
    document = json.loads((copy / "standings.json").read_text())
    document["bots"][1][key] += change
    (copy / "standings.json").write_text(json.dumps(document))
    done = arena("verify", copy)
    assert done.returncode == 1
    assert f"standings.json: bots[1].{key} is" in done.stdout


def test_a_changed_cell_of_the_csv_is_named(copy: Path) -> None:
    path = copy / "matches.csv"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(b"won", b"lost")
    path.write_bytes(b"".join(lines))
    done = arena("verify", copy)
    assert (done.returncode, "matches.csv: line 4 is" in done.stdout) == (1, True)


def change_replay(folder: Path, n: int, change: Any) -> None:
    with sqlite3.connect(folder / "replays.sqlite") as db:
        [table] = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        [blob] = [name for name in columns if name not in ("ladder_id", "ladder", "n")]
        [body] = db.execute(f"SELECT {blob} FROM {table} WHERE n = ?", (n,)).fetchone()
        db.execute(f"UPDATE {table} SET {blob} = ? WHERE n = ?", (change(body), n))


def one_byte(body: bytes) -> bytes:
    return body[:50] + bytes([body[50] ^ 1]) + body[51:]


def another_move(body: bytes) -> bytes:
    text = zstandard.decompress(body)
    changed = re.sub(rb'"moves":\["M(\d)', lambda found: b'"moves":["M' + bytes([found[1][0] ^ 1]), text, count=1)
    assert changed != text
    return zstandard.compress(changed, 3)


@pytest.mark.parametrize("change", [one_byte, another_move])
def test_one_changed_byte_of_a_replay_is_found_and_the_match_named(copy: Path, change: Any) -> None:
    change_replay(copy, 7, change)
    done = arena("verify", copy)
    assert done.returncode == 1
    assert "match 7" in done.stdout
    assert done.stdout.count("match ") == done.stdout.count("match 7")


def test_a_result_that_is_not_the_replays_is_found(copy: Path) -> None:
    with sqlite3.connect(copy / "ladder.sqlite") as db:
        db.execute("UPDATE seat SET points = points + 1 WHERE n = 3 AND seat = 0")
    done = arena("verify", copy)
    assert "match 3: the points" in done.stdout
    assert "standings.json" in done.stdout


def test_the_standings_command_shows_what_was_published(whole: Path) -> None:
    done = arena("standings", whole)
    assert done.returncode == 0
    assert "=HYPERLINK(1)" in done.stdout
    assert "95 of 100" in done.stdout
    assert json.loads(arena("standings", whole, "--json").stdout)["status"] == "finished"
    nothing = arena("standings", whole.parent)
    assert (nothing.returncode, "no ladder has published" in nothing.stderr) == (2, True)


def test_a_dry_run_says_how_much_and_how_even_and_plays_nothing(tmp_path: Path) -> None:
    bots = write_bots(tmp_path / "bots", 6)
    done = arena(*ladder_args(bots, tmp_path / "out", "--deals", "30", "--dry-run"))
    assert done.returncode == 0
    assert "6 bots, 45 deals, 45 matches" in done.stdout
    assert not (tmp_path / "out").exists()


BAD = """\
nmae = "x"
deals = 0
table_size = 9
clock = "1s"

bots = ["nosuch", "grady"]
"""


def test_all_faults_of_a_ladder_file_are_named_at_once_with_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "LADDER.toml"
    file.write_text(BAD)
    done = arena("run-ladder", file)
    assert done.returncode == 2
    assert "line 1: unknown key nmae; did you mean name?" in done.stderr
    assert "line 2: deals = 0" in done.stderr
    assert "line 3: table_size" in done.stderr
    file.write_text('bots = ["nosuch", "grady", "fox", "fox"]\n')
    done = arena("run-ladder", file)
    assert "nosuch: no bot of this name" in done.stderr
    assert "grady: no bot of this name. Did you mean greedy?" in done.stderr
    assert "two bots are called fox" in done.stderr
    assert not (tmp_path / "ladder").exists()


def test_new_ladder_writes_a_file_that_works(tmp_path: Path) -> None:
    assert arena("new-ladder", cwd=tmp_path).returncode == 0
    dry = arena("run-ladder", "LADDER.toml", "--dry-run", cwd=tmp_path)
    assert dry.returncode == 0, dry.stderr
    assert "8 bots" in dry.stdout
    assert arena("new-ladder", cwd=tmp_path).returncode == 2


def test_json_prints_only_the_standings(tmp_path: Path) -> None:
    bots = write_bots(tmp_path / "bots", 4)
    done = arena(*ladder_args(bots, tmp_path / "out", "--deals", "4", "--json"), FORCE_COLOR="1")
    assert json.loads(done.stdout)["matches"] == 4
    assert done.stderr == ""


def test_lines_are_plain_when_nobody_watches(tmp_path: Path) -> None:
    bots = write_bots(tmp_path / "bots", 4)
    done = arena(*ladder_args(bots, tmp_path / "out", "--deals", "4"), FORCE_COLOR="1")
    assert "\x1b" not in done.stdout + done.stderr
