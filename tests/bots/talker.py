"""Speaks on both counts, and says on "two" whom it heard on "one"; protects in turn 2, so that it rests in turn 3.

Expected: no fault.
"""

from crossing_sdk import Bot, Move, Say, Turn, run


class Talker(Bot):
    def talk(self, turn: Turn) -> Say:
        heard = " ".join(f"{heard.seat}@{heard.beat}" for heard in turn.heard)
        resting = " resting" if not turn.legal else ""
        return Say(f"heard {heard or 'nothing'}{resting}", pledge=turn.legal[0] if turn.legal else None)

    def choose(self, turn: Turn) -> Move:
        turn.note(" ".join(f"{heard.seat}@{heard.beat}" for heard in turn.heard))
        return Move.S if turn.number == 2 else turn.legal[0]


run(Talker)
