"""A bot whose moves are typed by a person: `crossing-arena play human fox thief`."""

import os
from pathlib import Path
from typing import TextIO

from crossing_sdk import Bot, Move, Say, Turn, run
from crossing_sdk.client import TERMINAL
from crossing_sdk.games import UnreadableText
from crossing_sdk.games.crossing import read_move
from crossing_sdk.seat import text_fault


class You(Bot):
    """Shows the table and asks."""

    def __init__(self) -> None:
        terminal = Path(os.environ[TERMINAL])
        self._in: TextIO = terminal.open()
        self._out: TextIO = terminal.open("w")

    def talk(self, turn: Turn) -> Say | None:
        """Ask for words on "one"; on "two" there is nothing to add."""
        if turn.beat > 1:
            return None
        self._show(turn)
        while True:
            words = self._ask("Say something, or a pledge such as M1 and something, or nothing: ")
            first, _, rest = words.partition(" ")
            pledge = next((move for move in turn.legal if str(move) == first.upper()), None)
            text = rest if pledge else words
            if not (why := text_fault(text)):
                return Say(text, pledge)
            self._print(f"That text {why}.")

    def choose(self, turn: Turn) -> Move:
        """Ask until it is a legal move."""
        for heard in turn.heard:
            pledge = f" (pledges {heard.pledge})" if heard.pledge else ""
            self._print(f"  P{heard.seat} says: {heard.text}{pledge}")
        legal = " ".join(map(str, turn.legal))
        while True:
            word = self._ask(f"Your move ({legal}): ").upper()
            try:
                if (move := read_move(word)) in turn.legal:
                    return move
                self._print(f"{word} is not legal now.")
            except UnreadableText as error:
                self._print(str(error))

    def _show(self, turn: Turn) -> None:
        view = turn.view
        self._print(f"\nTurn {turn.number}, you are P{turn.seat}. In the bag: {view.bag}")
        self._print("  " + "   ".join(f"M{i} {pile}" for i, pile in enumerate(view.mushrooms)))
        for seat in range(view.players):
            rest = "on break" if view.on_break[seat] else f"tile {view.tiles[seat]}"
            self._print(f"  P{seat} {rest}, safe {view.claimed[seat]}, {view.points(seat)} points")

    def _ask(self, prompt: str) -> str:
        self._out.write(prompt)
        self._out.flush()
        return self._in.readline().strip()

    def _print(self, text: str) -> None:
        self._out.write(text + "\n")
        self._out.flush()


if __name__ == "__main__":
    run(You)
