"""Lint rules about who sees what."""
