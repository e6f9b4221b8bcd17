"""Lint rules about choices and restrictions."""
