"""Reads its token and ends, content with itself.

Expected: START-UP in turn 1; benched.
"""

import sys

sys.stdin.readline()
print("all done")
