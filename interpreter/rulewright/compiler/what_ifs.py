"""Checks of hypothetical effects (``after``): without questions, ends of the game, or another ``after`` inside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.compiler.declaration_facts import what_ifs
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.lowering_context import LoweringContext
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

_ENDS = (m.FinishWin, m.FinishRank)
_ASKS = (m.Choose, m.Chance)


def report_what_ifs(
    decls: Iterable[ast.Decl],
    codes: Mapping[str, FunctionBuilder],
    queries: Mapping[str, m.QueryDef],
    areas: Iterable[m.AreaMap],
    context: LoweringContext,
) -> None:
    """Report effects that cannot be tried, at each place of an ``after``."""
    what_if = [node for decl in decls for node in what_ifs(decl)]
    if not what_if:
        return
    inside = _Inside({f"area {a.name}": a.across for a in areas}, queries, codes)
    for node in what_if:
        called = node.done.operand if isinstance(node.done, ast.Call) else node.done
        name = called.name if isinstance(called, ast.Name) else ""
        entry = context.entry(name)
        if name not in codes or codes[name].word != "effect" or entry not in codes:
            continue
        found = [one for reached in _reached(entry, inside) for one in inside.of(reached)]
        why = next((why for kinds, why in ((_ENDS, "it ends the game"), (_ASKS, "somebody is asked then"))
                    if any(isinstance(one, kinds) for one in found)), "")  # fmt: skip
        if any(isinstance(one, m.After) and one.function == entry for one in found):
            why = "it asks for what is after itself"
        if why:
            context.error("CTL129", f"nobody can say what is after `{name}`: {why}", node.done.span)


class _Inside:
    """All nodes in functions, queries and areas, by name; found on first use."""

    def __init__(
        self,
        areas: Mapping[str, m.Expr],
        queries: Mapping[str, m.QueryDef],
        codes: Mapping[str, FunctionBuilder],
    ) -> None:
        self._areas, self._queries, self._codes = areas, queries, codes
        self._known: dict[str, tuple[object, ...]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._codes or name in self._queries or name in self._areas

    def of(self, name: str) -> tuple[object, ...]:
        """The nodes of one of them."""
        if name not in self._known:
            self._known[name] = tuple(nodes(self._body(name)))
        return self._known[name]

    def _body(self, name: str) -> object:
        if name in self._codes:
            return tuple(i for i in self._codes[name].items if isinstance(i, m.Instr))
        return self._queries[name].body if name in self._queries else self._areas[name]


def _reached(start: str, inside: _Inside) -> list[str]:
    """All functions, queries and areas that something uses, itself first."""
    found = [start]
    for name in found:
        for node in inside.of(name):
            match node:
                case m.Call(used) | m.After(used) | m.CallQuery(used):
                    pass
                case m.Component(area):
                    used = f"area {area}"
                case _:
                    continue
            if used in inside and used not in found:
                found.append(used)
    return found
