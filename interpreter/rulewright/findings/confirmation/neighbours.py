"""Neighbours of changed clauses: each small change of one that might have been meant in its place.

Weights are how often a moment with such a neighbour showed the mistake that a person had made, beside the average, over
47 slips of three authors (`tests/benchmarks/confirmation.py weights`); a fourth author's were not among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.compiler import OptionValue, compile_program, sources
from rulewright.compiler.lowering.sharing import UnitCache
from rulewright.compiler.scenarios.compile_cache import plan_scenario
from rulewright.data.ruleset import Ruleset
from rulewright.findings.mutation.baseline import same_game
from rulewright.findings.mutation.mutants import OPERATORS, Mutant, declarations, in_turn, mutants
from rulewright.findings.mutation.mutation_sites import nodes
from rulewright.findings.mutation.operators.deletion_operators import DELETIONS
from rulewright.play.game import Game
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
    made = mutants(ruleset, [game.program], titles or None, ALL, own=True)
    lines: dict[tuple[str, int], list[Mutant]] = {}
    for one in {(m.part, m.after, m.instead): m for m in made}.values():
        lines.setdefault((one.span.file, one.span.line), []).append(one)
    for line in lines.values():
        line.sort(key=weight, reverse=True)
    return list(in_turn(list(lines.values())))


def of_numbers(ruleset: Ruleset, made: Iterable[Mutant]) -> list[Mutant]:
    """The neighbours of clauses that say something else for other numbers of players, or that replace one that does."""
    names, lines = set[str](), set[tuple[str, int]]()
    for *_, decl in declarations(ruleset):
        for node in nodes(decl):
            if isinstance(node, ast.ByCount | ast.WithPlayers):
                names.add(getattr(decl, "name", ""))
                lines.update((node.span.file, line) for line in range(node.span.line, node.span.end_line + 1))
    return [one for one in made if one.name in names or (one.span.file, one.span.line) in lines]


def weight(mutant: Mutant) -> float:
    """The likelihood that a change is what was meant."""
    return WEIGHTS.get(mutant.operator, 1.0)


def played(
    game: Game, mutant: Mutant, units: UnitCache, options: Mapping[str, OptionValue] | None = None
) -> Game | None:
    """The game with a change; None if it cannot be played, or is the same game. What neighbours have in common is
    compiled once, and kept in `units`."""
    changed = mutant.applied(game.ruleset)
    source = sources(changed.without_scenarios)
    source.units = units
    if changed.play_errors or any(one.is_error for one in source.findings):
        return None
    program, _ = compile_program(source, game.players, game.program.variants, options)
    return None if program is None or same_game(game.program, program) else Game(program, changed)


MOST_SCENARIOS = 40
"""So many scenarios are run by each neighbour."""


def scenarios_of(game: Game, units: UnitCache) -> list[ast.Scenario]:
    """The scenarios of a ruleset that are about a game with the same variants, and hold in it, the last ones first."""
    found = sources(game.ruleset).rules.scenarios
    titles = list(game.program.variants)
    alike = [one for one in found if [line.title for line in one.lines if isinstance(line, ast.SVariant)] == titles]
    return [one for one in alike[::-1][:MOST_SCENARIOS] if not fails(game, [one], units)]


def fails(game: Game, scenarios: Iterable[ast.Scenario], units: UnitCache) -> bool:
    """True if one of some scenarios does not hold in a game, or makes no sense."""
    known = sources(game.ruleset)
    known.units = units
    for one in scenarios:
        plan, _ = plan_scenario(known, one)
        if plan is None or run_scenario(plan).failure is not None:
            return True
    return False
