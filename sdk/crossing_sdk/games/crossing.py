"""The rules of Crossing, for 3 to 6 players.

Mushrooms around the town of Crossing grow precious stones. On the count of three every
player points: at a mushroom (take its stones), at a rival (take what lies on the rival's
tile), or covers the own tile (bring its stones to safety, at the price of a turn's break).
Who points alone gets; two who point at the same thing get nothing.

This file is the law. It knows no clock, no random and no I/O, and cites the rulings
(R-A5 ...) where they decide something.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import product
from typing import Any

from crossing_sdk.games.chance import Stream
from crossing_sdk.games.game import BadTable, IllegalMove, Outcome, UnreadableText

PLAYERS = range(3, 7)

_SHIFTS = {"R": 0, "B": 8, "Y": 16, "W": 24}
_PILE_TEXT = re.compile(r"(?:R([0-9]{1,3}))?(?:B([0-9]{1,3}))?(?:Y([0-9]{1,3}))?(?:W([0-9]{1,3}))?")


class Stones(int):
    """A pile of stones: one small integer with 8 bits for each colour, so that adding piles is adding integers.

    Written `R2B1Y3W1`; an empty pile is `-`. `bool(pile)` says whether any stone lies there.
    """

    __slots__ = ()

    @classmethod
    def of(cls, red: int = 0, blue: int = 0, yellow: int = 0, white: int = 0) -> "Stones":
        """A pile with so many stones of each colour."""
        if not 0 <= min(red, blue, yellow, white) <= max(red, blue, yellow, white) < 256:
            raise ValueError(f"a pile has 0 to 255 stones of a colour, not {(red, blue, yellow, white)}")
        return cls(red | blue << 8 | yellow << 16 | white << 24)

    @classmethod
    def read(cls, text: str) -> "Stones":
        """The pile that str() wrote, such as `R2W1` or `-`."""
        match = _PILE_TEXT.fullmatch(text)
        if text == "-":
            return cls(0)
        if not text or match is None:
            raise UnreadableText(f"{text!r} is no pile of stones; one is written like R2B1Y3W1, and - when empty")
        counts = [int(digits or 0) for digits in match.groups()]
        pile = cls.of(*counts) if max(counts) < 256 else cls(0)
        if str(pile) != text:
            raise UnreadableText(f"{text!r} is no pile of stones; colours that are there count from 1, in order RBYW")
        return pile

    @property
    def red(self) -> int:
        """How many red stones lie here."""
        return self & 255

    @property
    def blue(self) -> int:
        """How many blue stones lie here."""
        return self >> 8 & 255

    @property
    def yellow(self) -> int:
        """How many yellow stones lie here."""
        return self >> 16 & 255

    @property
    def white(self) -> int:
        """How many white (clear) stones lie here."""
        return self >> 24

    @property
    def count(self) -> int:
        """How many stones lie here."""
        return (self & 255) + (self >> 8 & 255) + (self >> 16 & 255) + (self >> 24)

    @property
    def sets(self) -> int:
        """How many full sets of one red, one blue and one yellow these stones make (white never joins one, R-A2)."""
        return min(self & 255, self >> 8 & 255, self >> 16 & 255)

    @property
    def points(self) -> int:
        """What these stones are worth as a whole collection: 5 a set, 2 a white, 1 each of the rest."""
        red, blue, yellow = self & 255, self >> 8 & 255, self >> 16 & 255
        return red + blue + yellow + 2 * min(red, blue, yellow) + 2 * (self >> 24)

    def plus(self, other: int) -> "Stones":
        """Both piles together."""
        return Stones(self + other)

    def __str__(self) -> str:
        return _pile_text(self)

    def __repr__(self) -> str:
        return f"Stones.read({str(self)!r})"


@lru_cache(maxsize=4096)
def _pile_text(pile: int) -> str:
    return "".join(f"{colour}{pile >> at & 255}" for colour, at in _SHIFTS.items() if pile >> at & 255) or "-"


BOX = Stones.of(red=18, blue=18, yellow=18, white=6)
"""All the stones of the game."""

_EMPTY = Stones(0)
_UNITS = {colour: 1 << at for colour, at in _SHIFTS.items()}
_COLOURS = {unit: colour for colour, unit in _UNITS.items()}


_RIVAL_0, _PROTECT = 5, 11


class Move(Enum):
    """What a player can do on "three". `str(move)` is its short text: M2, P0, S, or - for nothing.

    Compare moves with `is` or `==`. The moves a bot may choose from are in `turn.legal`.
    """

    M0 = 0
    M1 = 1
    M2 = 2
    M3 = 3
    M4 = 4
    P0 = 5
    P1 = 6
    P2 = 7
    P3 = 8
    P4 = 9
    P5 = 10
    S = 11
    NONE = 12

    code: int
    """The number of the move in the wire's enum, less one."""
    mushroom: int | None
    """The mushroom pointed at, or None."""
    rival: int | None
    """The seat whose tile is pointed at, or None."""

    def __init__(self, code: int) -> None:
        self.code = code
        self.mushroom = code if code < _RIVAL_0 else None
        self.rival = code - _RIVAL_0 if _RIVAL_0 <= code < _PROTECT else None

    @property
    def protects(self) -> bool:
        """Whether it covers the own tile."""
        return self is Move.S

    @staticmethod
    def at_mushroom(mushroom: int) -> "Move":
        """The move that points at this mushroom."""
        if not 0 <= mushroom < _RIVAL_0:
            raise IndexError(f"there is no mushroom {mushroom}; there are 0 to {_RIVAL_0 - 1} at the most")
        return MOVES[mushroom]

    @staticmethod
    def at_rival(seat: int) -> "Move":
        """The move that points at this player's tile."""
        if not 0 <= seat < _PROTECT - _RIVAL_0:
            raise IndexError(f"there is no seat {seat}; there are 0 to {_PROTECT - _RIVAL_0 - 1} at the most")
        return MOVES[_RIVAL_0 + seat]

    # Members are singletons, so their identity is hash enough; Enum hashes the name in Python, three times slower.
    __hash__ = object.__hash__

    def __str__(self) -> str:
        return "-" if self is Move.NONE else self.name

    def __repr__(self) -> str:
        return f"Move.{self.name}"


MOVES = tuple(Move)
"""Every move, by its code."""

_MOVE_BY_TEXT = {str(move): move for move in Move}
_S = Move.S
_NOBODY, _CLASH = -1, -2
_NO_BREAK = {n: (False,) * n for n in PLAYERS}
_ACTING = {
    on_break: tuple(seat for seat, resting in enumerate(on_break) if not resting)
    for n in PLAYERS
    for on_break in product((False, True), repeat=n)
}


def read_move(text: str) -> Move:
    """The move written as M2, P0, S or -."""
    try:
        return _MOVE_BY_TEXT[text]
    except KeyError:
        raise UnreadableText(
            f"{text!r} is no move of Crossing; M0 to M4 is a mushroom, P0 to P5 a player, S protects"
        ) from None


def _first_moves(players: int) -> tuple[Move, ...]:
    return MOVES[: players - 1]


def _later_moves(players: int, seat: int) -> tuple[Move, ...]:
    rivals = tuple(Move.at_rival(other) for other in range(players) if other != seat)
    return MOVES[: players - 1] + rivals + (Move.S,)


def _mask(moves: Sequence[Move]) -> int:
    return sum(1 << move.code for move in (*moves, Move.NONE))


_FIRST = {n: _first_moves(n) for n in PLAYERS}
_LATER = {n: tuple(_later_moves(n, seat) for seat in range(n)) for n in PLAYERS}
_FIRST_MASKS = {n: dict.fromkeys(range(n), _mask(_FIRST[n])) for n in PLAYERS}
_LATER_MASKS = {n: {seat: _mask(moves) for seat, moves in enumerate(_LATER[n])} for n in PLAYERS}


class Fate(Enum):
    """What became of a player's choice."""

    TOOK = "took"
    CLASHED = "clashed"
    """Somebody else pointed at the same thing."""
    THWARTED = "thwarted"
    """The player pointed at was protecting."""
    EMPTY = "empty"
    """Nothing lay there."""
    PROTECTED = "protected"
    IDLE = "idle"
    """On break, or pointed at nothing."""


@dataclass(frozen=True, slots=True)
class Deed:
    """One player's part in a reveal: what was done, what became of it, and which stones moved."""

    seat: int
    move: Move
    fate: Fate
    stones: Stones
    """The stones taken or brought to safety."""

    def __str__(self) -> str:
        return f"{self.fate.value} {self.stones}" if self.stones else self.fate.value


@dataclass(frozen=True, slots=True)
class View:
    """The table as one player sees it: everything but the order of the bag (R-A12)."""

    seat: int
    """Your own seat, from 0."""
    turn: int
    """The number of this turn, from 1."""
    mushrooms: tuple[Stones, ...]
    """The stones on each mushroom; there is one mushroom fewer than players."""
    tiles: tuple[Stones, ...]
    """The stones on each player's tile: exposed, anybody may take them."""
    claimed: tuple[Stones, ...]
    """The stones each player has brought to safety: nobody can take them any more."""
    on_break: tuple[bool, ...]
    """Who protected last turn and so has no move in this one. Their tiles are empty."""
    bag: Stones
    """What is still in the bag; only its order is hidden."""

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.tiles)

    @property
    def rivals(self) -> tuple[int, ...]:
        """The other seats."""
        return tuple(seat for seat in range(len(self.tiles)) if seat != self.seat)

    @property
    def is_last_turn(self) -> bool:
        """Whether the game ends after this turn: the bag is empty (R-A1)."""
        return not self.bag

    @property
    def legal(self) -> tuple[Move, ...]:
        """The moves you may choose from; empty on break."""
        if self.on_break[self.seat]:
            return ()
        return _FIRST[len(self.tiles)] if self.turn == 1 else _LATER[len(self.tiles)][self.seat]

    def at(self, move: Move) -> Stones:
        """The stones a move would take if it succeeds; for S, the own stones it brings to safety."""
        if move.mushroom is not None:
            return self.mushrooms[move.mushroom]
        if move.rival is not None:
            return self.tiles[move.rival]
        return self.tiles[self.seat] if move is Move.S else _EMPTY

    def collection(self, seat: int) -> Stones:
        """All that a player would score now: safe and exposed stones."""
        return Stones(self.claimed[seat] + self.tiles[seat])

    def points(self, seat: int) -> int:
        """The points a player would score now."""
        return self.collection(seat).points

    def gain(self, move: Move) -> int:
        """How many points the stones a move points at would add to your own collection."""
        mine = self.collection(self.seat)
        if move is Move.S or move is Move.NONE:
            return 0
        return mine.plus(self.at(move)).points - mine.points

    def sample(self, seed: int | bytes) -> "Position":
        """A whole position that fits all you know: the bag in a random order, chosen by the seed."""
        order = [unit for colour, unit in _UNITS.items() for _ in range(self.bag >> _SHIFTS[colour] & 255)]
        Stream(_seed_bytes(seed), "crossing/sample").shuffle(order)
        return Position(self.turn, self.mushrooms, self.tiles, self.claimed, self.on_break, tuple(order))

    def __str__(self) -> str:
        return f"seat={self.seat} {_table_text(self)} bag={self.bag}"


def _seed_bytes(seed: int | bytes) -> bytes:
    return seed if isinstance(seed, bytes) else (seed % 2**256).to_bytes(32, "big")


@dataclass(frozen=True, slots=True)
class Position:
    """The whole truth at the start of a turn, the order of the bag included."""

    turn: int
    mushrooms: tuple[Stones, ...]
    tiles: tuple[Stones, ...]
    claimed: tuple[Stones, ...]
    on_break: tuple[bool, ...]
    order: tuple[int, ...]
    """Single stones in the order they were or will be drawn."""
    drawn: int = 0
    """How many of `order` have left the bag."""
    over: bool = False

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.tiles)

    @property
    def bag(self) -> Stones:
        """What is still in the bag."""
        return Stones(sum(self.order[self.drawn :]))

    @property
    def is_last_turn(self) -> bool:
        """Whether the refill before this turn emptied the bag (R-A1)."""
        return self.drawn == len(self.order)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a move: all that are not on break."""
        return () if self.over else _ACTING[self.on_break]

    def legal(self, seat: int) -> tuple[Move, ...]:
        """What this seat may do now; empty when it is on break or the game is over."""
        if self.over or self.on_break[seat]:
            return ()
        return _FIRST[len(self.tiles)] if self.turn == 1 else _LATER[len(self.tiles)][seat]

    def view(self, seat: int) -> View:
        """Exactly what this seat may know."""
        if not 0 <= seat < len(self.tiles):
            raise BadTable(f"there is no seat {seat} at a table of {len(self.tiles)}")
        return View(seat, self.turn, self.mushrooms, self.tiles, self.claimed, self.on_break, self.bag)

    @property
    def outcome(self) -> Outcome | None:
        """The final scores once the game is over; stones left on mushrooms count for nobody."""
        if not self.over:
            return None
        collections = [Stones(safe + tile) for safe, tile in zip(self.claimed, self.tiles, strict=True)]
        return Outcome(tuple(c.points for c in collections), tuple(c.white for c in collections))

    def play(self, moves: Mapping[int, Move]) -> "Position":
        """The position after everybody revealed at once. A missing seat points at nothing (R-A10)."""
        lone = self._lone_pointers(moves)
        if self.over:
            raise IllegalMove(f"the game is over since turn {self.turn}: there is nothing to play")
        before = self.tiles
        mushrooms, tiles, claimed, on_break = list(self.mushrooms), list(before), self.claimed, _NO_BREAK[len(before)]
        gains = []
        for seat, move in moves.items():
            code = move.code
            if code == _PROTECT:
                claimed = (*claimed[:seat], Stones(claimed[seat] + before[seat]), *claimed[seat + 1 :])
                on_break = (*on_break[:seat], True, *on_break[seat + 1 :])
                tiles[seat] = _EMPTY
            elif lone[code] != seat:
                continue
            elif code < _RIVAL_0:
                gains.append((seat, mushrooms[code]))
                mushrooms[code] = _EMPTY
            elif code < _PROTECT and moves.get(code - _RIVAL_0) is not _S:
                gains.append((seat, before[code - _RIVAL_0]))
                tiles[code - _RIVAL_0] = _EMPTY
        for seat, stones in gains:  # after all removals: what is gained this turn cannot be lost in it (R-A16)
            tiles[seat] = Stones(tiles[seat] + stones)
        over = self.drawn == len(self.order)
        turn, drawn = (self.turn, self.drawn) if over else (self.turn + 1, self._refill(mushrooms))
        return Position(turn, tuple(mushrooms), tuple(tiles), claimed, on_break, self.order, drawn, over)

    def _lone_pointers(self, moves: Mapping[int, Move]) -> list[int]:
        """For every move by its code: the one seat that makes it, or that nobody or several do."""
        masks = (_FIRST_MASKS if self.turn == 1 else _LATER_MASKS)[len(self.tiles)]
        on_break, over = self.on_break, self.over
        lone = [_NOBODY] * len(MOVES)
        for seat, move in moves.items():
            code = move.code
            if not masks.get(seat, 0) >> code & 1 or on_break[seat] or over:
                raise IllegalMove(self._why_illegal(seat, move))
            lone[code] = seat if lone[code] == _NOBODY else _CLASH
        return lone

    def _refill(self, mushrooms: list[Stones]) -> int:
        """Between turns: one stone to a mushroom that has some, two to an empty one, in index order (R-A5, R-A15)."""
        order, drawn, end = self.order, self.drawn, len(self.order)
        for index, stones in enumerate(mushrooms):
            if drawn == end:
                break
            stones_after = stones + order[drawn]
            drawn += 1
            if not stones and drawn < end:
                stones_after += order[drawn]
                drawn += 1
            mushrooms[index] = Stones(stones_after)
        return drawn

    def _why_illegal(self, seat: int, move: Move) -> str:
        if not 0 <= seat < self.players:
            return f"there is no seat {seat} at a table of {self.players}"
        if self.over:
            reason = "the game is over"
        elif self.on_break[seat]:
            reason = "a player on break has no move"
        elif move.rival == seat:
            reason = "nobody points at the own tile; S protects it (R-A13)"
        elif self.turn == 1 and move.mushroom is None:
            reason = "in turn 1 everybody points at a mushroom"
        elif move.mushroom is not None:
            reason = f"there is no mushroom {move.mushroom} at a table of {self.players}"
        else:
            reason = f"there is no seat {move.rival} at a table of {self.players}"
        legal = " ".join(map(str, self.legal(seat))) or "nothing"
        return f"seat {seat} may not play {move} in turn {self.turn}: {reason}; legal: {legal}"

    def deeds(self, moves: Mapping[int, Move]) -> tuple[Deed, ...]:
        """What becomes of every seat's choice, for telling the story of a turn."""
        lone = self._lone_pointers(moves)
        return tuple(self._deed(seat, moves, lone) for seat in range(len(self.tiles)))

    def _deed(self, seat: int, moves: Mapping[int, Move], lone: list[int]) -> Deed:
        move = moves.get(seat, Move.NONE)
        if move is Move.NONE:
            return Deed(seat, move, Fate.IDLE, _EMPTY)
        if move is Move.S:
            return Deed(seat, move, Fate.PROTECTED, self.tiles[seat])
        if lone[move.code] == _CLASH:
            return Deed(seat, move, Fate.CLASHED, _EMPTY)
        if move.rival is not None and moves.get(move.rival) is Move.S:
            return Deed(seat, move, Fate.THWARTED, _EMPTY)
        stones = self.mushrooms[move.code] if move.rival is None else self.tiles[move.rival]
        return Deed(seat, move, Fate.TOOK if stones else Fate.EMPTY, stones)

    def __str__(self) -> str:
        order = "".join(_COLOURS[unit] for unit in self.order[self.drawn :])
        return f"{_table_text(self)} bag={order or '-'}"


def _table_text(table: View | Position) -> str:
    """The public part of a position in one line, such as `turn=5 mushrooms=R1/B2 tiles=-/R2/Y1 ...`."""
    end = "/over" if isinstance(table, Position) and table.over else ""
    piles = ("/".join(map(str, row)) for row in (table.mushrooms, table.tiles, table.claimed))
    resting = "".join("1" if resting else "0" for resting in table.on_break)
    return "turn={}{} mushrooms={} tiles={} claimed={} break={}".format(table.turn, end, *piles, resting)


_TABLE_PATTERN = r"turn=([1-9][0-9]{0,3})(/over)? mushrooms=(\S+) tiles=(\S+) claimed=(\S+) break=([01]+) bag=(\S+)"
_POSITION_TEXT = re.compile(_TABLE_PATTERN)
_VIEW_TEXT = re.compile(r"seat=([0-9]) " + _TABLE_PATTERN)


def _read_piles(text: str) -> tuple[Stones, ...]:
    return tuple(Stones.read(pile) for pile in text.split("/"))


_Row = tuple[Stones, ...]


def _read_table(mushrooms: str, tiles: str, claimed: str, resting: str) -> tuple[_Row, _Row, _Row, tuple[bool, ...]]:
    rows = _read_piles(mushrooms), _read_piles(tiles), _read_piles(claimed)
    sizes = [len(rows[0]) + 1, len(rows[1]), len(rows[2]), len(resting)]
    if sizes[0] not in PLAYERS or len(set(sizes)) > 1:
        raise UnreadableText(
            f"mushrooms={mushrooms} tiles={tiles} claimed={claimed} break={resting} is no table of 3 to 6 players"
            " with one mushroom fewer than players"
        )
    return *rows, tuple(flag == "1" for flag in resting)


def read_position(text: str) -> Position:
    """The position that str() wrote."""
    match = _POSITION_TEXT.fullmatch(text)
    if match is None:
        raise UnreadableText(f"{text!r} is no position of Crossing")
    turn, over, *table, bag = match.groups()
    if bag != "-" and set(bag) - set(_UNITS):
        raise UnreadableText(f"bag={bag} is no draw order; one is written like RBYW, and - when empty")
    order = () if bag == "-" else tuple(_UNITS[colour] for colour in bag)
    return Position(int(turn), *_read_table(*table), order=order, over=bool(over))


def read_view(text: str) -> View:
    """The view that str() wrote."""
    match = _VIEW_TEXT.fullmatch(text)
    if match is None or match[3]:
        raise UnreadableText(f"{text!r} is no view of Crossing")
    seat, turn, _, *table, bag = match.groups()
    view = View(int(seat), int(turn), *_read_table(*table), bag=Stones.read(bag))
    if view.seat >= view.players:
        raise UnreadableText(f"seat={seat} does not sit at a table of {view.players}")
    return view


def _insist_on_size(players: int) -> None:
    if players not in PLAYERS:
        raise BadTable(f"Crossing is for 3 to 6 players, not {players} (R-A17)")


class Crossing:
    """Crossing as the arena's registry holds it; see `game.Game` for what each part promises."""

    name = "crossing"
    title = "Crossing"
    rules_version = 1
    players = PLAYERS
    default = Move.NONE
    beats = 2
    summary = """\
Crossing, for 3 to 6 players. Collect stones; a set of red, blue and yellow is worth 5,
a white stone 2, any other stone 1.

There is one mushroom fewer than players, and each starts with two stones. On the count
of three everybody does one thing at once:

  M0 M1 ...  point at a mushroom: take its stones, if nobody else points at it
  P0 P1 ...  point at a rival's tile: take its stones, if nobody else points at it
             and the rival is not protecting
  S          protect: the stones on your own tile are safe for ever, and you have
             a break (no move) in the next turn

In turn 1 you may only point at mushrooms. All that happens, happens at once: two who
point at each other swap, and stones gained in a turn cannot be lost in it. Stones on
your tile stay exposed until you protect; at the end safe and exposed stones both count.

Between turns a mushroom with stones gets one more and an empty one gets two, from a bag
of 18 red, 18 blue, 18 yellow and 6 white. The turn after the refill that empties the bag
is the last. Most points win, then most white stones; if that is tied too, the table
plays again.

On "one" and "two" everybody may speak: a pledge (the move you say you will make), a
short text, or both. Nothing binds."""

    def start(self, players: int, seed: bytes, options: Mapping[str, Any] | None = None) -> Position:
        """Deal: shuffle the bag, put two stones on each mushroom."""
        _insist_on_size(players)
        if options:
            raise BadTable(f"Crossing has no options; got {', '.join(sorted(options))}")
        order = [unit for colour, unit in _UNITS.items() for _ in range(BOX >> _SHIFTS[colour] & 255)]
        Stream(seed, "crossing/bag").shuffle(order)
        dealt = 2 * (players - 1)
        return Position(
            turn=1,
            mushrooms=tuple(Stones(order[i] + order[i + 1]) for i in range(0, dealt, 2)),
            tiles=(_EMPTY,) * players,
            claimed=(_EMPTY,) * players,
            on_break=_NO_BREAK[players],
            order=tuple(order),
            drawn=dealt,
        )

    def turn_limit(self, players: int) -> int:
        """Every refill draws at least one stone a mushroom, so that no game is longer than this."""
        _insist_on_size(players)
        return {3: 29, 4: 19, 5: 14, 6: 11}[players]

    def read_move(self, text: str) -> Move:
        """The move written as M2, P0, S or -."""
        return read_move(text)

    def read_position(self, text: str) -> Position:
        """The position that str() wrote."""
        return read_position(text)

    def read_view(self, text: str) -> View:
        """The view that str() wrote."""
        return read_view(text)


CROSSING = Crossing()
"""The game, ready to play: `CROSSING.start(4, seed)`."""
