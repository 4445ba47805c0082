"""Says hello again instead of an answer in turn 1, then plays on.

Expected: PROTOCOL in turn 1.
"""

from wire_bot import Wire  # type: ignore[import-not-found]

from crossing_sdk.wire import arena_pb2 as pb

wire = Wire()
for ask in wire.asks():
    if ask.turn == 1:
        wire.send(pb.PlayRequest(hello=wire.hello))
    else:
        wire.point(ask.token, ask.crossing.legal[0])
