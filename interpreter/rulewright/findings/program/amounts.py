"""Analyses of numbers that a change counts or pays otherwise than it looks."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.findings.program.facts.examined_program import ExaminedProgram
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import reads_slot
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# -------------------------------------------------------------------------------------------------------- counted pairs
# EXM127: a count of pairs, in which one thing may be counted several times.


def counted_pairs(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """Two things are counted together as often as they fit: one that fits with two others counts twice, and two that
    fit with each other are found from both sides.
    """
    for name, part in _parts(examined):
        for node in nodes(part):
            match node:
                case m.Fold("count", binds, where) if len(binds) > 1 and where is not None:
                    variables = [
                        bind.var
                        for bind in binds
                        if not _is_listed(bind.source) or _opposite(examined, bind.source, where)
                    ]
                    names = {one.name for one in nodes(where) if isinstance(one, m.Var)}
                    if len(variables) > 1 and set(variables) <= names:
                        pair = " and ".join(f"`{variable.rpartition('_')[0] or variable}`" for variable in variables)
                        yield Suspect(
                            "EXM127",
                            name,
                            " ".join(variable.rpartition("_")[0] for variable in variables),
                            f"{pair} are counted in pairs: one that fits with two counts twice, and what lies side by "
                            "side may be found from both",
                            "if each is to be counted once, write `count(d in … where some(c in … where …))`",
                            kinds=(ast.Aggregate, ast.Comprehension),
                            words=frozenset(variable.rpartition("_")[0] for variable in variables),
                        )
                case _:
                    pass


def _is_listed(e: m.Expr) -> bool:
    """True of members that are written one by one, as directions are."""
    return isinstance(e, m.Const | m.MakeSet)


def _opposite(examined: ExaminedProgram, e: m.Expr, where: m.Expr) -> bool:
    """True of directions of which two lead back to where one comes from."""
    graphs = {node.graph for node in nodes(where) if isinstance(node, m.Towards)}
    listed = {item.value for item in e.items if isinstance(item, m.Const)} if isinstance(e, m.MakeSet) else set[int]()
    if isinstance(e, m.Const) and e.value >= 0:
        listed = {n for n in range(e.value.bit_length()) if e.value >> n & 1}
    for graph in examined.program.graphs:
        if graph.name in graphs:
            for there, back in ((a, b) for a in listed for b in listed if max(a, b) < len(graph.towards)):
                steps = [(n, to) for n, to in enumerate(graph.towards[there]) if to != m.NONE]
                if steps and all(graph.towards[back][to] == n for n, to in steps):
                    return True
    return False


def _parts(examined: ExaminedProgram) -> Iterator[tuple[str, object]]:
    yield from ((query.name, query.body) for query in examined.program.queries)
    yield from ((f.name, i) for f in examined.functions.values() for i in f.code)


# ---------------------------------------------------------------------------------------------------- value from before
# EXM126: a stored number is compared behind what changes it.


def values_from_before(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """A number is stored under a name, what it was counted from changes, and only then it is compared, or handed on.

    Code that uses it before the change as well, or beside the new value, wants the old one.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            name = function.slots[i.slot].name if isinstance(i, m.SetLocal) else ""
            if not isinstance(i, m.SetLocal) or not name.isidentifier() or function.slots[i.slot].ty.kind != "int":
                continue
            reads = examined.effects.reads(i.value)
            if not reads or reads_slot(i.value, frozenset((i.slot,))):
                continue
            changes = _changed_before_use(examined, function, pc, i, reads)
            if changes:
                yield Suspect(
                    "EXM126",
                    function.name,
                    name,
                    f"`{name}` is stored before `{changes}` changes what it is counted from, and used behind it: it is "
                    "the old value",
                    f"if the new one is meant, write `let {name} = …` behind the change",
                    kinds=(ast.Let,),
                    given=name,
                )


def _changed_before_use(
    examined: ExaminedProgram, function: m.Function, start: int, stored: m.SetLocal, reads: frozenset[str]
) -> str:
    """The field, zone or function that changes before a value is used for the first time; empty if none does."""
    slot, changed = frozenset((stored.slot,)), ""
    for i in function.code[start + 1 :]:
        if reads_slot(i, slot):
            return "" if any(node == stored.value for node in nodes(i)) else changed
        if isinstance(i, m.SetLocal) and i.slot == stored.slot:
            return ""
        for one in examined.carried_out((i,)):
            written = reads & examined.effects.writes(one)
            if written and not changed:
                by_name = isinstance(i, m.Call) and examined.functions[i.function].word != "system"
                changed = i.function if isinstance(i, m.Call) and by_name else sorted(written)[0].partition(" ")[2]
    return ""
