"""Protects in turn 2, but says so only when it is asked in turn 3; points at M0 in all other turns.

Expected: TIMEOUT in turn 2.
"""

from wire_bot import Wire  # type: ignore[import-not-found]

from crossing_sdk.wire import crossing_pb2 as crossing

wire = Wire()
late = 0
for ask in wire.asks():
    if ask.turn == 2:
        late = ask.token
        continue
    if ask.turn == 3:
        wire.point(late, crossing.CROSSING_MOVE_PROTECT)
    wire.point(ask.token, crossing.CROSSING_MOVE_MUSHROOM_0)
