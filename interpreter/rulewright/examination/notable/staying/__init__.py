"""Analyses of what stays where it is, or as it is, though it was to be forgotten."""
