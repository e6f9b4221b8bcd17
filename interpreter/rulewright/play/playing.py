"""Further types of playing: dice, log entries, whole games, games in place, reasons, engines, how a game is stopped.

The functions of the library give and take these; most programs need none of them by name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

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
    State,
    Stepper,
    Watch,
    native_engine,
)
from rulewright.host.budgets import Cancellation
from rulewright.play.setup_choices import SetupChoices, SetupParameter, setup_choices
from rulewright.search.position_analysis import PositionAnalysis, RatedAnswer, Search

if TYPE_CHECKING:
    from rulewright.play.scenario_game import ScenarioGame as ScenarioGame
    from rulewright.play.scenarios import ScenarioResult


def scenario_text(text: str, line: int) -> str:
    """The scenario of a file with rules in which a line stands, at the place where it stands: lines before it are
    empty. Nothing if no scenario is there."""
    from rulewright.play import scenario_game as games

    return games.scenario_text(text, line)


def scenario_game(ruleset: Ruleset, text: str, until: int | None = None) -> ScenarioGame:
    """The game of a scenario of some rules, whose text is given, played to a line of it, or to the first that does not
    hold.

    RulesetError if the text is no scenario of these rules, or if its position cannot be laid out.
    """
    from rulewright.play import scenario_game as games

    return games.scenario_game(ruleset, text, until)


def played(first: State, entries: Iterable[LogEntry]) -> list[State]:
    """The positions to which the entries of a log lead from a first one; of a log that does not fit, up to there."""
    from rulewright.play import scenario_game as games

    return games.played(first, entries)


def failed_openings(ruleset: Ruleset) -> tuple[ScenarioResult, ...]:
    """For each number of players for whom no game comes to a question, what has happened, as a scenario that failed."""
    from rulewright.play import setup_choices

    return tuple(setup_choices.failed_openings(ruleset))


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
