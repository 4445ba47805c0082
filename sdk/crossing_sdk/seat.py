"""A bot in one seat of one game: its dice, its answers, and what is wrong with them."""

import traceback
from pathlib import Path
from random import Random
from typing import Any

from crossing_sdk.bot import MAX_TEXT, Bot, GameStart, Result, Reveal, Say, Turn

_SDK = str(Path(__file__).parent)


class BadAnswer(Exception):
    """A bot returned something that is no legal answer; the words name it and what would have been right."""


class Seat:
    """One Bot object and what it needs for one game."""

    def __init__(self, bot_class: type[Bot], game: GameStart, rng_seed: bytes) -> None:
        self.game = game
        self.rng = Random(rng_seed)  # noqa: S311  # a contestant's dice, not ours
        self.bot = bot_class()
        self.bot.rng = self.rng
        self.bot.game = game
        self.bot.game_started(game)

    def choose(self, turn: Turn) -> Any:
        """The bot's move, checked; raises BadAnswer, or whatever the bot raises."""
        self.bot._turn = turn
        move = self.bot.choose(turn)
        if move not in turn.legal:
            raise BadAnswer(f"choose() returned {_shown(move)}; {_legal_in(turn)}")
        return move

    def talk(self, turn: Turn) -> Say:
        """What the bot says, checked; raises BadAnswer, or whatever the bot raises."""
        self.bot._turn = turn
        said = self.bot.talk(turn)
        if said is None:
            return Say()
        if isinstance(said, str):
            said = Say(text=said)
        if not isinstance(said, Say):
            raise BadAnswer(f"talk() returned {_shown(said)}; right is Say(text=..., pledge=...), a str or None")
        if why := text_fault(said.text):
            raise BadAnswer(f"talk() returned a text that {why}")
        if said.pledge is not None and said.pledge not in turn.legal:
            raise BadAnswer(f"talk() pledged {_shown(said.pledge)}; {_legal_in(turn)}")
        return said

    def revealed(self, reveal: Reveal) -> None:
        """Tell the bot what everybody did."""
        self.bot.revealed(reveal)

    def game_over(self, result: Result) -> None:
        """Tell the bot how it ended."""
        self.bot.game_over(result)


def _legal_in(turn: Turn) -> str:
    return f"legal in turn {turn.number}: {' '.join(map(str, turn.legal)) or 'nothing, you are on break'}"


def _shown(value: object) -> str:
    text = repr(value)
    return f"{text if len(text) <= 80 else text[:77] + '...'} ({type(value).__name__})"


def text_fault(text: object) -> str | None:
    """What is wrong with a text for other people's eyes, or None if it may be said.

    Control, zero-width and text-direction characters could fake lines or turn a table around.
    """
    if not isinstance(text, str):
        return f"is no str but {_shown(text)}"
    if len(text) > MAX_TEXT:
        return f"has {len(text)} characters, more than {MAX_TEXT}"
    bad = next((char for char in text if not char.isprintable()), None)
    return f"contains U+{ord(bad):04X}, which cannot be shown" if bad else None


def explain(error: BaseException) -> str:
    """A traceback that starts at the author's own code: the SDK's frames above it are left out."""
    whole = traceback.TracebackException.from_exception(error)
    frames = whole.stack
    own = next((i for i, frame in enumerate(frames) if not frame.filename.startswith(_SDK)), len(frames))
    whole.stack = traceback.StackSummary.from_list(frames[own:])
    lines = list(whole.format())
    if not frames[own:]:
        lines = [line for line in lines if not line.startswith("Traceback (")]
    return "".join(lines).rstrip()
