"""Lint rules about values and conditions."""
