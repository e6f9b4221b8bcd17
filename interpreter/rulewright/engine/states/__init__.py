"""States of a game for those who play it, and where they come from: answers, positions, saves, logs."""
