"""Lowering of what has a value."""
