"""Places of suspects in the rules: programs know where rules with a name stand, other lines are found by words."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.tree_walk import nodes
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import NOWHERE, Span
from rulewright.findings.suspects import Finding, Suspect
from rulewright.ir import model as m
from rulewright.syntax import ast


class Places:
    """The lines of a ruleset and of its variants."""

    def __init__(self, ruleset: Ruleset, program: m.Program) -> None:
        self._rules = {info.name: info for info in program.rules}
        self._titles = frozenset(program.variants)
        self._files = [file for under in _upwards(ruleset) for file in under.files if file.role != "scenario"]

    def finding(self, suspect: Suspect) -> Finding:
        """A suspect with its place."""
        cites = self._rules[suspect.rule].cites if suspect.rule in self._rules else ()
        span = suspect.span or self._span(suspect)
        details = suspect.story, suspect.scenario
        return Finding(suspect.key, suspect.code, suspect.message, suspect.hint, span, cites, *details)

    def _span(self, suspect: Suspect) -> Span:
        searches = ((suspect.kinds, suspect.words | suspect.names), (suspect.otherwise, suspect.words))
        for kinds, words in searches if suspect.rule not in self._rules else ():
            clauses = (*self._clauses_of_variants(), *self._declarations(suspect.function))
            for clause in clauses if kinds else ():
                fitting = [node.span for node in nodes(clause) if self._fits(node, kinds, words, suspect)]
                if fitting:
                    return min(fitting, key=_size)
        info = self._rules.get(suspect.rule) or self._rules.get(suspect.function)
        return NOWHERE if info is None else self._whole(info)

    def _fits(self, node: ast.Node, kinds: tuple[type, ...], words: frozenset[str], suspect: Suspect) -> bool:
        if not isinstance(node, kinds):
            return False
        if suspect.given:
            return getattr(node, "name", None) == suspect.given
        names = {one.name for one in nodes(node) if isinstance(one, ast.Name)}
        numbers = {str(one.value) for one in nodes(node) if isinstance(one, ast.Number)}
        return words <= names | numbers

    def _clauses_of_variants(self) -> Iterator[ast.Node]:
        for file in self._files:
            for decl in file.file.decls:
                if isinstance(decl, ast.Variant) and decl.title in self._titles:
                    yield decl

    def _declarations(self, name: str) -> Iterator[ast.Node]:
        for file in self._files:
            yield from (decl for decl in file.file.decls if getattr(decl, "name", None) == name)

    def _whole(self, info: m.RuleInfo) -> Span:
        """The span of a rule, to the end of its line."""
        for file in self._files:
            if file.path == info.file:
                lines = file.text.splitlines()
                if info.line <= len(lines):
                    end = len(lines[info.line - 1].rstrip()) + 1
                    return Span(info.file, info.line, info.column, info.line, max(end, info.column + 1))
        return Span(info.file, info.line, info.column, info.line, info.column + 1)


def _size(span: Span) -> tuple[int, int, int]:
    """The lines of a span, and its columns if it is in one line; of spans alike the first is the least."""
    lines = span.end_line - span.line
    return lines, 0 if lines else span.end_column - span.column, span.line


def _upwards(ruleset: Ruleset) -> Iterator[Ruleset]:
    """A ruleset and all that it extends."""
    under: Ruleset | None = ruleset
    while under is not None:
        yield under
        under = under.base
