"""Plays well, and writes down where it is and what it was given.

Expected: no fault.
"""

import json
import os
from pathlib import Path

from wire_bot import Wire  # type: ignore[import-not-found]

wire = Wire()
above = Path(f"/proc/{os.getppid()}")
told = {
    "token": wire.token,
    "cwd": str(Path.cwd()),
    "home": os.environ["HOME"],
    "tmpdir": os.environ["TMPDIR"],
    "home_mode": oct(Path.home().stat().st_mode & 0o777),
    "own": (Path("/proc/self/environ").read_bytes() + Path("/proc/self/cmdline").read_bytes()).decode(),
    "guard": ((above / "environ").read_bytes() + (above / "cmdline").read_bytes()).decode(),
}
Path(os.environ["CROSSING_TEST_PLACE"], f"told-{os.getpid()}.json").write_text(json.dumps(told))
for ask in wire.asks():
    wire.point(ask.token, ask.crossing.legal[0])
