"""Neighbours of changed clauses: each small change of one that might have been meant in its place.

Weights are how often a moment with such a neighbour showed the mistake that a person had made, beside the average, over
47 slips of three authors (`tests/benchmarks/confirmation.py weights`); a fourth author's were not among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.compiler import OptionValue, sources
from rulewright.compiler.scenarios.compile_cache import plan_scenario
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import RulesetError
from rulewright.findings.mutation.baseline import same_game
from rulewright.findings.mutation.mutants import OPERATORS, Mutant, in_turn, is_in_variants, mutants
from rulewright.findings.mutation.operators.deletion_operators import DELETIONS
from rulewright.play.game import Game
from rulewright.play.loading import load
from rulewright.play.scenarios import run_scenario
from rulewright.syntax import ast

ALL = {**OPERATORS, **DELETIONS}

WEIGHTS = {
    "comparison": 1.5, "drop-modifier": 1.5, "drop-neighbours": 0.7, "drop-term": 0.4, "drop-where": 1.3,
    "move-statement": 0.7, "only-left": 1.8, "other-declared": 0.8, "other-local": 1.2, "plus-minus": 1.6,
    "quantity": 0.7, "restore": 1.6, "swap-arguments": 0.5, "swap-statements": 0.6, "when-asked": 1.5,
}  # fmt: skip
"""By operator; 1 for all others."""


def neighbours(game: Game) -> list[Mutant]:
    """The neighbours of all clauses of a variant, or of a whole ruleset, in the order in which they are tried.

    The likeliest of each line come first, then the next of each.
    """
    ruleset, titles = game.ruleset, game.program.variants
    made = [one for one in mutants(ruleset, [game.program], titles or None, ALL) if _is_own(ruleset, one, titles)]
    lines: dict[tuple[str, int], list[Mutant]] = {}
    for one in {(m.part, m.after, m.instead): m for m in made}.values():
        lines.setdefault((one.span.file, one.span.line), []).append(one)
    for line in lines.values():
        line.sort(key=weight, reverse=True)
    return list(in_turn(list(lines.values())))


def weight(mutant: Mutant) -> float:
    """The likelihood that a change is what was meant."""
    return WEIGHTS.get(mutant.operator, 1.0)


def _is_own(ruleset: Ruleset, mutant: Mutant, titles: tuple[str, ...]) -> bool:
    return is_in_variants(ruleset, mutant, titles) if titles else mutant.depth == 0


def played(game: Game, mutant: Mutant, options: Mapping[str, OptionValue] | None = None) -> Game | None:
    """The game with a change; None if it cannot be played, or is the same game."""
    try:
        other = load(mutant.applied(game.ruleset), game.players, game.program.variants, options)
    except RulesetError:
        return None
    return None if same_game(game.program, other.program) else other


MOST_SCENARIOS = 40
"""So many scenarios are run by each neighbour."""


def scenarios_of(game: Game) -> list[ast.Scenario]:
    """The scenarios of a ruleset that are about a game with the same variants, and hold in it, the last ones first."""
    found = sources(game.ruleset).rules.scenarios
    titles = list(game.program.variants)
    alike = [one for one in found if [line.title for line in one.lines if isinstance(line, ast.SVariant)] == titles]
    return [one for one in alike[::-1][:MOST_SCENARIOS] if not fails(game, [one])]


def fails(game: Game, scenarios: Iterable[ast.Scenario]) -> bool:
    """True if one of some scenarios does not hold in a game, or makes no sense."""
    known = sources(game.ruleset)
    for one in scenarios:
        plan, _ = plan_scenario(known, one)
        if plan is None or run_scenario(plan).failure is not None:
            return True
    return False
