"""From what an organiser asks for to what is played: the draw, and how it goes on from an earlier one."""

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crossing_arena._version import __version__
from crossing_arena.clock import read_clock
from crossing_arena.ladder.floor import Task
from crossing_arena.ladder.schedule import (
    Draw,
    Entrant,
    Match,
    Rotations,
    Stage,
    commitment,
    extended,
    match_seed,
    matches,
)
from crossing_arena.ladder.spec import BadSpec, LadderSpec
from crossing_arena.launcher import Entry
from crossing_arena.referee import MatchSpec, Ties
from crossing_arena.store import Bot, Ladder, Plan
from crossing_sdk.games import GAMES, derive, seed_from

FIXED = ("game", "table_size", "seed", "clock", "talk", "ties", "owners_apart")
"""What a ladder cannot change once it has begun: results would not compare."""

_LEFT_OUT = {"__pycache__", ".git", ".venv", "node_modules"}


@dataclass(frozen=True, slots=True)
class Competitor:
    """A bot in the ladder: who it is, and how it is started."""

    bot: Bot
    entry: Entry | None
    """None for one that takes part no more, such as an older version."""

    @property
    def key(self) -> str:
        """What the schedule calls it: another version is another entrant."""
        return f"{self.bot.name}@{self.bot.version}"


@dataclass(frozen=True, slots=True)
class Programme:
    """All the matches of a ladder, and who plays in them."""

    spec: LadderSpec
    draw: Draw
    competitors: tuple[Competitor, ...]
    plan: Plan

    def matches(self) -> list[Match]:
        """Every match, played or not."""
        return list(matches(self.draw))

    def tasks(self, ladder: Ladder, done: Set[int]) -> Iterator[Task]:
        """The matches that are still to be played; those of bots that take part no more are not."""
        number = {competitor.key: at for at, competitor in enumerate(self.competitors)}
        settings = ladder.current.spec["settings"]
        for match in matches(self.draw):
            bots = tuple(number[key] for key in match.seats)
            if match.n not in done and all(self.competitors[bot].entry for bot in bots):
                secret = ladder.revision_of(match.n).secret
                yield Task(match.n, match.deal, bots, match_spec(settings, secret, match))


def match_spec(settings: Mapping[str, Any], secret: bytes, match: Match) -> MatchSpec:
    """How a match of a ladder with these settings is played."""
    return MatchSpec(
        players=len(match.seats),
        seed=match_seed(secret, match),
        game=settings["game"],
        talk=settings["talk"],
        ties=Ties(settings["ties"]),
        budgets=read_clock(settings["clock"]),
    )


def drawn(content: Mapping[str, Any]) -> Draw:
    """The draw that a plan describes."""
    settings = content["settings"]
    size = settings["table_size"]
    return Draw(
        seed=bytes.fromhex(content["schedule"]),
        stages=tuple(
            Stage(tuple(Entrant(key, owner) for key, owner in stage["entrants"]), stage["deals"], stage["last_deal"])
            for stage in content["stages"]
        ),
        table_sizes=(size,) if isinstance(size, int) else tuple(GAMES[settings["game"]].players),
        rotations=Rotations.ONE if settings["game"] == "crossing" else Rotations.ALL,
        owners_apart=settings["owners_apart"],
    )


def programme(spec: LadderSpec, before: Ladder | None, done: Set[int] = frozenset()) -> Programme:
    """What is to be played, going on from what was and is `done`; raises BadSpec if they do not go together."""
    settings = spec.settings
    present = [Competitor(Bot(entry.name, version(entry), entry.owner), entry) for entry in spec.entries]
    asked = {key: getattr(settings, key) for key in FIXED}
    if before:
        content: dict[str, Any] = dict(before.current.spec)
        _insist_same(asked, content["settings"], spec.out)
    else:
        schedule = derive(_secret(settings.seed, 0), "schedule")
        content = {"settings": asked, "schedule": schedule.hex(), "stages": []}
    entrants = [Entrant(competitor.key, competitor.bot.owner) for competitor in present]
    earlier = drawn(content)
    # Where bots changed, what was drawn for the old field and not begun is drawn anew for the present one.
    last_deal = max((match.deal for match in matches(earlier) if match.n in done), default=0) if before else None
    draw = extended(earlier, sorted(entrants, key=lambda entrant: entrant.name), settings.deals, last_deal)
    competitors = (*present, *_gone(draw, {competitor.key for competitor in present}))
    secret = _secret(settings.seed, 1 + len(before.revisions) if before else 1)
    return Programme(spec, draw, competitors, _plan(spec, draw, content, secret))


def _secret(seed: str | int | None, number: int) -> bytes:
    """What deals come from: drawn anew, or from the organiser's seed."""
    return secrets.token_bytes(32) if seed is None else derive(seed_from(seed), f"ladder/{number}")


def _gone(draw: Draw, present: set[str]) -> list[Competitor]:
    """Those that took part once and do so no more."""
    owners = {entrant.name: entrant.owner for stage in draw.stages for entrant in stage.entrants}
    gone = [(key, *key.rsplit("@", 1)) for key in sorted(owners.keys() - present)]
    return [Competitor(Bot(name, its_version, owners[key]), None) for key, name, its_version in gone]


def _insist_same(asked: dict[str, Any], stored: dict[str, Any], out: Path) -> None:
    faults = [
        f"{key} is {asked[key]!r}, but the ladder in {out} was begun with {stored[key]!r}"
        for key in FIXED
        if asked[key] != stored[key]
    ]
    if faults:
        raise BadSpec("\n".join([*faults, "Use another --out, or --fresh to begin anew."]))


def _plan(spec: LadderSpec, draw: Draw, before: dict[str, Any], secret: bytes) -> Plan:
    content = {
        **before,
        "stages": [
            {
                "entrants": [[entrant.name, entrant.owner] for entrant in stage.entrants],
                "deals": stage.deals,
                "last_deal": stage.last_deal,
            }
            for stage in draw.stages
        ],
    }
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    rules = GAMES[spec.settings.game].rules_version
    return Plan(spec.settings.name, digest, content, secret, commitment(secret), rules, __version__)


def version(entry: Entry) -> str:
    """The hash of a bot's content: its file, or all files of its folder, and how it is started."""
    digest = hashlib.sha256()
    script = entry.folder / entry.command[-1]
    whole = (entry.folder / "bot.toml").is_file() or not script.is_file()
    files = sorted(_files(entry.folder)) if whole else [script]
    for path in files:
        body = path.read_bytes()
        digest.update(f"{path.relative_to(entry.folder)}\0{len(body)}\0".encode() + body)
    digest.update("\0".join(entry.command[1:]).encode())
    return digest.hexdigest()[:12]


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name in _LEFT_OUT:
            continue
        if path.is_dir():
            yield from _files(path)
        elif path.is_file():
            yield path
