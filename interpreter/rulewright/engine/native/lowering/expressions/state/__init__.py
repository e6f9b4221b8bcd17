"""Expressions about the state: zones, whole positions, positions after an effect."""
