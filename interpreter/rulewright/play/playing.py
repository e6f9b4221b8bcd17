"""Further types of playing: dice, log entries, whole games, games in place, reasons, engines, how a game is stopped.

The functions of the library give and take these; most programs need none of them by name.
"""

from __future__ import annotations

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
from rulewright.play.scenario_game import ScenarioGame, played, scenario_game, scenario_text
from rulewright.play.setup_choices import SetupChoices, SetupParameter, failed_openings, setup_choices
from rulewright.search.position_analysis import PositionAnalysis, RatedAnswer, Search


def player_counts(ruleset: Ruleset) -> tuple[int, ...]:
    """The numbers of players that a ruleset is for; none if it does not say it in a way that can be read."""
    return tuple(_counts(sources(ruleset.without_scenarios).rules))


__all__ = [
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
    "ScenarioGame",
    "Snapshot",
    "Stepper",
    "Search",
    "SetupChoices",
    "SetupParameter",
    "PositionAnalysis",
    "Watch",
    "failed_openings",
    "native_engine",
    "played",
    "player_counts",
    "scenario_game",
    "scenario_text",
    "setup_choices",
]
