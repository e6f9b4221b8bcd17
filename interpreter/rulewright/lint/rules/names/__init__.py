"""Lint rules about names."""
