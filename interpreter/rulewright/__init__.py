"""Rulewright: board-game rulebooks as data.

    import rulewright as rw

    game  = rw.load("tic-tac-toe")                       # or a path; players=3, variants=["..."], options={...}
    state = game.start(seed=7)
    while (decision := state.decision) is not None:      # who is asked, which question, which options
        state = state.choose(decision.options[0])        # a new state; the old one is untouched
    print(state.result)
    state.view(0)                                        # what the first player may know
    state.why_not("(1, 1)")                              # the named restrictions that refuse it

Rules may spend one and a half million steps on an answer, or what the host lays down:

    with rw.limited(rw.Limits(steps=50_000, seconds=2.0, cancel=event)):
        state = state.choose(answer)                     # rw.Stopped at the deadline and when cancelled

Everything that goes wrong with a ruleset, a file or an answer is a :class:`RulesetError` with diagnostics.

What only some programs need stands in modules, ``rw.scenarios`` and so on: scenarios, fuzzing, mutation, contents,
confirmation, counterparts, diff (the types of :func:`compare`), disk_cache, display_names, examination,
fixing (those of :func:`fix`), reporting, citations, narration, navigation, plans, playing, rulesets,
view_model, vocabulary, files, characters, analysis, interrupts, names, offers and workers.
Nothing is imported before it is first asked for. Experiments, tournaments, learning and theory are in
:mod:`rulewright_lab`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.foundation.lazy import lazy_exports
from rulewright.foundation.versions import __version__ as __version__

if TYPE_CHECKING:
    from rulewright import navigation as navigation
    from rulewright import reporting as reporting
    from rulewright.comparison import contents as contents
    from rulewright.comparison import counterparts as counterparts
    from rulewright.comparison import diff as diff
    from rulewright.comparison.diff.comparing import compare as compare
    from rulewright.compiler import citations as citations
    from rulewright.data import display_names as display_names
    from rulewright.data import rulesets as rulesets
    from rulewright.data.opening import open_ruleset as open_ruleset
    from rulewright.data.ruleset import Ruleset as Ruleset
    from rulewright.data.ruleset_folders import shipped_rulesets as shipped_rulesets
    from rulewright.diagnostics import Diagnostic as Diagnostic
    from rulewright.diagnostics import RulesetError as RulesetError
    from rulewright.diagnostics import Severity as Severity
    from rulewright.diagnostics import Span as Span
    from rulewright.engine import Decision as Decision
    from rulewright.engine import Option as Option
    from rulewright.engine import Policy as Policy
    from rulewright.engine import Refusal as Refusal
    from rulewright.engine import Result as Result
    from rulewright.engine import State as State
    from rulewright.findings import confirmation as confirmation
    from rulewright.findings import examination as examination
    from rulewright.findings import fixing as fixing
    from rulewright.findings import fuzzing as fuzzing
    from rulewright.findings import mutation as mutation
    from rulewright.findings import plans as plans
    from rulewright.findings.check import check as check
    from rulewright.findings.check_cache import check_folder as check_folder
    from rulewright.findings.fixing import fix as fix
    from rulewright.findings.games import offers as offers
    from rulewright.findings.workspace import Workspace as Workspace
    from rulewright.foundation import characters as characters
    from rulewright.host import disk_cache as disk_cache
    from rulewright.host import files as files
    from rulewright.host import interrupts as interrupts
    from rulewright.host import workers as workers
    from rulewright.host.budgets import Limits as Limits
    from rulewright.host.budgets import Stopped as Stopped
    from rulewright.host.budgets import limited as limited
    from rulewright.navigation import vocabulary as vocabulary
    from rulewright.play import analysis as analysis
    from rulewright.play import narration as narration
    from rulewright.play import playing as playing
    from rulewright.play import scenarios as scenarios
    from rulewright.play import view_model as view_model
    from rulewright.play.game import Game as Game
    from rulewright.play.loading import load as load
    from rulewright.syntax import format_text as format_text
    from rulewright.syntax import names as names

    __all__: list[str]
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
