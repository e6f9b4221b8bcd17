"""Findings about a ruleset, by what is looked at.

text            lint rules: the declarations, and the programs made of them
program         the program alone, or beside that of its base
games           games that are played, of a variant beside those of its base
examination     program, games and remarks of the checker: rules that can be played, and say something else than meant
fuzzing         failures of games
model_finding   positions that no game comes to, laid by a solver
mutation        changes of the rules that no scenario of the ruleset finds

All codes are in one registry (:mod:`rulewright.diagnostics.codes`), all are accepted by the same comments
(`suppressions`), and a suspect of an analysis finds its line by `places`. `check` is what a ruleset must pass to be
played, `check_cache` keeps its results, `workspace` is a ruleset that is edited, `fixing` applies fixes, `plans` says
how a rule is carried out and what it costs.
"""
