"""Tables: the results of a query that asks nothing but what is printed are worked out before anybody plays.

Of a query that gives sets and has a second argument with few values there is a table for each of these.

So such a query of a member is like something printed on that member, for all passes behind this one and for both
engines. The value for none is in no table: where none may be an argument, it stays a query, which looks up anything
else, unless its value for none is what a table would give. A member of a set is not none.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m
from rulewright.ir.dataflow.nullability import Nullability
from rulewright.ir.model import NONE
from rulewright.ir.printed_values import PrintedValues
from rulewright.ir.transform.rewriting import Rewriter
from rulewright.ir.walk import INSIDE, nodes

MOST_MEMBERS = 1024
"""Universes with so many members at most have such tables."""
FEW = 4
"""A query of two arguments has a table for each value of one of them, if it has so many at most."""
_OF_SETS = (m.Filter, m.Fold, m.Collect, m.Mapped, m.Best, m.Sort, m.Reaches, m.Closure, m.ReachFrom)
"""Loops whose variable is a member of a set, if it is no item of a list."""
_KINDS = ("bool", "int", "entity", "set")


def made_tables(program: m.Program, remembered: Container[str]) -> dict[str, m.Table]:
    """The tables of queries, each with a name that no other has."""
    made, values = dict[str, m.Table](), PrintedValues(program)
    sizes, taken = {u.name: u.size for u in program.universes}, {table.name for table in program.tables}
    merged = {one.name for one in program.merged}
    for query in program.queries:
        if len(query.params) != 1 or query.ty.kind not in _KINDS or query.name in remembered:
            continue
        param = query.params[0].ty
        size = sizes.get(param.universe, 0) if param.kind == "entity" else 0
        if not 0 < size <= MOST_MEMBERS or merged & {param.universe, query.ty.universe}:
            continue
        if (found := values.of_each(query, size)) is not None:
            name = f"{param.universe}.{query.name}"
            while name in taken:
                name += "'"
            taken.add(name)
            made[query.name] = m.Table(name, param.universe, query.ty, found)
    return made


def made_choices(
    program: m.Program, remembered: Container[str], taken: Container[str]
) -> dict[str, tuple[m.QueryDef, tuple[m.Table, ...]]]:
    """Queries of two arguments that give sets, one of which has few values: a query that chooses between tables, one
    for each of these, and the tables, with the query's value for none at their ends, which is an empty set."""
    made = dict[str, tuple[m.QueryDef, tuple[m.Table, ...]]]()
    values, nullable = PrintedValues(program), None
    merged = {one.name for one in program.merged}
    sizes = {u.name: u.size for u in program.universes if u.name not in merged}
    for query in program.queries:
        counts = [sizes.get(slot.ty.universe, 0) if slot.ty.kind == "entity" else 0 for slot in query.params]
        if len(counts) != 2 or query.ty.kind != "set" or query.name in remembered or query.ty.universe in merged:
            continue
        few = counts.index(min(counts))
        if not 0 < counts[few] <= FEW or not counts[1 - few] <= MOST_MEMBERS:
            continue
        found = [values.of_each(query, counts[1 - few], {query.params[few].name: at}) for at in range(counts[few])]
        if any(one is None or one[-1] for one in found):
            continue
        nullable = Nullability(program).places if nullable is None else nullable
        may_be_none = query.params[few].ty.optional or ("param", query.name, few) in nullable
        if may_be_none and any(values.of_each(query, counts[1 - few], {query.params[few].name: NONE}) or (1,)):
            continue
        universe = query.params[1 - few].ty.universe
        tables = []
        for at, one in enumerate(found):
            name = f"{universe}.{query.name} {at}"
            while name in taken:
                name += "'"
            tables.append(m.Table(name, universe, query.ty, one or ()))
        made[query.name] = replace(query, body=_choice(query, few, tables, may_be_none)), tuple(tables)
    return made


def _choice(query: m.QueryDef, few: int, tables: Sequence[m.Table], may_be_none: bool) -> m.Expr:
    """The entry of the table of the argument that has few values; an empty set of none."""
    case, other = (m.Var(query.params[number].name) for number in (few, 1 - few))
    *first, last = (m.Attr(table.name, other) for table in tables)
    body: m.Expr = m.IfElse(m.Cmp("eq", case, m.Const(len(first))), last, m.MakeSet(())) if may_be_none else last
    for at, entry in reversed(tuple(enumerate(first))):
        body = m.IfElse(m.Cmp("eq", case, m.Const(at)), entry, body)
    return body


class Tables:
    """Asks tables that were made of queries."""

    name = "tables"

    def __init__(self, program: m.Program, made: Mapping[str, m.Table], rewriter: Rewriter) -> None:
        """`made` are tables with the query's value for none behind those for the members."""
        self._names = {query: table.name for query, table in made.items()}
        self.kinds: frozenset[type] = frozenset({m.CallQuery, *_OF_SETS} if made else ())
        self._rewriter = rewriter
        self._of_members = saying_else_of_none(program, made)

    def describe(self, node: Any) -> str | None:
        """The query of which there is a table."""
        return node.query if isinstance(node, m.CallQuery) else ""

    def rewritten(self, node: Any) -> Any:
        """The entry of a table; of a loop over a set the same loop with such entries for its members."""
        if isinstance(node, m.CallQuery):
            anything = node.query in self._names and node.query not in self._of_members
            return self._entry(node) if anything else node
        if getattr(node, "is_list", False):
            return node
        if isinstance(node, m.Fold):
            return self._fold(node)
        part = INSIDE[type(node)]
        return self._rewriter.changed(node, {part: self._of_member(getattr(node, part), node.var)})

    def _fold(self, node: m.Fold) -> m.Fold:
        binds, where, body = list(node.binds), node.where, node.body
        for number, bind in enumerate(node.binds):
            if bind.is_list:
                continue
            for other in range(number + 1, len(binds)):
                source = self._of_member(binds[other].source, bind.var)
                binds[other] = self._rewriter.changed(binds[other], {"source": source})
                if binds[other].var == bind.var:
                    break
            else:
                where, body = self._of_member(where, bind.var), self._of_member(body, bind.var)
        same = all(one is other for one, other in zip(binds, node.binds, strict=True))
        new = {"binds": node.binds if same else tuple(binds), "where": where, "body": body}
        return self._rewriter.changed(node, new)

    def _of_member(self, part: Any, var: str) -> Any:
        """The part of a loop that is about its member, which no loop within calls by the same name."""
        if part is None or any(getattr(inner, "var", None) == var for inner in nodes(part)):
            return part
        member = (m.Var(var),)
        return self._rewriter.rebuilt(
            part,
            {m.CallQuery},
            lambda call: self._entry(call) if call.args == member and call.query in self._names else call,
        )

    def _entry(self, call: m.CallQuery) -> m.Expr:
        return self._rewriter.moved(call, m.Attr(self._names[call.query], call.args[0]))


def with_none(query: m.QueryDef, table: m.Table) -> m.QueryDef:
    """A query of sets that looks up its table, but has its own value for none.

    Of other queries it would no longer be known that their values are not none.
    """
    of, nothing = m.Var(query.params[0].name), table.values[-1]
    assert isinstance(nothing, int)
    value_of_none = m.MakeSet(tuple(map(m.Const, bits_of(nothing))))
    body = m.IfElse(m.Cmp("eq", of, m.Const(NONE), True), value_of_none, m.Attr(table.name, of))
    return replace(query, body=body)


def saying_else_of_none(program: m.Program, made: Mapping[str, m.Table]) -> frozenset[str]:
    """Queries with none as a possible argument whose tables give another value for it."""
    found = {query for query, table in made.items() if table.values[-1] != (0 if table.ty.kind == "set" else NONE)}
    if not found:
        return frozenset()
    nullable = {name for kind, name, at in Nullability(program).places if kind == "param" and at == 0}
    nullable |= {query.name for query in program.queries if query.params and query.params[0].ty.optional}
    return frozenset(found & nullable)
