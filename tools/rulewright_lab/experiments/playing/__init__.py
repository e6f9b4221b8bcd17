"""Games of an experiment: who plays them, and in which portions."""
