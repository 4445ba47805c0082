"""A second, naive implementation of a turn, typed from the pseudo-code of the rulebook and not from the rules' source.

It knows piles only as numbers that can be added, and moves only as their text.
"""

from collections.abc import Sequence
from dataclasses import dataclass

MUSHROOM = [f"M{j}" for j in range(5)]
PLAYER = [f"P{q}" for q in range(6)]


@dataclass(frozen=True, slots=True)
class Resolved:
    """The table after a reveal and its refill."""

    mushrooms: tuple[int, ...]
    tiles: tuple[int, ...]
    claimed: tuple[int, ...]
    on_break: tuple[bool, ...]
    bag: tuple[int, ...]


def resolve(
    mushrooms: Sequence[int], tiles: Sequence[int], claimed: Sequence[int], bag: Sequence[int], actions: Sequence[str]
) -> Resolved:
    """Everybody's action against the table as it was before, then the refill unless the bag is empty already."""
    pointing: dict[str, list[int]] = {}
    for seat, action in enumerate(actions):
        pointing.setdefault(action, []).append(seat)
    new_mushrooms, new_tiles, new_claimed = list(mushrooms), list(tiles), list(claimed)
    gain = [0] * len(tiles)
    for j, pile in enumerate(mushrooms):
        pointers = pointing.get(MUSHROOM[j], ())
        if len(pointers) == 1:
            gain[pointers[0]] += pile
            new_mushrooms[j] = 0
    for q, pile in enumerate(tiles):
        pointers = pointing.get(PLAYER[q], ())
        if actions[q] == "S":
            new_claimed[q] += pile
            new_tiles[q] = 0
        elif len(pointers) == 1:
            gain[pointers[0]] += pile
            new_tiles[q] = 0
    return Resolved(
        mushrooms=refill(new_mushrooms, bag),
        tiles=tuple(kept + got for kept, got in zip(new_tiles, gain, strict=True)),
        claimed=tuple(new_claimed),
        on_break=tuple(action == "S" for action in actions),
        bag=tuple(bag[_need(new_mushrooms) :]),
    )


def _need(mushrooms: Sequence[int]) -> int:
    return sum(1 if pile else 2 for pile in mushrooms)


def refill(mushrooms: Sequence[int], bag: Sequence[int]) -> tuple[int, ...]:
    """One stone to a mushroom that has some, two to an empty one, in index order while the bag lasts."""
    draws = list(bag)
    after = []
    for pile in mushrooms:
        quota = 1 if pile else 2
        after.append(pile + sum(draws[:quota]))
        draws = draws[quota:]
    return tuple(after)


def worth(red: int, blue: int, yellow: int, white: int) -> int:
    """The victory points of a collection."""
    sets = min(red, blue, yellow)
    return 5 * sets + (red + blue + yellow - 3 * sets) + 2 * white
