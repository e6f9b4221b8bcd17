"""Values known while code is written, loop invariants, and answers of floods for whole components.

A loop invariant is evaluated once, before the loop or at its first use. Where the neighbour relation is symmetric, all
places that a flood has found would find what it did, so they share the answer of its start. A query that is nothing but
the question whether a flood from its argument reaches such a place keeps two sets beside its version: the places from
which one does, and those from which none does.
"""

from __future__ import annotations

from functools import partial

from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.lowering.memo_tables import RESULT, MemoTable
from rulewright.engine.native.memory_map import words
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.terms import Local, const, mem64
from rulewright.ir import model as m
from rulewright.ir.dataflow.memoized_queries import question_of
from rulewright.ir.evaluation import Impossible, holds, known
from rulewright.ir.model import NONE

MOST = 8
"""So many members a set has at most of which each is looked at."""


_FOLLOWED = (m.And, m.Arith, m.Attr, m.Cmp, m.Const, m.IfElse, m.Not, m.Or)
"""Expressions whose parts are looked at: all else is folded before, or never known."""


def known_number(writer: FunctionWriter, e: m.Expr) -> int | None:
    """The number or truth that an expression is known to be now."""
    if isinstance(e, m.Var):
        bound = writer.env.get(e.name)
        return None if bound is None or bound.is_set or bound.is_list else bound.constant
    if not isinstance(e, _FOLLOWED):
        return None
    try:
        value = known(e, partial(known_number, writer), writer.ctx.tables, writer.ctx.facts.fallible)
    except Impossible:  # it is an error when it is evaluated
        return None
    return value if isinstance(value, int) else None


def known_truth(writer: FunctionWriter, e: m.Expr) -> bool | None:
    """The truth that a condition is known to have now."""
    value = known_number(writer, e)
    return None if value is None else holds(value)


def _size(writer: FunctionWriter, universe: str) -> int | None:
    """The number of members of a universe; none if it can change who belongs to it."""
    layout = writer.ctx.layout
    if universe == "Player" or universe in layout.merged:
        return None
    return 2 if universe == "Bool" else layout.sizes[universe]


def known_members(writer: FunctionWriter, e: m.Expr) -> tuple[int, ...] | None:
    """The few members of a collection that are known now."""
    match e:
        case m.Alive(universe) if (size := _size(writer, universe)) is not None:
            return tuple(range(size)) if size <= MOST else None
        case m.IntRange():
            low, high = known_number(writer, e.low), known_number(writer, e.high)
            known = low is not None and high is not None and high - low < MOST
            return tuple(range(low, high + 1)) if known and low is not None and high is not None else None
        case m.MakeSet(items):
            found = {known_number(writer, item) for item in items}
            known = None not in found and NONE not in found and len(found) <= MOST
            return tuple(sorted(item for item in found if item is not None)) if known else None
        case _:
            return None


_COSTLY = (
    *(m.CallQuery, m.Fold, m.Filter, m.Collect, m.Best, m.Closure, m.Component, m.Fingerprint, m.Grown),
    *(m.Mapped, m.ReachFrom, m.Reaches, m.RegionsBeside, m.Occurrences),
)
"""Worth to be worked out before loops that they do not depend on."""
CHEAP = 12
"""So many nodes has what is worked out before a loop in any case."""


def is_costly(ctx: LoweringContext, e: m.Expr) -> bool:
    """True of what is worth to be worked out before loops that it does not depend on, as are the bodies of queries."""
    while isinstance(e, m.LetIn):
        if ctx.optimizer.origin(e):
            return True
        e = e.body
    return isinstance(e, _COSTLY) or bool(ctx.optimizer.origin(e))


def is_lazy(ctx: LoweringContext, e: m.Expr) -> bool:
    """True of what is worked out at its first use, as it may never be, or as it is an error or pays there."""
    if isinstance(e, m.Local):
        return False
    return ctx.optimizer.size.of(e) > CHEAP or ctx.facts.fallible(e) or ctx.facts.pays(e)


def level_of(writer: FunctionWriter, e: m.Expr) -> int | None:
    """The number of the loops around that change an expression, if it is worth it; else None."""
    ctx = writer.ctx
    if not writer.depth or not (isinstance(e, m.Local) or is_costly(ctx, e)) or not ctx.log.makes("hoisting"):
        return None
    level = writer.level(ctx.facts.free(e))
    return None if level >= writer.depth or _gives_list(ctx.queries, e) else level


def _gives_list(queries: dict[str, m.QueryDef], e: m.Expr) -> bool:
    """True of an expression whose list lies in a buffer that is used again."""
    while isinstance(e, m.Charged):
        e = e.of
    if isinstance(e, m.CallQuery):
        return queries[e.query].ty.kind == "list"
    return isinstance(e, m.Filter) and e.is_list


class ComponentAnswers:
    """The answers of one query, while its function is written."""

    def __init__(self, writer: FunctionWriter, table: MemoTable, query: m.QueryDef) -> None:
        """Give the answer of a place that was found before."""
        assert table.start is not None
        self._writer, self._body, self._size = writer, writer.body, table.places
        arguments = [writer.env[slot.name] for slot in query.params]
        self._start, self.question = arguments.pop(table.start), question_of(query)
        self._row = table.row(self._body, *arguments)
        with self._body.when(table.is_valid(self._row).eqz()):
            for number in range(2 * words(self._size)):
                self._body.set(mem64(self._row, RESULT + 8 * number), 0)
            table.mark_valid(self._body, self._row)
        refuses = query.body is not self.question
        for truth in (0, 1):
            with self._body.when(writer.contains(self._set(truth), self._start)):
                self._body.give(truth ^ int(refuses))
        self.found = writer.new_set(self._size)
        """The places to which the flood has come."""

    def keep(self, truth: Local, within: Value | None) -> None:
        """Keep the answer for all places that the flood has found, unless it begins where it may not go: what lies on
        two sides of such a place does not hang together."""
        begins = const(1) if within is None else self._writer.contains(within, self._start)
        with self._body.when(begins):
            at = self._body.hold(self._row + truth * (8 * words(self._size)))
            for number in range(words(self._size)):
                word = mem64(at, RESULT + 8 * number)
                self._body.set(word, word | self.found.word(number))

    @property
    def reached(self) -> Value:
        """Places from which a flood comes to the goal."""
        return self._set(1)

    def _set(self, truth: int) -> Value:
        """The places with an answer."""
        at = RESULT + truth * 8 * words(self._size)
        return Value(is_set=True, bits=self._size, base=self._row, at=at)
