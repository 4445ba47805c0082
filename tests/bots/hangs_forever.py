"""Never answers.

Expected: TIMEOUT in turns 1, 2, 3; benched.
"""

import signal

from crossing_sdk import Bot, Move, Turn, run


class HangsForever(Bot):
    def choose(self, turn: Turn) -> Move:
        while True:
            signal.pause()


run(HangsForever)
