"""Recordings of games that were played: their positions and answers in the words of scenarios."""
