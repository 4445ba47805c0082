"""Closes its channel in turn 2 and lives on; started again, it plays on.

Expected: DISCONNECT in turn 2.
"""

import signal

from wire_bot import Wire  # type: ignore[import-not-found]

wire = Wire()
for ask in wire.asks():
    if ask.turn == 2:
        break
    wire.point(ask.token, ask.crossing.legal[0])
else:
    raise SystemExit
wire.channel.close()
while True:
    signal.pause()
