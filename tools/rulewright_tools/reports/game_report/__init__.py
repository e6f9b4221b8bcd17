"""The report of a game for those who publish it: who plays and how often, what is gathered, and the page."""
