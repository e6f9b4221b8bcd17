"""Findings that hold in all games of a ruleset, found without looking at anything twice.

What is so with three players only, or in one variant, is what that number or variant is for. So a finding counts only
if it is made in every game in which its clause stands. Games have most of their declarations in common, the very same
ones, and what was not found in the first of these games need not be looked for in the others. A lint rule is therefore
given its *targets* in each game: declarations that stood in no game before, and those of which something was found in
all of them so far. About everything else it may ask as much as it likes, and need find nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TypeVar

from rulewright.diagnostics import Span
from rulewright.lint.analyses.declaration_nodes import nodes_of, spans_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject
from rulewright.syntax import ast

D = TypeVar("D", bound=ast.Clause)
N = TypeVar("N", bound=ast.Node)


class Targets:
    """The declarations of one game about which something is to be found, in the order of the game."""

    def __init__(self, decls: tuple[ast.Decl, ...]) -> None:
        self.decls = decls

    def __contains__(self, decl: ast.Decl) -> bool:
        return any(one is decl for one in self.decls)

    def all(self, *kinds: type[D]) -> Iterator[D]:
        """Those of some classes."""
        return (decl for decl in self.decls if isinstance(decl, kinds))

    def nodes(self, *kinds: type[N]) -> Iterator[N]:
        """Their nodes of some classes, in the order written."""
        for decl in self.decls:
            yield from nodes_of(decl, *kinds)


class Occurrences:
    """In which games of a ruleset each declaration stands, and each span. Games are numbered."""

    def __init__(self, subject: Subject) -> None:
        self.indexes = tuple(game.ask(RuleIndex) for game in subject.games)
        self._decls: dict[int, ast.Decl] = {}
        self._games: dict[int, set[int]] = {}
        fresh = []
        for number, index in enumerate(self.indexes):
            fresh.append(tuple(decl for decl in index.decls if id(decl) not in self._decls))
            for decl in index.decls:
                self._decls[id(decl)] = decl
                self._games.setdefault(id(decl), set()).add(number)
        self.fresh = tuple(fresh)
        """Of each game the declarations that stand in no game before."""

    def games_with(self, span: Span) -> frozenset[int]:
        """The games in which a node with this span stands."""
        return frozenset().union(*(self._games[decl] for decl in self._holders.get(span, ())))

    def targets(self, number: int, spans: Iterable[Span]) -> Targets:
        """The declarations of a game that are fresh, or hold a node with one of these spans."""
        held = {decl for span in spans for decl in self._holders.get(span, ()) if number in self._games[decl]}
        fresh = self.fresh[number]
        held.difference_update(map(id, fresh))
        if not held:
            return Targets(fresh)
        held.update(map(id, fresh))
        return Targets(tuple(decl for decl in self.indexes[number].decls if id(decl) in held))

    @cached_property
    def _holders(self) -> dict[Span, list[int]]:
        """The declarations that hold a node with each span."""
        found: dict[Span, list[int]] = {}
        for key, decl in self._decls.items():
            for span in spans_of(decl):
                found.setdefault(span, []).append(key)
        return found


def in_all_games(subject: Subject, find: Callable[[RuleIndex, Targets], Iterable[Finding]]) -> Iterator[Finding]:
    """Findings that hold in every game in which the clause occurs, each once.

    `find` is given each game and its targets. The span of a finding must be that of a node in one of these.
    """
    known = subject.ask(Occurrences)
    kept: dict[tuple[Span, str], Finding] = {}
    for number, index in enumerate(known.indexes):
        targets = known.targets(number, [span for span, _ in kept])
        if not targets.decls:
            continue
        found = {(f.span, f.message): f for f in find(index, targets)}
        for key in [key for key in kept if key not in found and number in known.games_with(key[0])]:
            del kept[key]
        for key, finding in found.items():
            if number == min(known.games_with(key[0]), default=number):
                kept.setdefault(key, finding)
    yield from kept.values()
