"""Remarks of the checker about what a change brings, or about a whole game, listed beside the findings of an
examination.

They keep their codes, so that the comments that suppress them hold here, too. What is only about the form of the rules,
their files or their rulebook, and hints, are left to the checker.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from rulewright.compiler.overlays.addresses import walk
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, Severity
from rulewright.diagnostics.codes import group_of
from rulewright.findings.check import check
from rulewright.findings.suspects import Finding
from rulewright.syntax import ast

MEANING = frozenset({"REF", "TYP", "CTL", "CHO", "CHN", "INF", "TRG", "MAP"})
"""Groups of codes that are about what the rules define."""
LEFT_OUT = frozenset({"REF018", "REF019", "INF329", "TYP238", "CHO310"})
"""Codes of these groups that are about names, about those who look ahead, or about what mostly cannot go wrong."""
_QUOTED = re.compile(r"`([^`]+)`")


def remarks(ruleset: Ruleset, titles: tuple[str, ...]) -> Iterator[Finding]:
    """The warnings of the checker about the variants with these titles; without titles about the ruleset,
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
        yield Finding(f"{key}{again}", one.code, one.message, one.hint, one.span, one.cites, is_remark=True)


def _is_about_meaning(one: Diagnostic) -> bool:
    about_rules = group_of(one.code) in MEANING and one.code not in LEFT_OUT
    return one.severity is Severity.WARNING and about_rules


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
