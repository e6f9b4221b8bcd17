"""What several lint rules ask of a ruleset or game."""
