"""Experiments: several rulesets, variants and agents played with equal seeds, and what differs between them."""

from rulewright_lab.experiments.arms import Arm, read_arms
from rulewright_lab.experiments.balance.aiming import Aimed, Candidate, Search
from rulewright_lab.experiments.balance.sensitivity import (
    POINT_GAMES,
    SAMPLES,
    Index,
    Moved,
    Moves,
    Sensitivity,
    SensitivityAnalysis,
)
from rulewright_lab.experiments.balance.sweeps import Unloadable, describe, swept_by
from rulewright_lab.experiments.balance.targets import Target
from rulewright_lab.experiments.columns.measures import UNITS
from rulewright_lab.experiments.columns.portion_columns import PortionColumns
from rulewright_lab.experiments.columns.wanted import FORMS, Wanted
from rulewright_lab.experiments.estimates.estimator import Estimate
from rulewright_lab.experiments.experiment import GAMES, MOST_GAMES, Experiment
from rulewright_lab.experiments.experiment_file import Question, is_experiment, read_experiment, read_question
from rulewright_lab.experiments.extra_results import EstimateDifference, ExtraResults
from rulewright_lab.experiments.importance import importance, most_important_first, topic
from rulewright_lab.experiments.journal import Journal
from rulewright_lab.experiments.observers.answers import AnswerShare
from rulewright_lab.experiments.observers.curves import Point, Sums
from rulewright_lab.experiments.observers.drama import drama
from rulewright_lab.experiments.recorded_arm import RecordedArm, RecordedGame
from rulewright_lab.experiments.results import ArmResults, Compared, Results
from rulewright_lab.experiments.statistics.column_statistics import ColumnStatistics, Histogram, PairStatistics
from rulewright_lab.experiments.statistics.paired_differences import Difference, detectable, mean_interval
from rulewright_lab.experiments.statistics.stopping import Aim, Stopping
from rulewright_lab.experiments.tables import CSV, PARQUET, Frame, GameRows, TableFolder, frame
