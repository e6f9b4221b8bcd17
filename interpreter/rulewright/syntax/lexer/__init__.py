"""Logical lines and tokens, before there is any tree."""
