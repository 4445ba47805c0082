"""Answers an ask with thousands of tokens that nobody gave, and goes on when it is shown out.

Expected: PROTOCOL in turns 1, 2, 3; benched.
"""

import signal

from wire_bot import Wire  # type: ignore[import-not-found]

wire = Wire()
for ask in wire.asks():
    for number in range(5_000):
        wire.point(ask.token + 1_000_000 + number, ask.crossing.legal[0])
while True:
    signal.pause()
