"""Mutation operators: each gives small changes of a node."""
