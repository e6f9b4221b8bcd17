"""Lowering of instructions and functions."""
