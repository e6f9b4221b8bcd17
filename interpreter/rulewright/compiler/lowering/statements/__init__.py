"""Lowering of statements without questions, and of the functions in which they stand."""
