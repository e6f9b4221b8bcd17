"""Values that are not seen by all, and what can be known of them from the rules alone.

A value that follows from what all know is no secret, whoever may look at it: it is told by the rules (*public*). Of any
other can be said which values the rules may give it: the members of what is chosen and drawn from, constants, and what
follows from these (a set of possible values for each place, as in constraint-based analysis: F. Nielson, H. R. Nielson,
C. Hankin, *Principles of Program Analysis*, chapter 3, Springer 1999). Where that cannot be told it may be any of its
type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from typing import assert_never

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.node_memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.arithmetic import DIVISIONS, ArithOp, applied
from rulewright.ir.control_flow.call_graph import CallGraph, callees
from rulewright.ir.control_flow.successors import slots_stored, successors
from rulewright.ir.dataflow.expression_reads import instructions_of
from rulewright.ir.declared_sight import sight_of
from rulewright.ir.information_flow.function_levels import OPEN, FunctionLevels
from rulewright.ir.information_flow.public_flow import public_levels
from rulewright.ir.set_operations import SetOperation, at_most
from rulewright.ir.walk import nodes

MOST = 4096
"""So many possible values of a place are told apart at most."""

Values = frozenset[int] | None
"""Possible values, of a set or list those of its members; None: any of the type."""
Done = Callable[[str, int], bool]
"""True of an instruction, by function and number, that may have been carried out."""

CALLER = -1
"""In place of an instruction: the call of the function."""

_NOTHING: frozenset[int] = frozenset()
_TRUTHS = (m.Cmp, m.And, m.Or, m.Not, m.SetEq, m.Contains, m.InZone)


@dataclass(frozen=True, slots=True)
class Write:
    """A place of the rules where a field is given something."""

    function: str
    pc: int
    value: m.Expr | None
    """None: something that no single expression says."""
    told: bool
    """True if all know that it is carried out, and for which keys."""
    public: bool
    """True if they know what it gives, too."""


class HiddenValues:
    """Looks where the fields and slots of one program get what they hold."""

    def __init__(self, program: m.Program) -> None:
        self.program = program
        self._functions = {f.name: f for f in program.functions}
        self._fields = {f.name: f for f in program.fields}
        self._sizes = {u.name: u.size for u in program.universes}
        self._known: dict[tuple[str, str, int], Values] = {}

    @cached_property
    def _levels(self) -> Mapping[str, FunctionLevels]:
        return public_levels(self.program)

    @cached_property
    def _dark(self) -> frozenset[str]:
        """The functions of which a secret may decide whether they are carried out."""
        below = CallGraph(self.program.functions).closures(lambda f: f.name)
        found: set[str] = set()
        for name, levels in self._levels.items():
            code = self._functions[name].code
            for pc in levels.dark:
                i = code[pc] if 0 <= pc < len(code) else None
                if isinstance(i, m.Call):
                    found |= {str(called) for called in below[i.function]}
        return frozenset(found)

    @cached_property
    def _writes(self) -> dict[str, tuple[Write, ...]]:
        found: dict[str, list[Write]] = {name: [] for name in self._fields}
        for function in self.program.functions:
            for pc, i in instructions_of(function, (m.SetField, m.Reset, m.SwapItems)):
                for name, write in self._written(function, pc, i):
                    found[name].append(write)
        return {name: tuple(writes) for name, writes in found.items()}

    def _written(self, function: m.Function, pc: int, i: m.Instr) -> Iterator[tuple[str, Write]]:
        name, levels = function.name, self._levels[function.name]
        told = pc not in levels.dark and name not in self._dark
        match i:
            case m.SetField(field, index, value):
                told = told and all(levels.level(key) == OPEN for key in index)
                step = _step(field, index, value)
                yield field, Write(name, pc, value, told, told and levels.level(step) == OPEN)
            case m.Reset(fields):
                for field in fields:
                    yield field, Write(name, pc, _initial(self._fields[field]), told, told)
            case m.SwapItems(field=field) if field:
                known = told and all(levels.level(e) == OPEN for e in (*i.index, i.first, i.second))
                yield field, Write(name, pc, None, known, known)

    # ------------------------------------------------------------------------------------------------- secrets

    def public(self, field: str) -> bool:
        """True if all know what a field holds, although not all see it: the rules tell it."""
        return all(write.public for write in self._writes[field])

    def secret(self, function: str, slot: int) -> bool:
        """True if not all know what is in a slot of a function."""
        return self._levels[function].level_of(slot) > OPEN

    def told(self, field: str, done: Done) -> bool:
        """True if all know which values of a field were changed, as far as they can have been."""
        return all(write.told for write in self._writes[field] if done(write.function, write.pc))

    def chosen(self, field: str) -> bool:
        """True if whatever a field is given was just chosen or drawn from what all know, or is known to all itself:
        then nothing but what follows from it restricts it."""
        return all(
            write.public or (write.told and write.value is not None and self._free(write.function, write.value))
            for write in self._writes[field]
        )

    def _free(self, function: str, e: m.Expr, way: frozenset[int] = frozenset()) -> bool:
        """True if a value is an answer of a question about what all know, in whatever slots and lists it was kept."""
        levels = self._levels[function]
        match e:
            case _ if levels.level(e) == OPEN:
                return True
            case m.IfElse(condition, then, otherwise):
                known = levels.level(condition) == OPEN
                return known and self._free(function, then, way) and self._free(function, otherwise, way)
            case m.Item():
                return self._free(function, e.list, way)
            case m.Local(slot) if slot in way:
                return True
            case m.Local(slot) if slot >= self._functions[function].params:
                given = self.definitions(function, slot)
                return bool(given) and all(self._freely_given(function, i, way | {slot}) for i in given)
        return False

    def _freely_given(self, function: str, i: m.Instr, way: frozenset[int]) -> bool:
        match i:
            case m.SetLocal() | m.Append():
                return self._free(function, i.value, way)
            case m.Choose() if i.where is not None or i.restrictions:
                return False
            case m.Choose() | m.Chance():
                known = i.source is not None and self._levels[function].level(i.source) == OPEN
                return known and i.universe != "Piece"
            case _:
                return False

    def secrets_behind(self, function: str, pc: int) -> list[int]:
        """The secret slots from which an instruction works out what it gives."""
        i = self._functions[function].code[pc] if pc != CALLER else None
        return [slot for slot in _read(i.value) if self.secret(function, slot)] if isinstance(i, m.SetLocal) else []

    def still_there(self, function: str, pc: int, rest: int) -> bool:
        """True if the secret slots that an instruction has read hold the same where the function rests."""
        return all(
            self.reaching(function, pc, slot) == self.reaching(function, rest, slot)
            for slot in self.secrets_behind(function, pc)
        )

    def counts(self, function: str, slot: int) -> bool:
        """True if a slot is only changed step by step, by what all know, from what all know: as the number of draws
        that are still to be made is."""
        definitions = self.definitions(function, slot)
        known = [i.value for i in definitions if isinstance(i, m.SetLocal)]
        steps = [e for e in known if slot in _read(e)]
        levels = self._levels[function]
        return bool(steps) and len(known) == len(definitions) and all(levels.follows(e, slot) for e in known)

    def definitions(self, function: str, slot: int) -> list[m.Stores]:
        """The instructions that give a slot something."""
        code = self._functions[function].code
        return [i for i in code if isinstance(i, m.Stores) and slot in slots_stored(i)]

    # -------------------------------------------------------------------------------------------------- values

    def values(self, field: str, done: Done) -> list[Values]:
        """The values that a field may have been given by each of the instructions that were carried out, and those with
        which it began."""
        declared = self._fields[field]
        members = declared.ty.kind in ("set", "list")
        writes = [write for write in self._writes[field] if done(write.function, write.pc)]
        given = [self._of(write.function, write.value, members) for write in writes if write.value is not None]
        return [self._of("", _initial(declared), members), *given]

    def slot_values(self, function: str, slot: int) -> Values:
        """The values that a slot may have been given."""
        key = ("slot", function, slot)
        if key not in self._known:
            members = self._functions[function].slots[slot].ty.kind in ("set", "list")
            self._known[key] = _NOTHING if members else None  # of a number that comes back to itself nothing is known
            self._known[key] = _joined(self._given(function, slot))
        return self._known[key]

    def _given(self, function: str, slot: int) -> Iterator[Values]:
        declared = self._functions[function]
        members = declared.slots[slot].ty.kind in ("set", "list")
        if slot < declared.params:
            for caller in self.program.functions:
                for _, call in instructions_of(caller, (m.Call,)):
                    if call.function == function and slot < len(call.args):
                        yield self._of(caller.name, call.args[slot], members)
        for i in self.definitions(function, slot):
            match i:
                case m.SetLocal():
                    yield self._of(function, i.value, members)
                case m.Append():
                    yield self._of(function, i.value, False)
                case m.Choose() | m.Chance():
                    yield _NOTHING if i.source is None else self._of(function, i.source, True)
                case m.Call() if i.into == slot:
                    called = self._functions[i.function]
                    for _, returned in instructions_of(called, (m.Return,)):
                        if returned.value is not None:
                            yield self._of(called.name, returned.value, members)
                case m.Call():
                    yield from (self.slot_values(i.function, n) for n, shared in enumerate(i.shared) if shared == slot)
                case _:
                    assert_never(i)

    def _field_values(self, field: str) -> Values:
        key = ("field", field, 0)
        if key not in self._known:
            self._known[key] = _NOTHING if self._fields[field].ty.kind in ("set", "list") else None
            self._known[key] = _joined(self.values(field, lambda *_: True))
        return self._known[key]

    def _of(self, function: str, e: m.Expr, members: bool) -> Values:
        """The possible values of an expression, or of its members."""
        match e:
            case m.Local(slot):
                return self.slot_values(function, slot)
            case m.FieldGet(field):
                return self._field_values(field)
            case m.IfElse(_, then, otherwise):
                return _joined((self._of(function, then, members), self._of(function, otherwise, members)))
            case _:
                return self._members(function, e) if members else self._one(function, e)

    def _one(self, function: str, e: m.Expr) -> Values:
        match e:
            case m.Const(value):
                return frozenset((value,))
            case m.Arith(op, left, right):
                return _worked_out(op, self._of(function, left, False), self._of(function, right, False))
            case m.Item():
                return self._of(function, e.list, True)
            case m.First() | m.Single():
                found = self._of(function, e.of, True)
                return None if found is None else found | {m.NONE}
            case _ if isinstance(e, _TRUTHS):
                return frozenset((0, 1))
            case _:
                return None

    def _members(self, function: str, e: m.Expr) -> Values:
        match e:
            case m.Const(value):
                return frozenset(n for n in range(value.bit_length()) if value >> n & 1) if value >= 0 else None
            case m.ListConst(values):
                return frozenset(values)
            case m.MakeSet(items) | m.MakeList(items):
                return _joined(self._of(function, item, False) for item in items)
            case m.IntRange(low, high):
                least, most = self._of(function, low, False), self._of(function, high, False)
                if not least or not most or max(most) - min(least) > MOST:
                    return None if least != _NOTHING and most != _NOTHING else _NOTHING
                return frozenset(range(min(least), max(most) + 1))
            case m.Alive(universe):
                return frozenset(range(self._sizes[universe]))
            case m.SetOp(op, left, right):
                return _united(op, self._of(function, left, True), self._of(function, right, True))
            case m.Joined(left, right):
                return _joined((self._of(function, left, True), self._of(function, right, True)))
            case m.Filter() | m.Leading() | m.Best() | m.Sort():
                return self._of(function, e.source, True)
            case m.ToSet() | m.ToList() | m.Lowest():
                return self._of(function, e.of, True)
            case _:
                return None

    # ------------------------------------------------------------------------------------------ what was done

    def reached(self, name: str, pc: int) -> frozenset[int]:
        """The instructions of a function that may have been carried out before it rests at one; that one, too, if it
        can be come to again."""
        ways, found = _ways_to(self._functions[name]), set[int]()
        waiting = list(ways.get(pc, ()))
        while waiting:
            at = waiting.pop()
            if at not in found:
                found.add(at)
                waiting += ways.get(at, ())
        return frozenset(found)

    def reaching(self, name: str, pc: int, slot: int) -> frozenset[int]:
        """The instructions that may have given a slot what it holds where the function rests, -1 for who has called
        it (reaching definitions); several of a list to which something was added."""
        function = self._functions[name]
        ways, found, seen = _ways_to(function), set[int](), set[int]()
        waiting = [pc]
        while waiting:
            at = waiting.pop()
            if at == 0 and slot < function.params:
                found.add(CALLER)
            for before in ways.get(at, ()):
                i = function.code[before]
                stored = slot in slots_stored(i) and not (isinstance(i, m.Choose) and at != before + 1)
                if stored:
                    found.add(before)
                if before not in seen and not (stored and not isinstance(i, m.Append)):
                    seen.add(before)
                    waiting.append(before)
        return frozenset(found)

    def below(self, name: str, instructions: Iterable[int]) -> frozenset[str]:
        """The functions that some instructions of a function may have called, directly or not."""
        code, found = self._functions[name].code, set[str]()
        waiting = [i.function for pc in instructions if isinstance(i := code[pc], m.Call)]
        while waiting:
            called = waiting.pop()
            if called not in found:
                found.add(called)
                waiting += callees(self._functions[called])
        return frozenset(found)


def correlated_fields(program: m.Program) -> tuple[str, ...]:
    """The hidden fields whose values are neither told by the rules nor just chosen or drawn: what they have to do with
    each other and with other secrets is in the rules alone."""
    sight = sight_of(program)
    hidden = [f.name for f in program.fields if not f.is_internal and not sight.everybody(f)]
    values = HiddenValues(program)
    return tuple(name for name in hidden if not (values.public(name) or values.chosen(name)))


def _read(e: m.Expr) -> list[int]:
    """The slots that an expression reads."""
    return list(dict.fromkeys(node.slot for node in nodes(e) if isinstance(node, m.Local)))


def _step(field: str, index: tuple[m.Expr, ...], value: m.Expr) -> m.Expr:
    """By how much a field is raised or lowered; else what it is given."""
    now = m.FieldGet(field, index)
    match value:
        case m.Arith("add" | "sub", left, right) if left == now:
            return right
        case m.Arith("add", left, right) if right == now:
            return left
    return value


def _initial(declared: m.Field) -> m.Expr:
    return m.ListConst(declared.initial) if isinstance(declared.initial, tuple) else m.Const(declared.initial)


def _joined(found: Iterable[Values]) -> Values:
    values: set[int] = set()
    for some in found:
        if some is None:
            return None
        values |= some
    return frozenset(values) if len(values) <= MOST else None


def _united(op: SetOperation, left: Values, right: Values) -> Values:
    """The possible members of a set that is made of two."""
    if left is not None and right is not None:
        return _joined((at_most(op, left, right),))
    match op:
        case "union":
            return None
        case "inter":
            return right if left is None else left
        case "minus":
            return left
        case _:
            assert_never(op)


def _worked_out(op: ArithOp, left: Values, right: Values) -> Values:
    if left is None or right is None or len(left) * len(right) > MOST:
        return None
    if m.NONE in left | right or (op in DIVISIONS and 0 in right):
        return None
    return frozenset(applied(op, a, b) for a, b in product(left, right))


@memoized_by_node
def _ways_to(function: m.Function) -> dict[int, tuple[int, ...]]:
    """For each instruction those after which it may come."""
    found: dict[int, list[int]] = {}
    for pc, i in enumerate(function.code):
        for to in successors(i, pc):
            found.setdefault(to, []).append(pc)
    return {pc: tuple(dict.fromkeys(before)) for pc, before in found.items()}
