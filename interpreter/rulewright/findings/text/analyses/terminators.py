"""The places where the rules go no further: what stands behind them is never reached.

Whether a statement is such a place may depend on what it calls. So each is a condition about the words that it calls,
which is a plain value: that of a declaration is the same in every game in which it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from rulewright.compiler.tree_walk import nodes
from rulewright.findings.text.analyses.declaration_nodes import blocks_of
from rulewright.syntax import ast

WayOut = bool | str | tuple[Literal["any", "all"], tuple["WayOut", ...]]
"""True or false; a word: what it calls never comes back; any or all of several."""

_LOOPS = (ast.Repeat, ast.Repeats, ast.Each)


def holds(way: WayOut, never: Callable[[str], bool]) -> bool:
    """True if a condition holds, where what these words call never comes back."""
    if isinstance(way, bool):
        return way
    if isinstance(way, str):
        return never(way)
    held = (holds(part, never) for part in way[1])
    return any(held) if way[0] == "any" else all(held)


def out_of(decl: ast.Callable) -> WayOut:
    """The condition under which an effect or procedure never comes back to who called it."""
    early = any(isinstance(s, ast.Return | ast.Forbid | ast.Obey) for block in blocks_of(decl) for s in block)
    return False if early else _behind(decl.body)


def way_out(s: ast.Stmt) -> WayOut:
    """The condition under which nothing behind a statement is reached."""
    match s:
        case _ if isinstance(s, ast.Transfer):
            return True
        case ast.CallStatement(call=value) | ast.Let(value=value) | ast.Assign(value=value):
            named = value.operand if isinstance(value, ast.Call) else value
            if named is value and not isinstance(s, ast.CallStatement):
                return False
            return named.name if isinstance(named, ast.Name) else False
        case ast.If(branches=branches, otherwise=otherwise):
            return _all([_behind(otherwise), *(_behind(b.body) for b in branches)])
        case ast.Match(arms=arms, otherwise=last):
            return _all([_behind(a.body) for a in (*arms, *((last,) if last is not None else ()))])
        case ast.Choose(then=then, otherwise=otherwise_):
            if not (s.optional or otherwise_ is not None):
                return _behind(then or ())
            return _all([_behind(then or ()), _behind(otherwise_ or ())])
        case ast.Either(options=options, otherwise=otherwise_):
            ways = [o.body for o in options] + ([otherwise_] if otherwise_ is not None else [])
            return _all([_behind(w) for w in ways])
        case ast.Step(label=label, body=body):
            if any(isinstance(n, ast.Stop) and n.label == label for n in nodes(body)):
                return False
            return _behind(body)
        case ast.Repeat(mode="forever", at_most=None):
            return not any(_stops(inner, s.label, False) for inner in s.body)
        case _:
            return False


def _behind(body: Iterable[ast.Stmt]) -> WayOut:
    """The condition under which a block never comes to its end."""
    return _together("any", [way_out(s) for s in body])


def _all(ways: list[WayOut]) -> WayOut:
    return _together("all", ways)


def _together(how: Literal["any", "all"], ways: list[WayOut]) -> WayOut:
    decides = how == "any"
    if decides in ways:
        return decides
    left = tuple(dict.fromkeys(way for way in ways if way is not (not decides)))
    return left[0] if len(left) == 1 else (how, left) if left else not decides


def _stops(s: ast.Node, label: str | None, nested: bool) -> bool:
    """True if a statement in a repetition leaves just this one."""
    if isinstance(s, ast.Stop):
        return s.label == label if s.label is not None else not nested
    nested = nested or isinstance(s, _LOOPS)
    return any(_stops(i, label, nested) for i in _inner(s))


def _inner(s: ast.Node) -> Iterator[ast.Node]:
    """The mentions in a statement, blocks and their heads."""
    for part in ("body", "then", "otherwise", "branches", "arms", "options"):
        held = getattr(s, part, None)
        for one in held if isinstance(held, tuple) else (held,):
            if isinstance(one, ast.Node):
                yield one
