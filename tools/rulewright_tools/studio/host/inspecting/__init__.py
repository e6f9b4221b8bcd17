"""The parts of the host that look under a game: state, rules in use, the rulebook beside them, plans and cost."""
