"""Pictures of positions: what is to be seen, and how it looks."""
