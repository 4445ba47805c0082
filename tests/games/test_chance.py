"""Chance gives in Python what every other language must give: the vectors of golden/chance.json.

The vectors were computed by the functions below, which follow the module's docstring with plain hashlib and hmac
and share nothing with it. A vector that changes is a change of the deal: never edit one to make a test pass.
"""

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice, permutations
from pathlib import Path
from typing import Any

import pytest

from crossing_sdk.games import CROSSING, Stream, derive, seat_seed, seed_from

GOLDEN = json.loads((Path(__file__).parent / "golden" / "chance.json").read_text(encoding="utf-8"))

Vector = dict[str, Any]


def vectors(kind: str, name: str) -> list[Any]:
    return [pytest.param(vector, id=str(vector[name])) for vector in GOLDEN[kind]]


# The docstring of chance.py, once more


def words(seed: bytes, label: str) -> Iterator[int]:
    counter = 0
    while True:
        block = hashlib.sha256(seed + label.encode() + counter.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        counter += 1


def below(source: Iterator[int], bound: int) -> int:
    return next(word for word in source if word < 2**32 - 2**32 % bound) % bound


def shuffled(items: str, seed: bytes, label: str) -> str:
    source, order = words(seed, label), list(items)
    for last in reversed(range(1, len(order))):
        pick = below(source, last + 1)
        order[last], order[pick] = order[pick], order[last]
    return "".join(order)


# Seeds


@pytest.mark.parametrize("vector", vectors("seeds", "of"))
def test_seed_from(vector: Vector) -> None:
    of, seed = vector["of"], bytes.fromhex(vector["seed"])
    assert seed_from(of) == seed
    hashed = hashlib.sha256(f"seed:{of}".encode()).digest()
    assert (seed == hashed) == vector["hashed"]


def test_a_number_and_its_digits_mean_the_same_seed() -> None:
    assert seed_from(7) == seed_from("7") != seed_from("07")


def test_a_seed_written_in_hex_is_itself() -> None:
    assert seed_from(seed_from("anything").hex()) == seed_from("anything")


@pytest.mark.parametrize("vector", vectors("derived", "label"))
def test_derive(vector: Vector) -> None:
    seed, label = bytes.fromhex(vector["seed"]), vector["label"]
    assert derive(seed, label).hex() == vector["derived"]
    assert hmac.new(seed, label.encode(), hashlib.sha256).hexdigest() == vector["derived"]


@pytest.mark.parametrize("seat", range(6))
def test_a_seat_has_dice_of_its_own(seat: int) -> None:
    seed = seed_from(7)
    assert seat_seed(seed, seat) == hmac.new(seed, f"seat/{seat}".encode(), hashlib.sha256).digest()


# Streams


@pytest.mark.parametrize("vector", vectors("words", "label"))
def test_words(vector: Vector) -> None:
    seed, label = bytes.fromhex(vector["seed"]), vector["label"]
    stream = Stream(seed, label)
    assert [f"{stream.below(2**32):08x}" for _ in vector["words"]] == vector["words"]
    assert [f"{word:08x}" for word in islice(words(seed, label), len(vector["words"]))] == vector["words"]


@pytest.mark.parametrize("vector", vectors("below", "bound"))
def test_below(vector: Vector) -> None:
    seed, label, bound = bytes.fromhex(vector["seed"]), vector["label"], vector["bound"]
    stream, source = Stream(seed, label), words(seed, label)
    assert [stream.below(bound) for _ in vector["numbers"]] == vector["numbers"]
    assert [below(source, bound) for _ in vector["numbers"]] == vector["numbers"]


def test_the_vectors_skip_words() -> None:
    """At bound 2**31 + 1 nearly every second word is skipped, so that the vector would show a missing skip."""
    vector = next(vector for vector in GOLDEN["below"] if vector["bound"] == 2**31 + 1)
    source = words(bytes.fromhex(vector["seed"]), vector["label"])
    assert [word % vector["bound"] for word in islice(source, len(vector["numbers"]))] != vector["numbers"]


def test_the_edge_of_the_skip() -> None:
    """With a bound above 2**31 the skip begins at the bound itself, so that a word can be put on either side of it."""
    seed = next(seed for seed in map(seed_from, range(100)) if next(words(seed, "edge")) > 2**31)
    first, second = islice(words(seed, "edge"), 2)
    assert second < first
    assert Stream(seed, "edge").below(first + 1) == first  # the last word that counts
    assert Stream(seed, "edge").below(first) == second  # the first that is skipped


def test_below_one_is_zero_and_still_takes_a_word() -> None:
    stream, source = Stream(bytes(32), "one"), words(bytes(32), "one")
    next(source)
    assert stream.below(1) == 0
    assert stream.below(2**32) == next(source)


def test_every_order_is_equally_likely() -> None:
    seen: Counter[str] = Counter()
    for number in range(6000):
        items = list("abc")
        Stream(number.to_bytes(32, "big"), "fair").shuffle(items)
        seen["".join(items)] += 1
    assert set(seen) == {"".join(order) for order in permutations("abc")}
    assert all(880 < times < 1120 for times in seen.values())  # four standard deviations


@pytest.mark.parametrize("items", [[], ["alone"]], ids=["none", "one"])
def test_shuffling_next_to_nothing_takes_no_word(items: list[str]) -> None:
    stream, kept = Stream(bytes(32), "short"), list(items)
    stream.shuffle(items)
    assert items == kept
    assert stream.below(2**32) == next(words(bytes(32), "short"))


def test_streams_of_one_seed_differ_by_label() -> None:
    assert Stream(bytes(32), "a").below(2**32) != Stream(bytes(32), "b").below(2**32)


@pytest.mark.parametrize("size", [0, 5, 31, 33, 64])
def test_a_seed_of_the_wrong_length(size: int) -> None:
    with pytest.raises(ValueError, match=f"a seed is 32 bytes, not {size}"):
        Stream(bytes(size), "any")
    with pytest.raises(ValueError, match=f"not {size}"):
        CROSSING.start(3, bytes(size))
    with pytest.raises(ValueError, match=f"not {size}"):
        CROSSING.start(3, bytes(32)).view(0).sample(bytes(size))


# The deal of Crossing


@pytest.mark.parametrize("vector", vectors("deals", "players"))
def test_deal(vector: Vector) -> None:
    players, seed = vector["players"], seed_from(vector["of"])
    assert str(CROSSING.start(players, seed)) == vector["position"]

    order = shuffled("R" * 18 + "B" * 18 + "Y" * 18 + "W" * 6, seed, "crossing/bag")
    mushrooms = "/".join(_pile(order[at : at + 2]) for at in range(0, 2 * players - 2, 2))
    nothing = "/".join("-" * players)
    assert vector["position"] == (
        f"turn=1 mushrooms={mushrooms} tiles={nothing} claimed={nothing} break={'0' * players}"
        f" bag={order[2 * players - 2 :]}"
    )


def _pile(stones: str) -> str:
    return "".join(f"{colour}{stones.count(colour)}" for colour in "RBYW" if colour in stones)


def test_seed_7_deals_this_bag() -> None:
    stones = "".join("RBYW"[unit.bit_length() // 8] for unit in CROSSING.start(3, seed_from(7)).order)
    assert stones == SEED_7
    for players in CROSSING.players:
        assert CROSSING.start(players, seed_from(7)).order == CROSSING.start(3, seed_from(7)).order


SEED_7 = "RRBYRWRBRYBWBYRRYYRRYYYBYBYWWWRYBBBBBRRBRBBYRBYWYBRYYYBRBRRY"


@pytest.mark.parametrize("vector", vectors("samples", "of"))
def test_sample(vector: Vector) -> None:
    view = CROSSING.read_view(vector["view"])
    sample = view.sample(vector["of"])
    order = shuffled(vector["sorted_bag"], vector["of"].to_bytes(32, "big"), "crossing/sample")
    assert str(sample).partition(" bag=")[2] == order == vector["order"]
