"""Evaluations of positions that were learnt: generic features of any game, and their weights in a file."""
