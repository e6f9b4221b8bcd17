"""Functions that play: chance, answers, games."""
