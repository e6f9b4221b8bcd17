"""Lint rules about maps."""
