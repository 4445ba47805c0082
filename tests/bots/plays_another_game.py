"""Says hello, but plays chess.

Expected: START-UP in turn 1; benched.
"""

from crossing_sdk import Bot, run


class PlaysAnotherGame(Bot):
    games = ("chess",)


run(PlaysAnotherGame)
