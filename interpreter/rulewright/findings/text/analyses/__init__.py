"""Analyses that several lint rules share."""
