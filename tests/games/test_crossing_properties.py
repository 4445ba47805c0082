"""What holds at every table of Crossing, whatever the players do."""

import copy
import dataclasses
from itertools import pairwise, permutations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from crossing_sdk.games.crossing import BOX, CROSSING, Fate, Move, Position, Stones, View

from .reference import Resolved, resolve, worth
from .tables import SINGLE, Step, laid_out, piles, revealed, seeds, sizes, whole_games

bounded = settings(derandomize=True, deadline=None, max_examples=60)
a_few = settings(bounded, max_examples=15)

SHORTEST = {3: 16, 4: 11, 5: 8, 6: 7}
LONGEST = {3: 29, 4: 19, 5: 14, 6: 11}


def colours(pile: Stones) -> tuple[int, int, int, int]:
    return pile.red, pile.blue, pile.yellow, pile.white


def on_the_table(position: Position) -> tuple[int, ...]:
    """How many stones of each colour there are, the bag included."""
    bag = [Stones(unit) for unit in position.order[position.drawn :]]
    counts = [colours(pile) for pile in (*position.mushrooms, *position.tiles, *position.claimed, *bag)]
    return tuple(map(sum, zip(*counts, strict=True)))


def actions(position: Position, moves: dict[int, Move]) -> list[str]:
    return [str(moves.get(seat, Move.NONE)) for seat in range(position.players)]


def expected(position: Position, moves: dict[int, Move]) -> Resolved:
    bag = position.order[position.drawn :]
    return resolve(position.mushrooms, position.tiles, position.claimed, bag, actions(position, moves))


def found(position: Position) -> Resolved:
    bag = position.order[position.drawn :]
    return Resolved(position.mushrooms, position.tiles, position.claimed, position.on_break, bag)


# One reveal


@bounded
@given(revealed())
def test_a_turn_is_what_the_pseudo_code_says(reveal: tuple[Position, dict[int, Move]]) -> None:
    position, moves = reveal
    assume(position.order)
    after = position.play(moves)
    assert found(after) == expected(position, moves)
    assert (after.turn, after.over) == (position.turn + 1, False)


@bounded
@given(revealed(bag=False))
def test_the_last_turn_is_what_the_pseudo_code_says(reveal: tuple[Position, dict[int, Move]]) -> None:
    position, moves = reveal
    assert position.is_last_turn
    after = position.play(moves)
    assert found(after) == expected(position, moves)
    assert (after.turn, after.over) == (position.turn, True)


@bounded
@given(revealed(), st.data())
def test_nobody_is_first(reveal: tuple[Position, dict[int, Move]], data: st.DataObject) -> None:
    position, moves = reveal
    shuffled = dict(data.draw(st.permutations(list(moves.items()))))
    assert position.play(shuffled) == position.play(moves)
    assert position.deeds(shuffled) == position.deeds(moves)


@bounded
@given(revealed())
def test_no_stone_is_made_or_lost_in_a_turn(reveal: tuple[Position, dict[int, Move]]) -> None:
    position, moves = reveal
    assert on_the_table(position.play(moves)) == on_the_table(position)


@bounded
@given(revealed(bag=False), st.data())
def test_seats_are_only_names(reveal: tuple[Position, dict[int, Move]], data: st.DataObject) -> None:
    position, moves = reveal
    new_seat = data.draw(st.permutations(range(position.players)))
    old_seat = [new_seat.index(seat) for seat in range(position.players)]

    def rename(p: Position) -> Position:
        return dataclasses.replace(
            p,
            tiles=tuple(p.tiles[old] for old in old_seat),
            claimed=tuple(p.claimed[old] for old in old_seat),
            on_break=tuple(p.on_break[old] for old in old_seat),
        )

    renamed = {
        new_seat[seat]: move if move.rival is None else Move.at_rival(new_seat[move.rival])
        for seat, move in moves.items()
    }
    after, after_renamed = position.play(moves), rename(position).play(renamed)
    assert after_renamed == rename(after)
    assert after.outcome is not None
    assert after_renamed.outcome is not None
    assert after_renamed.outcome.places == tuple(after.outcome.places[old] for old in old_seat)


@bounded
@given(revealed(bag=False), st.data())
def test_mushrooms_are_only_names(reveal: tuple[Position, dict[int, Move]], data: st.DataObject) -> None:
    position, moves = reveal
    new_place = data.draw(st.permutations(range(position.players - 1)))
    old_place = [new_place.index(place) for place in range(position.players - 1)]

    def rename(p: Position) -> Position:
        return dataclasses.replace(p, mushrooms=tuple(p.mushrooms[old] for old in old_place))

    renamed = {
        seat: move if move.mushroom is None else Move.at_mushroom(new_place[move.mushroom])
        for seat, move in moves.items()
    }
    assert rename(position).play(renamed) == rename(position.play(moves))


@bounded
@given(revealed())
def test_playing_leaves_the_position_and_the_moves_alone(reveal: tuple[Position, dict[int, Move]]) -> None:
    position, moves = reveal
    kept, kept_moves = copy.deepcopy(position), dict(moves)
    position.play(moves)
    position.deeds(moves)
    assert position == kept
    assert moves == kept_moves


@bounded
@given(revealed())
def test_a_missing_seat_points_at_nothing(reveal: tuple[Position, dict[int, Move]]) -> None:
    position, moves = reveal
    silent = {seat: Move.NONE for seat in position.to_act if seat not in moves}
    spoken = {seat: move for seat, move in moves.items() if move is not Move.NONE}
    assert position.play(moves | silent) == position.play(spoken)
    assert position.deeds(moves | silent) == position.deeds(spoken)


@bounded
@given(revealed())
def test_deeds_tell_what_play_moves(reveal: tuple[Position, dict[int, Move]]) -> None:
    position, moves = reveal
    tiles, claimed, mushrooms = list(position.tiles), list(position.claimed), list(position.mushrooms)
    for deed in position.deeds(moves):
        assert deed.move is moves.get(deed.seat, Move.NONE)
        if deed.fate is Fate.PROTECTED:
            assert deed.move is Move.S
            tiles[deed.seat] = Stones(tiles[deed.seat] - deed.stones)
            claimed[deed.seat] = Stones(claimed[deed.seat] + deed.stones)
        elif deed.fate is Fate.TOOK:
            assert deed.stones
            tiles[deed.seat] = Stones(tiles[deed.seat] + deed.stones)
            if deed.move.mushroom is not None:
                mushrooms[deed.move.mushroom] = Stones(mushrooms[deed.move.mushroom] - deed.stones)
            if deed.move.rival is not None:
                tiles[deed.move.rival] = Stones(tiles[deed.move.rival] - deed.stones)
        else:
            assert not deed.stones
    after = dataclasses.replace(position, order=(), drawn=0).play(moves)  # without a refill
    assert (after.tiles, after.claimed, after.mushrooms) == (tuple(tiles), tuple(claimed), tuple(mushrooms))


@bounded
@given(revealed())
def test_fates_have_their_reasons(reveal: tuple[Position, dict[int, Move]]) -> None:
    position, moves = reveal
    for deed in position.deeds(moves):
        alike = sum(move is deed.move for move in moves.values())
        if deed.fate is Fate.CLASHED:
            assert alike > 1
        elif deed.fate is Fate.THWARTED:
            assert deed.move.rival is not None
            assert alike == 1
            assert moves[deed.move.rival] is Move.S
        elif deed.fate is Fate.EMPTY:
            assert alike == 1
            assert not position.view(deed.seat).at(deed.move)
        elif deed.fate is Fate.IDLE:
            assert deed.move is Move.NONE


# A whole game


@a_few
@given(whole_games())
def test_a_game_keeps_the_box_complete(game: list[Step]) -> None:
    for step in game:
        assert on_the_table(step.before) == (18, 18, 18, 6)
    assert on_the_table(game[-1].after) == (18, 18, 18, 6)


@a_few
@given(whole_games())
def test_a_game_keeps_within_its_bounds(game: list[Step]) -> None:
    players, end = game[0].before.players, game[-1].after
    assert SHORTEST[players] <= end.turn == len(game) <= CROSSING.turn_limit(players) == LONGEST[players]
    assert [step.before.turn for step in game] == list(range(1, end.turn + 1))


@a_few
@given(whole_games())
def test_only_the_turn_after_the_emptying_refill_is_the_last(game: list[Step]) -> None:
    assert [step.before.is_last_turn for step in game] == [False] * (len(game) - 1) + [True]
    assert [step.after.over for step in game] == [False] * (len(game) - 1) + [True]
    assert [step.before.bag == 0 for step in game] == [False] * (len(game) - 1) + [True]
    assert all(step.before.outcome is None for step in game)


@a_few
@given(whole_games())
def test_who_protects_rests_for_one_turn_with_an_empty_tile(game: list[Step]) -> None:
    assert not any(game[0].before.on_break)
    for step in game:
        protected = tuple(step.moves.get(seat) is Move.S for seat in range(step.before.players))
        assert step.after.on_break == protected
        for seat, resting in enumerate(step.after.on_break):
            if resting:
                assert step.after.tiles[seat] == 0
    for step, following in pairwise(game):
        for seat, resting in enumerate(step.before.on_break):
            assert not (resting and following.before.on_break[seat])
            if resting:
                assert step.after.tiles[seat] == 0


@a_few
@given(whole_games())
def test_claimed_stones_are_safe_for_ever(game: list[Step]) -> None:
    for step in game:
        for before, after in zip(step.before.claimed, step.after.claimed, strict=True):
            assert all(had <= has for had, has in zip(colours(before), colours(after), strict=True))


@a_few
@given(whole_games())
def test_the_outcome_counts_what_everybody_holds(game: list[Step]) -> None:
    end = game[-1].after
    assert end.outcome is not None
    for seat in range(end.players):
        holding = [a + b for a, b in zip(colours(end.claimed[seat]), colours(end.tiles[seat]), strict=True)]
        assert end.outcome.points[seat] == worth(*holding)
        assert end.outcome.tiebreaks[seat] == holding[3]
    assert sum(end.outcome.points) <= BOX.points == 102
    assert end.outcome.winners
    assert not end.to_act
    assert not any(end.legal(seat) for seat in range(end.players))


@bounded
@given(sizes, seeds, st.data())
def test_turn_1_empties_at_most_two_mushrooms_fewer_than_players(n: int, seed: bytes, data: st.DataObject) -> None:
    position = CROSSING.start(n, seed)
    moves = {seat: data.draw(st.sampled_from(position.legal(seat))) for seat in range(n)}
    takers = sum(deed.fate is Fate.TOOK for deed in position.deeds(moves))
    assert takers <= n - 2
    after = position.play(moves)
    assert sum(map(bool, after.tiles)) == takers
    assert position.drawn + (n - 1) + takers == after.drawn


@pytest.mark.parametrize("players", CROSSING.players)
def test_the_longest_game(players: int) -> None:
    position = CROSSING.start(players, bytes(32))
    for _ in range(LONGEST[players]):  # all at one mushroom: nothing is ever taken, every refill is as small as can be
        assert not position.over
        position = position.play(dict.fromkeys(range(players), Move.M0))
    assert position.over
    assert position.turn == LONGEST[players] == CROSSING.turn_limit(players)


@pytest.mark.parametrize("players", CROSSING.players)
def test_the_shortest_game(players: int) -> None:
    position = CROSSING.start(players, bytes(32))
    for _ in range(SHORTEST[players]):  # a mushroom each; the odd one out clashes in turn 1 and idles later
        assert not position.over
        odd = {players - 1: Move.M0} if position.turn == 1 else {}
        position = position.play({seat: Move.at_mushroom(seat) for seat in range(players - 1)} | odd)
    assert position.over
    assert position.turn == SHORTEST[players]


# What a seat may do and know


@a_few
@given(whole_games())
def test_how_many_moves_there_are(game: list[Step]) -> None:
    for step in game:
        position, players = step.before, step.before.players
        assert position.to_act == tuple(seat for seat in range(players) if not position.on_break[seat])
        for seat in range(players):
            legal = position.legal(seat)
            many = 0 if position.on_break[seat] else players - 1 if position.turn == 1 else 2 * players - 1
            assert len(set(legal)) == len(legal) == many
            assert position.view(seat).legal == legal


@pytest.mark.parametrize("players", CROSSING.players)
def test_exactly_the_legal_moves_and_silence_are_accepted(players: int) -> None:
    first = CROSSING.start(players, bytes(32))
    for position in (first, first.play({}), first.play({}).play({0: Move.S})):
        for seat in range(players):
            accepted = {move for move in Move if _accepts(position, seat, move)}
            silent = {Move.NONE} if seat in position.to_act else set()
            assert accepted == set(position.legal(seat)) | silent


def _accepts(position: Position, seat: int, move: Move) -> bool:
    try:
        position.play({seat: move})
    except ValueError:
        return False
    return True


@bounded
@given(laid_out(), st.data())
def test_a_view_tells_all_but_the_order_of_the_bag(position: Position, data: st.DataObject) -> None:
    seat = data.draw(st.sampled_from(range(position.players)))
    view = position.view(seat)
    shuffled = dataclasses.replace(position, order=tuple(data.draw(st.permutations(position.order))))
    assert shuffled.view(seat) == view
    assert str(shuffled.view(seat)) == str(view)
    assert {field.name for field in dataclasses.fields(View)} == {
        *("seat", "turn", "mushrooms", "tiles", "claimed", "on_break", "bag"),
    }
    assert isinstance(view.bag, Stones)
    for shared in ("turn", "mushrooms", "tiles", "claimed", "on_break", "bag", "is_last_turn", "players"):
        assert getattr(view, shared) == getattr(position, shared)
    assert view.rivals == tuple(other for other in range(position.players) if other != seat)


@bounded
@given(laid_out(), st.data(), st.integers(0, 2**300) | seeds)
def test_a_sample_looks_like_the_truth(position: Position, data: st.DataObject, seed: int | bytes) -> None:
    seat = data.draw(st.sampled_from(range(position.players)))
    view = position.view(seat)
    sample = view.sample(seed)
    assert sample == view.sample(seed)
    assert sorted(sample.order[sample.drawn :]) == sorted(position.order)
    for other in range(position.players):
        assert sample.view(other) == position.view(other)
        assert sample.legal(other) == position.legal(other)
    moves = {acting: position.legal(acting)[0] for acting in position.to_act}
    assert (sample.play(moves).tiles, sample.play(moves).over) == (
        position.play(moves).tiles,
        position.play(moves).over,
    )


def test_samples_differ_from_seed_to_seed_and_from_the_truth() -> None:
    position = CROSSING.start(4, bytes(32))
    orders = {position.view(0).sample(seed).order for seed in range(50)}
    assert len(orders) == 50
    assert position.order[position.drawn :] not in orders


def test_every_order_of_a_small_bag_is_sampled() -> None:
    text = "seat=0 turn=3 mushrooms=-/- tiles=-/-/- claimed=-/-/- break=000 bag=R1B1Y1"
    view = CROSSING.read_view(text)
    sampled = {view.sample(seed).order for seed in range(100)}
    assert sampled == set(permutations([SINGLE["R"], SINGLE["B"], SINGLE["Y"]]))


def test_a_sample_cannot_leak_the_order_it_never_saw() -> None:
    position = CROSSING.start(5, bytes(32))
    turned = dataclasses.replace(position, order=position.order[:8] + position.order[:7:-1])
    assert turned != position
    assert turned.view(2).sample(11) == position.view(2).sample(11)


def test_an_int_seed_is_its_32_bytes() -> None:
    view = CROSSING.start(3, bytes(32)).view(0)
    assert view.sample(2**200 + 5) == view.sample((2**200 + 5).to_bytes(32, "big"))
    assert view.sample(2**256 + 5) == view.sample(5)


@bounded
@given(laid_out(), st.data())
def test_a_view_values_moves_by_what_lies_there(position: Position, data: st.DataObject) -> None:
    seat = data.draw(st.sampled_from(range(position.players)))
    view = position.view(seat)
    mine = [a + b for a, b in zip(colours(position.tiles[seat]), colours(position.claimed[seat]), strict=True)]
    assert colours(view.collection(seat)) == tuple(mine)
    assert view.points(seat) == worth(*mine)
    for place, pile in enumerate(position.mushrooms):
        assert view.at(Move.at_mushroom(place)) == pile
        assert view.gain(Move.at_mushroom(place)) == _more(mine, pile)
    for rival in view.rivals:
        assert view.at(Move.at_rival(rival)) == position.tiles[rival]
        assert view.gain(Move.at_rival(rival)) == _more(mine, position.tiles[rival])
    assert (view.at(Move.S), view.at(Move.NONE)) == (position.tiles[seat], 0)
    assert (view.gain(Move.S), view.gain(Move.NONE)) == (0, 0)


def _more(mine: list[int], pile: Stones) -> int:
    return worth(*(a + b for a, b in zip(mine, colours(pile), strict=True))) - worth(*mine)


# Stones


@bounded
@given(piles, piles)
def test_adding_piles_adds_every_colour(one: Stones, other: Stones) -> None:
    both = one.plus(other)
    assert type(both) is Stones
    assert colours(both) == tuple(a + b for a, b in zip(colours(one), colours(other), strict=True))
    assert both.count == one.count + other.count == sum(colours(both))
    assert both.sets == min(colours(both)[:3])
    assert both.points == worth(*colours(both))
    assert bool(both) == (both.count > 0)


def test_the_box_holds_sixty_stones() -> None:
    assert colours(BOX) == (18, 18, 18, 6)
    assert BOX.count == 60


@pytest.mark.parametrize(
    "value", [Stones.of(red=1), CROSSING.start(3, bytes(32)), CROSSING.start(3, bytes(32)).view(0)]
)
def test_values_cannot_be_changed(value: object) -> None:
    with pytest.raises(AttributeError):
        value.turn = 9  # type: ignore[attr-defined]
