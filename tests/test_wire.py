"""The wire's generated code is what proto/ says, and proto/ is as tidy as buf wants it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WIRE = ROOT / "sdk" / "crossing_sdk" / "wire"


def run(*command: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command, cwd=ROOT / "proto", env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_committed_code_is_a_fresh_generation(tmp_path: Path) -> None:
    run(sys.executable, "generate.py", str(tmp_path))
    fresh = {path.name: path.read_text() for path in tmp_path.iterdir()}
    committed = {path.name: path.read_text() for path in WIRE.iterdir() if path.is_file()}
    assert fresh == committed, "run `make proto`"


@pytest.mark.parametrize("command", [("lint",), ("format", "--diff", "--exit-code")], ids=" ".join)
def test_buf_is_content(command: tuple[str, ...]) -> None:
    run("buf", *command)
