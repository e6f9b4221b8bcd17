"""Values that are not seen by all, and what can be known of them from the rules alone.

A value that follows from what all know is no secret: it is determined by the rules (*public*). Any other has the set of
values that the rules may give it (:mod:`~rulewright.knowledge.secrets.possible_values`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import assert_never

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.foundation.reachability import reachable
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import (
    CallGraph,
    instructions_since,
    slots_stored,
    successors,
    with_callees,
)
from rulewright.ir.dataflow.effects import instructions_of
from rulewright.ir.declared_sight import sight_of
from rulewright.ir.walk import nodes
from rulewright.knowledge.secrets.function_levels import OPEN, FunctionLevels
from rulewright.knowledge.secrets.possible_values import Given, PossibleValues, Values, definitions, initial_of
from rulewright.knowledge.secrets.public_flow import public_levels

Done = Callable[[str, int], bool]
"""True of an instruction, by function and number, that may have been carried out."""

CALLER = -1
"""In place of an instruction: the call of the function."""


@dataclass(frozen=True, slots=True)
class Write:
    """A place of the rules where a field is given something."""

    function: str
    pc: int
    value: m.Expr | None
    """None: a value without a single expression."""
    is_known: bool
    """True if all know that it is carried out, and for which keys."""
    public: bool
    """True if they know what it gives, too."""


class HiddenValues:
    """Looks where the fields and slots of one program get what they hold."""

    def __init__(self, program: m.Program) -> None:
        self.program = program
        self._functions = {f.name: f for f in program.functions}
        self._fields = {f.name: f for f in program.fields}
        self.possible = PossibleValues(program, lambda field: _expressions(self._writes[field]))

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
        is_known = pc not in levels.dark and name not in self._dark
        match i:
            case m.SetField(field, index, value):
                is_known = is_known and all(levels.level(key) == OPEN for key in index)
                step = _step(field, index, value)
                yield field, Write(name, pc, value, is_known, is_known and levels.level(step) == OPEN)
            case m.Reset(fields):
                for field in fields:
                    yield field, Write(name, pc, initial_of(self._fields[field]), is_known, is_known)
            case m.SwapItems(field=field) if field:
                known = is_known and all(levels.level(e) == OPEN for e in (*i.index, i.first, i.second))
                yield field, Write(name, pc, None, known, known)

    # ------------------------------------------------------------------------------------------------- secrets

    def public(self, field: str) -> bool:
        """True if all know what a field holds, although not all see it: it follows from the rules."""
        return all(write.public for write in self._writes[field])

    def secret(self, function: str, slot: int) -> bool:
        """True if not all know what is in a slot of a function."""
        return self._levels[function].level_of(slot) > OPEN

    def changes_known(self, field: str, done: Done) -> bool:
        """True if all know which values of a field were changed, as far as they can have been."""
        return all(write.is_known for write in self._writes[field] if done(write.function, write.pc))

    def chosen(self, field: str) -> bool:
        """True if whatever a field is given was just chosen or drawn from what all know, or is known to all itself:
        then nothing but what follows from it restricts it."""
        return all(
            write.public or (write.is_known and write.value is not None and self._free(write.function, write.value))
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
                given = definitions(self._functions[function], slot)
                return bool(given) and all(self._freely_given(function, i, way | {slot}) for i in given)
        return False

    def _freely_given(self, function: str, i: m.Stores, way: frozenset[int]) -> bool:
        match i:
            case m.SetLocal() | m.Append():
                return self._free(function, i.value, way)
            case m.Choose() if i.where is not None or i.restrictions:
                return False
            case m.Choose() | m.Chance():
                known = i.source is not None and self._levels[function].level(i.source) == OPEN
                return known and i.universe != "Piece"
            case m.Call():
                return False
            case _:
                assert_never(i)

    def secrets_behind(self, function: str, pc: int) -> list[int]:
        """The secret slots from which an instruction works out what it gives."""
        i = self._functions[function].code[pc] if pc != CALLER else None
        return [slot for slot in _read(i.value) if self.secret(function, slot)] if isinstance(i, m.SetLocal) else []

    def still_there(self, function: str, pc: int, rest: int) -> bool:
        """True if the secret slots that an instruction has read certainly hold the same where the function rests: what
        counts on from itself, or is set in the next round of a loop, does not."""
        behind, f = self.secrets_behind(function, pc), self._functions[function]
        since = (pc, *instructions_since(f, pc, rest, True)) if behind else ()
        return all(slots_stored(f.code[at]).isdisjoint(behind) for at in since)

    def counts(self, function: str, slot: int) -> bool:
        """True if a slot is only changed step by step, by what all know, from what all know: as the number of draws
        that are still to be made is."""
        given = definitions(self._functions[function], slot)
        known = [i.value for i in given if isinstance(i, m.SetLocal)]
        steps = [e for e in known if slot in _read(e)]
        levels = self._levels[function]
        return bool(steps) and len(known) == len(given) and all(levels.follows(e, (slot,)) for e in known)

    def values(self, field: str, done: Done) -> list[Values]:
        """The values that a field may have been given by each of the instructions that were carried out, and those with
        which it began."""
        given = (write for write in self._writes[field] if done(write.function, write.pc))
        return self.possible.written(field, _expressions(given))

    # ------------------------------------------------------------------------------------------ what was done

    def reached(self, name: str, pc: int) -> frozenset[int]:
        """The instructions of a function that may have been carried out before it rests at one; that one, too, if it
        can be come to again."""
        ways = _ways_to(self._functions[name])
        return frozenset(reachable(ways.get(pc, ()), lambda at: ways.get(at, ())))

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
                if before not in seen and not (stored and _always_stores(i, at)):
                    seen.add(before)
                    waiting.append(before)
        return frozenset(found)

    def below(self, name: str, instructions: Iterable[int]) -> frozenset[str]:
        """The functions that some instructions of a function may have called, directly or not."""
        code = self._functions[name].code
        called = (i.function for pc in instructions if isinstance(i := code[pc], m.Call))
        return frozenset(with_callees(self._functions.values(), called))


def correlated_fields(program: m.Program) -> tuple[str, ...]:
    """The hidden fields whose values neither follow from the rules nor are just chosen or drawn: what they have to do
    with each other and with other secrets is in the rules alone."""
    sight = sight_of(program)
    hidden = [f.name for f in program.fields if not f.is_internal and not sight.everybody(f)]
    values = HiddenValues(program)
    return tuple(name for name in hidden if not (values.public(name) or values.chosen(name)))


def _always_stores(i: m.Instr, after: int) -> bool:
    """True if nothing that a slot held before is left of it where an instruction goes on at another: words beside the
    members of a question, which store nothing, may lead to the place to which an answer leads."""
    match i:
        case m.Append():
            return False
        case m.Choose():
            return after not in (i.on_empty, *(extra.to for extra in i.extras))
        case _:
            return True


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


def _expressions(writes: Iterable[Write]) -> list[Given]:
    return [(write.function, write.value) for write in writes if write.value is not None]


@memoized_by_node
def _ways_to(function: m.Function) -> dict[int, tuple[int, ...]]:
    """For each instruction those after which it may come."""
    found: dict[int, list[int]] = {}
    for pc, i in enumerate(function.code):
        for to in successors(i, pc):
            found.setdefault(to, []).append(pc)
    return {pc: tuple(dict.fromkeys(before)) for pc, before in found.items()}
