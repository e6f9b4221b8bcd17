"""Analyses of who gets, loses, or learns something."""
