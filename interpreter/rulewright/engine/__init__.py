"""The engine: plays programs. It knows nothing of rules files; see :mod:`rulewright.ir.model` for what it runs.

state = start(program, seed=7)
while (decision := state.decision) is not None:
    state = state.choose(decision.options[0])
print(state.result)
"""

from __future__ import annotations

from rulewright.engine import random_numbers
from rulewright.engine.cells.layout import most_options
from rulewright.engine.faults import NO_OPTION
from rulewright.engine.hidden_information.answers.audience import (
    has_hidden_information,
    has_private_information,
)
from rulewright.engine.hidden_information.observations.history import Observer
from rulewright.engine.hidden_information.observations.ranking_values import RankingValue, ranking_values
from rulewright.engine.hidden_information.worlds.leaks import LeakSearch, leaks
from rulewright.engine.kernels import alpha_beta as alpha_beta_kernel
from rulewright.engine.kernels import information_sets as information_sets_kernel
from rulewright.engine.kernels import move_averages as move_averages_kernel
from rulewright.engine.kernels import rollouts as rollouts_kernel
from rulewright.engine.kernels import tree as tree_kernel
from rulewright.engine.kernels.vocabulary import Records
from rulewright.engine.native.observation_plan import (
    Observed,
    ObservedField,
    ObservedQuestion,
    ObservedZone,
    Sight,
    ValueForm,
)
from rulewright.engine.native.passes import ALL as ALL_PASSES
from rulewright.engine.native.passes import PASSES, Passes
from rulewright.engine.native.passes import parsed as parsed_passes
from rulewright.engine.native.suspended_state import SuspendedState
from rulewright.engine.native.tiering import EngineName, backend_for, native_engine
from rulewright.engine.persistence.saving import LOG_FORMAT, log_data
from rulewright.engine.policies.exploration import (
    BEGINNING,
    Aim,
    Explored,
    Explorer,
    Origin,
    SeededRun,
    Way,
    explorer,
    laid,
)
from rulewright.engine.policies.many_playouts import MeasuredGames, Playouts, measured_games, play_many
from rulewright.engine.policies.playout import Played, Playout, judging, visited
from rulewright.engine.policies.policy import FORMS as POLICY_FORMS
from rulewright.engine.policies.policy import WORDS as POLICY_WORDS
from rulewright.engine.policies.policy import (
    Agent,
    Choice,
    Policy,
    PreparedAgent,
    backend_of,
    choice_of,
    each_seat,
    is_agent,
    pick,
    policy,
    pooled_choice,
    rating_queries,
    rating_query,
)
from rulewright.engine.random_numbers import Dice, GatheredAnswers, RandomAnswers
from rulewright.engine.runtime.assertions import Broken, broken, broken_step, unkept, witnessed
from rulewright.engine.runtime.canonical_form import runs
from rulewright.engine.runtime.machine import Engine, engine_of
from rulewright.engine.runtime.query_calls import readable
from rulewright.engine.runtime.records import PUBLIC, Decision, Heard, LogEntry, Mode, Option, Result, outcome, won
from rulewright.engine.runtime.refusals import NOT_AMONG, Reason, Refusal, Refusals
from rulewright.engine.runtime.shuffles import Shuffle, living, shuffle_of
from rulewright.engine.runtime.simultaneous_node import is_decided_at_once
from rulewright.engine.search_arithmetic import (
    ALL_AT_ONCE,
    ALL_TRIED,
    EXPLORATION,
    EXPLORATION_OF_WORLDS,
    LONGEST_PATH,
    LONGEST_REST,
    MOST_BRANCHES,
    MOST_ENTRIES,
    MOST_OUTCOMES,
    WIDE,
    WIDENING,
)
from rulewright.engine.search_arithmetic import DICE as SEARCH_STREAM
from rulewright.engine.states.announcements import AnnouncedLine, Glimpse, Note, announced_lines, moments, notes_between
from rulewright.engine.states.epistemic import Knowledge, knowledge
from rulewright.engine.states.loading import load, replay, replay_data
from rulewright.engine.states.position import Position
from rulewright.engine.states.property_watch import Checks, Watch
from rulewright.engine.states.state import State, advance, lay_picture
from rulewright.engine.stepping import batch
from rulewright.engine.stepping.batch import Batch, Episodes
from rulewright.engine.stepping.engine_choice import batch_of, native_episodes, stepper_of
from rulewright.engine.stepping.search_results import (
    AlphaBetaSolver,
    CannotGoOn,
    InformationSetTree,
    OptionStatistics,
    Payoffs,
    RootStatistics,
    SearchTree,
)
from rulewright.engine.stepping.stepper import Snapshot, Stepper, apply_with_forced, state_of
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir.model import Program
from rulewright.ir.transform.passes import Pass


def start(
    program: Program,
    seed: int = 0,
    ask_chance: bool = False,
    fired: list[int] | None = None,
    watch: Watch | None = None,
    passes: Passes = ALL_PASSES,
) -> State:
    """A new game, at its first decision.

    With `ask_chance` chance is a decision too, with weights; else it is drawn from the seed. `fired` counts the uses
    of each rule, in the order of ``engine_of(program).rule_names``; a `watch` checks the properties.
    """
    engine = engine_of(program, passes)
    cells, stack = engine.begin(seed)
    block = engine.push(stack, program.main, ())
    return advance(engine, cells, stack, 3, block, Mode(ask_chance, True, fired, watch), None)
