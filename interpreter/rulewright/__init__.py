"""Rulewright: board-game rulebooks as data.

    import rulewright as rw

    game  = rw.load("tic-tac-toe")                       # or a path; players=3, variants=["..."], options={...}
    state = game.start(seed=7)
    while (decision := state.decision) is not None:      # who is asked, which question, which options
        state = state.choose(decision.options[0])        # a new state; the old one is untouched
    print(state.result)
    state.view(0)                                        # what the first player may know
    state.why_not("(1, 1)")                              # the named restrictions that refuse it

Rules may spend a million steps on an answer, or what the host lays down:

    with rw.limited(rw.Limits(steps=50_000, seconds=2.0, cancel=event)):
        state = state.choose(answer)                     # rw.Stopped at the deadline and when cancelled

Everything that goes wrong with a ruleset, a file or an answer is a :class:`RulesetError` with diagnostics.
"""

from __future__ import annotations

from pathlib import Path

from rulewright.characters import UNSEEN, printable
from rulewright.checking import check
from rulewright.compiler import OptionValue, player_counts, sources
from rulewright.compiler.scenarios.compile_cache import cited, plan_scenario
from rulewright.data.rulebook import Statement
from rulewright.data.ruleset import Ruleset, SourceFile, find_rulesets, shipped_rulesets
from rulewright.data.ruleset import load_ruleset as _load_ruleset
from rulewright.diagnostics import Diagnostic, Edit, Fix, Report, RulesetError, Severity, Span
from rulewright.diff.compare import Comparison, Difference, Wording, compare
from rulewright.diff.editions import Edition, Side
from rulewright.engine import (
    PUBLIC,
    Cancellation,
    Decision,
    Dice,
    Heard,
    Limits,
    LogEntry,
    Option,
    Played,
    Policy,
    Reason,
    Refusal,
    Result,
    State,
    Stopped,
    limited,
)
from rulewright.engine.runtime.api_arguments import place
from rulewright.files import alone_in, read_text, write_text
from rulewright.fixing import Fixed, FixFilter, fix, line_ends_of
from rulewright.fuzzing import MOST as FUZZ_MOST
from rulewright.fuzzing import Found, FuzzArgumentError, FuzzReport, Setting, Story, Violation, fuzz
from rulewright.game import Game, load
from rulewright.ir.scenario_plan import ScenarioPlan
from rulewright.mutation import FUZZ as MUTATION_FUZZ
from rulewright.mutation import GAMES as MUTATION_GAMES
from rulewright.mutation import STAGES as MUTATION_STAGES
from rulewright.mutation import Mutant, MutationReport, mutate
from rulewright.mutation import MutantStatus as MutantStatus
from rulewright.mutation import Row as MutationRow
from rulewright.scenarios import Failure, ScenarioResult, run_scenario
from rulewright.syntax import format_text
from rulewright.syntax.ast import Clause, File
from rulewright.workers import workers

__version__ = "0.1.0"

__all__ = [
    "Cancellation",
    "FUZZ_MOST",
    "Clause",
    "Comparison",
    "Decision",
    "Diagnostic",
    "Dice",
    "Difference",
    "Edit",
    "Edition",
    "Failure",
    "File",
    "Fix",
    "Fixed",
    "Found",
    "FuzzArgumentError",
    "FuzzReport",
    "Game",
    "Heard",
    "Limits",
    "LogEntry",
    "MUTATION_FUZZ",
    "MUTATION_GAMES",
    "MUTATION_STAGES",
    "Mutant",
    "MutationReport",
    "MutationRow",
    "MutantStatus",
    "Option",
    "OptionValue",
    "PUBLIC",
    "Played",
    "Policy",
    "Reason",
    "Refusal",
    "Report",
    "Result",
    "Rulebook",
    "Ruleset",
    "RulesetError",
    "Ruling",
    "ScenarioPlan",
    "ScenarioResult",
    "Setting",
    "Severity",
    "Side",
    "SourceFile",
    "Span",
    "State",
    "Statement",
    "Stopped",
    "Story",
    "Violation",
    "UNSEEN",
    "FixFilter",
    "Wording",
    "alone_in",
    "check",
    "cited",
    "compare",
    "find_rulesets",
    "fix",
    "format_text",
    "fuzz",
    "limited",
    "line_ends_of",
    "load",
    "mutate",
    "open_ruleset",
    "player_counts",
    "printable",
    "read_text",
    "run_scenario",
    "scenarios",
    "shipped_rulesets",
    "sources",
    "workers",
    "write_text",
]


def open_ruleset(name_or_path: str | Path) -> Ruleset:
    """Read a ruleset: files parsed, data on demand. What is wrong with it stands in its ``diagnostics``."""
    return _load_ruleset(place("the ruleset", name_or_path))


def scenarios(ruleset: Ruleset) -> list[ScenarioPlan]:
    """All scenarios of a ruleset, planned; RulesetError if one of them makes no sense."""
    source = sources(ruleset)
    found: list[Diagnostic] = [d for d in (*ruleset.diagnostics, *source.findings) if d.is_error]
    plans: list[ScenarioPlan] = []
    for scenario in source.rules.scenarios if not found else ():
        plan, wrong = plan_scenario(source, scenario)
        if plan is not None:
            plans.append(plan)
        found += [d for d in wrong if d.is_error]
    if found:
        raise RulesetError(found)
    return plans
