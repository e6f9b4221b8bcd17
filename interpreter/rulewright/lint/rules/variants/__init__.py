"""Lint rules about variants and numbers of players."""
