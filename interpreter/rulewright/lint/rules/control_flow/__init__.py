"""Lint rules about the course of the game."""
