"""Checking a ruleset: findings and their fixes, what is kept of them, rulesets that are being edited."""
