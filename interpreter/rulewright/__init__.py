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

What only some programs need stands in modules, ``rw.scenarios`` and so on: scenarios, fuzzing, mutation, contents,
counterparts, diff (the types of :func:`compare`), disk_cache, display_names, fixing (those of :func:`fix`), reporting,
citations, narration, navigation, divergence, plans, playing, rulesets, view_model, vocabulary, files, characters and
workers. Nothing is imported before it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.lazy import lazy_exports

if TYPE_CHECKING:
    from rulewright import characters as characters
    from rulewright import citations as citations
    from rulewright import contents as contents
    from rulewright import counterparts as counterparts
    from rulewright import diff as diff
    from rulewright import disk_cache as disk_cache
    from rulewright import display_names as display_names
    from rulewright import divergence as divergence
    from rulewright import files as files
    from rulewright import fixing as fixing
    from rulewright import fuzzing as fuzzing
    from rulewright import mutation as mutation
    from rulewright import narration as narration
    from rulewright import navigation as navigation
    from rulewright import plans as plans
    from rulewright import playing as playing
    from rulewright import reporting as reporting
    from rulewright import rulesets as rulesets
    from rulewright import scenarios as scenarios
    from rulewright import view_model as view_model
    from rulewright import vocabulary as vocabulary
    from rulewright import workers as workers
    from rulewright.budgets import Limits as Limits
    from rulewright.budgets import Stopped as Stopped
    from rulewright.budgets import limited as limited
    from rulewright.check_cache import check_folder as check_folder
    from rulewright.checking import check as check
    from rulewright.data.ruleset import Ruleset as Ruleset
    from rulewright.data.ruleset import shipped_rulesets as shipped_rulesets
    from rulewright.diagnostics import Diagnostic as Diagnostic
    from rulewright.diagnostics import RulesetError as RulesetError
    from rulewright.diagnostics import Severity as Severity
    from rulewright.diagnostics import Span as Span
    from rulewright.diff.comparing import compare as compare
    from rulewright.engine import Decision as Decision
    from rulewright.engine import Option as Option
    from rulewright.engine import Policy as Policy
    from rulewright.engine import Refusal as Refusal
    from rulewright.engine import Result as Result
    from rulewright.engine import State as State
    from rulewright.fixing import fix as fix
    from rulewright.game import Game as Game
    from rulewright.game import load as load
    from rulewright.opening import open_ruleset as open_ruleset
    from rulewright.syntax import format_text as format_text
    from rulewright.workspace import Workspace as Workspace

    __all__: list[str]

__version__ = "0.1.0"

_EXPORTS = {
    "rulewright.budgets": ("Limits", "Stopped", "limited"),
    "rulewright.check_cache": ("check_folder",),
    "rulewright.checking": ("check",),
    "rulewright.data.ruleset": ("Ruleset", "shipped_rulesets"),
    "rulewright.diagnostics": ("Diagnostic", "RulesetError", "Severity", "Span"),
    "rulewright.diff.comparing": ("compare",),
    "rulewright.engine": ("Decision", "Option", "Policy", "Refusal", "Result", "State"),
    "rulewright.fixing": ("fix",),
    "rulewright.game": ("Game", "load"),
    "rulewright.opening": ("open_ruleset",),
    "rulewright.syntax": ("format_text",),
    "rulewright.workspace": ("Workspace",),
}
"""The names that each module defines."""

_MODULES = (
    "characters",
    "citations",
    "contents",
    "counterparts",
    "diff",
    "disk_cache",
    "display_names",
    "files",
    "fixing",
    "fuzzing",
    "mutation",
    "narration",
    "navigation",
    "divergence",
    "plans",
    "playing",
    "reporting",
    "rulesets",
    "scenarios",
    "view_model",
    "vocabulary",
    "workers",
)

if not TYPE_CHECKING:  # mypy would take any name for one that is here
    __getattr__, __dir__, __all__ = lazy_exports(__name__, _EXPORTS, _MODULES)
