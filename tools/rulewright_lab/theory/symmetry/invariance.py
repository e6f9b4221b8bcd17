"""A proof that rules treat symmetric positions alike.

A permutation of places is a symmetry of a program if each of its instructions does the same before and after: the value
of an expression for permuted locals and a permuted state is the value before, permuted. Each expression is compared
with itself, for all members that its locals can hold, as a term in a normal form (:mod:`.grounding`). Expressions that
look at nothing that is permuted say the same anyway. What is not understood is not proved, and then the permutation is
none: so positions are never merged by mistake.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from rulewright.ir import Symmetry, nodes
from rulewright.ir import model as m
from rulewright_lab.theory.symmetry.grounding import Grounding, Patience
from rulewright_lab.theory.symmetry.kinds import Environment
from rulewright_lab.theory.symmetry.terms import Members, NotProved, Scalar, Term, Truth, Value, member, permuted

MOST_CASES = 4_096
"""So many combinations of members in locals are looked at."""
_HARMLESS = (m.Jump, m.Fired, m.Observe, m.Tell, m.Show, m.Fail)
"""Instructions after which nothing is different."""
_MAPS = (
    *(m.NeighboursOf, m.Towards, m.DistanceOf, m.EdgeBetween, m.EdgesOf, m.ReachFrom, m.Reaches, m.Ahead, m.Closure),
    *(m.Preimage, m.Ray, m.Nearest),
)


def is_symmetry(program: m.Program, symmetry: Symmetry, patience: Patience) -> bool:
    """True if the rules are proved to be the same under a permutation."""
    try:
        _Proof(program, symmetry, patience).check()
    except NotProved:
        return False
    return True


class _Proof:
    """One permutation of one program."""

    def __init__(self, program: m.Program, symmetry: Symmetry, patience: Patience) -> None:
        self._program, self._symmetry, self._moving = program, symmetry, frozenset(symmetry)
        self._grounding = Grounding(program, self._moving, patience)
        self._functions = {function.name: function for function in program.functions}
        self._fields = {declared.name: declared for declared in program.fields}
        self._queries = {query.name: query for query in program.queries}
        self._tables = {table.name: table for table in program.tables}
        self._still_queries: dict[str, bool] = {}

    def check(self) -> None:
        """Look at all; :class:`NotProved` if anything is not proved."""
        program = self._program
        if program.areas or program.merged or any(self._moving.intersection(zone.index) for zone in program.zones):
            raise NotProved
        for declared in program.fields:
            self._initial(declared)
        for function in program.functions:
            for instruction in function.code:
                self._instruction(function, instruction)

    def _initial(self, declared: m.Field) -> None:
        """All keys begin with one value, which must stay where it is."""
        if not self._moves(declared.ty):
            return
        if not isinstance(declared.initial, int):
            raise NotProved
        value = self._grounding.typed(Scalar(None, member(None, declared.initial)), declared.ty)
        self._same(value, value)

    def _moves(self, ty: m.Ty) -> bool:
        if ty.kind == "list" and ty.universe in self._moving:
            raise NotProved
        return ty.universe in self._moving and ty.kind in ("entity", "set")

    # ------------------------------------------------------------------------------------------------ instructions

    def _instruction(self, function: m.Function, i: m.Instr) -> None:
        match i:
            case m.SetLocal():
                self._value(function, i.value, function.slots[i.slot].ty)
            case m.SetField():
                declared = self._fields[i.field]
                for key, universe in zip(i.index, declared.index, strict=True):
                    self._value(function, key, m.Ty("entity", universe))
                self._value(function, i.value, declared.ty)
            case m.JumpUnless():
                self._value(function, i.condition, m.BOOL)
            case m.Call():
                for one, slot in zip(i.args, self._functions[i.function].slots, strict=False):
                    self._value(function, one, slot.ty)
                if i.into is not None:
                    self._stores(function, i.into, self._functions[i.function].result)
            case m.Return():
                if i.value is not None and function.result is not None:
                    self._value(function, i.value, function.result)
            case m.Eliminate():
                self._value(function, i.player, m.Ty("entity", "Player"))
            case m.FinishWin() if i.parties is None:
                self._value(function, i.players, m.Ty("set", "Player"))
            case m.FinishRank() if i.universe not in self._moving:
                self._value(function, i.source, m.Ty("set", i.universe))
                for key in i.keys:
                    self._value(function, key, m.INT, (i.var, i.universe))
            case m.Choose() if not i.is_list:
                self._choice(function, i)
            case m.Reset():
                pass
            case _ if isinstance(i, _HARMLESS):
                pass
            case _:
                if not self._is_still(function, i):
                    raise NotProved

    def _stores(self, function: m.Function, slot: int, ty: m.Ty | None) -> None:
        """A slot takes what is permuted if and only if its type does."""
        held = function.slots[slot].ty
        if ty is None or (
            (self._moves(ty) or self._moves(held)) and (held.kind, held.universe) != (ty.kind, ty.universe)
        ):
            raise NotProved

    def _choice(self, function: m.Function, i: m.Choose) -> None:
        """The options, as a set: in which order they stand does not count."""
        self._value(function, i.who, m.Ty("entity" if i.who_is == "player" else "set", "Player"))
        moving = i.universe in self._moving
        if moving:
            self._stores(function, i.into, m.Ty("entity", i.universe))
        if i.source is not None and (moving or not self._is_still(function, i.source)):
            self._value(function, i.source, m.Ty("set", i.universe))
        candidate = (i.var, i.universe) if i.source is not None else None
        for condition in () if i.where is None else (i.where,):
            self._value(function, condition, m.BOOL, candidate)
        for restriction in i.restrictions:
            for condition in (restriction.condition, *(one.condition for one in restriction.unless)):
                self._value(function, condition, m.BOOL, candidate)
        for extra in i.extras:
            refused = (one for r in extra.restrictions for one in (r.condition, *(u.condition for u in r.unless)))
            for condition in (*(() if extra.guard is None else (extra.guard,)), *refused):
                self._value(function, condition, m.BOOL)

    # ------------------------------------------------------------------------------------------------- expressions

    def _value(self, function: m.Function, e: m.Expr, ty: m.Ty, bound: tuple[str, str] | None = None) -> None:
        """Prove it of an expression in a place of a type, in which perhaps a member of a universe is bound."""
        if not self._moves(ty) and self._is_still(function, e) and (bound is None or bound[1] not in self._moving):
            return
        for env in self._environments(function, e, bound):
            before = self._grounding.typed(self._grounding.value(e, env), ty)
            other = {name: self._moved(value) for name, value in env.items()}
            after = self._grounding.typed(self._grounding.value(e, other), ty)
            self._same(before, after)

    def _environments(self, function: m.Function, e: m.Expr, bound: tuple[str, str] | None) -> Iterator[Environment]:
        """All that locals can hold, where it is a member of what is permuted; of others it is unknown."""
        still: dict[str | int, Value] = {}
        moving: dict[str | int, str] = {}
        for slot in {node.slot for node in nodes(e) if isinstance(node, m.Local)}:
            ty = function.slots[slot].ty
            if self._moves(ty) and ty.kind == "entity":
                moving[slot] = ty.universe
            else:
                still[slot] = self._grounding.unknown(ty, ("local", slot))
        if bound is not None:
            name, universe = bound
            if universe in self._moving:
                moving[name] = universe
            else:
                still[name] = Scalar(universe, ("bound", name))
        sizes = [self._grounding.sizes[universe] for universe in moving.values()]
        cases = 1
        for size in sizes:
            cases *= size + 1
        if cases > MOST_CASES:
            raise NotProved
        for numbers in product(*((m.NONE, *range(size)) for size in sizes)):
            held = zip(moving.items(), numbers, strict=True)
            yield {**still, **{name: Scalar(universe, member(universe, n)) for (name, universe), n in held}}

    def _moved(self, value: Value) -> Value:
        """A value of an environment, permuted."""
        if isinstance(value, Scalar):
            return Scalar(value.universe, permuted(value.term, self._symmetry))
        return value  # a set of which only its place is known is permuted with the state

    def _same(self, before: Value, after: Value) -> None:
        """Compare a value, permuted, with the value of the permuted state: terms over cells are permuted with these."""
        if permuted(_term(before), self._symmetry) != _term(after):
            raise NotProved

    def _is_still(self, function: m.Function, node: Any) -> bool:
        """True if nothing that is permuted is looked at."""
        return not any(self._looks(one, function) for one in nodes(node))

    def _looks(self, node: Any, function: m.Function | None) -> bool:
        """True if an expression looks at what is permuted, by itself."""
        match node:
            case m.FieldGet():
                declared = self._fields[node.field]
                return bool(self._moving.intersection(declared.index)) or declared.ty.universe in self._moving
            case m.SetField() | m.SwapItems() if node.field:
                declared = self._fields[node.field]
                return bool(self._moving.intersection(declared.index)) or declared.ty.universe in self._moving
            case m.Local() if function is not None:
                return function.slots[node.slot].ty.universe in self._moving
            case m.SetLocal() | m.Append() if function is not None:
                return function.slots[node.slot].ty.universe in self._moving
            case m.Attr():
                table = self._tables.get(node.table)
                return table is None or table.universe in self._moving or table.ty.universe in self._moving
            case m.Alive() | m.PlaceOf():
                return node.universe in self._moving
            case m.CallQuery():
                return not self._is_still_query(node.query)
            case m.After() | m.Fingerprint() | m.Old() | m.Turn() | m.Chance() | m.Call():
                return True
            case _:
                return isinstance(node, _MAPS)

    def _is_still_query(self, name: str) -> bool:
        if name not in self._still_queries:
            query = self._queries[name]
            types = (query.ty, *(slot.ty for slot in query.params))
            still = not any(ty.universe in self._moving for ty in types)
            self._still_queries[name] = still and not any(self._looks(one, None) for one in nodes(query.body))
        return self._still_queries[name]


def _term(value: Value) -> Term:
    match value:
        case Truth():
            return value.formula
        case Members():
            return Members(value.universe, {n: f for n, f in value.formulas.items() if f is not False}).term()
        case Scalar():
            return value.term
