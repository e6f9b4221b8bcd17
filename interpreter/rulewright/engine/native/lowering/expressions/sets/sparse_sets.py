"""Sets of few places of a large map, such as those beside a place, as lists: no loop goes through all words of a
set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.expressions.map_lowering import neighbour_row
from rulewright.engine.native.memory_map import is_large
from rulewright.engine.native.values import Unsupported, Value, absent
from rulewright.ir import model as m

_NONE: Mapping[str, bool] = {}


class SparseSets:
    """Writes such expressions."""

    def __init__(self, lower: ExpressionLowering) -> None:
        self.lower, self.writer, self.ctx = lower, lower.writer, lower.ctx

    def collection(self, e: m.Expr) -> Value:
        """A set or list; if it can be, a set as the list of its members, least first."""
        return self._listed(e) if self.is_sparse(e) else self.lower.collection(e)

    def filtered(self, e: m.Filter, source: Value) -> Value:
        """The items of a list for which a condition holds."""
        result = self.lower.lists.new(source.capacity, source)
        with self.lower.loop(source, e.var) as (item, again, _):
            self.lower.guard(e.where, again)
            result.append(item)
        return result.finished()

    def is_sparse(self, e: m.Expr, inner: Mapping[str, bool] = _NONE) -> bool:
        """True of an expression that can be had as a list although it gives a set; `inner` variables are its own."""
        match e:
            case m.Var():
                return inner[e.name] if e.name in inner else self.writer.env[e.name].is_sparse
            case m.NeighboursOf():
                return is_large(len(self.ctx.graphs[e.graph].neighbours))
            case m.Grown():
                return self.ctx.log.makes("grown-maps") and is_large(len(self.ctx.graphs[e.graph].neighbours))
            case m.Filter(is_list=False):
                return self.is_sparse(e.source, inner)
            case m.SetOp("minus" | "inter"):
                return self.is_sparse(e.left, inner)
            case m.Charged(all=False):
                return self.is_sparse(e.of, inner)
            case m.LetIn():
                return self.is_sparse(e.body, {**inner, e.var: self.is_sparse(e.value, inner)})
            case _:
                return False

    @contextmanager
    def let(self, e: m.LetIn) -> Iterator[None]:
        """The variable of a binding, which may be a set as a list."""
        if self.is_sparse(e.value):
            with self.writer.binding(e.var, replace(self._listed(e.value), is_sparse=True)):
                yield
            return
        v = self.lower.value(e.value)
        with self.writer.binding(e.var, v, self.lower.level(v, e.value)):
            yield

    def _listed(self, e: m.Expr) -> Value:
        with self.lower.inside(e):
            return self._list(e)

    def _list(self, e: m.Expr) -> Value:
        match e:
            case m.Var():
                return replace(self.writer.env[e.name], is_sparse=False)
            case m.NeighboursOf():
                return neighbour_row(self.lower, self.ctx.graphs[e.graph], self.lower.value(e.place))
            case m.Grown():
                found = self.ctx.grown(e.graph, self.writer.earlier)
                self.writer.body.call(found.find)
                high = len(self.ctx.graphs[e.graph].neighbours) - 1
                there = Value(known=found.items, is_list=True, capacity=found.capacity, low=0, high=high)
                return self.lower.lists.copied(there) if self.ctx.imagines else there
            case m.Filter():
                return self.filtered(e, self._listed(e.source))
            case m.SetOp("minus" | "inter"):
                source, other = self._listed(e.left), self.lower.set(e.right)
                result = self.lower.lists.new(source.capacity, source)
                with self.lower.loop(source, "*") as (item, again, _):
                    inside = self.writer.contains(other, item)
                    self.writer.body.branch_if(again, inside.eqz() if e.op == "inter" else inside)
                    result.append(item)
                return result.finished()
            case m.Charged():
                if not e.each:
                    self.writer.pay_now(e.steps)
                    return self._listed(e.of)
                members = self._listed(e.of)
                self.writer.pay_for_each(e, self.lower.lists.length(members))
                return members
            case m.LetIn():
                with self.let(e):
                    return self._listed(e.body)
            case _:
                raise AssertionError(e)

    def arguments(self, e: m.CallQuery) -> list[Value]:
        """The arguments of a query."""
        args: list[Value] = []
        for number, (arg, slot) in enumerate(zip(e.args, self.ctx.queries[e.query].params, strict=True)):
            v = self.lower.value(arg)
            if v.null and not slot.ty.optional and ("param", e.query, number) not in self.ctx.null:
                v = self._present(v)
            args.append(v)
        return args

    def _present(self, v: Value) -> Value:
        """A value that no analysis expects to be none: should it be, the Python backend answers."""
        if v.is_list or v.is_set or not v.locals:
            raise Unsupported("none where a query takes none of it")
        self.writer.body.trap_if(absent(v))
        return replace(v, null=False)
