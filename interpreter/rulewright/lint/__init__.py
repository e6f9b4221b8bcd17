"""Checks of a ruleset: `check` and `fix`, findings kept between runs, rulesets in an editor, and the `linter`."""
