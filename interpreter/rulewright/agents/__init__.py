"""Players who are no people: the words that name them, and searches that look further ahead than one answer."""
