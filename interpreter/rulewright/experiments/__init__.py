"""Experiments: several rulesets, variants and agents played with equal seeds, and what differs between them."""

from rulewright.experiments.arms import Arm, read_arms
from rulewright.experiments.experiment import Experiment
from rulewright.experiments.experiment_file import is_experiment, read_experiment
from rulewright.experiments.measures import UNITS
from rulewright.experiments.results import ArmResults, Compared, Results, Summary

__all__ = [
    "UNITS",
    "Arm",
    "ArmResults",
    "Compared",
    "Experiment",
    "Results",
    "Summary",
    "is_experiment",
    "read_arms",
    "read_experiment",
]
