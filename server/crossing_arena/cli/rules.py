"""`crossing-arena rules`: the rules in short."""

import sys
from typing import Annotated

import typer


def rules(game: Annotated[str, typer.Argument(help="The game.")] = "crossing") -> None:
    """Print the rules in short, and where the rulings are."""
    from crossing_arena.cli.screen import BadInput
    from crossing_sdk.games import GAMES

    if game not in GAMES:
        raise BadInput(f"{game}: no game of this name; known are {', '.join(GAMES)}")
    print(GAMES[game].summary)
    print()
    print(f"The whole law with every ruling (R-A1 ...), version {GAMES[game].rules_version}:")
    print(f"  {sys.modules[type(GAMES[game]).__module__].__file__}")
