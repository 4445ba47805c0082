"""Where ladders are kept: one schema, in a folder (SQLite) or on a server (PostgreSQL)."""

from crossing_arena.store.errors import DamagedReplay, Held, StoreError
from crossing_arena.store.replays import ReplayStore
from crossing_arena.store.store import Store
from crossing_arena.store.values import (
    Attempt,
    Bot,
    Ladder,
    LadderStatus,
    MatchResult,
    Plan,
    Played,
    Revision,
    SeatResult,
)

__all__ = [
    "Attempt",
    "Bot",
    "DamagedReplay",
    "Held",
    "Ladder",
    "LadderStatus",
    "MatchResult",
    "Plan",
    "Played",
    "ReplayStore",
    "Revision",
    "SeatResult",
    "Store",
    "StoreError",
]
