"""Checks of hypothetical effects: one behind ``after`` asks nobody, ends no game, and holds no other ``after``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.compiler.declaration_facts import hypothetical
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.lowering_context import LoweringContext
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

_ENDS = (m.FinishWin, m.FinishRank)
_ASKS = (m.Choose, m.Chance)


def report_hypothetical(
    decls: Iterable[ast.Decl],
    codes: Mapping[str, FunctionBuilder],
    queries: Mapping[str, m.QueryDef],
    areas: Iterable[m.AreaMap],
    context: LoweringContext,
) -> None:
    """Report what nobody can imagine, at each place where it is asked for."""
    asked = [node for decl in decls for node in hypothetical(decl)]
    if not asked:
        return
    bodies: dict[str, object] = {f"area {a.name}": a.across for a in areas}
    bodies |= {name: query.body for name, query in queries.items()}
    bodies |= {name: tuple(i for i in code.items if isinstance(i, m.Instr)) for name, code in codes.items()}
    inside = {name: tuple(nodes(body)) for name, body in bodies.items()}
    for node in asked:
        called = node.done.operand if isinstance(node.done, ast.Call) else node.done
        name = called.name if isinstance(called, ast.Name) else ""
        entry = context.entry(name)
        if name not in codes or codes[name].word != "effect" or entry not in codes:
            continue
        found = [one for reached in _reached(entry, inside) for one in inside[reached]]
        why = next((why for kinds, why in ((_ENDS, "it ends the game"), (_ASKS, "somebody is asked then"))
                    if any(isinstance(one, kinds) for one in found)), "")  # fmt: skip
        if any(isinstance(one, m.After) and one.function == entry for one in found):
            why = "it asks for what is after itself"
        if why:
            context.error("CTL129", f"nobody can say what is after `{name}`: {why}", node.done.span)


def _reached(start: str, inside: Mapping[str, tuple[object, ...]]) -> list[str]:
    """All functions, queries and areas that something uses, itself first."""
    found = [start]
    for name in found:
        for node in inside[name]:
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


__all__ = ["report_hypothetical"]
