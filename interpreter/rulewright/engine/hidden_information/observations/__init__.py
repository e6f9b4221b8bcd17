"""Observations of a player: views, the log, refusals, the history."""
