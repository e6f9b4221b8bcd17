"""Lint rules about zones and the pieces that move between them."""
