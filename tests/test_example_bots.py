"""The example bots: readable, fair to their copies, honest or not as promised, and about as strong as they say."""

import ast
import importlib.util
import random
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from crossing_sdk import Bot, Move
from crossing_sdk.local import Played, Standing, play, series

FOLDER = Path(__file__).parents[1] / "example_bots"
NAMES = ("random", "greedy", "thief", "hoarder", "diplomat", "liar", "fox", "scout")


@cache
def bot(name: str) -> type[Bot]:
    spec = importlib.util.spec_from_file_location(f"example_bots_{name}", FOLDER / f"{name}_bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = getattr(module, f"{name.capitalize()}Bot")
    assert isinstance(found, type)
    assert issubclass(found, Bot)
    return found


def table(*names: str) -> list[type[Bot]]:
    return [bot(name) for name in names]


def standings(*names: str, games: int, seed: str = "strength") -> list[Standing]:
    return series(table(*names), games, seed)


@cache
def collected_by_four(name: str) -> float:
    """The points that four copies of a bot collect together in a game."""
    return sum(standing.mean_points for standing in series([bot(name)] * 4, games=12))


def pledges(played: Played, seats: list[int]) -> list[bool]:
    """For every turn in which one of the seats pledged a move: whether the last pledge was kept."""
    kept = []
    for moves, heard in zip(played.moves, played.heard, strict=True):
        last = {said.seat: said.pledge for said in heard if said.pledge}
        kept += [moves[seat] is last[seat] for seat in seats if seat in last and moves[seat] is not Move.NONE]
    return kept


def test_the_folder_holds_these_bots_and_no_others() -> None:
    assert {path.name for path in FOLDER.glob("*.py")} == {f"{name}_bot.py" for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_a_file_explains_itself_imports_only_the_sdk_and_ends_with_run(name: str) -> None:
    tree = ast.parse((FOLDER / f"{name}_bot.py").read_text())
    assert (ast.get_docstring(tree) or "").startswith(f"{name.capitalize()}: ")
    sources = {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
    assert sources == {"crossing_sdk"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    assert ast.unparse(tree.body[-1]) == f"if __name__ == '__main__':\n    run({name.capitalize()}Bot)"


@pytest.mark.parametrize("talk", [True, False])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("name", NAMES)
def test_copies_play_whole_games(name: str, players: int, talk: bool) -> None:
    played = play([bot(name)] * players, seed=players, talk=talk)
    assert played.positions[-1].over
    assert talk or not any(played.heard)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_bot_plays_with_every_other(players: int) -> None:
    for first, second in combinations(range(len(NAMES)), 2):
        names = [NAMES[first], NAMES[second], *(NAMES[(second + k) % len(NAMES)] for k in range(1, players - 1))]
        talk = (first + second + players) % 2 == 0  # over all sizes every pair meets both ways
        assert play(table(*names), seed=f"{first}/{second}", talk=talk).positions[-1].over


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_plays_the_same_game_and_another_seed_another(name: str) -> None:
    bots = table(name, "liar", name, "diplomat")
    assert play(bots, seed="a") == play(bots, seed="a")
    assert play(bots, seed="a").moves != play(bots, seed="b").moves


@pytest.mark.parametrize("name", NAMES)
def test_no_bot_touches_the_global_dice(name: str) -> None:
    before = random.getstate()
    play(table(name, name, "diplomat", "liar"), seed=name)
    assert random.getstate() == before


@pytest.mark.parametrize("name", NAMES)
def test_copies_do_not_block_each_other(name: str) -> None:
    """Copies that always clash collect some 12 points together, out of 102 in the box."""
    assert collected_by_four(name) > 50


def test_four_diplomats_collect_more_than_four_of_any_other_kind() -> None:
    assert max(NAMES, key=collected_by_four) == "diplomat"


@pytest.mark.parametrize("others", [("thief",), ("hoarder",), ("liar",)])
def test_a_scout_beats_random_and_greedy(others: tuple[str, ...]) -> None:
    scout, *rest = standings("scout", "random", "greedy", *others, games=24)
    assert scout.win_share > 0.5
    assert all(scout.mean_points > rival.mean_points + 5 for rival in rest)


@pytest.mark.parametrize("other", ["hoarder", "diplomat"])
def test_a_fox_beats_random_and_greedy(other: str) -> None:
    fox, *rest = standings("fox", "random", "greedy", other, games=60)
    assert fox.win_share > 0.6
    assert all(fox.mean_points > rival.mean_points + 8 for rival in rest)


def test_a_hoarder_beats_two_thieves() -> None:
    assert standings("hoarder", "thief", "thief", games=60)[0].win_share > 0.7


def test_a_hoarder_collects_more_than_each_of_three_thieves_who_still_win() -> None:
    """Three thieves block each other at the fattest tile, whose owner then wins: more thieves, more heaps."""
    hoarder, *thieves = standings("hoarder", "thief", "thief", "thief", games=60)
    assert all(hoarder.mean_points > 1.4 * thief.mean_points for thief in thieves)
    assert hoarder.win_share < 0.25


def test_a_thief_beats_a_crowd_of_greedy() -> None:
    assert standings("thief", "greedy", "greedy", "greedy", games=60)[0].win_share > 0.9


def test_random_comes_last_among_those_who_think() -> None:
    rolls, *rest = standings("random", "hoarder", "liar", "fox", games=60)
    assert rolls.win_share < 0.15
    assert all(rolls.mean_points < rival.mean_points for rival in rest)


@pytest.mark.parametrize("rivals", [("diplomat",) * 3, ("liar", "fox", "thief")])
def test_a_diplomat_keeps_its_word(rivals: tuple[str, ...]) -> None:
    kept = [word for seed in range(8) for word in pledges(play(table("diplomat", *rivals), seed), [0])]
    assert len(kept) > 60
    assert all(kept)


def test_diplomats_seldom_clash_and_silent_ones_do() -> None:
    def clashes(talk: bool) -> int:
        games = [play(table(*["diplomat"] * 4), seed, talk=talk) for seed in range(10)]
        pointed = [[m for m in moves if m.mushroom is not None] for game in games for moves in game.moves]
        return sum(len(moves) - len(set(moves)) for moves in pointed)

    assert clashes(talk=True) < 0.7 * clashes(talk=False)


@pytest.mark.parametrize("rivals", [("liar",) * 3, ("diplomat", "fox", "greedy")])
def test_a_liar_breaks_most_of_what_it_pledges(rivals: tuple[str, ...]) -> None:
    kept = [word for seed in range(8) for word in pledges(play(table("liar", *rivals), seed), [0])]
    assert len(kept) > 60
    assert kept.count(False) > 0.7 * len(kept)
