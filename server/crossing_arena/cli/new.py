"""`crossing-arena new`: a bot to start from."""

import re
from pathlib import Path
from typing import Annotated

import typer

BOT = '''\
"""{name}: says in a sentence what its idea is."""

from crossing_sdk import Bot, Move, Turn, run


class {class_name}(Bot):
    """One object plays one game. See help(Bot) for the rules and all that a bot is told."""

    def choose(self, turn: Turn) -> Move:
        """Return one of turn.legal."""
        view = turn.view
        # view.mushrooms    the stones on each mushroom
        # view.tiles        the stones on each player's tile: anybody may take them
        # view.claimed      the stones each player has brought to safety
        # view.on_break     who has no move this turn
        # view.bag          what is left in the bag; empty means: this is the last turn
        # view.gain(move)   how many points the stones a move points at would add to yours
        # turn.heard        what was said in this turn;  turn.clock  how much time you have
        exposed = view.tiles[turn.seat].points
        if Move.S in turn.legal and (exposed >= 4 or view.is_last_turn):
            return Move.S
        # Some chance, weighted by gain: two of your kind must not always point at the same thing.
        weights = [0.1 + view.gain(move) ** 2 for move in turn.legal]
        return turn.rng.choices(turn.legal, weights)[0]


if __name__ == "__main__":
    run({class_name})
'''

TEST = '''\
"""Run with: pytest {file}"""

from crossing_sdk.local import play, series

from {module} import {class_name}


def random_bot(turn):
    return turn.rng.choice(turn.legal)


def test_plays_whole_games_at_every_table_size():
    for players in (3, 4, 5, 6):
        rivals = [random_bot] * (players - 1)
        assert len(play([{class_name}, *rivals], seed=7).points) == players


def test_beats_random_players():
    standings = series([{class_name}, random_bot, random_bot], games=60)
    assert standings[0].win_share > 1 / 3
'''


def new(name: Annotated[str, typer.Argument(help="The name of your bot, such as mybot.", metavar="NAME")]) -> None:
    """Write a bot to start from, with a test, and print the next two commands."""
    from crossing_arena.cli.screen import BadInput

    module = name.removesuffix(".py")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,59}", module):
        raise BadInput(f"{name}: a bot's file needs a name of letters, digits and _, such as my_bot")
    files = {Path(f"{module}.py"): BOT, Path(f"test_{module}.py"): TEST}
    for path in files:
        if path.exists():
            raise BadInput(f"{path} exists already; choose another name")
    class_name = "".join(part.capitalize() for part in module.split("_")) or "MyBot"
    for path, text in files.items():
        path.write_text(text.format(name=module, class_name=class_name, module=module, file=path), encoding="utf-8")
        print(f"wrote {path}")
    print("\nNext:")
    print(f"  crossing-arena play {module}.py greedy thief")
    print(f"  crossing-arena check {module}.py")
