"""Says what must not be shown, says too much, pledges what is not legal, one a turn.

Expected: INVALID in turns 1, 2, 3; benched.
"""

from crossing_sdk import Bot, Move, Say, Turn, run


class TalksBadly(Bot):
    def talk(self, turn: Turn) -> Say | str | None:
        if turn.beat == 1:
            return [Say("\x1b[2J"), Say("a" * 201), Say(pledge=Move.at_rival(turn.seat))][(turn.number - 1) % 3]
        return None

    def choose(self, turn: Turn) -> Move:
        return turn.legal[0]


run(TalksBadly)
