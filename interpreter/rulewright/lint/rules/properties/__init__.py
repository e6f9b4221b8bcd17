"""Lint rules about properties."""
