"""Lint rules about style."""
