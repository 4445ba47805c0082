"""What every game in the registry promises (game.Game), and that it can travel (codec.Codec)."""

import importlib.util
import inspect
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from google.protobuf.message import Message

from crossing_sdk.codec import CODECS
from crossing_sdk.games import CROSSING, GAMES, BadTable, Game, IllegalMove, Position, UnreadableText, View, seed_from
from crossing_sdk.wire import arena_pb2 as pb

from .imports import loaded_by
from .make_playthroughs import path_of

PLAYED = 20
"""How many random games of each table size the contract is tried on."""

ENDLESS = 1000
"""More moves than any game can have."""

each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
each_table = pytest.mark.parametrize(
    ("game", "players"),
    [pytest.param(game, players, id=f"{name}-{players}p") for name, game in GAMES.items() for players in game.players],
)


def random_positions(game: Game[Any], players: int, games: int = PLAYED) -> Iterator[Position[Any]]:
    """Every position of some random games, the final ones included."""
    dice = Random(f"{game.name} at {players}")
    for number in range(games):
        position = game.start(players, seed_from(number))
        yield position
        for _ in range(ENDLESS):
            if position.outcome is not None:
                break
            position = position.play({seat: dice.choice(position.legal(seat)) for seat in position.to_act})
            yield position
        else:
            pytest.fail(f"no end after {ENDLESS} moves: {position}")


def public_names(protocol: type) -> set[str]:
    names = set(inspect.get_annotations(protocol)) | {name for name in vars(protocol) if not name.startswith("_")}
    return {name for name in names if not name.startswith("_")}


def sent(message: Message) -> Any:
    """The message as it comes out at the other end of the wire."""
    return type(message).FromString(message.SerializeToString())


# The registry


@each_game
def test_has_all_that_a_game_has(game: Game[Any]) -> None:
    assert {"name", "title", "rules_version", "players", "default", "start", "read_view"} <= public_names(Game)
    assert not {name for name in public_names(Game) if not hasattr(game, name)}
    assert GAMES[game.name] is game
    assert game.name.isidentifier()
    assert game.name == game.name.lower()
    assert game.title
    assert game.summary
    assert game.rules_version >= 1
    assert game.beats >= 0
    assert isinstance(game.players, range)
    assert len(game.players) > 0


@each_table
def test_positions_and_views_have_all_that_they_have(game: Game[Any], players: int) -> None:
    position = game.start(players, bytes(32))
    assert not {name for name in public_names(Position) if not hasattr(position, name)}
    assert not {name for name in public_names(View) if not hasattr(position.view(0), name)}


# Starting


@each_table
def test_starts(game: Game[Any], players: int) -> None:
    position = game.start(players, seed_from("any"))
    assert position.turn == 1
    assert position.outcome is None
    assert position.to_act
    assert str(game.start(players, seed_from("any"))) == str(position)
    assert str(game.start(players, seed_from("any"), {})) == str(position)


@each_game
def test_refuses_other_sizes(game: Game[Any]) -> None:
    for players in (-1, 0, 1, min(game.players) - 1, max(game.players) + 1, 100):
        if players not in game.players:
            with pytest.raises(BadTable, match=str(players)):
                game.start(players, bytes(32))


@each_game
def test_refuses_options_it_does_not_know(game: Game[Any]) -> None:
    with pytest.raises(BadTable, match="colour_of_the_moon"):
        game.start(min(game.players), bytes(32), {"colour_of_the_moon": "blue"})


@each_table
def test_seeds_deal_different_games(game: Game[Any], players: int) -> None:
    assert len({str(game.start(players, seed_from(number))) for number in range(20)}) == 20


# Playing


@each_table
def test_plays_to_an_outcome_within_the_limit(game: Game[Any], players: int) -> None:
    ends = 0
    for position in random_positions(game, players):
        assert 1 <= position.turn <= game.turn_limit(players)
        outcome = position.outcome
        if outcome is not None:
            ends += 1
            assert len(outcome.points) == len(outcome.tiebreaks) == len(outcome.places) == players
            assert outcome.winners == tuple(seat for seat in range(players) if outcome.places[seat] == 1)
            assert outcome.winners
    assert ends == PLAYED


@each_table
def test_who_owes_a_move_has_moves_and_nobody_else(game: Game[Any], players: int) -> None:
    for position in random_positions(game, players):
        assert list(position.to_act) == sorted(set(position.to_act) & set(range(players)))
        if position.outcome is not None:
            assert not position.to_act
        for seat in range(players):
            legal = position.legal(seat)
            assert len(set(legal)) == len(legal)
            assert bool(legal) == (seat in position.to_act)
            if position.outcome is None:
                assert position.view(seat).legal == legal
                assert position.view(seat).seat == seat


@each_table
def test_every_legal_move_is_accepted(game: Game[Any], players: int) -> None:
    for position in random_positions(game, players, games=2):
        for seat in position.to_act:
            for move in position.legal(seat):
                assert position.play({seat: move}) is not position


@each_table
def test_the_default_move_is_accepted_and_is_what_silence_means(game: Game[Any], players: int) -> None:
    for position in random_positions(game, players, games=2):
        if position.outcome is None:
            by_name = position.play(dict.fromkeys(position.to_act, game.default))
            assert str(by_name) == str(position.play({}))


@each_table
def test_a_silent_table_comes_to_an_end(game: Game[Any], players: int) -> None:
    position = game.start(players, bytes(32))
    for _ in range(ENDLESS):
        if position.outcome is not None:
            break
        position = position.play({})
    assert position.outcome is not None
    assert position.turn <= game.turn_limit(players)


@each_table
def test_playing_changes_nothing_but_returns_the_next_position(game: Game[Any], players: int) -> None:
    for position in random_positions(game, players, games=1):
        if position.outcome is None:
            text = str(position)
            moves = {seat: position.legal(seat)[0] for seat in position.to_act}
            assert str(position.play(moves)) == str(position.play(moves)) != text
            assert str(position) == text


@each_table
def test_deeds_tell_the_story_of_every_seat(game: Game[Any], players: int) -> None:
    for position in random_positions(game, players, games=2):
        deeds = position.deeds({seat: position.legal(seat)[-1] for seat in position.to_act})
        assert len(deeds) == players
        assert all(str(deed) and "\n" not in str(deed) for deed in deeds)


@each_table
def test_who_owes_no_move_may_make_none(game: Game[Any], players: int) -> None:
    move = game.start(players, bytes(32)).legal(0)[0]
    for position in random_positions(game, players, games=2):
        for seat in set(range(players)) - set(position.to_act):
            with pytest.raises(IllegalMove, match=rf"\bseat {seat}\b.*\b{move}\b"):
                position.play({seat: move})


# Text


@each_table
def test_text_forms_round_trip(game: Game[Any], players: int) -> None:
    for position in random_positions(game, players, games=3):
        assert "\n" not in str(position)
        assert str(game.read_position(str(position))) == str(position)
        if position.outcome is None:
            for seat in range(players):
                view = position.view(seat)
                assert game.read_view(str(view)) == view
                assert str(game.read_view(str(view))) == str(view)
                for move in (*position.legal(seat), game.default):
                    assert game.read_move(str(move)) == move
                    assert " " not in str(move)


@each_table
def test_a_game_can_be_played_on_from_its_text(game: Game[Any], players: int) -> None:
    position = game.start(players, seed_from("text"))
    copied = game.read_position(str(position))
    for _ in range(ENDLESS):
        if position.outcome is not None:
            break
        moves = {seat: position.legal(seat)[position.turn % len(position.legal(seat))] for seat in position.to_act}
        position, copied = position.play(moves), copied.play(moves)
        assert str(copied) == str(position)
    assert copied.outcome == position.outcome is not None


@each_game
@pytest.mark.parametrize("text", ["", "nonsense", "turn=1", "\n", "0"])
def test_unreadable_text_is_refused_and_shown(game: Game[Any], text: str) -> None:
    for read in (game.read_move, game.read_position, game.read_view):
        with pytest.raises(UnreadableText) as caught:
            read(text)
        assert repr(text) in str(caught.value)


# Views


@each_table
def test_a_view_hides_what_a_sample_makes_up(game: Game[Any], players: int) -> None:
    position = game.start(players, seed_from("hidden"))
    for seat in range(players):
        view = position.view(seat)
        samples = [view.sample(seed) for seed in range(8)]
        assert len({str(sample) for sample in samples}) == 8
        assert {str(sample.view(seat)) for sample in samples} == {str(view)}
        assert {CODECS[game.name].table(sample).SerializeToString() for sample in samples} == {
            CODECS[game.name].table(position).SerializeToString()
        }
        assert str(view.sample(3)) == str(samples[3])


@each_table
def test_a_sample_fits_the_view_it_came_from(game: Game[Any], players: int) -> None:
    for number, position in enumerate(random_positions(game, players, games=3)):
        if position.outcome is None:
            for seat in range(players):
                view = position.view(seat)
                sample = view.sample(number)
                assert sample.view(seat) == view
                assert sample.to_act == position.to_act
                assert sample.legal(seat) == position.legal(seat)


# The golden playthrough


@each_table
def test_has_a_golden_playthrough(game: Game[Any], players: int) -> None:
    """Write a missing one with `python tests/games/make_playthroughs.py`; test_playthroughs.py compares it."""
    assert path_of(game.name, players).is_file()


# The wire


@each_game
def test_has_a_codec_and_its_own_place_in_every_message(game: Game[Any]) -> None:
    assert CODECS[game.name].game is game
    for message, choice in (
        (pb.Ask, "view"),
        (pb.Answer, "move"),
        (pb.Utterance, "pledge"),
        (pb.Heard, "pledge"),
        (pb.Revealed, "moves"),
    ):
        fields = message.DESCRIPTOR.oneofs_by_name[choice].fields
        assert game.name in {field.name for field in fields}


@each_table
def test_views_travel(game: Game[Any], players: int) -> None:
    codec = CODECS[game.name]
    for position in random_positions(game, players, games=2):
        if position.outcome is not None:
            continue
        table = codec.table(position)
        for seat in range(players):
            ask = pb.Ask(seat=seat, turn=position.turn, beat=3)
            codec.put_view(ask, table, position.legal(seat))
            arrived = sent(ask)
            assert arrived.WhichOneof("view") == game.name
            assert codec.view(arrived) == position.view(seat)
            assert codec.view(arrived).legal == position.legal(seat)
            assert str(codec.view(arrived)) == str(position.view(seat))


@pytest.mark.parametrize("players", CROSSING.players)
def test_crossing_sends_the_legal_moves_too(players: int) -> None:
    """A bot in another language has no rules at hand: it chooses from these numbers."""
    for position in random_positions(CROSSING, players, games=1):
        for seat in position.to_act:
            ask = pb.Ask(seat=seat, turn=position.turn, beat=3)
            CODECS["crossing"].put_view(ask, CODECS["crossing"].table(position), position.legal(seat))
            assert list(sent(ask).crossing.legal) == [move.code + 1 for move in position.legal(seat)]


@each_table
def test_asks_made_from_one_table_do_not_mix(game: Game[Any], players: int) -> None:
    """The table is encoded once for all asks of a turn: what is put into one ask must not show in the next."""
    codec, position = CODECS[game.name], game.start(players, bytes(32))
    table = codec.table(position)
    pristine = table.SerializeToString()
    asks = [pb.Ask(seat=seat, turn=1, beat=3) for seat in range(players)]
    for seat, ask in enumerate(asks):
        codec.put_view(ask, table, position.legal(seat))
    assert table.SerializeToString() == pristine
    sizes = {len(getattr(ask, game.name).SerializeToString()) for ask in asks}
    assert len(sizes) == 1


@each_table
@pytest.mark.parametrize("message", [pb.Answer, pb.Utterance, pb.Heard], ids=lambda message: message.__name__)
def test_moves_travel(game: Game[Any], players: int, message: type[pb.Answer]) -> None:
    codec = CODECS[game.name]
    assert codec.move(sent(message())) is None
    moves = {game.default}
    for position in random_positions(game, players, games=1):
        moves.update(move for seat in position.to_act for move in position.legal(seat))
    for move in moves:
        filled = message()
        codec.put_move(filled, move)
        assert codec.move(sent(filled)) == move


@each_table
def test_reveals_travel(game: Game[Any], players: int) -> None:
    codec = CODECS[game.name]
    for position in random_positions(game, players, games=1):
        moves = {seat: position.legal(seat)[-1] for seat in position.to_act}
        revealed = tuple(moves.get(seat, game.default) for seat in range(players))
        message = pb.Revealed(turn=position.turn)
        codec.put_moves(message, revealed)
        assert codec.moves(sent(message)) == revealed


@pytest.mark.parametrize("number", [0, 14, 99])
def test_a_number_that_is_no_move_of_crossing(number: int) -> None:
    answer = pb.Answer()
    answer.crossing = number  # type: ignore[assignment]
    with pytest.raises(UnreadableText, match=str(number)):
        CODECS["crossing"].move(sent(answer))


# Imports


def test_importing_the_rules_loads_no_network() -> None:
    loaded = loaded_by("import crossing_sdk.games")
    assert "crossing_sdk.games.crossing" in loaded
    assert not {"grpc", "google.protobuf", "crossing_sdk.wire", "crossing_sdk.client", "asyncio", "socket"} & loaded


def test_the_rules_alone_load_no_random() -> None:
    """The rules without their package's front door, which offers `Bot` and with it `random.Random`."""
    spec = importlib.util.find_spec("crossing_sdk")
    assert spec is not None
    loaded = loaded_by(
        "import sys, types\n"
        "package = sys.modules['crossing_sdk'] = types.ModuleType('crossing_sdk')\n"
        f"package.__path__ = {list(spec.submodule_search_locations or ())!r}\n"
        "import crossing_sdk.games"
    )
    assert "crossing_sdk.games.crossing" in loaded
    assert not {"random", "secrets", "grpc", "google.protobuf", "socket"} & loaded
