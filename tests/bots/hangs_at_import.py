"""Never gets to its first line that plays.

Expected: START-UP in turn 1; benched.
"""

import signal
import sys

print("loading the weights", file=sys.stderr, flush=True)
while True:
    signal.pause()
