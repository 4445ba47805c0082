"""Chance that every language can reproduce: one 256-bit seed, one documented stream.

Nothing in a game is decided by `random`: a Mersenne Twister gives its state away to
whoever watches it long enough. Instead:

* a **seed** is 32 bytes, written as 64 lower-case hex digits;
* a **word** stream for a purpose is SHA-256 in counter mode: block i is
  ``SHA-256(seed || label || i)`` with the label in ASCII and i as 8 bytes big-endian,
  and each block gives eight 32-bit big-endian words;
* ``below(n)`` takes the next word w, skips it while ``w >= 2**32 - 2**32 % n``, and is ``w % n``;
* ``shuffle`` is Fisher-Yates from the end: for i from the last index down to 1, swap i with below(i + 1);
* a **derived** seed is ``HMAC-SHA-256(key=seed, message=label)``.

proto/README.md gives the test vectors.
"""

import hashlib
import hmac
import re
import struct
from collections.abc import MutableSequence
from typing import Any

SEED_BYTES = 32
_WORDS = struct.Struct(">8I")
_HEX_SEED = re.compile(r"[0-9a-f]{64}")


def _limit(bound: int) -> int:
    """The first word that is skipped: from it on, not all numbers below the bound are equally likely."""
    return 2**32 - 2**32 % bound


_LIMITS = [0, *map(_limit, range(1, 65))]
"""Of small bounds, which a shuffle asks for often."""


def seed_from(value: str | int) -> bytes:
    """The seed a person means by 64 hex digits, or by any other text or number."""
    text = str(value)
    if _HEX_SEED.fullmatch(text):
        return bytes.fromhex(text)
    return hashlib.sha256(b"seed:" + text.encode()).digest()


def derive(seed: bytes, label: str) -> bytes:
    """A seed of its own for one purpose, which tells nothing about the seed it came from."""
    return hmac.digest(seed, label.encode("ascii"), "sha256")


def seat_seed(seed: bytes, seat: int) -> bytes:
    """What a seat's own dice are seeded with in the game of this seed; it tells nothing about the deal."""
    return derive(seed, f"seat/{seat}")


class Stream:
    """The endless row of random words that a seed gives for one purpose."""

    __slots__ = ("_counter", "_prefix", "_words")

    def __init__(self, seed: bytes, label: str) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed is {SEED_BYTES} bytes, not {len(seed)}")
        self._prefix = seed + label.encode("ascii")
        self._counter = 0
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, all equally likely."""
        if not 0 < bound <= 2**32:
            raise ValueError(f"a bound is 1 to 2**32, not {bound}")
        limit = _limit(bound)
        while True:
            word = (self._words or self._next_block()).pop()
            if word < limit:
                return word % bound

    def _next_block(self) -> list[int]:
        block = hashlib.sha256(self._prefix + self._counter.to_bytes(8, "big")).digest()
        self._counter += 1
        self._words.extend(reversed(_WORDS.unpack(block)))
        return self._words

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Put the items into a random order, in place."""
        words = self._words
        for last in range(len(items) - 1, 0, -1):
            bound = last + 1
            limit = _LIMITS[bound] if bound < len(_LIMITS) else _limit(bound)
            while (word := (words or self._next_block()).pop()) >= limit:  # `below`, without the call
                pass
            pick = word % bound
            items[last], items[pick] = items[pick], items[last]
