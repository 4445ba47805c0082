"""The command line: a command parses, calls one function, prints.

Commands import what they need when they run, so that `--help` answers at once.
"""

import sys
from typing import Annotated, NoReturn

import typer

from crossing_arena._version import __version__
from crossing_arena.cli.bench import bench
from crossing_arena.cli.check import check
from crossing_arena.cli.compare import compare
from crossing_arena.cli.ladder import new_ladder, run_ladder, standings
from crossing_arena.cli.new import new
from crossing_arena.cli.play import play
from crossing_arena.cli.replay import replay
from crossing_arena.cli.rules import rules
from crossing_arena.cli.verify import verify
from crossing_arena.faults import UserError
from crossing_sdk.games import RulesError

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
app.command("new-ladder", rich_help_panel=_ORGANISER)(new_ladder)
app.command(rich_help_panel=_ORGANISER)(standings)
app.command(rich_help_panel=_ORGANISER)(bench)
app.command(rich_help_panel=_RECORD)(replay)
app.command(rich_help_panel=_RECORD)(verify)
app.command(rich_help_panel=_AUTHOR)(compare)
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
    try:
        app(prog_name="crossing-arena")
    except OSError as error:
        _give_up(f"{error.filename or 'the system'}: {error.strerror}")
    except Exception as error:
        if not isinstance(error, UserError | RulesError):
            raise
        _give_up(str(error))


def _give_up(text: str) -> NoReturn:
    from crossing_arena.cli.screen import complain

    complain(text)
    sys.exit(2)
