"""Write bots for the crossing-arena.

    from crossing_sdk import Bot, run

    class MyBot(Bot):
        def choose(self, turn):
            return max(turn.legal, key=turn.view.gain)

    run(MyBot)

The rules live in `crossing_sdk.games`, a quick loop without an arena in `crossing_sdk.local`.
"""

from typing import NoReturn

from crossing_sdk._version import __version__
from crossing_sdk.bot import Bot, BotLike, Clock, GameStart, Heard, Result, Reveal, Say, Turn
from crossing_sdk.games.crossing import Move, Position, Stones, View

__all__ = [
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


def run(bot: BotLike) -> NoReturn:
    """Play for the arena that started this process: the last line of every bot.

    Takes a Bot class, or a function `choose(turn)` that returns one of `turn.legal`.
    """
    from crossing_sdk import client  # noqa: PLC0415  # grpc is loaded by who plays, not by who imports the rules

    client.run(bot)
