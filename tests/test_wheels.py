"""The two wheels hold what they promise."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def contents(project: Path, folder: Path) -> set[str]:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(build, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.mark.parametrize(
    ("project", "wanted"),
    [
        (
            ROOT,
            [
                "crossing_arena/py.typed",
                "crossing_arena/cli/__init__.py",
                "crossing_arena/launcher/guard.py",
                "crossing_arena/sparring/staller.py",
                "crossing_arena/example_bots/scout_bot.py",
            ],
        ),
        (ROOT / "sdk", ["crossing_sdk/py.typed", "crossing_sdk/games/crossing.py", "crossing_sdk/wire/arena_pb2.pyi"]),
    ],
    ids=["crossing-arena", "crossing-sdk"],
)
def test_a_wheel_holds_all_it_needs_and_nothing_of_the_other(project: Path, wanted: list[str], tmp_path: Path) -> None:
    names = contents(project, tmp_path)
    assert set(wanted) <= names
    assert {name.partition("/")[0] for name in names if ".dist-info" not in name} == {wanted[0].partition("/")[0]}
