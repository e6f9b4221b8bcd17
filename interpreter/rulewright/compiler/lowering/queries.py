"""Queries, values and ``possible``: lowered on first use, so that each finds the types of those it uses."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from rulewright.compiler.cycles import described
from rulewright.compiler.lowering.choices.possibility import PossibilityLowerer
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.sharing import Sharing
from rulewright.compiler.symbols.constants import constant
from rulewright.compiler.symbols.static_types import ANY, BOOL, INT, Type
from rulewright.compiler.symbols.symbols import Binding, CallInfo, QuerySource, Scope, Signature, Typed
from rulewright.diagnostics import NOWHERE, Span
from rulewright.foundation import limits
from rulewright.ir import model as m
from rulewright.ir.arithmetic import ArithOp
from rulewright.syntax import ast

MOST = 32
"""The greatest number of times that a query may ask itself, one inside the other."""


def _with_room(type: Type, found: Type) -> Type:
    """The type of a result, of a list with room for all that is found: what is declared does not say how long it may
    be."""
    if type.kind != "list" or found.kind != "list":
        return type
    return replace(type, capacity=max(type.capacity, min(found.capacity, limits.LIST)))


def unfolded(query: m.QueryDef, most: int) -> tuple[m.QueryDef, ...]:
    """A query that asks itself at most so often, with those that it asks then before it; the last one is an error where
    it asks itself once more."""
    names = [query.name, *(f"{query.name} {depth}" for depth in range(1, most + 1))]
    found = [
        replace(query, name=name, body=_asking(query.body, query, most, following))
        for name, following in zip(names, [*names[1:], None], strict=True)
    ]
    return tuple(reversed(found))


def asks_itself(query: m.QueryDef) -> bool:
    """True if a query, as it is written, asks itself."""
    return _asking(query.body, query, 0, None) is not query.body


def _asking(node: Any, query: m.QueryDef, most: int, following: str | None) -> Any:
    """A tree in which another query stands for one that asks itself; parts without one are the same objects."""
    if isinstance(node, tuple):
        items = tuple(_asking(item, query, most, following) for item in node)
        return node if all(new is old for new, old in zip(items, node, strict=True)) else items
    if not is_dataclass(node) or isinstance(node, type):
        return node
    if isinstance(node, m.CallQuery) and node.query == query.name:
        if following is None:
            message = f"the query `{query.name}` asks itself more than {most} times, one inside the other"
            return m.Fault("depth", message, None, query.ty)
        return m.CallQuery(following, _asking(node.args, query, most, following))
    changed: dict[str, Any] = {}
    for one in fields(node):
        old = getattr(node, one.name)
        new = _asking(old, query, most, following)
        if new is not old:
            changed[one.name] = new
    return replace(node, **changed) if changed else node


_ARITHMETIC: dict[ast.ModifierOp, ArithOp | None] = {
    "becomes": None, "+": "add", "-": "sub", "times": "mul", "at least": "max", "at most": "min"
}  # fmt: skip
_LAYER: dict[ast.ModifierOp, int] = {"becomes": 0, "+": 1, "-": 1, "times": 2, "at least": 3, "at most": 3}


class QueryLowerer(QuerySource):
    """All pure functions of a program."""

    def __init__(
        self,
        expressions: ExpressionLowerer,
        possibility: PossibilityLowerer,
        sharing: Sharing,
        circular: frozenset[str],
    ) -> None:
        self.expressions, self.possibility, self.sharing = expressions, possibility, sharing
        self.context, self.coercions, self.world = expressions.context, expressions.coercions, expressions.world
        self.made: dict[str, m.QueryDef] = {}
        self.signatures: dict[str, Signature] = {}
        self.in_progress: list[str] = []
        """Queries, and questions whether something is possible, that are being lowered just now."""
        self.circular = circular
        """Queries of cycles that were reported."""

    def signature(self, name: str, span: Span) -> Signature | None:
        """Parameters and result of a query or value, or None if there is none of this name."""
        if name in self.signatures:
            self.world.lookups["query", name] = None
            return self.signatures[name]
        decl = self.world.query_decls.get(name)
        if decl is None:
            return None
        if name in self.in_progress:
            bounded = isinstance(decl, ast.Query) and decl.at_most is not None and self.in_progress[-1] == name
            if bounded and decl.type is None:
                self.context.error("REF008", f"`{name}` asks itself and must say what it gives", decl.span)
            if not bounded and name not in self.circular:
                way = described(self.in_progress[self.in_progress.index(name) :], "asks")
                self.context.error("REF008", f"queries must not ask each other in a cycle: {way}", span)
            return self._declared(decl), self.world.resolve(decl.type) if decl.type else ANY
        self.in_progress.append(name)
        signature, made = self.sharing.unit("query", name, lambda: self._query(decl, self._declared(decl)))
        self.made |= {query.name: query for query in made}
        self.in_progress.pop()
        self.signatures[name] = signature
        self.world.lookups["query", name] = None
        return signature

    def possible(self, name: str, span: Span) -> tuple[tuple[str, Type], ...] | None:
        """Parameters of a procedure; the question whether it is possible is lowered too."""
        info = self.world.calls.get(name)
        if info is None:
            return None
        key = f"possible {name}"
        if key not in self.made and key not in self.in_progress:
            self.in_progress.append(key)
            self.made[key] = self.sharing.unit("possible", name, lambda: self._possible(key, info))
            self.in_progress.pop()
        elif key in self.in_progress:
            self.context.error("REF008", f"whether `{name}` is possible depends on itself", span)
        self.world.lookups["possible", name] = None
        return info.params

    def renew(self, name: str) -> bool:
        """Lower a query whose declaration has changed again; True if what asks it need not know."""
        before = self.signatures.pop(name)
        return self.signature(name, NOWHERE) == before

    def renew_possible(self, name: str) -> bool:
        """Lower the question whether a procedure is possible again; True if what asks it need not know."""
        before, certain = dict(self.made), self.certain(name)
        del self.made[f"possible {name}"]
        self.possible(name, NOWHERE)
        same = self.made.keys() == before.keys() and self.certain(name) == certain
        self.made = before | self.made  # in the order of before
        return same

    def _possible(self, key: str, info: CallInfo) -> m.QueryDef:
        scope, slots = self._params(info.params)
        body = self.possibility.of_body(info.decl.body, scope, info.decl.name)
        return m.QueryDef(key, slots, BOOL.run_time(), body, info.decl.trivia.cites)

    def running(self, kind: str, name: str) -> bool:
        """True if a ``query`` or whether something is ``possible`` is being lowered just now."""
        return (name if kind == "query" else f"{kind} {name}") in self.in_progress

    def certain(self, name: str) -> bool:
        """True if a procedure that ``possible`` asks about is always possible."""
        made = self.made.get(f"possible {name}")
        return made is not None and made.body == m.Const(1)

    def _declared(self, decl: ast.Query | ast.Value) -> tuple[tuple[str, Type], ...]:
        """The parameters of a query with their types."""
        return tuple((p.name, self.world.resolve(p.type)) for p in decl.params)

    def _params(self, params: tuple[tuple[str, Type], ...]) -> tuple[Scope, tuple[m.Slot, ...]]:
        scope = Scope()
        slots = []
        for name, type in params:
            var, binding = self.context.variable(name, type)
            scope.bind(name, binding)
            slots.append(m.Slot(var, type.run_time()))
        return scope, tuple(slots)

    def _query(
        self, decl: ast.Query | ast.Value, params: tuple[tuple[str, Type], ...]
    ) -> tuple[Signature, tuple[m.QueryDef, ...]]:
        scope, slots = self._params(params)
        wanted = self.world.resolve(decl.type) if decl.type is not None else None
        if isinstance(decl, ast.Value):
            body = self._value(decl, scope, wanted)
        elif decl.value is not None:
            body = self._fit(self.expressions.lower(decl.value, scope, wanted), wanted, decl.value.span, decl.name)
        else:
            body = self._cases(decl, scope, wanted)
        type = body.type if wanted is None or wanted.kind == "list" else wanted
        measures = isinstance(decl, ast.Query) and decl.word == "measure"
        if measures:
            self._check_measure(decl, params, type)
        query = m.QueryDef(decl.name, slots, type.run_time(), body.ir, decl.trivia.cites, measures)
        most = decl.at_most if isinstance(decl, ast.Query) else None
        return (params, type), (query,) if most is None else unfolded(query, self._times(query, most))

    def _check_measure(self, decl: ast.Query | ast.Value, params: tuple[tuple[str, Type], ...], type: Type) -> None:
        """A measure is a number, of the game or of a player."""
        if type.kind != "any" and (type.kind != "int" or type.optional):
            self.context.mismatch("a number", type, decl.span, f"the measure `{decl.name}`")
        about = [(one.kind, one.universe, one.optional) for _, one in params]
        if about not in ([], [("entity", "Player", False)]):
            message = f"the measure `{decl.name}` must be about one player, or about the game as a whole"
            hint = "`(p: Player)`, or no parameter; what depends on anything else is a `query`"
            self.context.error("TYP243", message, decl.span, hint=hint)

    def _times(self, query: m.QueryDef, written: ast.Expr) -> int:
        """The number of times that a query may ask itself."""
        if not asks_itself(query):
            self.context.error("REF008", f"`{query.name}` does not ask itself", written.span)
        type = Type("int", low=1, high=MOST)
        found = constant(self.expressions.number(written, Scope()), type, written.span, self.context.report, self.world)
        return found if isinstance(found, int) else 1

    def _fit(self, value: Typed, wanted: Type | None, span: Span, name: str) -> Typed:
        if wanted is None:
            return self.coercions.item(value)
        where = f"the result of `{name}`"
        made = self.coercions.coerce(value, wanted, span, where)
        made = self.coercions.within(made, value.type, wanted, span, where)
        return Typed(made, _with_room(wanted, value.type))

    def _cases(self, decl: ast.Query, scope: Scope, wanted: Type | None) -> Typed:
        if not decl.cases:
            hint = "`replace` what it answers instead"
            self.context.error("VAR404", f"`{decl.name}` is left without a case", decl.span, hint=hint)
            return Typed(m.Const(0), ANY)
        where = self.expressions.operators.narrowing.where
        made: list[str | m.Expr | None] = []
        """For each line the variable of a ``let``, or the condition of a case."""
        values: list[Typed] = []
        for line in decl.lines:
            if isinstance(line, ast.Let):
                of = None if line.type is None else self.world.resolve(line.type)
                value = self.expressions.lower(line.value, scope, of)
                value = value if of is None else self._fit(value, of, line.value.span, line.name)
                var, binding = self.context.variable(line.name, value.type)
                scope = scope.inner(**{line.name: binding})
                made.append(var)
            else:
                there = where(line.condition, scope)
                value = self._fit(self.expressions.lower(line.value, there, wanted), wanted, line.value.span, decl.name)
                made.append(self.expressions.truth(line.condition, scope) if line.condition is not None else None)
                scope = where(line.condition, scope, False)
            values.append(value)
        cases = [value for line, value in zip(decl.lines, values, strict=True) if isinstance(line, ast.Case)]
        type = wanted
        if type is None:
            made_cases, type = self.coercions.together(cases, [case.value.span for case in decl.cases], "each case")
            if type.kind == "any":
                return Typed(m.Const(0), ANY)
            converted = iter(made_cases)
            values = [
                value if isinstance(line, ast.Let) else Typed(next(converted), value.type)
                for line, value in zip(decl.lines, values, strict=True)
            ]
        body: m.Expr = m.Const(0) if type.kind in ("set", "bool") else m.Const(m.NONE)
        if type.kind == "list":
            body = m.ListConst(())
            for value in cases:
                type = _with_room(type, value.type)
        if decl.cases[-1].condition is not None:
            type = type.or_none()
        for what, value in zip(reversed(made), reversed(values), strict=True):
            if isinstance(what, str):
                body = m.LetIn(what, value.ir, body)
            else:
                body = value.ir if what is None else m.IfElse(what, value.ir, body)
        return Typed(body, type)

    def _value(self, decl: ast.Value, scope: Scope, wanted: Type | None) -> Typed:
        """The start, then the modifiers by layers: becomes, plus and minus, times, at least and at most."""
        start = self.expressions.lower(decl.value, scope, wanted)
        where = f"the result of `{decl.name}`"
        if wanted is None:
            start = self.coercions.item(start)
            body, result = start.ir, start.type
        else:
            body, result = self.coercions.coerce(start, wanted, decl.value.span, where), wanted
        if result.kind == "int" and decl.modifiers:  # the value so far keeps to no bounds
            result = INT.or_none() if result.optional else INT
        for modifier in sorted(decl.modifiers, key=lambda mod: _LAYER[mod.op]):
            # A further modifier sees the value so far as `result`.
            var = self.context.fresh("result")
            inner = scope.inner(result=Binding(m.Var(var), result))
            there = self.expressions.operators.narrowing.where(modifier.condition, inner)
            changed = self._modified(modifier, m.Var(var), result, there)
            if modifier.condition is not None:
                changed = m.IfElse(self.expressions.truth(modifier.condition, inner), changed, m.Var(var))
            body = m.LetIn(var, body, changed)
        if wanted is None:
            return Typed(body, result.present() if result.kind == "int" else result)
        found = replace(wanted, low=INT.low, high=INT.high) if decl.modifiers else start.type
        return Typed(self.coercions.within(body, found, wanted, decl.span, where), wanted)

    def _modified(self, modifier: ast.Modifier, so_far: m.Expr, result: Type, scope: Scope) -> m.Expr:
        what, op = f"`{modifier.label}`", _ARITHMETIC[modifier.op]
        if op is None:
            return self.expressions.want(modifier.value, scope, result, what)
        if result.keys:
            return self._modified_each(op, modifier, Typed(so_far, result), scope)
        if result.kind not in ("int", "any"):
            self.context.mismatch("a number", result, modifier.span, f"what {what} changes")
        return m.Arith(op, so_far, self.expressions.want(modifier.value, scope, INT.or_none(), what))

    def _modified_each(self, op: ArithOp, modifier: ast.Modifier, so_far: Typed, scope: Scope) -> m.Expr:
        """The numbers for each key: with as many others added or taken away, or all times, at least or at most one."""
        value = self.coercions.item(self.expressions.lower(modifier.value, scope, so_far.type))
        several, keys = op in ("add", "sub"), so_far.type.keys
        if value.type.kind != "any" and (value.type.keys != keys if several else value.type.kind != "int"):
            wanted = f"an amount for each {keys}" if several else "a number"
            self.context.mismatch(wanted, value.type, modifier.value.span, f"`{modifier.label}`")
            return so_far.ir
        return self.coercions.keyed.computed(op, so_far, value).ir
