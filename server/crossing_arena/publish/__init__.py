"""What a ladder publishes: standings and matches as data that other programs read."""

from crossing_arena.publish.data import publish, standings_document

__all__ = ["publish", "standings_document"]
