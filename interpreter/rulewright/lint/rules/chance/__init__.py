"""Lint rules about chance."""
