"""Reactions and state-based consequences: when they are looked at, and in which order."""
