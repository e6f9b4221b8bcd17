"""Lint rules about how games end."""
