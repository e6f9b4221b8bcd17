"""Conditions that are decided before they are asked, or that ask for something else than they seem to."""
