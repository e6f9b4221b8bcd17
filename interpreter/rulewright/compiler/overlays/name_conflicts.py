"""Name conflicts: given twice where each may stand once, taken from the language, or hiding what is declared.

This looks only at what is written, so it is done once for a ruleset and not for every number of players.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.compiler.overlays.declaration_set import Rules, name_of
from rulewright.compiler.symbols.static_types import BUILTINS, STATEMENTS, YIELDING
from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import Diagnostic, Report, Span
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.foundation.memo import memoized_by_node
from rulewright.syntax import ast, names

_BUILT_IN = ("last", "single", *(name for name in BUILTINS if name not in YIELDING), *STATEMENTS)
"""Queries and effects of the language."""

_TYPES = ("Bool", "Direction", "Int", "Piece", "Player")

_HIDDEN = {ast.FieldDecl: "field", ast.Zone: "zone", ast.Parameter: "parameter"}


_CONCERNED = frozenset(
    (
        *(ast.Area, ast.Callable, ast.ChoiceType, ast.Die, ast.EnumDecl, ast.FieldDecl, ast.Merged, ast.Param),
        *(ast.Parameter, ast.Party, ast.Piece, ast.Place, ast.Query, ast.Value, ast.Zone),
        *(ast.AddRowOp, ast.SetRowsOp, ast.SPlayers),
    )
)
"""The classes of nodes, besides those with parameters, in which names may clash."""


def find_name_conflicts(rules: Rules, games: Iterable[str], report: Report) -> None:
    """Report all clashes of a ruleset; `games` are the names under which it may be known."""
    _titles(rules, report)
    _games(rules, games, report)
    hidden = {n: _HIDDEN[type(d)] for n, d in rules.decls.items() if type(d) in _HIDDEN}
    for decl in [*rules.decls.values(), *rules.by_count, *rules.variants, *rules.scenarios]:
        found, given = _inside(decl)
        for finding in found:
            report.note(finding)
        for name, span in given:
            if name in hidden:
                report.warn("REF006", f"`{name}` hides the {hidden[name]} of this name", span)
    _asked_alike(rules, report)


@memoized_by_node
def _inside(decl: ast.Decl | ast.Change) -> tuple[tuple[Diagnostic, ...], tuple[tuple[str, Span], ...]]:
    """Conflicts inside one declaration, and the names that are given there."""
    report = Report()
    given: list[tuple[str, Span]] = []
    for node in nodes(decl):
        if type(node) in _CONCERNED or hasattr(node, "params"):
            _twice(node, report)
            _taken(node, report)
        if node.gives:
            given += [(name, node.span) for name in node.held(node.gives)]
    return tuple(report.found), tuple(given)


def _titles(rules: Rules, report: Report) -> None:
    kinds: tuple[tuple[str, Iterable[ast.Variant | ast.Scenario]], ...] = (
        ("variant", rules.variants),
        ("scenario", rules.scenarios),
    )
    for word, titled in kinds:
        first: dict[str, Span] = {}
        for one in titled:
            if one.title in first:
                _again(f'there are two {word}s "{one.title}"', one.span, first[one.title], report)
            first.setdefault(one.title, one.span)


def _games(rules: Rules, games: Iterable[str], report: Report) -> None:
    """Variants must be of this game."""
    known = list(dict.fromkeys((*rules.games, *map(names.game, games))))
    for variant in rules.variants:
        if str(variant.of) not in known:
            hint = did_you_mean(str(variant.of), known) or f"this is {listing(known)}"
            report.error("VAR401", f"there is no game `{variant.of}` to change", variant.span, hint=hint)


def _again(message: str, span: Span, first: Span, report: Report) -> None:
    report.error("REF007", message, span, notes=(f"the first one is at {first.file}:{first.line}",))


def _twice(node: object, report: Report) -> None:
    """Names that stand together and must differ."""
    if isinstance(params := getattr(node, "params", None), tuple):
        _unique("parameter", [(p.name, p.span) for p in params], report)
    match node:
        case ast.EnumDecl(values=values, attributes=attributes):
            _unique("value", [(v, node.span) for v in values], report)
            _unique("attribute", [(a.name, a.span) for a in attributes], report)
        case ast.Die(faces=faces):
            _unique("face", [(f, node.span) for f in faces], report)
        case ast.Piece(attributes=attributes, sides=sides):
            _unique("attribute", [(a.name, a.span) for a in attributes], report)
            _unique("side", [(s, node.span) for s in sides], report)
        case ast.Place(attributes=attributes):
            _unique("attribute", [(a.name, a.span) for a in attributes], report)
        case ast.ChoiceType(values):
            _unique("value", [(v, node.span) for v in values], report)
        case ast.Zone(index=index) | ast.FieldDecl(index=index):
            _unique("key", [(i.name, i.span) for i in index if i.name is not None], report)
        case ast.SetRowsOp(cells=cells) | ast.AddRowOp(cells=cells):
            _unique("cell", [(c.column, c.span) for c in cells], report)
        case ast.SPlayers(names):
            _unique("player", [(n, node.span) for n in names], report)
        case _:
            pass


def _unique(what: str, names: Iterable[tuple[str, Span]], report: Report) -> None:
    seen: set[str] = set()
    for name, span in names:
        if name in seen:
            report.error("REF007", f"two {what}s are called `{name}`", span)
        seen.add(name)


def _taken(node: object, report: Report) -> None:
    """Words that the language has already given a meaning."""
    taken = ""
    match node:
        case ast.Query(name=name) | ast.Value(name=name) | ast.Callable(name=name) if name in _BUILT_IN:
            taken = f"{name}(…)"
        case ast.Area(name=name) | ast.Merged(name=name) if name.lower() in _BUILT_IN:
            taken = f"{name.lower()}(…)"
        case ast.FieldDecl(name=name) | ast.Zone(name=name) | ast.Parameter(name=name) | ast.Param(name=name) if (
            name == "everyone"
        ):
            taken = name
        case ast.Zone(name="box"):
            taken = "box"
        case (
            ast.EnumDecl(name=name)
            | ast.Die(name=name)
            | ast.Piece(name=name)
            | ast.Place(name=name)
            | ast.Party(name=name)
            | ast.Area(name=name)
            | ast.Merged(name=name)
        ) if name in _TYPES:
            taken = name
        case _:
            pass
    if taken and isinstance(node, ast.Node):
        report.error("REF007", f"`{taken}` is a word of the language", node.span, hint="take another name")


def _asked_alike(rules: Rules, report: Report) -> None:
    """Areas and regions are called by their names in lower case, like queries."""
    for decl in rules.decls.values():
        if isinstance(decl, (ast.Area, ast.Merged)):
            rival = rules.decls.get(decl.name.lower())
            if rival is not None and isinstance(rival, (ast.Query, ast.Value, ast.Callable)):
                _again(f"`{name_of(rival)}(…)` also asks for {decl.name}", rival.span, decl.span, report)
