"""`python -m crossing_arena` is the command `crossing-arena`."""

from crossing_arena.cli import main

main()
