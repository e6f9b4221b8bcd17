"""Expressions about maps: neighbours, ways, regions."""
