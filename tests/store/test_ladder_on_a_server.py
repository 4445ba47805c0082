"""A whole ladder with its results on a PostgreSQL server."""

from pathlib import Path

from cli.commands import arena
from runs.ladders import ladder_args, run, standings, write_bots
from store.cluster import Cluster


def test_a_ladder_on_a_server_resumes_and_verifies_like_one_in_a_folder(cluster: Cluster, tmp_path: Path) -> None:
    url = cluster.emptied_database()
    bots = write_bots(tmp_path / "bots", 4)
    server, folder = tmp_path / "server", tmp_path / "folder"
    run(bots, server, "--deals", "6", "--database", url)
    again = run(bots, server, "--deals", "12", "--database", url)
    assert "6 of them played already" in again.stderr
    run(bots, folder, "--deals", "6")
    run(bots, folder, "--deals", "12")
    assert standings(server) == standings(folder)
    assert not (server / "ladder.sqlite").exists()
    audit = arena("verify", server, "--database", url)
    assert audit.returncode == 0, audit.stdout


def test_a_server_that_is_not_there_is_told_in_words(tmp_path: Path) -> None:
    bots = write_bots(tmp_path / "bots", 4)
    url = f"postgresql://nobody@/none?host={tmp_path}"
    done = arena(*ladder_args(bots, tmp_path / "out", "--database", url))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert str(tmp_path) in done.stderr
