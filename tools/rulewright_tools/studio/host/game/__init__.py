"""A game as a page sees it: where it looks and with whose eyes, what it is shown of it, and its methods."""
