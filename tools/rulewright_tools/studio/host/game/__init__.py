"""The game that a page plays: its line of play, who sees it, and what is shown of it."""
