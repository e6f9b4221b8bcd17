"""Masks: conditions on the members of a set are evaluated for all members at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from itertools import product
from math import prod

from rulewright.ir import model as m
from rulewright.ir.comparison import mirrored
from rulewright.ir.model import MAX_NUMBER_BITS, NONE
from rulewright.ir.transform.rewriting import PLAIN, Rewriter, conjunction
from rulewright.ir.walk import ExprFacts, conjuncts

Mask = tuple[m.Expr, bool]
"""A set, and True if a condition holds for all that are not in it."""
FEW_ZONES = 6
"""So many zones at most are united, rather than looking up where each piece lies; each key has one of its own."""
MOST_VALUES = 64
"""The numbers that are printed lie so close together at most, if the members with each of them are a set."""


class MemberSets:
    """Finds them for one program."""

    def __init__(self, program: m.Program, tables: Mapping[str, m.Table], facts: ExprFacts) -> None:
        self._tables = tables
        self._zones = {zone.name: zone for zone in program.zones}
        self._sizes = {universe.name: universe.size for universe in program.universes}
        self._merged = {merged.name for merged in program.merged}
        self._facts = facts

    def of(self, part: m.Expr, var: str) -> Mask | None:
        """The members for which a condition holds; None if they are no set that can be had at once."""
        match part:
            case m.Not(operand):
                return _opposite(self.of(operand, var))
            case m.And(items) | m.Or(items):
                masks = [self.of(item, var) for item in items]
                found = [mask for mask in masks if mask is not None]
                return reduce(_both if isinstance(part, m.And) else _either, found) if found == masks != [] else None
            case m.Old(of):
                mask = self.of(of, var)
                return None if mask is None else (m.Old(mask[0]), mask[1])
            case m.LetIn(name, value, body) if name != var and var not in self._facts.free(value):
                mask = self.of(body, var)
                return None if mask is None else (m.LetIn(name, value, mask[0]), mask[1])
            case m.Contains(collection, m.Var(name), False) if name == var and var not in self._facts.free(collection):
                return collection, False
            case m.InZone(zones, m.Var(name)) if name == var:
                return self._in_zones(zones)
            case m.Attr(table, m.Var(name)) if name == var and self._tables[table].ty.kind == "bool":
                return m.Preimage(table, m.Const(1)), False
            case m.Cmp():
                return self._compared(part, var)
            case _:
                return None

    def _compared(self, part: m.Cmp, var: str) -> Mask | None:
        left, right, op = part.left, part.right, part.op
        if var in self._facts.free(right):
            left, right, op = right, left, mirrored(op)
        if var in self._facts.free(right):
            return None
        is_other = op == "ne"
        match left:
            case m.Attr(table, m.Var(name)) if name == var and op in ("eq", "ne") and self._has_few_values(table):
                return m.Preimage(table, right, part.nothing or is_other), is_other
            case m.PlaceOf(universe, m.Var(name)) if name == var and op == "eq" and not part.nothing:
                return self._lying_at(universe, right)
            case m.Var(name) if name == var and isinstance(right, m.Const) and 0 <= right.value < MAX_NUMBER_BITS:
                one, below = 1 << right.value, (1 << right.value + (op in ("le", "gt"))) - 1
                return m.Const(one if op in ("eq", "ne") else below), op in ("ne", "ge", "gt")
            case _:
                return None

    def _has_few_values(self, table: str) -> bool:
        known = [v for v in self._tables[table].values if isinstance(v, int) and v != NONE]
        is_number = self._tables[table].ty.kind in ("entity", "int", "bool")
        return is_number and bool(known) and max(known) - min(known) < MOST_VALUES

    def _lying_at(self, universe: str, right: m.Expr) -> Mask | None:
        """The content of the zones of a key."""
        zones = [zone for zone in self._zones.values() if zone.index.count(universe) == 1]
        if not 0 < len(zones) <= FEW_ZONES or any(z.order in ("stack", "row") or len(z.index) > 1 for z in zones):
            return None
        if universe in self._merged or (len(zones) > 1 and not isinstance(right, PLAIN)):
            return None
        return _united([m.ZoneGet(zone.name, (right,)) for zone in zones]), False

    def _in_zones(self, names: tuple[str, ...]) -> Mask | None:
        """The content of some zones, if they are few with all their keys."""
        zones = [self._zones[name] for name in names]
        if any(z.order in ("stack", "row") for z in zones) or sum(map(self._keys, zones)) > FEW_ZONES:
            return None
        found: list[m.Expr] = []
        for zone in zones:
            keys = product(*(range(self._sizes[universe]) for universe in zone.index))
            found += [m.ZoneGet(zone.name, tuple(map(m.Const, key))) for key in keys]
        return _united(found), False

    def _keys(self, zone: m.Zone) -> int:
        return prod(self._sizes[universe] for universe in zone.index)


def _opposite(mask: Mask | None) -> Mask | None:
    return None if mask is None else (mask[0], not mask[1])


def _united(sets: list[m.Expr]) -> m.Expr:
    return reduce(lambda one, other: m.SetOp("union", one, other), sets)


def _both(one: Mask, other: Mask) -> Mask:
    """The members for which two conditions hold."""
    if one[1] and other[1]:
        return m.SetOp("union", one[0], other[0]), True
    if one[1]:
        one, other = other, one
    return m.SetOp("minus" if other[1] else "inter", one[0], other[0]), False


def _either(one: Mask, other: Mask) -> Mask:
    """The members for which one of two conditions holds, or both."""
    found, others = _both((one[0], not one[1]), (other[0], not other[1]))
    return found, not others


class Masks:
    """Takes conditions out of filters and aggregates."""

    name = "masks"
    kinds = frozenset({m.Filter, m.Fold, m.Reaches})

    def __init__(self, program: m.Program, tables: Mapping[str, m.Table], rewriter: Rewriter, facts: ExprFacts) -> None:
        self._sets = MemberSets(program, tables, facts)
        self._rewriter, self._facts = rewriter, facts

    def describe(self, node: object) -> str:
        """No description of a single rewrite."""
        return ""

    def rewritten(self, node: m.Filter | m.Fold | m.Reaches) -> m.Expr:
        """An equal expression with fewer conditions; a filter left without any is replaced by its source."""
        if isinstance(node, m.Reaches):
            return self._reaches(node)
        if isinstance(node, m.Fold):
            return self._fold(node)
        parts = conjuncts(node.where)
        source, rest = (node.source, parts) if node.is_list else self._narrowed(node.source, node.var, parts, ())
        if len(rest) == len(parts):
            return node
        return self._rewriter.changed(node, {"source": source, "where": conjunction(rest)}) if rest else source

    def _fold(self, node: m.Fold) -> m.Expr:
        parts = conjuncts(node.where) if node.where is not None else []
        binds, rest = list(node.binds), parts
        for number, bind in enumerate(binds):
            later = binds[number + 1 :]
            if not bind.is_list and not any(self._facts.fallible(one.source) for one in later):
                source, rest = self._narrowed(bind.source, bind.var, rest, [one.var for one in later])
                binds[number] = self._rewriter.changed(bind, {"source": source})
        kind, body, last = node.kind, node.body, binds[-1]
        if kind == "every" and body is not None and not last.is_list and not any(map(self._facts.fallible, rest)):
            refused = _refused(body)
            source, left = self._narrowed(last.source, last.var, refused, ())
            if len(left) < len(refused):
                binds[-1] = self._rewriter.changed(last, {"source": source})
                kind, body, rest = "no", None, [*rest, *left]
        if kind == node.kind and len(rest) == len(parts):
            return node
        where = conjunction(rest) if rest else None
        return self._rewriter.changed(node, {"kind": kind, "binds": tuple(binds), "where": where, "body": body})

    def _reaches(self, node: m.Reaches) -> m.Expr:
        """The conditions that can be had at once are one, the first."""
        parts = conjuncts(node.where)
        at_once = [part for part in parts if self._sets.of(part, node.var) is not None]
        mask = self._sets.of(conjunction(at_once), node.var) if at_once else None
        if mask is None:
            return node
        there: m.Expr = m.Contains(mask[0], m.Var(node.var))
        where = conjunction([m.Not(there) if mask[1] else there, *(part for part in parts if part not in at_once)])
        return node if where == node.where else self._rewriter.changed(node, {"where": where})

    def _narrowed(
        self, source: m.Expr, var: str, parts: list[m.Expr], later: Iterable[str]
    ) -> tuple[m.Expr, list[m.Expr]]:
        """The source with as many conditions as possible done at once, and the conditions left, in their order; what
        depends on `later` variables, and all behind an error, is left."""
        missing, rest = frozenset(later), list[m.Expr]()
        for number, part in enumerate(parts):
            if self._facts.fallible(part):
                return source, [*rest, *parts[number:]]
            free = self._facts.free(part)
            mask = self._sets.of(part, var) if var in free and not free & missing else None
            if mask is None:
                rest.append(part)
            else:
                source = self._rewriter.moved(part, m.SetOp("minus" if mask[1] else "inter", source, mask[0]))
        return source, rest


def _refused(body: m.Expr) -> list[m.Expr]:
    """The conditions that all hold where another one does not."""
    items = body.items if isinstance(body, m.Or) else (body,)
    return [item.operand if isinstance(item, m.Not) else m.Not(item) for item in items]
