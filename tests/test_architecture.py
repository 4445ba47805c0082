"""The layers hold, and the light parts stay light."""

import subprocess
import sys
from pathlib import Path

import pytest

import crossing_sdk

ROOT = Path(__file__).parents[1]


def test_the_layers_of_the_import_contracts_hold() -> None:
    lint = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(lint, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("crossing_sdk.games", ["grpc", "google.protobuf", "asyncio"]),
        ("crossing_sdk", ["grpc", "google.protobuf", "asyncio"]),
        ("crossing_sdk.local", ["grpc", "google.protobuf"]),
        ("crossing_arena.cli", ["grpc", "google.protobuf", "asyncio"]),
    ],
)
def test_importing_loads_no_more_than_needed(module: str, absent: list[str]) -> None:
    code = f"import sys, {module}; print([name for name in {absent} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    assert done.stderr == ""


def test_the_public_names_of_the_sdk_are_pinned() -> None:
    assert sorted(crossing_sdk.__all__) == [
        "Bot",
        "Clock",
        "GameStart",
        "Heard",
        "Move",
        "Position",
        "Result",
        "Reveal",
        "Say",
        "Stones",
        "Turn",
        "View",
        "__version__",
        "run",
    ]


def test_the_sdk_needs_nothing_but_grpc_and_protobuf() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "sdk" / "pyproject.toml").read_text())["project"]
    assert [word.split(">")[0] for word in project["dependencies"]] == ["grpcio", "protobuf"]
