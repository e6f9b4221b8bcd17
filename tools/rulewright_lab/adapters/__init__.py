"""Rulesets as games of other libraries, each module for one of them; none is imported unless it is asked for."""
