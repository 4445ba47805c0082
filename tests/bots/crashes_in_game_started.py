"""Raises as soon as it has a seat.

Expected: CRASH in turns 1, 2, 3; benched.
"""

from crossing_sdk import Bot, GameStart, Move, Turn, run


class CrashesInGameStarted(Bot):
    def game_started(self, game: GameStart) -> None:
        raise RuntimeError(f"no book for {game.players} players")

    def choose(self, turn: Turn) -> Move:
        return turn.legal[0]


run(CrashesInGameStarted)
