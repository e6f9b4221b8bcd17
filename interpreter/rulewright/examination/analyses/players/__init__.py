"""Players who are taken for each other: whose things are changed, who is compared with whom, who wins."""
