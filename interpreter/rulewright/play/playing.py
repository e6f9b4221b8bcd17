"""Further types of playing: dice, log entries, whole games, games in place, reasons, engines, how a game is stopped.

The functions of the library give and take these; most programs need none of them by name.
"""

from __future__ import annotations

from rulewright.agents.position_analysis import PositionAnalysis, RatedAnswer, Search
from rulewright.agents.word_lists import join_words, split_words
from rulewright.agents.words import FORMS as AGENTS
from rulewright.compiler import OptionValue, sources
from rulewright.compiler import player_counts as _counts
from rulewright.data.place_graph import PlaceGraph
from rulewright.data.ruleset import Ruleset
from rulewright.engine import (
    PASSES,
    PUBLIC,
    Agent,
    Batch,
    Dice,
    EngineName,
    Heard,
    LogEntry,
    Played,
    Playouts,
    Reason,
    Snapshot,
    Stepper,
    Watch,
    native_engine,
)
from rulewright.host.budgets import Cancellation
from rulewright.play.setup_choices import SetupChoices, SetupParameter, setup_choices


def player_counts(ruleset: Ruleset) -> tuple[int, ...]:
    """The numbers of players that a ruleset is for; none if it does not say it in a way that can be read."""
    return tuple(_counts(sources(ruleset).rules))


__all__ = [
    "AGENTS",
    "PASSES",
    "PUBLIC",
    "Agent",
    "Batch",
    "Cancellation",
    "Dice",
    "EngineName",
    "Heard",
    "LogEntry",
    "OptionValue",
    "PlaceGraph",
    "Played",
    "Playouts",
    "RatedAnswer",
    "Reason",
    "Snapshot",
    "Stepper",
    "Search",
    "SetupChoices",
    "SetupParameter",
    "PositionAnalysis",
    "Watch",
    "native_engine",
    "player_counts",
    "setup_choices",
    "join_words",
    "split_words",
]
