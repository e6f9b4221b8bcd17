"""Lint rules about the rulebook and rulings."""
