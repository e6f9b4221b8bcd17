"""Measures of games, and the columns that hold their values."""
