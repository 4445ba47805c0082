"""The command line: a command parses, calls one function, prints.

Commands import what they need when they run, so that `--help` answers at once.
"""

import sys
from typing import Annotated

import typer

from crossing_arena._version import __version__
from crossing_arena.cli.bench import bench
from crossing_arena.cli.check import check
from crossing_arena.cli.ladder import run_ladder
from crossing_arena.cli.new import new
from crossing_arena.cli.play import play
from crossing_arena.cli.replay import replay
from crossing_arena.cli.rules import rules
from crossing_arena.cli.verify import verify

app = typer.Typer(
    name="crossing-arena",
    help="Run tournaments of programmed bots that play the board game Crossing.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)

_AUTHOR, _ORGANISER, _RECORD = "For bot authors", "For organisers", "Records"
app.command(rich_help_panel=_AUTHOR)(new)
app.command(rich_help_panel=_AUTHOR)(play)
app.command(rich_help_panel=_AUTHOR)(check)
app.command("run-ladder", rich_help_panel=_ORGANISER)(run_ladder)
app.command(rich_help_panel=_ORGANISER)(bench)
app.command(rich_help_panel=_RECORD)(replay)
app.command(rich_help_panel=_RECORD)(verify)
app.command(rich_help_panel=_AUTHOR)(rules)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"crossing-arena {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Run tournaments of programmed bots that play the board game Crossing."""


def main() -> None:
    """The `crossing-arena` command. Exit codes: 0 done, 1 the match or record is not as it should be, 2 bad input."""
    from crossing_arena.cli.screen import BadInput, complain  # noqa: PLC0415
    from crossing_arena.launcher.entries import BadEntry  # noqa: PLC0415
    from crossing_sdk.games import RulesError  # noqa: PLC0415

    try:
        app(prog_name="crossing-arena")
    except (BadInput, BadEntry, RulesError) as error:
        complain(str(error))
        sys.exit(2)
    except OSError as error:
        complain(f"{error.filename or 'the system'}: {error.strerror}")
        sys.exit(2)
