"""Searching for trouble: players, coverage, and what every ruleset must keep."""
