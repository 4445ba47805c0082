"""Protects in turn 1, points at nothing that exists in turn 2, leaves the move out in turn 3.

Expected: INVALID in turns 1, 2, 3; benched.
"""

from wire_bot import Wire  # type: ignore[import-not-found]

from crossing_sdk.wire import arena_pb2 as pb
from crossing_sdk.wire import crossing_pb2 as crossing

wire = Wire()
for ask in wire.asks():
    if ask.turn == 1:
        wire.point(ask.token, crossing.CROSSING_MOVE_PROTECT)
    elif ask.turn == 2:
        wire.point(ask.token, 99)
    else:
        wire.send(pb.PlayRequest(answers=[pb.Answer(token=ask.token)]))
