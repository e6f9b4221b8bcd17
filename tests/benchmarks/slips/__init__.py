"""Slips of meaning: variants of the shipped games, each with one slip, and the right version beside it.

collection ──► running ──► judging ──► tables, pages      read, examined in processes, told from each other, counted
    │             └── record                              kept, so that a run that was interrupted goes on
    └── games/GAME: slips.toml, NAME.rules, NAME-right.rules
"""
