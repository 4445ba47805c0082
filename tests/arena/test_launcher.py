"""Bot processes and their guard, and which bot a word means."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from arena.place import Place, wait_for_death
from crossing_arena.launcher import BadEntry, BotProcess, Entry, example_names, find_entries
from crossing_arena.launcher.process import LOG_HEAD, LOG_TAIL, Log

DAEMON = """
import os, signal, sys
if not os.fork():
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    print("ready", flush=True)
    while True:
        signal.pause()
os.wait()
"""
"""Leaves a daemon that holds stdout open, ignores signals and says when it is there."""

STAY = "import signal\nwhile True: signal.pause()"


def python(code: str) -> tuple[str, ...]:
    return sys.executable, "-c", code


def with_process(
    place: Place, command: tuple[str, ...], scene: Callable[[BotProcess], Awaitable[None]], **environment: str
) -> None:
    """Start a command as if it were a bot; it is stopped after the scene."""

    async def whole() -> None:
        entry = Entry("bot", command, place.folder, environment=environment)
        process = await BotProcess.start(entry, place.variables, first_line="the token")
        try:
            async with asyncio.timeout(30):
                await scene(process)
        finally:
            await process.stop(grace=0)

    asyncio.run(whole())


async def shown(process: BotProcess, words: str) -> None:
    """Come back when the process has written these words."""
    while words not in process.log.text:
        assert not process.exited.done(), process.log.text
        await asyncio.wait([process.exited], timeout=0.02)


# --- the guard


@pytest.mark.parametrize(
    ("command", "ending"),
    [
        (python("pass"), "exited with code 0"),
        (python("raise SystemExit(3)"), "exited with code 3"),
        (python("import os; os._exit(255)"), "exited with code 255"),
        (python("1 / 0"), "exited with code 1"),
        (("sh", "-c", "kill -TERM $$"), "was killed by SIGTERM"),
        (("sh", "-c", "kill -KILL $$"), "was killed by SIGKILL"),
        (("sh", "-c", "kill -SEGV $$"), "was killed by SIGSEGV"),
        (("sh", "-c", "kill -INT $$"), "was killed by SIGINT"),
        (("sh", "-c", "kill -PIPE $$; exit 9"), "was killed by SIGPIPE"),
        (("sh", "-c", "kill -XFSZ $$; exit 9"), "was killed by SIGXFSZ"),
        (("sh", "-c", "kill -40 $$"), "was killed by signal 40"),
        (("no-such-program",), "exited with code 127"),
    ],
)
def test_a_process_ends_as_its_bot_did(place: Place, command: tuple[str, ...], ending: str) -> None:
    async def scene(process: BotProcess) -> None:
        await process.exited
        assert process.how_it_ended == ending

    with_process(place, command, scene)


def test_a_program_that_is_not_there_is_named(place: Place) -> None:
    async def scene(process: BotProcess) -> None:
        await process.exited
        await process.stop(grace=0)
        assert process.log.text == "cannot start no-such-program: No such file or directory\n"

    with_process(place, ("no-such-program",), scene)


def test_a_folder_that_is_not_there_leaves_nothing(place: Place) -> None:
    async def start() -> None:
        await BotProcess.start(Entry("bot", python("pass"), place.folder / "nowhere"), place.variables, "token")

    with pytest.raises(OSError, match="nowhere"):
        asyncio.run(start())
    assert place.left() == []


def test_while_it_runs_nobody_says_how_it_ended(place: Place) -> None:
    async def scene(process: BotProcess) -> None:
        assert process.how_it_ended == "is still running"

    with_process(place, python(STAY), scene)


def test_when_a_bot_ends_its_daemons_end_too(place: Place) -> None:
    async def scene(process: BotProcess) -> None:
        await process.exited
        assert place.processes() == {}
        assert process.how_it_ended == "exited with code 7"

    with_process(place, python(f"{DAEMON}\nos._exit(7)"), scene)


def test_a_bot_that_is_stopped_takes_its_daemons_along(place: Place) -> None:
    async def scene(process: BotProcess) -> None:
        await shown(process, "ready")
        assert len(place.processes()) == 3, "a guard, a bot and a daemon"
        await process.stop(grace=0)
        assert place.processes() == {}

    with_process(place, python(f"{DAEMON}\n{STAY}"), scene)


def test_a_whole_crowd_of_children_is_ended(place: Place) -> None:
    crowd = "import os\nfor _ in range(5):\n    os.fork()\nprint('here', flush=True)\n"

    async def scene(process: BotProcess) -> None:
        while process.log.text.count("here") < 32:
            await asyncio.wait([process.exited], timeout=0.02)
        assert len(place.processes()) == 33
        await process.stop(grace=0)
        assert place.processes() == {}

    with_process(place, python(crowd + STAY), scene)


def test_a_frozen_bot_is_ended(place: Place) -> None:
    async def scene(process: BotProcess) -> None:
        await shown(process, "freezing")
        await process.stop(grace=0)
        assert place.processes() == {}

    code = "import os, signal\nprint('freezing', flush=True)\nos.kill(os.getpid(), signal.SIGSTOP)"
    with_process(place, python(code), scene)


@pytest.mark.parametrize("environment", [{}, {"TMPDIR": "/tmp", "HOME": "/tmp"}], ids=["as given", "of its own"])
def test_a_bot_that_killed_its_guard_is_ended_whatever_its_variables(place: Place, environment: dict[str, str]) -> None:
    async def scene(process: BotProcess) -> None:
        await process.exited
        await process.stop(grace=0)
        assert place.processes() == {}

    code = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n"
    with_process(place, python(code + STAY), scene, **environment)


def test_an_arena_that_is_killed_leaves_no_process(place: Place) -> None:
    script = f"""
import asyncio, pathlib, sys
from crossing_arena.launcher import BotProcess, Entry

async def main():
    command = (sys.executable, "-c", {DAEMON + STAY!r})
    process = await BotProcess.start(Entry("bot", command, pathlib.Path.cwd()), {place.variables!r}, "token")
    while "ready" not in process.log.text:
        await asyncio.wait([process.exited], timeout=0.02)
    print("ready", flush=True)
    await process.exited

asyncio.run(main())
"""
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        text=True,
        cwd=place.folder,
        env={**os.environ, "TMPDIR": str(place.folder)},
    ) as arena:
        assert arena.stdout
        assert arena.stdout.readline() == "ready\n"
        orphans = place.processes()
        assert len(orphans) == 3, "a guard, a bot and a daemon"
        arena.kill()
    for pid in orphans:
        wait_for_death(pid)
    assert place.processes() == {}
    for folder in place.folder.glob("crossing-bot-*"):
        folder.rmdir()  # nobody was left to do it


def test_a_bot_gets_three_streams_and_nothing_else(place: Place) -> None:
    code = (
        "import os, sys\n"
        "print(sys.stdin.readline().strip(), repr(sys.stdin.read()))\n"
        "print(sorted(int(name) for name in os.listdir('/proc/self/fd'))[:-1])\n"
        "print(os.getpgrp() == os.getpid())"
    )

    async def scene(process: BotProcess) -> None:
        await process.exited
        await process.stop(grace=0)
        assert process.log.text.splitlines() == ["the token ''", "[0, 1, 2]", "True"]

    with_process(place, python(code), scene)


def test_a_bots_own_variables_are_passed_on(place: Place) -> None:
    async def scene(process: BotProcess) -> None:
        await process.exited
        await process.stop(grace=0)
        assert process.log.text == "openings.txt\n"

    with_process(place, python("import os; print(os.environ['BOOK'])"), scene, BOOK="openings.txt")


def test_the_home_of_a_bot_goes_with_it(place: Place) -> None:
    async def scene(process: BotProcess) -> None:
        await shown(process, "written")
        [home] = place.folders()
        assert (place.folder / home / "deep" / "memory.txt").read_text() == "remember"
        await process.stop(grace=0)
        assert place.folders() == []

    code = (
        "import pathlib\n"
        "deep = pathlib.Path.home() / 'deep'\n"
        "deep.mkdir()\n"
        "(deep / 'memory.txt').write_text('remember')\n"
        "print('written', flush=True)\n"
    )
    with_process(place, python(code + STAY), scene)


def test_a_polite_bot_may_end_by_itself(place: Place) -> None:
    async def scene(process: BotProcess) -> None:
        await shown(process, "ready")
        os.kill(*_child_of(process.pid, place))
        await process.stop(grace=20)
        assert process.log.text.endswith("bye\n")
        assert process.how_it_ended == "exited with code 0"

    code = (
        "import signal, sys\n"
        "def end(*_):\n    print('bye')\n    sys.exit(0)\n"
        "signal.signal(signal.SIGTERM, end)\n"
        "print('ready', flush=True)\n"
    )
    with_process(place, python(code + STAY), scene)


def _child_of(guard: int, place: Place) -> tuple[int, signal.Signals]:
    [bot] = [pid for pid in place.processes() if pid != guard]
    return bot, signal.SIGTERM


# --- the log


def test_a_short_log_is_kept_whole() -> None:
    log = Log()
    log.write(b"one\n")
    log.write("zw\u00f6lf\n".encode())
    assert (log.text, log.total) == ("one\nzw\u00f6lf\n", 11)
    assert log.last(1) == "zw\u00f6lf"


@pytest.mark.parametrize("chunk", [1_000, 65_536, 1_000_000])
def test_a_long_log_keeps_its_beginning_and_its_end_and_counts_the_rest(chunk: int) -> None:
    whole = b"".join(b"%07d\n" % number for number in range(125_000))
    log = Log()
    for start in range(0, len(whole), chunk):
        log.write(whole[start : start + chunk])
    head, dropped, tail = re.split(r"\n\.\.\. (\d+) bytes dropped \.\.\.\n", log.text)
    assert head.encode() == whole[:LOG_HEAD]
    assert tail.encode() == whole[-LOG_TAIL:]
    assert int(dropped) == len(whole) - LOG_HEAD - LOG_TAIL
    assert log.total == len(whole)
    assert log.last(2) == "0124998\n0124999"


@pytest.mark.parametrize("extra", [0, 1, LOG_TAIL])
def test_a_log_that_just_fits_is_not_cut(extra: int) -> None:
    log = Log()
    log.write(b"x" * LOG_HEAD)
    log.write(b"y" * extra)
    assert log.text == "x" * LOG_HEAD + "y" * extra


def test_a_log_may_hold_any_bytes() -> None:
    log = Log()
    log.write(b"caf\xe9\n")
    assert log.text == "caf\ufffd\n"


# --- which bot is meant


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    """A folder with a file, a folder with a bot.py, and a folder with a bot.toml."""
    (tmp_path / "sly.py").touch()
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "bot.py").touch()
    (tmp_path / "fancy").mkdir()
    (tmp_path / "fancy" / "run.sh").touch()
    (tmp_path / "fancy" / "bot.toml").write_text(
        'name = "Fancy Füchsin"\nowner = "anna"\ncommand = ["run.sh", "--fast"]\nenv = {DEPTH = 3}\n'
    )
    return tmp_path


@pytest.mark.parametrize(
    ("word", "name", "command", "folder"),
    [
        ("sly.py", "sly", (sys.executable, "sly.py"), "."),
        ("./sly.py", "sly", (sys.executable, "sly.py"), "."),
        ("plain/../sly.py", "sly", (sys.executable, "sly.py"), "."),
        ("plain", "plain", (sys.executable, "bot.py"), "plain"),
        ("plain/", "plain", (sys.executable, "bot.py"), "plain"),
        ("plain/bot.py", "bot", (sys.executable, "bot.py"), "plain"),
        ("fancy", "Fancy Füchsin", ("{}/fancy/run.sh", "--fast"), "fancy"),
    ],
)
def test_a_word_means_a_bot(bots: Path, word: str, name: str, command: tuple[str, ...], folder: str) -> None:
    [entry] = find_entries([word], bots)
    assert entry.name == name
    assert entry.command == tuple(part.format(bots) for part in command)
    assert entry.folder == (bots / folder).resolve()
    assert find_entries([str(bots / word)]) == [entry], "an absolute path means the same"


def test_a_bot_toml_says_who_owns_it_and_what_it_is_given(bots: Path) -> None:
    [entry] = find_entries(["fancy"], bots)
    assert (entry.owner, entry.environment) == ("anna", {"DEPTH": "3"})


@pytest.mark.parametrize(
    ("command", "first"),
    [('["python", "x.py"]', sys.executable), ('["python3"]', sys.executable), ('["node"]', "node")],
)
def test_python_means_the_arenas_own(tmp_path: Path, command: str, first: str) -> None:
    (tmp_path / "bot.toml").write_text(f"command = {command}")
    assert find_entries([str(tmp_path)])[0].command[0] == first


def test_example_bots_have_names() -> None:
    assert "greedy" in example_names()
    [entry] = find_entries(["greedy"])
    assert (entry.name, entry.command[1]) == ("greedy", "greedy_bot.py")


def test_a_file_nearby_goes_before_nothing_and_an_example_needs_no_file(bots: Path) -> None:
    assert [entry.name for entry in find_entries(["sly.py", "greedy"], bots)] == ["sly", "greedy"]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["sly.py"], ["sly"]),
        (["sly.py", "sly.py", "sly.py"], ["sly", "sly#2", "sly#3"]),
        (["sly.py", "greedy", "sly.py", "greedy"], ["sly", "greedy", "sly#2", "greedy#2"]),
    ],
)
def test_bots_of_one_name_are_numbered(bots: Path, words: list[str], names: list[str]) -> None:
    assert [entry.name for entry in find_entries(words, bots)] == names


def test_no_two_bots_end_up_with_one_name(bots: Path) -> None:
    (bots / "sly#2.py").touch()
    names = [entry.name for entry in find_entries(["sly.py", "sly#2.py", "sly.py"], bots)]
    assert len(set(names)) == 3, names


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("greedi", ("greedi: no bot of this name.", "Did you mean greedy?", "Example bots: random, greedy")),
        ("slyy.py", ("slyy.py: no such file.", "Did you mean sly.py?")),
        ("nowhere/bot.py", ("nowhere/bot.py: no such file.",)),
        ("zzzz", ("zzzz: no bot of this name. Example bots:",)),
        ("empty", ("empty: the folder has neither a bot.toml nor a bot.py",)),
        ("notes.txt", ("notes.txt: a bot is a .py file, a folder with a bot.toml, or an example bot's name",)),
        ("../greedy", ("../greedy: no such file.",)),
    ],
)
def test_a_word_that_means_nothing_is_answered_with_what_would_be_right(
    bots: Path, word: str, words: tuple[str, ...]
) -> None:
    (bots / "empty").mkdir()
    (bots / "notes.txt").touch()
    with pytest.raises(BadEntry) as wrong:
        find_entries([word], bots)
    assert [part for part in words if part not in str(wrong.value)] == []


def test_all_faults_of_a_bot_toml_are_told_at_once_with_what_was_meant(tmp_path: Path) -> None:
    settings = tmp_path / "bot.toml"
    settings.write_text('nmae = "fox"\nowner = 7\ncommand = []\nspeed = "fast"\nname = ""\n')
    with pytest.raises(BadEntry) as wrong:
        find_entries([str(tmp_path)])
    lines = str(wrong.value).splitlines()
    assert all(line.startswith(f"{settings}: ") for line in lines)
    assert [line.removeprefix(f"{settings}: ") for line in lines] == [
        "unknown key nmae; did you mean name?",
        "owner = 7 must be a str",
        "unknown key speed; known are name, command, owner, env",
        'command = [] must be a list of words such as ["python", "bot.py"]',
        "the name '' must have 1 to 60 characters",
    ]


def test_a_bot_toml_that_is_no_toml_is_told_where(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "fox"\ncommand = = 3\n')
    with pytest.raises(BadEntry, match=r"bot\.toml: .*line 2"):
        find_entries([str(tmp_path)])


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a\u202eb", "contains U+202E"),
        ("a\u200bb", "contains U+200B"),
        ("a\x1b[31m", "contains U+001B"),
        ("a\nb", "contains U+000A"),
        (" ", "must have 1 to 60 characters"),
        ("x" * 61, "must have 1 to 60 characters"),
    ],
)
def test_a_name_that_people_cannot_read_is_refused(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / f"{name}.py").touch()
    with pytest.raises(BadEntry, match=re.escape(why)):
        find_entries([f"{name}.py"], tmp_path)


@pytest.mark.parametrize("name", ["x" * 60, "狐", "Füchsin No. 5", "a-b_c.d"])
def test_a_name_may_be_of_any_script(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.py").touch()
    assert find_entries([f"{name}.py"], tmp_path)[0].name == name
