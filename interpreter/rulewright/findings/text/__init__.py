"""The linter: lint rules over the declarations of a ruleset and its programs, and what they share.

A whole check, of which it is a part, is :mod:`rulewright.findings.check`.
"""
