"""Start, watch and end the processes of bots."""

from crossing_arena.launcher.entries import BadEntry, Entry, example_names, find_entries
from crossing_arena.launcher.process import BotProcess

__all__ = ["BadEntry", "BotProcess", "Entry", "example_names", "find_entries"]
