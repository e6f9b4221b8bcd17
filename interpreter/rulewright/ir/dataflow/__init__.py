"""Data-flow analyses of programs: effects, liveness, and where an answer goes."""
