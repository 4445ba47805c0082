"""Returns no move at all, but a str.

Expected: INVALID in turns 1, 2, 3; benched.
"""

from typing import Any

from crossing_sdk import Bot, Turn, run


class AnswersIllegally(Bot):
    def choose(self, turn: Turn) -> Any:
        return "Left"


run(AnswersIllegally)
