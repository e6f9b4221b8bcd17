"""Limits on the size of rules, checked before anything else is done with them.

All of this is counted in one walk over what is written, without recursion: a chain of calls is the longest path of a
graph whose cycles are contracted to one node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from rulewright.compiler.tree_walk import named_in, nodes
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import NOWHERE, Diagnostic, Span, over_limit
from rulewright.foundation import limits
from rulewright.foundation.memo import memoized_by_node
from rulewright.ir.control_flow.graph_algorithms import components
from rulewright.syntax import ast

_ASKED = (ast.Callable, ast.Query, ast.Value, ast.Limits)


def too_large(chain: Sequence[Ruleset]) -> list[Diagnostic]:
    """Diagnostics for everything in a ruleset, and those that it extends, that exceeds the limits."""
    written = [decl for ruleset in chain for file in ruleset.files for decl in file.file.decls]
    found = list(_too_many(written, chain[-1].path))
    # Not worth the walk, where there is too much of everything.
    return found or list(_too_long(written))


def _too_many(written: Sequence[ast.Decl | ast.Change], path: str) -> Iterator[Diagnostic]:
    """More things than may be: reported at the first one that is too many."""
    variants = [d for d in written if isinstance(d, ast.Variant)]
    scenarios = [d for d in written if isinstance(d, ast.Scenario)]
    maps = [d for d in written if isinstance(d, ast.MapDecl)]
    pieces = [d for d in written if isinstance(d, ast.Piece)]
    changes = [op for d in written for op in _changes(d)]
    others = [d for d in written if not isinstance(d, ast.Variant | ast.Scenario | ast.Change)]
    counted: tuple[tuple[str, Sequence[ast.Node], int], ...] = (
        ("declarations are in this ruleset", others, limits.DECLARATIONS),
        ("variants are in this ruleset", variants, limits.VARIANTS),
        ("scenarios are in this ruleset", scenarios, limits.SCENARIOS),
        ("changes are in this ruleset", changes, limits.CHANGES),
        ("maps are in this ruleset", maps, limits.MAPS),
        ("kinds of pieces are in this ruleset", pieces, limits.KINDS),
    )
    for what, things, most in counted:
        if len(things) > most:
            yield over_limit(what, len(things), most, things[most].span)
    total, where = 0, NOWHERE
    for decl in written:
        if isinstance(decl, ast.Scenario):
            continue
        size, clauses = _size(decl)
        if total < limits.NODES <= total + size:
            where = next(islice(nodes(decl), limits.NODES - total - 1, None)).span
        total += size
        if clauses > limits.CLAUSES:
            hint = "divide it into several declarations"
            yield over_limit("clauses are in this declaration", clauses, limits.CLAUSES, decl.span, hint)
    if total > limits.NODES:
        yield over_limit(
            "words, operators and clauses are in all declarations", total, limits.NODES, where or Span(path)
        )


@memoized_by_node
def _size(decl: ast.Decl | ast.Change) -> tuple[int, int]:
    """The number of nodes of a declaration, and how many of them are clauses."""
    size = clauses = 0
    for node in nodes(decl):
        size += 1
        clauses += isinstance(node, ast.Clause)
    return size, clauses


def _changes(decl: ast.Decl | ast.Change) -> Iterator[ast.Node]:
    if isinstance(decl, ast.Variant | ast.WithPlayers | ast.CasesForOp):
        yield from decl.ops
    elif isinstance(decl, ast.Change | ast.ExtendOp):
        yield decl


def _too_long(written: Iterable[ast.Decl | ast.Change]) -> Iterator[Diagnostic]:
    """Chains of procedures and queries of which each needs the next."""
    decls = [decl for one in written for decl in (one, *_changes(one))]
    by_name = {d.name: d for d in (_declared(d) for d in decls) if isinstance(d, _ASKED)}
    if len(by_name) <= min(limits.CALLS, limits.ASKS):  # not even all of them would make a chain that is too long
        return
    uses: dict[str, dict[str, None]] = {name: {} for name in by_name}
    for decl in decls:
        name = _changed(decl)
        if name in by_name:
            uses[name].update((other, None) for other in _names(decl) if other in by_name)
    found = _longest(tuple((name, isinstance(by_name[name], ast.Callable), tuple(uses[name])) for name in by_name))
    if found is not None:
        what, most, longest, name = found
        diagnostic = over_limit(what, longest, most, by_name[name].span, "let some of them do more by themselves")
        yield Diagnostic("SYN004", diagnostic.message, by_name[name].span, hint=diagnostic.hint)


@lru_cache(maxsize=16)
def _longest(by_name: tuple[tuple[str, bool, tuple[str, ...]], ...]) -> tuple[str, int, int, str] | None:
    """The first chain that is too long: what it is, how long one may be, how long it is, and where it begins.

    Given are the names of procedures (True) and queries, and the names of what each needs.
    """
    procedures = {name: procedure for name, procedure, _ in by_name}
    uses = {name: [other for other in others if other != name] for name, _, others in by_name}
    layers = components(uses)
    number = {name: layer for layer, members in enumerate(layers) for name in members}
    for what, both, most in (
        ("procedures and effects call each other in a chain", False, limits.CALLS),
        ("queries ask each other in a chain", True, limits.ASKS),
    ):
        reach: list[int] = []
        for layer, members in enumerate(layers):
            below = {number[other] for name in members for other in uses[name]} - {layer}
            own = sum(both or procedures[name] for name in members)
            reach.append(own + max((reach[n] for n in below), default=0))
        longest = max(reach, default=0)
        if longest > most:
            return what, most, longest, min(min(members) for n, members in enumerate(layers) if reach[n] == longest)
    return None


@memoized_by_node
def _names(decl: ast.Node) -> tuple[str, ...]:
    return tuple(named_in(decl))


def _declared(decl: ast.Node) -> ast.Node:
    """The declaration that a change brings."""
    return decl.decl if isinstance(decl, ast.AddDeclOp | ast.ReplaceDeclOp) else decl


def _changed(decl: ast.Node) -> str | None:
    """The name that is declared or changed."""
    decl = _declared(decl)
    path = getattr(decl, "path", None)
    if isinstance(path, ast.Path):
        return path.parts[0]
    return decl.name if isinstance(decl, _ASKED) else None
