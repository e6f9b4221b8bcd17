"""Analyses of numbers that are counted or paid otherwise than it looks."""
