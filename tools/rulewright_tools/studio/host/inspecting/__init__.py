"""What lies under a game: its state, the rules that were used, the statements that they cite, what they cost."""
