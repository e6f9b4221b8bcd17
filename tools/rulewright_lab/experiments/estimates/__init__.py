"""Estimates that are no means of single games: how much luck and skill decide, and how large the game tree is."""
