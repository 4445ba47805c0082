"""How fast the arena is on this machine, each figure as a ratio to a raw gRPC echo of the same run."""
