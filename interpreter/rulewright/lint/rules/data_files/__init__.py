"""Lint rules about tables and other data files."""
