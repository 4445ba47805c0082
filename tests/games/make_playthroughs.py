"""Write the golden playthroughs: one whole game for every game and table size, as text a person can check.

    .venv/bin/python tests/games/make_playthroughs.py

Run it only when a ruling has changed on purpose, raise the game's `rules_version`, and read the difference.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from crossing_sdk.games import GAMES, Game, Outcome, Position, seed_from

GOLDEN = Path(__file__).parent / "golden"
SEED = "playthrough"


def path_of(name: str, players: int) -> Path:
    """Where the playthrough of a game at a table size lies."""
    return GOLDEN / f"playthrough-{name}-{players}p.txt"


def scripted(position: Position[Any]) -> dict[int, Any]:
    """Everybody's move by plain arithmetic, so that any language can replay it; each eleventh answer is missing."""
    turn = position.turn
    return {
        seat: position.legal(seat)[2 * (turn * turn + turn * seat + seat) % len(position.legal(seat))]
        for seat in position.to_act
        if turn == 1 or (3 * turn + seat) % 11 != 0
    }


def playthrough(game: Game[Any], players: int) -> str:
    """The whole game: a line for every position, an indented one for what everybody did there, and the outcome."""
    return "\n".join(_lines(game, players)) + "\n"


def _lines(game: Game[Any], players: int) -> Iterator[str]:
    yield f"# {game.title}, rules version {game.rules_version}, {players} players, dealt by the seed {SEED!r}"
    position = game.start(players, seed_from(SEED))
    while position.outcome is None and position.turn <= game.turn_limit(players):
        moves = scripted(position)
        yield str(position)
        yield "  " + " ".join(str(moves.get(seat, game.default)) for seat in range(players))
        position = position.play(moves)
    if position.outcome is None:
        raise RuntimeError(f"{game.title} goes on after its last turn: {position}")
    yield str(position)
    yield from _ending(position.outcome)


def _ending(outcome: Outcome) -> Iterator[str]:
    for what in ("points", "tiebreaks", "places", "winners"):
        yield f"  {what}: {' '.join(map(str, getattr(outcome, what)))}"


def main() -> None:
    """Write them all."""
    for game in GAMES.values():
        for players in game.players:
            path_of(game.name, players).write_text(playthrough(game, players), encoding="utf-8")


if __name__ == "__main__":
    main()
