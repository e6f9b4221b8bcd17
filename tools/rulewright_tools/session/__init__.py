"""A game that is being played at the terminal, and who plays it."""
