"""Ends by a real-time signal, which has no name in Python, before its hello.

Expected: START-UP in turn 1; benched.
"""

import os

os.kill(os.getpid(), 40)
