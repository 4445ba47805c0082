"""Raises before it can say hello.

Expected: START-UP in turn 1; benched.
"""

from crossing_sdk import Bot, run

SIZE = 1 // len("")


class CrashAtImport(Bot):
    pass


run(CrashAtImport)
