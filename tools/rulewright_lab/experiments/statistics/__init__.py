"""Statistics of the columns of an experiment: what differs, by how much, and when it is known."""
