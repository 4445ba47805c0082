"""The arena: an authoritative server on which programmed bots play board games against each other."""

from crossing_arena._version import __version__

__all__ = ["__version__"]
