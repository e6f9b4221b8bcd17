"""Remarks of the checker about what a change brings, or about a whole game, listed beside the findings of an
examination.

They keep their codes, so that the comments that suppress them hold here, too. What is only about the form of the rules,
their files or their rulebook is left to the checker.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulewright.compiler.overlays.addresses import walk
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, Severity
from rulewright.diagnostics.codes import group_of
from rulewright.findings.check import check
from rulewright.findings.games.playing.playing_budget import PlayingBudget
from rulewright.findings.mutation.guarding import unguarded
from rulewright.findings.suspects import LEVELS, Finding, Level, Suspect
from rulewright.play.game import Game
from rulewright.syntax import ast

MEANING = frozenset({"REF", "TYP", "CTL", "CHO", "CHN", "INF", "TRG", "MAP"})
"""Groups of codes that are about what the rules define."""
LEFT_OUT = frozenset({"REF018", "REF019", "INF329"})
"""Codes of these groups that are about names, or about those who look ahead."""
POSSIBLE = frozenset({"TYP238", "CHO310"})
"""Codes of what may go wrong as far as the rules show, and mostly cannot: they are worth knowing."""
_QUOTED = re.compile(r"`([^`]+)`")


def remarks(ruleset: Ruleset, titles: tuple[str, ...]) -> Iterator[Finding]:
    """The warnings and hints of the checker about the variants with these titles; without titles about the ruleset,
    without those that the ruleset beneath it gets as well.
    """
    found = [one for one in check(ruleset, variants=titles) if _is_about_meaning(one)]
    if titles:
        found = list(_of_variants(found, ruleset, titles))
    elif found and ruleset.base is not None:
        known = {(one.code, one.message) for one in check(ruleset.base)}
        found = [one for one in found if (one.code, one.message) not in known]
    times = Counter[str]()
    for one in found:
        key = f"{one.code}/{'/'.join(_QUOTED.findall(one.message)) or one.message}"
        times[key] += 1
        again = f"/{times[key]}" if times[key] > 1 else ""
        certain = one.severity is Severity.WARNING and one.code not in POSSIBLE
        level = Level.DOUBTFUL if certain else Level.NOTABLE
        yield Finding(f"{key}{again}", one.code, one.message, one.hint, one.span, one.cites, remark=level)


def _is_about_meaning(one: Diagnostic) -> bool:
    return not one.is_error and group_of(one.code) in MEANING and one.code not in LEFT_OUT


def _of_variants(found: Iterable[Diagnostic], ruleset: Ruleset, titles: tuple[str, ...]) -> Iterator[Diagnostic]:
    """The findings that stand in the lines of variants, or are made by one of them alone, or by all."""
    decls = [decl for file in ruleset.files for decl in file.file.decls if isinstance(decl, ast.Variant)]
    lines = {
        (decl.span.file, line)
        for decl in decls
        if decl.title in titles
        for line in range(decl.span.line, max(clause.span.end_line for clause in (decl, *walk(decl))) + 1)
    }
    named = " and ".join(f'"{title}"' for title in titles)
    notes = {f"with the variants {named}", *(f'with the variant "{title}"' for title in titles)}
    for one in found:
        if (one.span.file, one.span.line) in lines or notes.intersection(one.notes):
            yield one


UNGUARDED = "clauses that no scenario guards"
"""The name of this analysis, for those who wait."""


def unguarded_clauses(games: list[Game], budget: PlayingBudget) -> Iterator[Suspect]:
    """The scenarios of a variant hold with another number, without a restriction and so on: nothing tests it."""
    first = games[0]
    universes = dict.fromkeys(universe for game in games for universe in game.program.universes)
    for one in unguarded(first.ruleset, first.variants, universes, lambda: budget.over):
        mutant = one.mutant
        instead = f"with `{mutant.after}` in its place" if mutant.after else "without it"
        held = f"all {one.scenarios} scenarios of the change hold" if one.scenarios > 1 else "the scenario holds"
        yield Suspect(
            "EXM301",
            mutant.rule,
            mutant.before,
            f"nothing tests `{mutant.before}`: {instead} {held} as well",
            "a scenario that looks at what it does, or refuses, would guard it",
            span=mutant.span,
        )


LOOKED_FOR = frozenset(code for code in LEVELS if code.startswith("EXM1")) | {
    "EXM202",
    "EXM205",
    "EXM206",
    "EXM210",
    "EXM211",
    "EXM302",
    "EXM303",
    "EXM304",
    "EXM305",
}
"""Codes that are looked for in a whole game."""


def without_rules(game: Game) -> Game:
    """A game that has the things of another one and no rules: all that stands in that one is new beside it."""
    program = replace(game.program, fields=(), zones=(), queries=(), functions=())
    return Game(program, game.ruleset, game.backend)
