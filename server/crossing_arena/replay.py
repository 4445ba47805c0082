"""The record of a match: text, one line an event, that anybody can read and verify.

Every line is a JSON object. The first is the `match` (who played what, with which seed), then
a `turn` for every turn and a `game` at the end of every game (a match has more than one when
first place was tied), and last the `result`. Moves, positions and deeds are in the rules' own
text forms. Each line ends with a seal, a hash over itself and the seal before it, so that a
line cannot be changed without changing all that follow.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from crossing_arena._version import __version__
from crossing_arena.faults import Fault
from crossing_arena.referee import Ending, GameEnded, MatchSpec, TurnRecord, Verdict, game_seed, places_with_bench
from crossing_sdk.bot import Heard
from crossing_sdk.games import GAMES, Game, Position, RulesError

FORMAT = 1
_SEAL = ',"seal":"'
_SEAL_DIGITS = 16


class Lie(ValueError):
    """A replay is not true, or not a replay; says where and why."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Replay:
    """A replay that was read: its lines as JSON objects."""

    match: dict[str, Any]
    turns: tuple[dict[str, Any], ...]
    games: tuple[dict[str, Any], ...]
    result: dict[str, Any]

    @property
    def rules(self) -> Game[Any]:
        """The game that was played."""
        return GAMES[self.match["game"]]

    @property
    def names(self) -> list[str]:
        """The bots, by seat."""
        return list(self.match["players"])

    def seed_of(self, game: int) -> bytes:
        """The seed of one game of the match, from 1."""
        return game_seed(bytes.fromhex(self.match["seed"]), game)


# --- writing


def write(
    spec: MatchSpec,
    names: Sequence[str],
    records: Sequence[TurnRecord],
    endings: Sequence[GameEnded],
    verdict: Verdict,
    played: datetime,
) -> str:
    """The replay of a match, as text."""
    lines = [_match_line(spec, names, played)]
    for number, ending in enumerate(endings, start=1):
        lines += [turn_line(record) for record in records if record.game == number]
        lines.append(_game_line(number, ending))
    lines.append(result_line(verdict))
    return "".join(seal(lines))


def seal(lines: Iterable[dict[str, Any]]) -> Iterable[str]:
    """The lines as text, each sealed together with those before it."""
    before = ""
    for line in lines:
        body = json.dumps(line, ensure_ascii=False, separators=(",", ":"))[:-1]
        before = _seal_of(before, body)
        yield f'{body}{_SEAL}{before}"}}\n'


def _seal_of(before: str, body: str) -> str:
    return hashlib.sha256(f"{before}{body}".encode()).hexdigest()[:_SEAL_DIGITS]


def _match_line(spec: MatchSpec, names: Sequence[str], played: datetime) -> dict[str, Any]:
    return {
        "line": "match",
        "format": FORMAT,
        "arena": __version__,
        "game": spec.game,
        "rules": GAMES[spec.game].rules_version,
        "seed": spec.seed.hex(),
        "players": list(names),
        "talk": spec.talk,
        "ties": spec.ties.value,
        "budgets": asdict(spec.budgets),
        "played": played.isoformat(timespec="seconds"),
    }


def turn_line(record: TurnRecord) -> dict[str, Any]:
    """One turn as its line of the record."""
    position = record.position
    chosen = {seat: record.moves[seat] for seat in position.to_act}
    line: dict[str, Any] = {
        "line": "turn",
        "game": record.game,
        "turn": position.turn,
        "position": str(position),
        "said": [_said(heard) for heard in record.said],
        "moves": [str(move) for move in record.moves],
        "became": [str(deed) for deed in position.deeds(chosen)],
        "ms": [round(ms, 1) for ms in record.ms],
    }
    if record.faults:
        line["faults"] = [_fault(fault) for fault in record.faults]
    if record.notes:
        line["notes"] = {str(seat): list(notes) for seat, notes in sorted(record.notes.items())}
    if record.printed:
        line["printed"] = {str(seat): text for seat, text in sorted(record.printed.items())}
    return line


def _said(heard: Heard) -> dict[str, Any]:
    pledge = {} if heard.pledge is None else {"pledge": str(heard.pledge)}
    return {"beat": heard.beat, "seat": heard.seat, **pledge, "text": heard.text}


def _fault(fault: Fault) -> dict[str, Any]:
    whole = {
        "seat": fault.seat,
        "kind": fault.kind.value,
        "beat": fault.beat,
        "text": fault.text,
        "asked": fault.asked,
        "answered": fault.answered,
        "elapsed_ms": round(fault.elapsed_ms),
        "limit_ms": round(fault.limit_ms),
        "log": fault.log,
        "benched": fault.benched,
    }
    return {key: value for key, value in whole.items() if value or key == "seat"}


def _game_line(number: int, ending: GameEnded) -> dict[str, Any]:
    return {
        "line": "game",
        "game": number,
        "position": str(ending.position),
        "points": list(ending.points),
        "places": list(ending.places),
        "plays_again": ending.plays_again,
    }


def result_line(verdict: Verdict) -> dict[str, Any]:
    """The verdict as the last line of the record."""
    return {"line": "result", **asdict(verdict), "ending": verdict.ending.value}


# --- reading


def read(text: str) -> Replay:
    """A replay, as it was written; raises Lie if it is none. Whether it is true is for `verify` to say."""
    lines = [_object(number, line) for number, line in enumerate(text.splitlines(), start=1)]
    kinds = [line.get("line") for line in lines]
    if not lines or kinds[0] != "match":
        raise Lie(1, "this is no replay of crossing-arena: it does not begin with a match line")
    if lines[0].get("format") != FORMAT:
        raise Lie(1, f"format {lines[0].get('format')!r} is not known; this version reads format {FORMAT}")
    if lines[0].get("game") not in GAMES:
        raise Lie(1, f"the game {lines[0].get('game')!r} is not known; known are {', '.join(GAMES)}")
    if kinds[-1] != "result":
        raise Lie(len(lines), "the replay breaks off: its last line must be the result")
    turns = tuple(line for line in lines if line.get("line") == "turn")
    return Replay(lines[0], turns, tuple(line for line in lines if line.get("line") == "game"), lines[-1])


def _object(number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise Lie(number, f"not readable: {error}") from None
    if not isinstance(value, dict):
        raise Lie(number, "not a JSON object")
    return value


# --- verifying


def verify(text: str) -> Replay:
    """Play the record through the rules again; raises Lie at the first line that is not true."""
    lines = text.split("\n")
    if lines.pop() != "":
        raise Lie(len(lines) + 1, "the last line is cut off")
    before = ""
    judge: _Judge | None = None
    for number, line in enumerate(lines, start=1):
        try:
            content = _object(number, line)
            if judge is None:
                judge = _Judge(content)
            else:
                judge.hear(content)
        except (_Untrue, RulesError) as error:
            raise Lie(number, str(error)) from None
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, Lie):
                raise
            raise Lie(number, f"a part is missing or of the wrong kind: {error!r}") from None
        body, _, end = line.rpartition(_SEAL)
        before = _seal_of(before, body)
        if end != f'{before}"}}':
            raise Lie(number, "it was changed after it was written: its seal does not match")
    if judge is None or not judge.done:
        raise Lie(len(lines), "the replay breaks off: its last line must be the result")
    return read(text)


class _Untrue(Exception):
    """A line says something that is not so."""


def _insist(truth: object, claimed: object, what: str) -> None:
    if truth != claimed:
        raise _Untrue(f"{what} is {_brief(claimed)}, but by the rules it is {_brief(truth)}")


def _brief(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


class _Judge:
    """Follows a record line by line with the rules at hand."""

    def __init__(self, match: dict[str, Any]) -> None:
        if match.get("line") != "match":
            raise _Untrue("this is no replay of crossing-arena: it does not begin with a match line")
        if match["format"] != FORMAT:
            raise _Untrue(f"format {match['format']!r} is not known; this version reads format {FORMAT}")
        if match["game"] not in GAMES:
            raise _Untrue(f"the game {match['game']!r} is not known; known are {', '.join(GAMES)}")
        self.rules = GAMES[match["game"]]
        _insist(self.rules.rules_version, match["rules"], "the rules version")
        self.seed = bytes.fromhex(match["seed"])
        self.players = len(match["players"])
        self.done = False
        self._game = 0
        self._benched: set[int] = set()
        self._faults = [0] * self.players
        self._decisions = 0
        self._over: dict[str, Any] | None = {"plays_again": True}
        self._open_game()

    def _open_game(self) -> None:
        self._game += 1
        self._over = None
        self.position: Position[Any] = self.rules.start(self.players, game_seed(self.seed, self._game))

    def hear(self, line: dict[str, Any]) -> None:
        """Judge the next line."""
        if self.done:
            raise _Untrue("nothing may follow the result")
        if self._over and self._over["plays_again"]:
            self._open_game()
        expected = "result" if self._over else "game" if self.position.outcome else "turn"
        _insist(expected, line.get("line"), "the kind of this line")
        {"turn": self._turn, "game": self._end, "result": self._result}[expected](line)

    def _turn(self, line: dict[str, Any]) -> None:
        _insist(self._game, line["game"], "the game")
        _insist(self.position.turn, line["turn"], "the turn")
        _insist(str(self.position), line["position"], "the position")
        moves = [self.rules.read_move(text) for text in line["moves"]]
        _insist(self.players, len(moves), "the number of moves")
        self._hear_faults(line)
        chosen = {seat: move for seat, move in enumerate(moves) if move != self.rules.default}
        self._excused(line, chosen)
        self._heard(line["said"])
        became = [str(deed) for deed in self.position.deeds(chosen)]
        _insist(became, line["became"], "what became of the moves")
        self._decisions += len(chosen)
        self.position = self.position.play(chosen)

    def _hear_faults(self, line: dict[str, Any]) -> None:
        for fault in line.get("faults", ()):
            self._faults[fault["seat"]] += 1
            if fault.get("benched"):
                self._benched.add(fault["seat"])

    def _excused(self, line: dict[str, Any], chosen: dict[int, Any]) -> None:
        """Who owed a move and made none must have a fault to show for it."""
        at_fault = {fault["seat"] for fault in line.get("faults", ())} | self._benched
        for seat in self.position.to_act:
            if seat not in chosen and seat not in at_fault:
                raise _Untrue(f"seat {seat} made no move, though it owed one and no fault is recorded")

    def _heard(self, said: list[dict[str, Any]]) -> None:
        for words in said:
            if words["seat"] not in range(self.players) or words["beat"] not in range(1, self.rules.beats + 1):
                raise _Untrue(f"seat {words['seat']} cannot speak at beat {words['beat']}")
            if "pledge" in words and self.rules.read_move(words["pledge"]) not in self.position.legal(words["seat"]):
                raise _Untrue(f"seat {words['seat']} cannot pledge {words['pledge']}")

    def _end(self, line: dict[str, Any]) -> None:
        outcome = self.position.outcome
        if outcome is None:
            raise _Untrue("the game is not over")
        places = places_with_bench(outcome, self._benched)
        truth = {
            "game": self._game,
            "position": str(self.position),
            "points": list(outcome.points),
            "places": list(places),
        }
        for part, value in truth.items():
            _insist(value, line[part], part)
        if line["plays_again"] and places.count(1) == 1:
            raise _Untrue("the game is played again, though first place is not tied")
        self._over = line

    def _result(self, line: dict[str, Any]) -> None:
        outcome = self.position.outcome
        if outcome is None:
            raise _Untrue("the game is not over")
        places = places_with_bench(outcome, self._benched)
        ending = Ending.SHARED if places.count(1) > 1 else Ending.WON
        truth = {
            "ending": (ending if self._decisions else Ending.NO_CONTEST).value,
            "points": list(outcome.points),
            "tiebreaks": list(outcome.tiebreaks),
            "places": list(places),
            "faults": self._faults,
            "benched": [seat in self._benched for seat in range(self.players)],
            "games": self._game,
        }
        for part, value in truth.items():
            _insist(value, line[part], part)
        self.done = True
