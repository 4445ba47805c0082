"""A store that cannot be opened says why, in words."""

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from crossing_arena.store import Store, StoreError
from crossing_arena.store.lock import LOCK_FILE
from crossing_arena.store.store import REPLAYS_FILE, RESULTS_FILE
from store.cluster import Cluster
from store.homes import Database, Folder, Home
from store.samples import NOW, begin, played

NOBODY = 65534


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that others than its owner can reach."""
    with tempfile.TemporaryDirectory(prefix="crossing-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755)


@pytest.fixture
def powerless() -> Iterator[None]:
    """Not to be root, for whom nothing is read-only."""
    was = os.geteuid()
    if was == 0:
        os.seteuid(NOBODY)
    yield
    os.seteuid(was)


def test_a_folder_is_made_with_those_above_it(tmp_path: Path) -> None:
    Store.open(tmp_path / "a" / "b").close()
    assert (tmp_path / "a" / "b" / RESULTS_FILE).exists()


def test_nobody_else_may_read_the_secret_and_the_logs(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        ladder, bots = begin(store)
        store.record(ladder.id, [played(0, bots)])
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    files = [f"{file}{side}" for file in (RESULTS_FILE, REPLAYS_FILE) for side in ("", "-shm", "-wal")]
    assert modes == dict.fromkeys(files, 0o600)


@pytest.mark.parametrize("name", ["a folder", "what? 100% #1 & more", "ö'\";--", "sqlite:"])
def test_any_folder_will_do(tmp_path: Path, name: str) -> None:
    with Store.open(str(tmp_path / name)) as store:
        ladder, bots = begin(store)
        store.record(ladder.id, [played(0, bots)])
    assert sorted(path.name for path in (tmp_path / name).iterdir()) == [RESULTS_FILE, REPLAYS_FILE]


def test_looking_for_a_ladder_makes_none(home: Home) -> None:
    with pytest.raises(StoreError, match="there is no ladder in "):
        Store.open(home.place, create=False)
    if isinstance(home, Folder):
        assert not home.path.exists()
    else:
        assert home.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == []


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    file = tmp_path / "results.txt"
    file.write_text("hello")
    with pytest.raises(StoreError, match=r"results\.txt is a file; wanted a folder"):
        Store.open(file)
    with pytest.raises(StoreError, match=r"results\.txt/deeper"):
        Store.open(file / "deeper")
    assert file.read_text() == "hello"


@pytest.mark.parametrize("name", [RESULTS_FILE, REPLAYS_FILE])
def test_what_is_no_database_is_left_alone(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text("dear diary, " * 1_000)
    with pytest.raises(StoreError, match=f"{name} is not a database of crossing-arena"):
        Store.open(tmp_path)
    assert file.read_text() == "dear diary, " * 1_000


@pytest.mark.parametrize("existing", ["nothing", "a store", "a store whose files may be written"])
def test_a_read_only_folder(public_folder: Path, request: pytest.FixtureRequest, existing: str) -> None:
    if existing != "nothing":
        Store.open(public_folder).close()
        for path in public_folder.iterdir():
            path.chmod(0o666 if "written" in existing else 0o444)
    public_folder.chmod(0o555)
    request.getfixturevalue("powerless")
    with pytest.raises(StoreError, match=rf"{public_folder}/ladder\.sqlite.*read-only"):
        Store.open(public_folder)


def test_a_lock_that_is_somebody_elses(public_folder: Path, request: pytest.FixtureRequest) -> None:
    Store.open(public_folder).close()
    lock = public_folder / LOCK_FILE
    lock.touch(0o444)
    public_folder.chmod(0o777)
    for path in public_folder.iterdir():
        path.chmod(0o444 if path == lock else 0o666)
    request.getfixturevalue("powerless")
    with Store.open(public_folder) as store:
        with pytest.raises(StoreError, match=f"cannot write to {lock}: it is read-only, or not yours to write"):
            store.lock("autumn", NOW).__enter__()
        assert store.ladders() == []


def test_a_read_only_database(database: Database) -> None:
    with Store.open(database.place) as store:
        ladder, bots = begin(store)
    name = database.sql("SELECT current_database()")[0][0]
    database.sql(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    with Store.open(database.place) as store:
        assert store.done(ladder.id) == set()
        with pytest.raises(StoreError, match=f"cannot write to PostgreSQL database '{name}' at .*: it is read-only"):
            store.record(ladder.id, [played(0, bots)])


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://host/db", "cannot keep results in a database of kind 'mysql'; wanted a folder, or postgresql://"),
        ("sqlite:///ladder.sqlite", "of kind 'sqlite'; wanted a folder"),
        ("postgresql+asyncpg://host/db", r"of kind 'postgresql\+asyncpg'"),
        ("://", "'://' is not the URL of a database; wanted a folder, or postgresql://user@host/database"),
        ("postgresql://host:port/db", "is not the URL of a database"),
    ],
)
def test_a_wrong_url(url: str, words: str) -> None:
    with pytest.raises(StoreError, match=words):
        Store.open(url)


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        Store.open(f"postgresql://me:hush@/ladder?host={tmp_path}")
    assert f"cannot reach PostgreSQL database 'ladder' at {tmp_path}: " in str(caught.value)
    assert "hush" not in str(caught.value)


def test_a_database_that_is_not_there(cluster: Cluster) -> None:
    with pytest.raises(StoreError, match=r'cannot reach .*: .*database "nowhere" does not exist'):
        Store.open(f"postgres://arena@/nowhere?host={cluster.folder}")


def test_the_short_name_of_the_scheme_will_do(database: Database) -> None:
    for scheme in ("postgres", "postgresql+psycopg"):
        Store.open(database.place.replace("postgresql", scheme)).close()


def test_a_user_who_may_not(database: Database) -> None:
    database.sql("CREATE ROLE guest LOGIN; GRANT USAGE ON SCHEMA public TO guest")
    with pytest.raises(StoreError, match="does not let this user do that: permission denied"):
        Store.open(database.place.replace("arena@", "guest@"))


def test_without_psycopg_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)  # as Python marks what cannot be imported
    with pytest.raises(StoreError, match=r"pip install 'crossing-arena\[postgres\]'"):
        Store.open("postgresql://me@host/ladder")
