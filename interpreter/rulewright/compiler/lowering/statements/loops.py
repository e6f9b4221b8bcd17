"""Lowering of loops: ``each`` in its orders, and ``repeat``."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler.lowering.expressions.comprehensions import Bound
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import Ends, FunctionBuilder, Loop
from rulewright.compiler.lowering.lowering_context import LowerBlock
from rulewright.compiler.lowering.statements.endings import Remains, remaining
from rulewright.compiler.lowering.statements.procedure_calls import runs_procedure
from rulewright.compiler.lowering.statements.restrictions import DeciderLowerer
from rulewright.compiler.symbols.static_types import INT
from rulewright.compiler.symbols.symbols import Binding, Scope
from rulewright.compiler.tree_walk import nodes
from rulewright.ir import model as m
from rulewright.syntax import ast

_ASKS = ast.Question | ast.RandomEvent
_CHANGES = _ASKS | ast.StateChange | ast.Invocation

LowerSimultaneous = Callable[[ast.Each, Bound, Scope, FunctionBuilder], None]
"""Lowers ``each … at once``."""


class LoopLowerer:
    """Lowers statements that do something several times."""

    def __init__(
        self,
        expressions: ExpressionLowerer,
        deciders: DeciderLowerer,
        simultaneous: LowerSimultaneous,
        ends: Ends,
        lower_block: LowerBlock,
    ) -> None:
        self.context, self.expressions = expressions.context, expressions
        self.world = expressions.world
        self.deciders, self.simultaneous, self.lower_block = deciders, simultaneous, lower_block
        self.ends = ends
        """The ends of the game that are known so far."""

    def each(self, s: ast.Each, scope: Scope, code: FunctionBuilder) -> None:
        """``each x in S``, in the order that is written, chosen or the members' own; or all at once."""
        bound, inner = self.expressions.bind(s.bind, scope)
        if s.order == "at once":
            self.context.needs_procedure(code, "ask", s.span)
            self.simultaneous(s, bound, scope, code)
            return
        again, end, skip = code.label(), code.label(), code.label()
        one = code.slot(s.bind.name, bound.type)
        raw = m.Local(one)
        me = Binding(self.context.read(raw, bound.type), bound.type, slot=one)
        body_scope = scope.inner(**{s.bind.name: me})
        code.loops.append(Loop(None, False, end, len(code.blocks)))
        remains = remaining(self.world, s, bound, code)
        chosen = s.order == "chosen" and s.key is not None
        listed = self._in_order(bound)
        if s.order in ("by", "by descending") and s.key is not None:
            key = self.expressions.order(s.key, inner)
            source: m.Expr = m.Sort(bound.source, bound.var, key, s.order == "by descending", bound.is_list)
            self._over_list(code, bound, source, one, again, end, skip)
        elif listed is not None and not chosen:
            self._over_list(code, bound, listed, one, again, end, skip)
        else:
            left = code.slot(f"{s.bind.name} left", bound.type.as_set())
            code.add(m.SetLocal(left, m.ToSet(bound.source) if bound.is_list else bound.source))
            code.mark(again)
            code.mark(skip)
            if chosen:
                self._next_chosen(s, bound, left, one, inner, scope, code, end, remains)
            else:
                code.add(
                    m.JumpUnless(m.Cmp("ne", m.Size(m.Local(left)), m.Const(0)), end),
                    m.SetLocal(one, m.First(m.Local(left))),
                )
            code.add(m.SetLocal(left, m.SetOp("minus", m.Local(left), m.MakeSet((raw,)))))
        if bound.type.kind == "entity" and self.world.is_merged(bound.type.universe):
            # One that was merged away in the meantime is not visited again under its old name.
            code.add(m.JumpUnless(m.Cmp("eq", m.Canon(bound.type.universe, raw), raw), skip))
        if remains is not None and not chosen:
            code.add(m.JumpUnless(remains(raw), skip))
        if s.where is not None:
            code.add(m.JumpUnless(self.expressions.truth(s.where, body_scope), skip))
        self.lower_block(s.body, body_scope.inner(), code)
        code.add(m.Jump(skip))
        code.mark(end)
        code.loops.pop()

    def _in_order(self, bound: Bound) -> m.Expr | None:
        """A list, stack or row as a list; None if its members have no order of their own."""
        if bound.is_list:
            return bound.source
        if isinstance(bound.source, m.ZoneGet) and self.world.zones[bound.source.zone].order in ("stack", "row"):
            return m.ZoneList(bound.source.zone, bound.source.index)
        return None

    def _over_list(
        self, code: FunctionBuilder, bound: Bound, source: m.Expr, one: int, again: int, end: int, skip: int
    ) -> None:
        capacity = bound.capacity if bound.is_list else self.world.most_members(bound.type)
        members = code.slot(f"{code.slots[one].name} in turn", bound.type.as_list(max(capacity, 1)))
        at = code.slot("at", INT)
        code.add(m.SetLocal(members, source), m.SetLocal(at, m.Const(-1)))
        code.mark(again)
        code.mark(skip)
        code.add(
            m.SetLocal(at, m.Arith("add", m.Local(at), m.Const(1))),
            m.JumpUnless(m.Cmp("lt", m.Local(at), m.Size(m.Local(members), is_list=True)), end),
            m.SetLocal(one, m.Item(m.Local(members), m.Local(at))),
        )

    def _next_chosen(
        self,
        s: ast.Each,
        bound: Bound,
        left: int,
        one: int,
        inner: Scope,
        scope: Scope,
        code: FunctionBuilder,
        end: int,
        remains: Remains | None,
    ) -> None:
        self.context.needs_procedure(code, "ask", s.span)
        assert s.key is not None
        who, who_is = self.deciders.lower(s.key, scope)
        var = bound.var
        where = self.expressions.truth(s.where, inner) if s.where is not None else None
        if self.world.is_merged(bound.type.universe):
            alive = m.Cmp("eq", m.Canon(bound.type.universe, m.Var(var)), m.Var(var))
            where = alive if where is None else m.And((alive, where))
        if remains is not None:
            where = remains(m.Var(var)) if where is None else m.And((remains(m.Var(var)), where))
        universe = bound.type.options or "Int"
        taken = code.label()
        if not s.anyway:  # the last one needs no question
            rest = m.Local(left) if where is None else m.Filter(m.Local(left), var, where)
            ask = code.label()
            code.add(m.JumpUnless(m.Cmp("eq", m.Size(rest), m.Const(1)), ask), m.SetLocal(one, m.First(rest)))
            code.add(m.Jump(taken))
            code.mark(ask)
        code.add(
            m.Choose(
                s.bind.name, code.place(s.bind.name), who, who_is, universe, m.Local(left), False, var, where, (), (),
                one, end, code.alone is not None, s.trivia.cites,
            )
        )  # fmt: skip
        code.mark(taken)

    def repeat(self, s: ast.Repeat, scope: Scope, code: FunctionBuilder) -> None:
        """``repeat``, with its bounds."""
        self._progress(s)
        again, end = code.label(), code.label()
        count: int | None = None
        limit: int | None = None
        if s.mode == "times" and s.value is not None:
            count = code.slot("left", INT)
            code.add(m.SetLocal(count, self.expressions.number(s.value, scope)))
        if s.at_most is not None:
            limit = code.slot("at most", INT)
            code.add(m.SetLocal(limit, self.expressions.number(s.at_most, scope)))
        code.loops.append(Loop(s.label, False, end, len(code.blocks)))
        code.mark(again)
        for counter in (count, limit):
            if counter is not None:
                code.add(
                    m.JumpUnless(m.Cmp("gt", m.Local(counter), m.Const(0)), end),
                    m.SetLocal(counter, m.Arith("sub", m.Local(counter), m.Const(1))),
                )
        if s.mode in ("until", "while") and s.value is not None:
            condition = self.expressions.truth(s.value, scope)
            code.add(m.JumpUnless(m.Not(condition) if s.mode == "until" else condition, end))
        self.lower_block(s.body, scope.inner(), code)
        code.add(m.Jump(again))
        code.mark(end)
        code.loops.pop()

    def _progress(self, s: ast.Repeat) -> None:
        """Report a repetition that can never end: what it does has no way out and changes nothing."""
        if s.at_most is not None or s.mode == "times":
            return
        inside = [n for statement in s.body for n in nodes(statement)]
        if any(isinstance(n, ast.Transfer) for n in inside) or any(runs_procedure(self.world, n) for n in inside):
            return
        if s.mode in ("until", "while"):
            endless = not any(isinstance(n, _CHANGES) for n in inside)
        else:
            endless = not self.ends.types and not any(isinstance(n, _ASKS) for n in inside)
        if endless:
            self.context.error(
                "CTL113", "this never ends", s.span, hint="leave it with `stop`, or add `, at most 10 times`"
            )
