"""Conditions turned into masks: ``count(c in court[p] where c.colour is red)`` needs no loop."""

from __future__ import annotations

from rulewright.engine.codegen.expressions.expression_writer import ExpressionWriter
from rulewright.engine.codegen.value_ranges import V, literal
from rulewright.ir import model as m

FEW = 6
"""So many zones at most are united rather than asked for each piece."""


class MaskFilters:
    """Takes conditions on a member out of a loop where they can be had for the whole set at once."""

    def __init__(self, x: ExpressionWriter) -> None:
        self.x, self.w, self.ctx = x, x.w, x.ctx

    def ready(self, parts: list[m.Expr], missing: set[str]) -> tuple[list[m.Expr], list[m.Expr]]:
        """The conditions that can be asked before some variables are bound, and the others (errors stay in order)."""
        if not missing:
            return parts, []
        here: list[m.Expr] = []
        later: list[m.Expr] = []
        blocked = False
        for part in parts:
            fallible = self.ctx.facts.fallible(part)
            if blocked or fallible or self.ctx.facts.free(part) & missing:
                later.append(part)
                blocked = blocked or fallible
            else:
                here.append(part)
        return here, later

    def narrow(self, source: V, var: str, parts: list[m.Expr]) -> tuple[V, list[m.Expr]]:
        """The source with as many conditions as possible done by masks, and the conditions left."""
        rest: list[m.Expr] = []
        facts = self.ctx.facts
        for number, part in enumerate(parts):
            if facts.fallible(part):
                return source, [*rest, *parts[number:]]
            if var not in facts.free(part):
                test = self.w.condition(self.x.expr(part))
                source = V(f"({source.code} if {test} else 0)", "s", bits=source.bits, living=source.living)
                continue
            mask = self._mask(part, var)
            if mask is None:
                rest.append(part)
            else:
                source = V(f"({source.code} & {mask})", "s", bits=source.bits, living=source.living)
            if len(source.code) > 120:
                source = self.w.hold(source)
        return source, rest

    def _mask(self, part: m.Expr, var: str) -> str | None:
        free = self.ctx.facts.free
        match part:
            case m.Not():
                inner = self._mask(part.operand, var)
                return None if inner is None else f"~{inner}"
            case m.Contains(item=m.Var(name), is_list=False) if name == var and var not in free(part.collection):
                v = self.x.expr(part.collection)
                return v.code if v.kind != "l" else None
            case m.Attr(table, m.Var(name)) if name == var and self.ctx.tables[table].ty.kind == "bool":
                masks = self.ctx.globals[self.ctx.masks(table)]
                return literal(masks.get(1, 0))
            case m.Cmp("eq" | "ne"):
                left, right = (part.right, part.left) if var in free(part.right) else (part.left, part.right)
                return None if var in free(right) else self._equal(part.op == "eq", left, right, part.nothing, var)
            case m.InZone(zones, m.Var(name)) if name == var:
                return self._in_zones(zones)
        return None

    def _equal(self, equal: bool, left: m.Expr, right: m.Expr, nothing: bool, var: str) -> str | None:
        match left:
            case m.Attr(table, m.Var(name)) if name == var and self.ctx.tables[table].ty.kind in (
                "entity",
                "int",
                "bool",
            ):
                v = self.x.value(right)
                name = self.ctx.masks(table, with_none=nothing)
                masks: dict[int, int] = self.ctx.globals[name]
                if v.constant is not None:
                    found = literal(masks.get(v.constant, 0))
                else:
                    self.ctx.globals.setdefault(name + "get", masks.get)
                    found = f"{name}get({v.code}, 0)"
                if equal:
                    return found
                if nothing or not (v.null and self._has_none(table)):
                    return f"~{found}"
                return None
            case m.PlaceOf(universe, m.Var(name)) if name == var and equal and not nothing:
                return self._zones_of(universe, right)
            case m.Var(name) if name == var and not nothing:
                v, limit = self.x.value(right), self.ctx.support.limit
                if v.constant is not None and v.constant >= limit:
                    code = "0"  # no set has such a member
                elif v.null or v.low < 0 or v.high >= limit:
                    v = self.w.hold(v)
                    code = f"(1 << {v.code} if 0 <= {v.code} < {limit} else 0)"
                else:
                    code = f"({v.shift})"
                return code if equal else f"~{code}"
        return None

    def _has_none(self, table: str) -> bool:
        return m.NONE in self.ctx.tables[table].values

    def _zones_of(self, universe: str, right: m.Expr) -> str | None:
        zones = [z for z in self.ctx.program.zones if z.index.count(universe) == 1]
        if not 0 < len(zones) <= FEW or any(z.order in ("stack", "row") or len(z.index) > 1 for z in zones):
            return None
        v = self.w.hold(self.x.value(right))
        places = [self.ctx.layout.zones[z.name].at for z in zones]
        union = " | ".join(f"{self.w.cells}[{at} + {v.code}]" for at in places)
        return f"({union} if {v.code} >= 0 else 0)" if v.null else f"({union})"

    def _in_zones(self, zones: tuple[str, ...]) -> str | None:
        places = [self.ctx.layout.zones[z] for z in zones]
        if any(p.ordered for p in places) or sum(p.count for p in places) > FEW:
            return None
        return "(" + " | ".join(f"{self.w.cells}[{p.at + i}]" for p in places for i in range(p.count)) + ")"
