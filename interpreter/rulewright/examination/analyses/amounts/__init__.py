"""Amounts and values: prices that are asked for, what is set and overwritten, lists and shares."""
