"""Saves, logs and canonical bytes."""
