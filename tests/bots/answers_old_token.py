"""Answers turn 1, and then always with the token of the ask before.

Expected: TIMEOUT in turns 2, 3, 4; benched.
"""

from wire_bot import Wire  # type: ignore[import-not-found]

wire = Wire()
former = 0
for ask in wire.asks():
    wire.point(former or ask.token, ask.crossing.legal[0])
    former = ask.token
