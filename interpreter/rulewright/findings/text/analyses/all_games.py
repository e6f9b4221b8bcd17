"""Findings that hold in all games of a ruleset, found without looking at anything twice.

What is so with three players only, or in one variant, is what that number or variant is for. So a finding about a
declaration counts only if it is made in every game in which its clause stands. Games have most of their declarations in
common, the very same ones, and what was not found in the first of these games need not be looked for in the others.

All rules look at a declaration together, and what they find is remembered with all their requests to its game
(:mod:`rulewright.foundation.memo`): in another game, and after an edit, they look again only if an answer is another
one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from rulewright.diagnostics import Span
from rulewright.findings.text.analyses.control_flow import share_scenarios
from rulewright.findings.text.analyses.declaration_nodes import classes_in, spans_of
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.findings.text.lint_rule import Finding, Lint
from rulewright.findings.text.subject import Subject
from rulewright.foundation.memo import traced_by_node
from rulewright.syntax import ast


class DeclarationRules:
    """The rules that look at each declaration."""

    def __init__(self, rules: Iterable[Lint]) -> None:
        self._rules = tuple(rules)
        self.about = traced_by_node(self._look)
        """The findings of the rules in a declaration of a game."""

    def _look(self, decl: ast.Decl, index: RuleIndex) -> dict[str, tuple[Finding, ...]]:
        concerned = (rule for rule in self._rules if not rule.classes.isdisjoint(classes_in(decl)))
        found = ((rule.code, tuple(rule.find(decl, index))) for rule in concerned)
        return {code: findings for code, findings in found if findings}


class FindingsInGames:
    """The findings in the declarations of all games of a ruleset. Games are numbered."""

    def __init__(self, subject: Subject, rules: DeclarationRules) -> None:
        self._rules = rules
        share_scenarios(subject.games, subject.started)
        self._indexes = tuple(game.ask(RuleIndex) for game in subject.games)
        self._fresh: list[list[ast.Decl]] = []
        """Of each game the declarations that stand in no game before."""
        self._found: dict[str, dict[int, None]] = {}
        """For each rule the games in whose fresh declarations it finds something."""
        self._known: dict[tuple[int, int], dict[str, tuple[Finding, ...]]] = {}
        self._known_holders: dict[Span, list[int]] = {}
        seen: set[int] = set()
        for number, index in enumerate(self._indexes):
            self._fresh.append([decl for decl in index.game.decls if id(decl) not in seen])
            seen.update(map(id, self._fresh[-1]))
            for decl in self._fresh[-1]:
                for code in self._about(decl, number):
                    self._found.setdefault(code, {})[number] = None

    def of(self, code: str) -> Iterator[Finding]:
        """Findings of a rule that hold in every game in which the clause occurs, each once."""
        kept: dict[tuple[Span, str], Finding] = {}
        begun = self._found.get(code, {})
        for number in range(len(self._indexes)):
            if not kept and number not in begun:
                continue
            looked_at = self._targets(number, kept)
            found = {(f.span, f.message): f for decl in looked_at for f in self._about(decl, number).get(code, ())}
            for key in [key for key in kept if key not in found and number in self._games_with(key[0])]:
                del kept[key]
            for key, finding in found.items():
                if number == min(self._games_with(key[0]), default=number):
                    kept.setdefault(key, finding)
        yield from kept.values()

    def _about(self, decl: ast.Decl, number: int) -> dict[str, tuple[Finding, ...]]:
        """Findings in a declaration of a game, by the codes of their rules."""
        key = number, id(decl)
        if key not in self._known:
            self._known[key] = self._rules.about(decl, self._indexes[number])
        return self._known[key]

    def _targets(self, number: int, kept: Iterable[tuple[Span, str]]) -> list[ast.Decl]:
        """The declarations of a game that are fresh, or hold a node at a place where something was found."""
        held = {decl for span, _ in kept for decl in self._holders(span) if number in self._games[decl]}
        fresh = self._fresh[number]
        held.difference_update(map(id, fresh))
        if not held:
            return fresh
        held.update(map(id, fresh))
        return [decl for decl in self._indexes[number].decls if id(decl) in held]

    def _games_with(self, span: Span) -> frozenset[int]:
        """The games in which a node with this span stands."""
        return frozenset().union(*(self._games[decl] for decl in self._holders(span)))

    @cached_property
    def _games(self) -> dict[int, set[int]]:
        """The games in which each declaration stands."""
        found: dict[int, set[int]] = {}
        for number, index in enumerate(self._indexes):
            for decl in index.decls:
                found.setdefault(id(decl), set()).add(number)
        return found

    def _holders(self, span: Span) -> list[int]:
        """The declarations that hold a node with a span."""
        if span not in self._known_holders:
            one = frozenset((span,))
            self._known_holders[span] = [decl for decl, spans in self._spans if not one.isdisjoint(spans)]
        return self._known_holders[span]

    @cached_property
    def _spans(self) -> list[tuple[int, frozenset[Span]]]:
        """For each declaration the spans of its nodes."""
        return [(id(decl), spans_of(decl)) for fresh in self._fresh for decl in fresh]
