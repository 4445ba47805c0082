"""Every test of a store runs on both databases."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from crossing_arena.store import Store
from store.cluster import Cluster, NoServer, running_cluster
from store.homes import Database, Folder, Home


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server; where there must be one, its absence is a failure."""
    try:
        with running_cluster() as running:
            yield running
    except NoServer as none:
        if os.environ.get("CI") or os.environ.get("CROSSING_REQUIRE_ALL"):
            pytest.fail(str(none))
        pytest.skip(str(none))


@pytest.fixture
def database(cluster: Cluster) -> Database:
    """An empty PostgreSQL database, for what only a server can do."""
    return Database(cluster.emptied_database())


@pytest.fixture(params=["sqlite", "postgresql"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    """A place for a store, of either kind, where there is none yet."""
    if request.param == "sqlite":
        return Folder(tmp_path / "out")
    database: Database = request.getfixturevalue("database")
    return database


@pytest.fixture
def store(home: Home) -> Iterator[Store]:
    """An empty store there."""
    with Store.open(home.place) as opened:
        yield opened
