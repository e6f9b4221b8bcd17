"""Programs: the closed, typed form of a game that the compiler makes and every backend runs."""
