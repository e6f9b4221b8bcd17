"""Experiments: several rulesets, variants and agents played with equal seeds, and what differs between them."""

from rulewright.experiments.arms import Arm, read_arms
from rulewright.experiments.column_statistics import ColumnStatistics, Histogram, PairStatistics
from rulewright.experiments.experiment import GAMES, MOST_GAMES, Experiment
from rulewright.experiments.experiment_file import is_experiment, read_experiment
from rulewright.experiments.journal import Journal
from rulewright.experiments.measures import UNITS
from rulewright.experiments.paired_differences import mean_interval
from rulewright.experiments.portion_columns import PortionColumns
from rulewright.experiments.results import ArmResults, Compared, Results
from rulewright.experiments.stopping import Aim, Stopping

__all__ = [
    "UNITS",
    "Aim",
    "Arm",
    "ArmResults",
    "GAMES",
    "MOST_GAMES",
    "ColumnStatistics",
    "Compared",
    "Experiment",
    "Histogram",
    "Journal",
    "PairStatistics",
    "PortionColumns",
    "Results",
    "Stopping",
    "is_experiment",
    "mean_interval",
    "read_arms",
    "read_experiment",
]
