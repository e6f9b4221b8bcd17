"""Rulesets as games of other libraries, each module for one of them; none is imported before its first use."""
