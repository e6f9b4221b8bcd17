"""The studio: a page in which a game is seen, played and changed, and what answers the page."""
