"""Two versions of a ruleset: which declarations are others now, and whether that may concern any besides them."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from rulewright.compiler.declaration_facts import calls, clauses, eliminates, pays, rule_infos_of, union_types
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.signatures import signature
from rulewright.ir import model as m
from rulewright.syntax import ast

MOST = 60
"""Of so many changed declarations a game is made anew."""

_CONSTANT = (ast.Parameter, ast.Party, ast.EnumDecl, ast.Die, ast.Piece, ast.MapDecl)
"""Declarations of which no program holds the citations, except in its list of rules."""

Change = tuple[ast.Decl, ast.Decl]
"""A declaration as it was and as it is."""


class DeclarationDiff:
    """Two versions of a ruleset: whether declarations of it mean the same. Many games ask, and most the same."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], bool] = {}
        self._changes: dict[tuple[int, int], tuple[Rules, Rules, list[Change] | None]] = {}
        self._infos: dict[int, tuple[object, tuple[m.RuleInfo, ...]]] = {}

    def same(self, a: ast.Decl, b: ast.Decl) -> bool:
        """True if two declarations are equal but for their lines and comments, and for citations that are no code."""
        key = id(a), id(b)
        if key not in self._known:
            self._known[key] = type(a) is type(b) and a == b and _cites(a) == _cites(b)
        return self._known[key]

    def changed(self, before: Rules, after: Rules) -> list[Change] | None:
        """The declarations that are others now, as they were and as they are; None if games must be made anew."""
        key = id(before), id(after)
        if key not in self._changes:
            self._changes[key] = before, after, self._changed(before, after)
        return self._changes[key][2]

    def _changed(self, before: Rules, after: Rules) -> list[Change] | None:
        if list(before.decls) != list(after.decls) or before.games != after.games:
            return None
        if before.precedence != after.precedence or before.first_values != after.first_values:
            return None
        pairs = zip(before.decls.values(), after.decls.values(), strict=True)
        changed = [(a, b) for a, b in pairs if a is not b]
        if len(changed) > MOST:
            return None
        return changed if all(self.same(a, b) or _looks_alike(a, b) for a, b in changed) else None

    def infos(self, rules: Rules) -> tuple[m.RuleInfo, ...]:
        """The places of the rules of a game."""
        if id(rules) not in self._infos:
            found = tuple(chain.from_iterable(map(self._infos_of, rules.decls.values())))
            self._infos[id(rules)] = rules, found
        return self._infos[id(rules)][1]

    def _infos_of(self, decl: ast.Decl) -> tuple[m.RuleInfo, ...]:
        if id(decl) not in self._infos:
            self._infos[id(decl)] = decl, rule_infos_of(decl)
        return self._infos[id(decl)][1]


def _cites(decl: ast.Decl) -> list[tuple[str, ...]]:
    """The citations of a declaration that stand elsewhere in a program than in its list of rules."""
    return [] if isinstance(decl, _CONSTANT) else [clause.trivia.cites for clause in (decl, *clauses(decl))]


def _looks_alike(a: ast.Decl, b: ast.Decl) -> bool:
    """True if two declarations of a name may be the same to all others; the rest is seen while they are lowered."""
    if eliminates(a) != eliminates(b) or pays(a) != pays(b) or union_types(a) != union_types(b):
        return False
    match a, b:
        case ast.Callable(), ast.Callable():
            one, other = signature(a), signature(b)
            return one.head == other.head and [s.label for s in one.steps] == [s.label for s in other.steps]
        case (ast.Query(), ast.Query()) | (ast.Value(), ast.Value()):
            return set(calls(b)) <= set(calls(a))
        case ast.Reaction(), ast.Reaction():
            return replace(a, body=()) == replace(b, body=()) and a.trivia.cites == b.trivia.cites
        case ast.Property(), ast.Property():
            return a.after == b.after
        case (ast.Invariant(), ast.Invariant()) | (ast.Witness(), ast.Witness()):
            return True
        case _:
            return False
