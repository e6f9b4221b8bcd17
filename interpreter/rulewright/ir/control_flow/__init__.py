"""Control flow of programs: calls, graphs of instructions, fixpoints, liveness, shapes of functions."""
