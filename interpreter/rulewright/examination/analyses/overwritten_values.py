"""Analyses of values that are overwritten before they are read, or read after they have changed."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import EXIT, reads_slot, successors
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# ----------------------------------------------------------------------------------------------------- overwritten copy
# EXM136: a loop copies from place to place what it has overwritten before.


def overwritten_copies(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A loop goes through places and gives each what the one beside it holds, in an order in which that one has always
    had its turn before: what comes to the first one comes to all of them.
    """
    for function in examined.functions.values():
        for i in function.code:
            match i:
                case m.SetField(
                    field,
                    (m.Local(slot),),
                    m.FieldGet(read, (m.Towards(graph, m.Local(of), m.Const(direction), m.Const(steps)),)),
                ) if field == read and slot == of and _had_its_turn(examined, function, slot, graph, direction, steps):
                    yield Suspect(
                        "EXM136",
                        function.name,
                        field,
                        f"each place gets `{field}` of the one beside it, which has had its turn already: all of them "
                        "get what comes to the first one",
                        "go through them in the opposite order (`by … descending`)",
                        kinds=(ast.Assign,),
                        words=frozenset((field,)),
                    )
                case _:
                    pass


def _had_its_turn(
    examined: ExaminedProgram, function: m.Function, slot: int, name: str, direction: int, steps: int
) -> bool:
    """True if a loop over places comes to the one in that direction before it comes to a place, wherever it is."""
    graph = next(graph for graph in examined.program.graphs if graph.name == name)
    key = _key(examined, function, slot, graph)
    if key is None or direction >= len(graph.towards):
        return False
    pairs = []
    for place in range(len(graph.towards[direction])):
        beside = place
        for _ in range(steps):
            beside = graph.towards[direction][beside] if beside != m.NONE else m.NONE
        if beside != m.NONE:
            pairs.append((beside, place))
    return bool(pairs) and all(key[beside] < key[place] for beside, place in pairs)


def _key(examined: ExaminedProgram, function: m.Function, slot: int, graph: m.Graph) -> list[int] | None:
    """For each place when a loop over all of them comes to it; None if that is not known."""
    own = [i.value for i in function.code if isinstance(i, m.SetLocal) and i.slot == slot]
    match own:
        case [m.First(m.Local(left))] | [m.Item(m.Local(left))]:
            pass
        case _:
            return None
    sources = [i.value for i in function.code if isinstance(i, m.SetLocal) and i.slot == left]
    return _turns(examined, sources[0], graph) if sources else None


def _turns(examined: ExaminedProgram, source: m.Expr, graph: m.Graph) -> list[int] | None:
    """For each place its turn in a set or list, if that is of all places."""
    places = len(graph.neighbours)
    match source:
        case m.Alive(universe) if universe == graph.place:
            return list(range(places))
        case m.Sort(m.Alive(universe), var, m.Attr(table, m.Var(of)), descending) if (
            universe == graph.place and var == of
        ):
            values = examined.tables[table].values
            numbers = [value for value in values if isinstance(value, int)]
            return [-n if descending else n for n in numbers] if len(numbers) == places else None
        case _:
            return None


# ---------------------------------------------------------------------------------------------------- overwritten value
# EXM107: an answer that is kept, and overwritten by another answer before anybody has read it.


def overwritten_values(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A field without keys keeps an answer, on some way the answer to another question, and is read only later."""
    for function in examined.functions.values():
        answers = {i.into: pc for pc, i in enumerate(function.code) if isinstance(i, m.Choose)}
        kept = [
            (pc, i.field, i.value.slot)
            for pc, i in enumerate(function.code)
            if isinstance(i, m.SetField) and not i.index and isinstance(i.value, m.Local) and i.value.slot in answers
        ]
        for pc, field, slot in kept:
            others = {to: other for to, name, other in kept if name == field and other != slot}
            again = next((to for to in _before_reading(examined, function, pc, field) if to in others), None)
            if again is not None:
                yield Suspect(
                    "EXM107",
                    function.name,
                    field,
                    f"`{field}` holds one answer only: the one before it is overwritten here, before anybody reads it",
                    f"if both are meant, make `{field}` a set and add to it",
                    kinds=(ast.Assign,),
                    words=frozenset((field, function.slots[others[again]].name)),
                )


def _before_reading(examined: ExaminedProgram, function: m.Function, start: int, field: str) -> Iterator[int]:
    """The places that set a field again, on ways on which it has not been read; calls may read it."""
    waiting, seen = list(successors(function.code[start], start)), set[int]()
    while waiting:
        pc = waiting.pop()
        if pc in seen or pc == EXIT or pc >= len(function.code):
            continue
        seen.add(pc)
        i = function.code[pc]
        if _reads(examined, i, field):
            continue
        if isinstance(i, m.SetField) and i.field == field:
            yield pc
            continue
        if isinstance(i, m.Reset) and field in i.fields:
            continue
        waiting += successors(i, pc)


def _reads(examined: ExaminedProgram, i: m.Instr, field: str) -> bool:
    if isinstance(i, m.Call):
        return any(_reads_itself(examined, one, field) for one in examined.carried_out((i,)))
    return _reads_itself(examined, i, field)


def _reads_itself(examined: ExaminedProgram, i: m.Instr, field: str) -> bool:
    token = f"field {field}"
    exprs = (node for node in nodes(i) if isinstance(node, m.FieldGet | m.CallQuery | m.Component | m.After))
    return any(token in examined.effects.reads(node) for node in exprs)


# ---------------------------------------------------------------------------------------------------------- stale value
# EXM110: a value that is stored before something that may change it, and used behind it.


def stale_values(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A value is stored, then something is called that may change what it was made of, and only then it is used.

    Code that uses it before as well, or hands it on together with the new one, wants the old one.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.SetLocal) or function.slots[i.slot].ty.kind not in ("int", "bool"):
                continue
            reads = examined.effects.reads(i.value)
            if not reads or reads_slot(i.value, frozenset((i.slot,))):
                continue
            changed_by = _used_behind(examined, function, pc, i, reads)
            if changed_by is not None:
                name = function.slots[i.slot].name
                yield Suspect(
                    "EXM110",
                    function.name,
                    name,
                    f"`{name}` is stored before `{changed_by}`, which may change it, and used behind it: the old value",
                    f"if the new one is meant, write `let {name} = …` behind `{changed_by}`",
                    kinds=(ast.Let,),
                    given=name,
                )


def _used_behind(
    examined: ExaminedProgram, function: m.Function, start: int, stored: m.SetLocal, reads: frozenset[str]
) -> str | None:
    """The function called first, in the instructions that follow one after the other, that may change the value."""
    slot, last, changed_by = frozenset((stored.slot,)), "", None
    for i in function.code[start + 1 :]:
        if not isinstance(i, m.Fired | m.Tell | m.Observe | m.Show | m.Call):
            return None
        if reads_slot(i, slot):
            again = any(node == stored.value for node in nodes(i))
            return changed_by if isinstance(i, m.Call) and not again else None
        if isinstance(i, m.Call):
            if examined.functions[i.function].word != "system":
                last = i.function
            if changed_by is None and last and _writes(examined, i, reads):
                changed_by = last  # consequences that follow a call belong to it
    return None


def _writes(examined: ExaminedProgram, call: m.Call, reads: frozenset[str]) -> bool:
    return any(reads & examined.effects.writes(one) for one in examined.carried_out((call,)))
