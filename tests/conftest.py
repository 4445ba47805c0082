"""What all tests may use."""

import gc
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.place import Place


@pytest.fixture
def place() -> Iterator[Place]:
    """A place of its own for all that a test starts; whatever is left there afterwards fails the test."""
    with _opened() as place:
        yield place


@pytest.fixture(scope="module")
def shared_place() -> Iterator[Place]:
    """The same, for all the tests of a module."""
    with _opened() as place:
        yield place


@contextmanager
def _opened() -> Iterator[Place]:
    before = tempfile.tempdir
    with tempfile.TemporaryDirectory(prefix="crossing-test-") as folder:  # not tmp_path: a socket's path must be short
        place = Place(Path(folder))
        tempfile.tempdir = folder
        try:
            yield place
        finally:
            tempfile.tempdir = before
            left = place.left()
            place.clear()
            gc.collect()  # an unclosed pipe is the fault of the test that opened it
        assert not left, f"left behind: {left}"
