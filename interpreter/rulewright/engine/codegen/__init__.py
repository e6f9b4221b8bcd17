"""From a program to Python functions."""
