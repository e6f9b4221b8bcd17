"""Observers of games that are gone through once more, answer by answer: each gives numbers of the game, by name."""

from rulewright_lab.experiments.observers.curves import CourseWalk, Observer

__all__ = ["CourseWalk", "Observer"]
