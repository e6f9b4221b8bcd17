"""The contribution of each declaration to questions about a whole game: plain values, found once for it.

Summaries that are equal are one. So an edit that leaves the summary of a declaration as it was changes nothing for
what is found from the summaries of all (:mod:`rulewright.findings.text.analyses.control_flow`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Literal
from weakref import WeakValueDictionary

from rulewright.findings.text.analyses.declaration_nodes import nodes_of
from rulewright.findings.text.analyses.mentions import NOTHING, Mentions, mentions
from rulewright.findings.text.analyses.terminators import WayOut, out_of
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.syntax import ast

Sort = Literal["call", "query", "limits", "consequence", "end", "reaction", "field", "other"]

_SORTS: dict[type[ast.Node], Sort] = {
    ast.Callable: "call",
    ast.Query: "query",
    ast.Value: "query",
    ast.Limits: "limits",
    ast.Consequence: "consequence",
    ast.End: "end",
    ast.Reaction: "reaction",
    ast.FieldDecl: "field",
}


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Summary:
    """All that questions about a whole game need to know of a declaration. There are no two that are equal."""

    sort: Sort
    spoken: Mentions
    """The mentions in all of it."""
    condition: Mentions = NOTHING
    """The mentions in the condition under which a rule steps in by itself, or in that of an area."""
    body: Mentions = NOTHING
    """The mentions in what such a rule does."""
    way_out: WayOut = False
    """The condition under which an effect or procedure never comes back."""
    opened: tuple[str, ...] = ()
    """The calls at the beginning of its options, of its repetitions and of what it asks whether it is ``possible``."""
    later: bool = False
    """True of an end that is looked for only when some procedure is over."""
    begins_with: tuple[str, ...] = ()
    """The calls of an effect or procedure that may come before anything is chosen."""


_known: WeakValueDictionary[tuple[object, ...], Summary] = WeakValueDictionary()


@memoized_by_node
def summary_of(decl: ast.Clause) -> Summary:
    """The summary of a declaration."""
    found = _summarized(decl)
    return _known.setdefault(tuple(getattr(found, f.name) for f in fields(found)), found)


def _summarized(decl: ast.Clause) -> Summary:
    sort, spoken, opened = _SORTS.get(type(decl), "other"), mentions(decl), tuple(_opened(decl))
    match decl:
        case ast.Callable():
            begins_with = tuple(dict.fromkeys(s for s in opening(decl.body) if isinstance(s, str)))
            return Summary(sort, spoken, NOTHING, NOTHING, out_of(decl), opened, begins_with=begins_with)
        case ast.Consequence() | ast.End():
            later = isinstance(decl, ast.End) and decl.after is not None
            looks = mentions((decl.binds, decl.when))
            return Summary(sort, spoken, looks, mentions(decl.body), opened=opened, later=later)
        case ast.Reaction():
            return Summary(sort, spoken, mentions((decl.each, decl.where)), mentions(decl.body), opened=opened)
        case ast.Area():
            return Summary(sort, spoken, mentions(decl.where), opened=opened)
        case _:
            return Summary(sort, spoken, opened=opened)


def _opened(decl: ast.Clause) -> dict[str, None]:
    found: dict[str, None] = {}
    for n in nodes_of(decl, ast.Option, ast.Repeats, ast.Call):
        match n:
            case ast.Option(body=body) | ast.Repeats(body=body):
                found.update((s, None) for s in opening(body) if isinstance(s, str))
            case ast.Call(ast.Name("possible"), (ast.Call(ast.Name(name)),)):
                found[name] = None
            case _:
                pass  # it opens nothing
    return found


def opening(body: tuple[ast.Stmt, ...]) -> Iterator[ast.Choose | str]:
    """The choices with which a body may begin, and the words that it may call before the first decision."""
    for s in body:
        match s:
            case ast.Forbid() | ast.Obey() | ast.Let():
                continue
            case ast.Choose():
                yield s
            case ast.Step(body=inner):
                yield from opening(inner)
            case ast.If(branches=branches, otherwise=otherwise):
                for way in (*(b.body for b in branches), otherwise):
                    yield from opening(way)
            case ast.CallStatement(call=called):
                named = called.operand if isinstance(called, ast.Call) else called
                if isinstance(named, ast.Name):
                    yield named.name
            case _:
                pass  # it opens nothing
        return
