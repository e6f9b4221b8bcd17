"""Scenarios made of games at the page."""
