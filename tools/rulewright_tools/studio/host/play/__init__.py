"""A game as a thing that is played: its line of play and branches, who plays it, its table, and all games by name."""
