"""The linter: lint rules over the declarations of a ruleset and its programs, and what they share."""
