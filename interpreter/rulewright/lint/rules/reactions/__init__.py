"""Lint rules about reactions."""
