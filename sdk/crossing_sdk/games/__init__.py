"""The games of the arena: pure rules that run the same on a bot's side and on the authority's.

Importing this loads nothing but the standard library.
"""

from typing import Any

from crossing_sdk.games.chance import Stream, derive, seat_seed, seed_from
from crossing_sdk.games.crossing import CROSSING
from crossing_sdk.games.game import (
    BadTable,
    Game,
    IllegalMove,
    Outcome,
    Position,
    RulesError,
    UnreadableText,
    View,
)

GAMES: dict[str, Game[Any]] = {game.name: game for game in (CROSSING,)}
"""Every game by its name."""

__all__ = [
    "CROSSING",
    "GAMES",
    "BadTable",
    "Game",
    "IllegalMove",
    "Outcome",
    "Position",
    "RulesError",
    "Stream",
    "UnreadableText",
    "View",
    "derive",
    "seat_seed",
    "seed_from",
]
