"""Scenarios compiled to plans, and the cache of compiled games that they share."""
