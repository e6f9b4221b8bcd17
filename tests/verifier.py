"""Verifier of programs: names resolve, jumps and slots are in range."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.ir import model as m
from rulewright.ir.walk import EXPR_TYPES, ExprFacts, deep_recursion, field_names, nodes


def validate(program: m.Program) -> list[str]:
    """Errors in a program, one sentence each; none if it can be run."""
    with deep_recursion():
        return list(_Checker(program).problems())


class _Checker:
    def __init__(self, program: m.Program) -> None:
        self.p = program
        self.names = {
            "universe": {u.name for u in program.universes},
            "table": {t.name for t in program.tables},
            "kind": {k.name for k in program.kinds},
            "graph": {g.name for g in program.graphs},
            "merged": {x.name for x in program.merged},
            "area": {a.name for a in program.areas},
            "field": {f.name for f in program.fields},
            "zone": {z.name for z in program.zones},
            "query": {q.name for q in program.queries},
            "function": {f.name for f in program.functions},
            "stream": {s.name for s in program.streams},
        }
        self.arity = {
            "field": {f.name: len(f.index) for f in program.fields},
            "zone": {z.name: len(z.index) for z in program.zones},
            "query": {q.name: len(q.params) for q in program.queries},
            "function": {f.name: f.params for f in program.functions},
        }
        self.facts = ExprFacts({q.name: q for q in program.queries})

    def problems(self) -> Iterator[str]:
        p = self.p
        yield from self._declarations()
        for query in p.queries:
            bound = {s.name for s in query.params}
            yield from self._expr(f"query {query.name}", query.body, bound, None)
        yield from self._circles()
        for area in p.areas:
            yield from self._expr(f"area {area.name}", area.across, {area.var}, None)
        located: list[m.Field | m.Zone] = [*p.fields, *p.zones]
        for declared in located:
            for audience in declared.audiences:
                if audience.by is not None:
                    yield from self._expr(f"audience of {declared.name}", audience.by, set(declared.binders), None)
        for a in p.assertions:
            if a.source is not None:
                yield from self._expr(a.name, a.source, set(), None)
            known = {a.var} if a.var else set()
            for bind in a.inner:
                yield from self._expr(a.name, bind.source, known, None)
                known = known | {bind.var}
            yield from self._expr(a.name, a.condition, known, None)
        for function in p.functions:
            yield from self._function(function)

    def _declarations(self) -> Iterator[str]:
        p = self.p
        for needed in ("Player", "Piece"):
            if needed not in self.names["universe"]:
                yield f"there is no universe {needed}"
                return
        sizes = {u.name: u.size for u in p.universes}
        if "box" not in self.names["zone"]:
            yield "there is no zone box"
        if p.main not in self.names["function"]:
            yield f"there is no function {p.main}"
        if len(p.alike) != sizes["Piece"] or len(p.begins) != sizes["Piece"]:
            yield "alike and begins must have one entry for each piece"
        counts = {"universe": len(p.universes), "field": len(p.fields), "zone": len(p.zones), "query": len(p.queries)}
        for kind, count in {**counts, "function": len(p.functions)}.items():
            if len(self.names[kind]) < count:
                yield f"two of one name among {kind}s"
        for table in p.tables:
            if len(table.values) != sizes.get(table.universe, -1):
                yield f"table {table.name} has {len(table.values)} values"
        located: list[m.Field | m.Zone] = [*p.fields, *p.zones]
        for f in located:
            for universe in f.index:
                if universe not in sizes:
                    yield f"{f.name} is indexed by the unknown universe {universe}"
            if len(f.binders) != len(f.index):
                yield f"{f.name} needs a binder for each key"
        for zone, keys in p.begins:
            if self.arity["zone"].get(zone) != len(keys):
                yield f"pieces begin in {zone}{keys}, which does not exist"

    def _function(self, f: m.Function) -> Iterator[str]:
        seen: set[str] = set()
        size = len(f.code)
        for pc, i in enumerate(f.code):
            where = f"{f.name} at {pc}"
            targets: list[int | None] = [getattr(i, "to", None) if isinstance(i, m.Jump | m.JumpUnless) else None]
            bound: set[str] = set()
            if isinstance(i, m.Choose):
                targets += [i.on_empty, *(x.to for x in i.extras)]
                bound = {i.var}
            elif isinstance(i, m.FinishRank):
                bound = {i.var}
            for target in targets:
                if target is not None and not 0 <= target <= size:
                    yield f"{where}: jump to {target}"
            at = getattr(i, "at", None)
            if isinstance(i, m.Call | m.Choose | m.Chance) and at is not None:
                if at in seen:
                    yield f"{where}: the place {at!r} is named twice"
                seen.add(at)
            for slot in (getattr(i, "slot", None), getattr(i, "into", None), *getattr(i, "shared", ())):
                if slot is not None and not 0 <= slot < len(f.slots):
                    yield f"{where}: slot {slot}"
            yield from self._names(where, i)
            yield from self._expr(where, i, bound, f)

    def _expr(self, where: str, top: Any, bound: set[str], function: m.Function | None) -> Iterator[str]:
        for node in nodes(top):
            yield from self._names(where, node)
            if isinstance(node, m.Local) and (function is None or not 0 <= node.slot < len(function.slots)):
                yield f"{where}: slot {node.slot}"
        roots = list(_roots(top)) if isinstance(top, m.Instr) else [top]
        for root in roots:
            for name in sorted(self.facts.free(root) - bound):
                yield f"{where}: the variable {name} is not bound"

    def _names(self, where: str, node: Any) -> Iterator[str]:
        for kind in ("table", "graph", "area", "query", "stream"):
            name = getattr(node, kind, None)
            if isinstance(name, str) and name not in self.names[kind]:
                yield f"{where}: unknown {kind} {name}"
        if isinstance(node, m.Reaches) and not isinstance(node.source, m.ReachFrom | m.Closure):
            yield f"{where}: {type(node.source).__name__} is no flood"
        merged = getattr(node, "merged", "")
        if isinstance(merged, str) and merged and merged not in self.names["merged"]:
            yield f"{where}: unknown merged universe {merged}"
        for kind, args in (("zone", "index"), ("field", "index"), ("function", "args"), ("query", "args")):
            name = getattr(node, kind, None)
            if not isinstance(name, str) or not name:
                continue
            if name not in self.names[kind]:
                yield f"{where}: unknown {kind} {name}"
            elif len(getattr(node, args)) != self.arity[kind][name]:
                yield f"{where}: {name} takes {self.arity[kind][name]} keys or arguments"
        if isinstance(node, m.Kind) and node.name not in self.names["kind"]:
            yield f"{where}: unknown kind {node.name}"
        if isinstance(node, m.Fingerprint):
            for kind, names in (("field", node.fields), ("zone", node.zones)):
                yield from (f"{where}: unknown {kind} {name}" for name in names if name not in self.names[kind])
        if isinstance(node, m.Alive | m.Closure) and node.universe not in self.names["universe"] | {"Bool"}:
            yield f"{where}: unknown universe {node.universe}"

    def _circles(self) -> Iterator[str]:
        calls = {q.name: {n.query for n in nodes(q.body) if isinstance(n, m.CallQuery)} for q in self.p.queries}
        done: set[str] = set()
        for start in calls:
            stack: list[tuple[str, Iterator[str]]] = [(start, iter(sorted(calls[start])))]
            path = {start}
            while stack:
                name, rest = stack[-1]
                following = next(rest, None)
                if following is None:
                    stack.pop()
                    path.discard(name)
                    done.add(name)
                elif following in path:
                    yield f"query {following} calls itself"
                    return
                elif following not in done:
                    path.add(following)
                    stack.append((following, iter(sorted(calls.get(following, ())))))


def _roots(i: Any) -> Iterator[Any]:
    """The outermost expressions of an instruction."""
    stack: list[Any] = [getattr(i, n) for n in field_names(type(i))]
    while stack:
        top = stack.pop()
        if isinstance(top, tuple):
            stack.extend(top)
        elif isinstance(top, EXPR_TYPES):
            yield top
        elif isinstance(top, m.Restriction | m.Extra | m.Exception_):
            stack.extend(getattr(top, n) for n in field_names(type(top)))
