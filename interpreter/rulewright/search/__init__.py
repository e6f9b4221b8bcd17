"""Game tree search: simulations, trees, alpha-beta, outcome sampling, for positions that steppers play in place."""

from __future__ import annotations

from rulewright.search.alphabeta import AlphaBeta
from rulewright.search.flat_search import FlatSearch
from rulewright.search.information_set_search import InformationSetSearch
from rulewright.search.multiple_observer_search import MultipleObserverSearch
from rulewright.search.outcome_sampling import OutcomeSampling
from rulewright.search.position_analysis import (
    Effort,
    KeepGoing,
    PositionAnalysis,
    RatedAnswer,
    Search,
    always,
    best,
    chances_by_mean,
    ordered,
)
from rulewright.search.rollouts import WORDS, Evaluator, Rating, SteppedGame, seat_to_move
from rulewright.search.root_search import RootParallelSearch, RootSearch, threads_for
from rulewright.search.tree_search import TreeSearch
from rulewright.search.worlds import Worlds
