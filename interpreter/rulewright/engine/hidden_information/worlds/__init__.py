"""Imagined worlds: positions that a player cannot distinguish from the true one."""
