"""A PostgreSQL server of our own: on a socket in a folder, without a network, gone afterwards."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

OWNER = "arena"
DATABASE = "postgres"


class NoServer(Exception):
    """This machine has no PostgreSQL server."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A running server."""

    folder: Path

    def emptied_database(self) -> str:
        """The URL of the one database, which is empty now: to make one takes a second and thousands of files."""
        url = f"postgresql://{OWNER}@/{DATABASE}?host={self.folder}"
        with psycopg.connect(url, options="-c default_transaction_read_only=off", autocommit=True) as db:
            others = "datname = current_database() AND pid <> pg_backend_pid()"
            db.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}".encode())
            db.execute(f"ALTER DATABASE {DATABASE} RESET ALL".encode())
            db.execute("SET client_min_messages = error")
            db.execute("DROP SCHEMA public CASCADE")
            db.execute("CREATE SCHEMA public")
        return url


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """Start a server, and stop it."""
    programs = _programs()
    with tempfile.TemporaryDirectory(prefix="crossing-pg-") as name:  # short: a socket's path must be
        folder = Path(name)
        data = folder / "data"
        user = _unprivileged()
        if user:
            os.chown(folder, user.pw_uid, user.pw_gid)

        def run(program: str, *arguments: str) -> None:
            done = subprocess.run(
                [programs / program, *arguments],
                user=user.pw_uid if user else None,
                group=user.pw_gid if user else None,
                extra_groups=[] if user else None,
                cwd=folder,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            log = folder / "log"
            assert done.returncode == 0, f"{done.stdout}\n{log.read_text() if log.exists() else ''}"

        run("initdb", "-D", str(data), "-U", OWNER, "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off -c max_connections=40"
        run("pg_ctl", "start", "-w", "-D", str(data), "-l", str(folder / "log"), "-o", options)
        try:
            yield Cluster(folder)
        finally:
            run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", str(data))


def _programs() -> Path:
    found = [Path(path) for path in [shutil.which("initdb")] if path]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]), reverse=True)
    if not found:
        raise NoServer("no PostgreSQL server on this machine: initdb not found (Debian: apt-get install postgresql)")
    return found[0].parent


def _unprivileged() -> pwd.struct_passwd | None:
    """Who runs the server: it refuses to be run by root."""
    return pwd.getpwnam("nobody") if os.geteuid() == 0 else None
