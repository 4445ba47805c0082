"""Says hello with a token it made up.

Expected: START-UP in turn 1; benched.
"""

from wire_bot import Wire  # type: ignore[import-not-found]

for _ask in Wire("let-me-in").asks():
    pass
