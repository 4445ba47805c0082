"""The golden playthroughs: whole games that the rules must play the same way for ever."""

from typing import Any

import pytest

from crossing_sdk.games import CROSSING, GAMES, Game
from crossing_sdk.games.crossing import Fate, read_move, read_position

from .make_playthroughs import GOLDEN, path_of, playthrough

TABLES = [
    pytest.param(game, players, id=f"{name}-{players}p") for name, game in GAMES.items() for players in game.players
]


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_the_game_plays_as_it_did(game: Game[Any], players: int) -> None:
    expected = path_of(game.name, players).read_text(encoding="utf-8")
    assert playthrough(game, players).splitlines() == expected.splitlines()


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_every_line_follows_from_the_one_before(game: Game[Any], players: int) -> None:
    """The text alone is enough to replay: each position and its moves are read back and give the next line."""
    _, *lines = path_of(game.name, players).read_text(encoding="utf-8").splitlines()
    record, ending = lines[:-4], dict(line.strip().split(": ") for line in lines[-4:])
    for position_text, moves_text, next_text in zip(record[:-1:2], record[1::2], record[2::2], strict=True):
        position = game.read_position(position_text)
        moves = [game.read_move(text) for text in moves_text.split()]
        assert str(position.play({seat: moves[seat] for seat in position.to_act})) == next_text
    outcome = game.read_position(record[-1]).outcome
    assert outcome is not None
    for what, values in ending.items():
        assert " ".join(map(str, getattr(outcome, what))) == values


def test_no_playthrough_is_left_over() -> None:
    known = {path_of(name, players) for name, game in GAMES.items() for players in game.players}
    assert set(GOLDEN.glob("playthrough-*")) == known


@pytest.mark.parametrize("players", CROSSING.players)
def test_crossing_shows_every_fate_in_its_playthrough(players: int) -> None:
    _, *lines = path_of("crossing", players).read_text(encoding="utf-8").splitlines()
    seen = set()
    for position_text, moves_text in zip(lines[:-5:2], lines[1:-5:2], strict=True):
        position = read_position(position_text)
        moves = [read_move(text) for text in moves_text.split()]
        seen |= {deed.fate for deed in position.deeds({seat: moves[seat] for seat in position.to_act})}
    assert seen == set(Fate)
