"""Guesses tokens that others may have been given.

Expected: PROTOCOL in turns 1, 2, 3; benched.
"""

from wire_bot import Wire  # type: ignore[import-not-found]

wire = Wire()
for ask in wire.asks():
    wire.point(ask.token + 1, ask.crossing.legal[0])
