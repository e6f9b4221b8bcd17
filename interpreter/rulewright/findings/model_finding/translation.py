"""Translation of expressions into formulas over unknown cells.

Loops are unrolled over the members that there may be. What is not translated (ways over the map, what-ifs, orders of
lists and so on) has the value that it has in the position as it is, as in concolic execution (K. Sen, D. Marinov,
G. Agha, *CUTE: a concolic unit testing engine for C*, 2005): so who has found a model asks the engine whether the
condition holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import z3

from rulewright.diagnostics import RulesetError
from rulewright.engine import State
from rulewright.findings.model_finding import symbolic_values as v
from rulewright.findings.model_finding.symbolic_operations import (
    KNOWN,
    Key,
    addend,
    arithmetic,
    compared,
    extreme,
    greater,
    known_cases,
    plain,
    same,
    set_operation,
)
from rulewright.findings.model_finding.symbolic_values import Members, Number, Truth, Unknowable, Value
from rulewright.findings.model_finding.translation_budget import NODES, TranslationBudget
from rulewright.findings.model_finding.unknown_cells import MapFacts, UnknownCells
from rulewright.ir import model as m
from rulewright.ir.model import NONE
from rulewright.ir.transform.rewriting import Rewriter, substituted
from rulewright.ir.walk import nodes

Given = Mapping[str, Value]
"""The values of variables."""


class Translation:
    """The translation of expressions beside one position, over cells of which any may be unknown."""

    def __init__(self, state: State, unknown: UnknownCells) -> None:
        self._state, self._unknown = state, unknown
        engine = state.engine
        program = engine.program
        self._layout, self._seats = engine.layout, engine.layout.sizes["Player"]
        self._tables = {table.name: table for table in program.tables}
        self._kinds = {kind.name: kind.members for kind in program.kinds}
        self._queries = {query.name: query for query in program.queries}
        self._zone_index = {zone.name: zone.index for zone in program.zones}
        self._maps = MapFacts(program)
        self._answers: dict[tuple[object, ...], Value] = {}
        self.definitions: list[z3.BoolRef] = []
        """Names of conditions: they hold if their conditions do."""
        self._budget = TranslationBudget()

    def condition(self, e: m.Expr, most: int = NODES) -> Truth:
        """A closed condition as a formula; Unknowable if it is too large, or of a kind that has none."""
        self._budget.begin(most)
        return v.truth(self.value(e, {}))

    def value(self, e: m.Expr, given: Given) -> Value:
        """The value of an expression."""
        self._budget.node()
        found = self._translated(e, given)
        return self._as_it_is(e, given) if found is None else found

    def _number(self, e: m.Expr, given: Given) -> int | Number:
        return self._as_number(self.value(e, given))

    def _as_number(self, value: Value) -> int | Number:
        """A value as a number; one of several under a name of its own, as solvers are slow where they are nested."""
        if not isinstance(value, v.Cases):
            return v.number(value)
        name = z3.Int(f"number {len(self.definitions)}")
        several = [(there, v.number(one)) for there, one in v.flat(value)]
        self.definitions += [z3.Implies(there, name == v.term(one)) for there, one in several]
        return Number(name, any(v.optional(one) for _, one in several))

    def _named(self, one: Truth) -> Truth:
        """A condition under a name of its own (G. Tseitin, 1968): formulas that are used often stay flat."""
        if isinstance(one, bool) or z3.is_const(one):
            return one
        name = z3.Bool(f"condition {len(self.definitions)}")
        self.definitions.append(name == one)
        return name

    def _flat(self, value: Value) -> Value:
        """A value with names in the place of the conditions of its cases, or of its members."""
        match value:
            case v.Cases(cases, otherwise):
                named = [(self._named(there), self._flat(one)) for there, one in cases]
                return v.one_of(named, self._flat(otherwise))
            case Mapping():
                return {member: self._named(there) for member, there in value.items()}
            case _:
                return value

    def _key(self, e: m.Expr, given: Given) -> Key:
        """The value of an expression as a number; where it is one of several that are known, with all of them."""
        value = self.value(e, given)
        if not isinstance(value, v.Cases):
            return v.number(value)
        cases = known_cases(value)
        return self._as_number(value) if cases is None or len(cases) > KNOWN else cases

    def _truth(self, e: m.Expr | None, given: Given) -> Truth:
        return True if e is None else v.truth(self.value(e, given))

    def _part(self, e: m.Expr, given: Given) -> Truth:
        """One of several conditions: if it is too large, as it is."""
        try:
            with self._budget.part():
                return self._truth(e, given)
        except v.Exhausted:
            raise
        except Unknowable:
            return v.truth(self._as_it_is(e, given))

    def _members(self, e: m.Expr, given: Given) -> Members:
        return v.members(self.value(e, given))

    # --------------------------------------------------------------------------------------------- by kind

    def _translated(self, e: m.Expr, given: Given) -> Value | None:
        """The value as a formula; None of what is not translated, or not where this is unknown."""
        match e:
            case m.Const(value):
                return value
            case m.ListConst(values):
                return values
            case m.Var(name):
                if name not in given:
                    raise Unknowable
                return given[name]
            case m.Kind(name):
                return self._kinds[name]
            case m.Attr(table):
                return self._printed(self._tables[table], self._key(e.of, given))
            case m.Arith():
                return arithmetic(e.op, self._number(e.left, given), self._number(e.right, given))
            case m.Cmp():
                return compared(e, self._key(e.left, given), self._key(e.right, given))
            case m.SetEq():
                return same(self.value(e.left, given), self.value(e.right, given))
            case m.And(items):
                return plain(v.every(self._part(item, given) for item in items))
            case m.Or(items):
                return plain(v.some(self._part(item, given) for item in items))
            case m.Not():
                return plain(v.negated(self._truth(e.operand, given)))
            case m.IfElse():
                truth = self._truth(e.condition, given)
                if isinstance(truth, bool):
                    return self.value(e.then if truth else e.otherwise, given)
                return v.chosen(truth, self.value(e.then, given), self.value(e.otherwise, given))
            case m.LetIn():
                return self.value(e.body, {**given, e.var: self.value(e.value, given)})
            case m.FieldGet(name, index):
                declared = self._layout.field_of[name]
                empty: Value = () if declared.ty.kind == "list" else 0 if declared.ty.kind == "set" else NONE
                keys = [self._key(key, given) for key in index]
                return self._keyed(declared.index, keys, lambda n: self._unknown.field(declared, n), empty)
            case m.ZoneGet(name, index):
                keys = [self._key(key, given) for key in index]
                first = self._layout.zones[name].first
                return self._keyed(self._zone_index[name], keys, lambda n: self._lying(first + n), 0)
            case m.ZoneList(name, index) if all(isinstance(self.value(key, given), int) for key in index):
                first = self._layout.zones[name].first
                numbers = [self._key(key, given) for key in index]
                return self._keyed(self._zone_index[name], numbers, lambda n: self._unknown.list_of(first + n), ())
            case m.InZone(zones):
                piece = self._key(e.piece, given)
                return self._at(piece, self._layout.pieces, lambda one: self._in_one_of(one, zones), 0)
            case m.PlaceOf(universe):
                piece = self._key(e.piece, given)
                return self._at(piece, self._layout.pieces, lambda one: self._place(one, universe), NONE)
            case m.CallQuery(name, args):
                return self._query(self._queries[name], [self.value(arg, given) for arg in args])
            case m.SetOp(op):
                return set_operation(op, self.value(e.left, given), self.value(e.right, given))
            case m.Contains():
                return self._contains(self.value(e.collection, given), self._key(e.item, given), e.is_list)
            case m.MakeSet(items):
                return self._made({}, [(True, self._number(item, given)) for item in items])
            case m.IntRange():
                low, high = self._number(e.low, given), self._number(e.high, given)
                if not isinstance(low, int) or not isinstance(high, int) or NONE in (low, high):
                    return None
                return sum(1 << one for one in range(low, high + 1)) if low >= 0 else None
            case m.ToSet():
                return self.value(e.of, given)
            case m.Size():
                held = self.value(e.of, given)
                return len(held) if isinstance(held, tuple) else v.size(v.members(held))
            case m.First(is_list=False) | m.Single():
                return self._only(self._members(e.of, given), isinstance(e, m.Single))
            case m.First() | m.Item():
                return self._item(self.value(e.of if isinstance(e, m.First) else e.list, given), e, given)
            case m.Filter(is_list=False):
                source = self._members(e.source, given)
                return {
                    one: there
                    for one, held in source.items()
                    if (there := self._where(held, e.where, {**given, e.var: one})) is not False
                }
            case m.Collect():
                return self._collected(e, given)
            case m.Fold():
                return self._folded(e, given)
            case m.Best(is_list=False):
                return self._best(e, given)
            case _:
                return self._maps.value(e, lambda part: self._number(part, given))

    def _printed(self, table: m.Table, of: Key) -> Value:
        nothing: Value = () if table.ty.kind == "list" else 0 if table.ty.kind == "set" else NONE
        return self._at(of, len(table.values), lambda member: table.values[member], nothing)

    def _at(self, key: Key, size: int, value: Callable[[int], Value], nothing: Value) -> Value:
        """The value of an unknown key: of each member that it may be."""
        if isinstance(key, int):
            return value(key) if 0 <= key < size else nothing
        if isinstance(key, list):
            return v.one_of(
                [(there, self._at(one, size, value, nothing)) for there, one in key[:-1]],
                self._at(key[-1][1], size, value, nothing),
            )
        members = range(size if key.optional else size - 1)
        cases = [(key.term == member, value(member)) for member in members]
        return v.one_of(cases, nothing if key.optional else value(size - 1))

    # ------------------------------------------------------------------------------------------------- the state

    def _keyed(
        self,
        index: Sequence[str],
        keys: Sequence[Key],
        value: Callable[[int], Value],
        nothing: Value,
        at: int = 0,
    ) -> Value:
        """The value under these keys, of which some may be unknown; its number is tested row by row."""
        if not index:
            return value(at)
        size = self._layout.sizes[index[0]]
        return self._at(
            keys[0], size, lambda one: self._keyed(index[1:], keys[1:], value, nothing, at * size + one), nothing
        )

    def _lying(self, instance: int) -> Value:
        """The pieces in a zone."""
        if self._layout.instances[instance].ordered:
            return sum(1 << piece for piece in self._unknown.list_of(instance))
        self._budget.pairs(self._layout.pieces)
        inside = {piece: self._unknown.within(piece, instance) for piece in range(self._layout.pieces)}
        return {piece: there for piece, there in inside.items() if there is not False}

    def _in_one_of(self, piece: int, zones: Sequence[str]) -> Value:
        places = [self._layout.zones[name] for name in zones]
        numbers = [number for place in places for number in range(place.first, place.first + place.count)]
        self._budget.pairs(len(numbers))
        return plain(v.some(self._unknown.within(piece, number) for number in numbers))

    def _place(self, piece: int, universe: str) -> Value:
        cases = list[tuple[Truth, Value]]()
        may_lie = self._unknown.instances(piece)
        self._budget.pairs(len(may_lie))
        for number in may_lie:
            instance = self._layout.instances[number]
            index = self._state.engine.program.zones[instance.zone].index
            keys = [key for of, key in zip(index, instance.keys, strict=True) if of == universe]
            if len(keys) == 1:
                cases.append((self._unknown.within(piece, number), keys[0]))
        return v.one_of(cases, NONE)

    def _query(self, query: m.QueryDef, args: Sequence[Value]) -> Value:
        given = {slot.name: value for slot, value in zip(query.params, args, strict=True)}
        known = (query.name, *args) if all(isinstance(one, int | tuple) for one in args) else None
        if known is None:
            return self.value(query.body, given)
        if known not in self._answers:
            found = self.value(query.body, given)
            self._answers[known] = self._named(found) if isinstance(found, z3.BoolRef) else self._flat(found)
        return self._answers[known]

    # -------------------------------------------------------------------------------------------- sets and lists

    def _where(self, held: Truth, where: m.Expr | None, given: Given) -> Truth:
        return False if held is False else v.every((held, self._truth(where, given)))

    def _contains(self, held: Value, item: Key, is_list: bool) -> Value | None:
        if is_list and not isinstance(held, tuple):
            return None
        inside = v.members(held)
        if isinstance(item, int):
            return plain(inside.get(item, False))
        if isinstance(item, list):
            return plain(v.some(v.every((there, inside.get(one, False))) for there, one in item))
        return plain(v.some(v.every((there, item.term == one)) for one, there in inside.items()))

    def _made(self, found: dict[int, Truth], items: Sequence[tuple[Truth, int | Number]]) -> Value | None:
        """The set of some numbers, each of which is in it where its condition holds; none is left out."""
        for there, item in items:
            if not isinstance(item, int):
                return None
            if item != NONE:
                found[item] = v.some((found.get(item, False), there))
        return found

    def _collected(self, e: m.Collect, given: Given) -> Value | None:
        source, found = self._members(e.source, given), dict[int, Truth]()
        if e.flat:
            for one, held in source.items():
                for member, there in self._members(e.element, {**given, e.var: one}).items():
                    found[member] = v.some((found.get(member, False), v.every((held, there))))
            return found
        for one, held in source.items():
            element = self.value(e.element, {**given, e.var: one})
            pairs = known_cases(element)
            if pairs is None:
                return None
            if self._made(found, [(v.every((held, there)), item) for there, item in pairs]) is None:
                return None
        return found

    def _only(self, of: Members, alone: bool) -> Value:
        """The least member, or the only one, else none."""
        cases, before = list[tuple[Truth, Value]](), list[Truth]()
        single = v.equal(v.size(of), 1) if alone else True
        for member, there in of.items():
            cases.append((v.every((there, single, *before)), member))
            if not alone:  # each excludes those behind it: a chain, not a pair of each two
                before = [self._named(v.every((*before, v.negated(there))))]
        return v.one_of(cases, NONE)

    def _item(self, held: Value, e: m.First | m.Item, given: Given) -> Value | None:
        if not isinstance(held, tuple):
            return None
        at = self._number(e.at, given) if isinstance(e, m.Item) else 0
        return self._at(at, len(held), lambda number: held[number], NONE) if held else NONE

    def _folded(self, e: m.Fold, given: Given) -> Value | None:
        cases = list(self._bound(e.binds, e.where, given, True))
        match e.kind:
            case "count":
                return v.total(int(there) if isinstance(there, bool) else z3.If(there, 1, 0) for there, _ in cases)
            case "some":
                return plain(v.some(there for there, _ in cases))
            case "no":
                return plain(v.negated(v.some(there for there, _ in cases)))
            case "every":
                return plain(v.every(v.some((v.negated(there), self._truth(e.body, inner))) for there, inner in cases))
            case "sum" if e.body is not None:
                return v.total(addend(there, self._number(e.body, inner)) for there, inner in cases)
            case "max" | "min" if e.body is not None:
                bodies = [(there, self._number(e.body, inner)) for there, inner in cases]
                return reduce(lambda found, one: extreme(e.kind == "max", found, *one), bodies, _NOTHING)
            case _:
                return None

    def _bound(self, binds: Sequence[m.Bound], where: m.Expr | None, given: Given, held: Truth) -> Any:
        """The members that binders run over: a condition, and the values of variables."""
        if held is False:
            return
        if not binds:
            there = self._where(held, where, given)
            if there is not False:
                yield there, given
            return
        first = binds[0]
        source = self.value(first.source, given)
        pairs = [(one, True) for one in source] if isinstance(source, tuple) else v.members(source).items()
        for member, there in pairs:
            yield from self._bound(binds[1:], where, {**given, first.var: member}, v.every((held, there)))

    def _best(self, e: m.Best, given: Given) -> Value:
        """The members with the highest key."""
        source = self._members(e.source, given)
        keys = {one: self._number(e.key, {**given, e.var: one}) for one in source}
        counts = {one: v.every((there, v.negated(v.is_none(keys[one])))) for one, there in source.items()}
        found = {}
        for one, there in counts.items():
            beaten = (v.every((counts[other], greater(keys[other], keys[one]))) for other in source if other != one)
            found[one] = v.every((there, v.negated(v.some(beaten)))) if there is not False else False
        return {one: there for one, there in found.items() if there is not False}

    # ---------------------------------------------------------------------------------------- what is not translated

    def _as_it_is(self, e: m.Expr, given: Given) -> Value:
        """The value in the position as it is."""
        free = {node.name for node in nodes(e) if isinstance(node, m.Var)}
        constants = dict[str, m.Expr]()
        for name in free & set(given):
            match given[name]:
                case int() as value:
                    constants[name] = m.Const(value)
                case tuple() as values:
                    constants[name] = m.ListConst(values)
                case Mapping() as several if all(there is True for there in several.values()):
                    constants[name] = m.Const(sum(1 << member for member in several))
                case _:
                    raise Unknowable
        key = (id(e), *sorted(constants.items(), key=lambda item: item[0]))
        if key not in self._answers:
            self._budget.question()
            try:
                found = self._state.evaluate(substituted(Rewriter(), e, constants))
            except RulesetError:
                raise Unknowable from None
            self._answers[key] = tuple(found) if isinstance(found, list | tuple) else int(found)
        return self._answers[key]


_NOTHING: int | Number = NONE
