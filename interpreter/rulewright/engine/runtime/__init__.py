"""States and the machine that takes them from one decision to the next."""
