"""Decisions: options, their keys, interchangeable pieces, and reasons why an answer is refused."""
