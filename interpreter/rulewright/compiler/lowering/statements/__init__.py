"""Lowering of statements that ask nobody, and of the functions in which they stand."""
