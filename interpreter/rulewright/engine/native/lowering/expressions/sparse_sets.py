"""Sets of few places of a large map, such as those beside a place, as lists: nobody goes through all words of a set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.expressions.map_lowering import neighbour_row
from rulewright.engine.native.values import Unsupported, Value
from rulewright.engine.native.webassembly.encoding import Op
from rulewright.engine.native.word_sizes import is_large
from rulewright.ir import model as m


class SparseSets:
    """Writes such expressions."""

    def __init__(self, x: ExpressionLowering) -> None:
        self.x, self.w, self.ctx = x, x.w, x.ctx

    def collection(self, e: m.Expr) -> Value:
        """A set or list; if it can be, a set as the list of its members, least first."""
        return self._listed(e) if self.is_sparse(e) else self.x.collection(e)

    def is_sparse(self, e: m.Expr, params: Mapping[str, bool] | None = None) -> bool:
        """True of an expression that can be had as a list although it gives a set; within a query, for its `params`."""
        match e:
            case m.Var():
                return self.w.env[e.name].is_sparse if params is None else params.get(e.name, False)
            case m.NeighboursOf():
                return is_large(len(self.ctx.graphs[e.graph].neighbours))
            case m.Grown():
                return self.ctx.log.makes("grown-maps") and is_large(len(self.ctx.graphs[e.graph].neighbours))
            case m.Filter(is_list=False):
                return self.is_sparse(e.source, params)
            case m.SetOp("minus" | "inter"):
                return self.is_sparse(e.left, params)
            case m.CallQuery() if self.ctx.inlining.takes(e.query):
                query = self.ctx.queries[e.query]
                given = {slot.name: self.is_sparse(a, params) for slot, a in zip(query.params, e.args, strict=True)}
                return self.is_sparse(query.body, given)
        return False

    def _listed(self, e: m.Expr) -> Value:
        match e:
            case m.Var():
                return replace(self.w.env[e.name], is_sparse=False)
            case m.NeighboursOf():
                return neighbour_row(self.x, self.ctx.graphs[e.graph], self.x.value(e.place))
            case m.Grown():
                found = self.ctx.grown(e.graph, self.w.earlier)
                self.w.body.call(found.find)
                high = len(self.ctx.graphs[e.graph].neighbours) - 1
                there = Value(known=found.items, is_list=True, capacity=found.capacity, low=0, high=high)
                return self.x.lists.copied(there) if self.ctx.imagines else there
            case m.Filter():
                source = self._listed(e.source)
                result = self.x.lists.new(source.capacity, source)
                with self.x.loop(source, e.var) as (item, again, _):
                    self.x.guard(e.where, again)
                    result.append(item)
                return result.finished()
            case m.SetOp("minus" | "inter"):
                source, other = self._listed(e.left), self.x.set(e.right)
                result = self.x.lists.new(source.capacity, source)
                with self.x.loop(source, "*") as (item, again, _):
                    self.w.push_contains(other, item)
                    if e.op == "inter":
                        self.w.body.op(Op.I32_EQZ)
                    self.w.body.branch_if(again)
                    result.append(item)
                return result.finished()
        assert isinstance(e, m.CallQuery)
        with self.x.inside(self.ctx.queries[e.query], self.arguments(e), e.args):
            return self._listed(self.ctx.queries[e.query].body)

    def arguments(self, e: m.CallQuery) -> list[Value]:
        """The arguments of a query; where it is written here, sets may be lists among them."""
        args: list[Value] = []
        for number, (arg, slot) in enumerate(zip(e.args, self.ctx.queries[e.query].params, strict=True)):
            if self.ctx.inlining.takes(e.query) and self.is_sparse(arg):
                args.append(replace(self._listed(arg), is_sparse=True))
                continue
            v = self.x.argument(arg) if self.ctx.inlining.takes(e.query) else self.x.value(arg)
            if v.null and not slot.ty.optional and ("param", e.query, number) not in self.ctx.null:
                v = self._present(v)
            args.append(v)
        return args

    def _present(self, v: Value) -> Value:
        """A value that no analysis expects to be none: should it be, the Python backend answers."""
        if v.is_list or v.is_set or not v.locals:
            raise Unsupported("none where a query takes none of it")
        self.w.push_present([v])
        self.w.body.op(Op.I32_EQZ)
        self.w.trap_if()
        return replace(v, null=False)
