"""Analyses of conditions that the statement before them decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.diagnostics import Span
from rulewright.findings.program.facts.examined_program import ExaminedProgram, conjuncts, names_in, put
from rulewright.findings.program.facts.program_words import beginning, conditions_of, same_words, words_of
from rulewright.findings.program.facts.symbolic_truth import SymbolicTruth
from rulewright.findings.program.facts.thresholds import required_members
from rulewright.findings.suspects import Suspect
from rulewright.foundation.tree_fields import below
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import EXIT, slots_stored, successors
from rulewright.ir.evaluation import truth
from rulewright.ir.rule_places import statement_at
from rulewright.ir.transform.rewriting import Rewriter
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# ------------------------------------------------------------------------------------------------ decided by assignment
# EXM102: a condition that is evaluated behind an assignment which decides it.


def decided_by_assignments(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A field is set, and then a condition on it is surely false, or true, with that value: the former owner is
    overwritten. Within a stretch of statements that are carried out one after the other."""
    for function in examined.functions.values():
        truth = SymbolicTruth(examined, function)
        for pc, condition in conditions_of(function, lambda _: True):
            for part in conjuncts(condition):
                i = _setting(examined, function, pc, part)
                if i is None or truth.of(part) is not None:
                    continue
                found = truth.of(_with(part, i))
                if found is not None:
                    verb = "always holds" if found else "can never hold"
                    yield Suspect(
                        "EXM102",
                        function.name,
                        f"{i.field} {same_words(examined.program, function.name, part)}",
                        f"this condition {verb}: `{i.field}` was set just before",
                        "ask it before that",
                        kinds=(ast.Branch,) if isinstance(function.code[pc], m.JumpUnless) else (ast.IfElse,),
                        words=words_of(function, part),
                        span=_place(examined.program, function, pc),
                    )


def _setting(examined: ExaminedProgram, function: m.Function, pc: int, condition: m.Expr) -> m.SetField | None:
    """The last statement before that sets a field of which an expression asks nothing else.

    None if anything between may set what is read by one of both, or change where it is looked for.
    """
    effects, start = examined.effects, beginning(function, pc, condition)
    read = {(node.field, node.index) for node in nodes(condition) if isinstance(node, m.FieldGet)}
    queried = frozenset[str]().union(
        *(effects.reads_of(node.query) for node in nodes(condition) if isinstance(node, m.CallQuery))
    )
    between, stored = set[str](), set[int]()
    for at in range(pc - 1, start - 1, -1):
        i = function.code[at]
        if isinstance(i, m.SetField) and (i.field, i.index) in read:
            others = {index for field, index in read if field == i.field} != {i.index}
            own = f"field {i.field}"
            of_index = frozenset[str]().union(*map(effects.reads, i.index))
            moved = between & (effects.reads(condition) | effects.reads(i.value))
            stale = stored & {node.slot for node in nodes((i.index, i.value)) if isinstance(node, m.Local)}
            return None if others or own in queried or own in of_index or moved or stale else i
        between.update(part for one in examined.carried_out((i,)) for part in effects.writes(one))
        stored |= set(slots_stored(i))
    return None


def _place(program: m.Program, function: m.Function, pc: int) -> Span | None:
    """The place of the statement to which an instruction belongs, if it is known."""
    found = statement_at(program, function, pc)
    return found.span if found is not None else None


def _with(e: m.Expr, i: m.SetField) -> m.Expr:
    """An expression with the value that is set in the place of the field."""
    found: m.Expr = _replaced(Rewriter(), e, m.FieldGet(i.field, i.index), i.value)
    return found


def _replaced(rewriter: Rewriter, node: Any, old: m.Expr, new: m.Expr) -> Any:
    if node == old:
        return new
    if type(node) is tuple:
        return tuple(_replaced(rewriter, one, old, new) for one in node)
    parts = {name: _replaced(rewriter, getattr(node, name), old, new) for name in below(type(node)) or ()}
    return rewriter.changed(node, parts) if parts else node


# ---------------------------------------------------------------------------------------------------- decided condition
# EXM102: a condition that is evaluated behind a change which decides it.


def decided_conditions(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A piece was moved to a zone, and then a condition tests whether anything, or such a piece, lies there.

    Within a stretch of instructions that are carried out one after the other: nothing between may take it away, or
    store another piece under the name.
    """
    for function in examined.functions.values():
        targets = {to for pc, i in enumerate(function.code) for to in _targets(i)}
        for pc, i in enumerate(function.code):
            if isinstance(i, m.Move) and isinstance(i.what, m.MakeSet) and len(i.what.items) == 1:
                yield from _decided_by_move(examined, function, pc, i, i.what.items[0], targets)


def _targets(i: m.Instr) -> Iterator[int]:
    match i:
        case m.Jump(to) | m.JumpUnless(_, to):
            yield to
        case m.Choose(extras=extras):
            yield from (extra.to for extra in extras)
        case _:
            pass


def _decided_by_move(
    examined: ExaminedProgram, function: m.Function, start: int, move: m.Move, piece: m.Expr, targets: set[int]
) -> Iterator[Suspect]:
    if not isinstance(piece, m.Local) or not _surely_there(function, start, piece):
        return
    for pc in range(start + 1, len(function.code)):
        i = function.code[pc]
        if pc in targets:
            return
        if isinstance(i, m.JumpUnless):
            for part in conjuncts(i.condition):
                verdict = _decided(examined, function, part, move, piece)
                if verdict is not None:
                    yield _suspect(function, move, part, piece, verdict)
            return
        if not isinstance(i, m.Fired | m.Tell | m.Observe | m.Show | m.Call | m.SetField | m.SetLocal):
            return
        if isinstance(i, m.SetLocal) and i.slot == piece.slot:
            return
        if isinstance(i, m.Call) and (i.into == piece.slot or piece.slot in i.shared):
            return
        if any(_may_move(examined, one, move.zone) for one in examined.carried_out((i,))):
            return
        changed = {f"field {name}" for one in examined.carried_out((i,)) for name in _sets(one)}
        if any(changed & examined.effects.reads(index) for index in move.index):
            return


def _surely_there(function: m.Function, start: int, piece: m.Local) -> bool:
    """True if a slot holds a piece that was chosen: whatever else is stored in it is overwritten by that choice."""
    stores = [pc for pc, i in enumerate(function.code) if piece.slot in slots_stored(i)]
    chosen = [pc for pc in stores if isinstance(function.code[pc], m.Choose)]
    waiting, seen = (
        [0, *(to for pc in stores if pc not in chosen for to in successors(function.code[pc], pc))],
        set[int](),
    )
    for pc in chosen:  # only the next instruction follows an answer
        waiting += successors(function.code[pc], pc)[1:]
    while waiting:
        pc = waiting.pop()
        if pc in seen or pc in chosen or pc == EXIT:
            continue
        if pc == start:
            return False
        seen.add(pc)
        waiting += successors(function.code[pc], pc) if pc < len(function.code) else ()
    return len(chosen) == 1


def _may_move(examined: ExaminedProgram, i: m.Instr, zone: str) -> bool:
    """True if an instruction may take something out of a zone; what merged regions hold stays together."""
    return not isinstance(i, m.Merge) and f"zone {zone}" in examined.effects.writes(i)


def _sets(i: m.Instr) -> tuple[str, ...]:
    match i:
        case m.SetField(name):
            return (name,)
        case m.Reset(names):
            return names
        case _:
            return ()


def _decided(examined: ExaminedProgram, function: m.Function, e: m.Expr, move: m.Move, piece: m.Local) -> bool | None:
    """True if a condition surely holds as the piece lies in the zone, False if it surely does not."""

    def leaf(e: m.Expr) -> bool | None:
        required = required_members(e)
        if required is not None and required.least == 1 and _is_it(required.counted, move):
            return required.reached
        match e:
            case m.Contains(held, item) if item == piece and _is_it(held, move):
                return True
            case m.Fold("some", (m.Bound(var, source),), where) if _holds_it(examined, function, source, move, piece):
                return True if where is None or _is_true(examined, put(where, {var: piece}), move) else None
            case _:
                return None  # nothing follows from where the piece lies

    return truth(e, leaf)


def _is_it(e: m.Expr, move: m.Move) -> bool:
    return isinstance(e, m.ZoneGet | m.ZoneList) and (e.zone, e.index) == (move.zone, move.index)


def _holds_it(examined: ExaminedProgram, function: m.Function, source: m.Expr, move: m.Move, piece: m.Local) -> bool:
    """True if the piece is surely a member of a set: the zone, or those of a kind in it."""
    match source:
        case m.SetOp("inter", inner, m.Kind(kind)) | m.SetOp("inter", m.Kind(kind), inner):
            return _is_it(inner, move) and _is_of_kind(examined, function, piece, kind)
        case _:
            return _is_it(source, move)


def _is_of_kind(examined: ExaminedProgram, function: m.Function, piece: m.Local, kind: str) -> bool:
    members = {k.name: k.members for k in examined.program.kinds}
    zones = {z.name: z.kinds for z in examined.program.zones}
    for i in function.code:
        if isinstance(i, m.Choose) and i.into == piece.slot:
            if not isinstance(i.source, m.ZoneGet | m.ZoneList) or not zones[i.source.zone]:
                return False
            return all(members[one] & ~members[kind] == 0 for one in zones[i.source.zone])
    return False


def _is_true(examined: ExaminedProgram, e: m.Expr, move: m.Move) -> bool | None:
    """True if a condition compares something printed on the piece with itself, and each piece has it, or asks whether
    it lies where it lies."""

    def leaf(e: m.Expr) -> bool | None:
        match e:
            case m.Contains(held, of) if _is_it(held, move) and move.what == m.MakeSet((of,)):
                return True
            case m.InZone(zones, of) if move.zone in zones and move.what == m.MakeSet((of,)):
                return True
            case m.Cmp("eq" | "ge" | "le", m.Attr(table) as left, right) if left == right:
                known = examined.tables[table]
                return (known.universe == "Piece" and m.NONE not in _printed(examined, known)) or None
            case _:
                return None  # it depends on the piece

    return truth(e, leaf)


def _printed(examined: ExaminedProgram, table: m.Table) -> set[object]:
    """The values printed on those pieces that have one: those of no kind with such an attribute have none."""
    kinds = [k.members for k in examined.program.kinds]
    having = 0
    for members in kinds:
        values = [table.values[n] for n in range(len(table.values)) if members >> n & 1]
        if values and any(value != m.NONE for value in values):
            having |= members
    return {table.values[n] for n in range(len(table.values)) if having >> n & 1}


def _suspect(function: m.Function, move: m.Move, part: m.Expr, piece: m.Local, holds: bool) -> Suspect:
    name = function.slots[piece.slot].name
    verb = "always holds" if holds else "can never hold"
    words = {move.zone} if any(isinstance(node, m.ZoneGet | m.ZoneList) for node in nodes(part)) else names_in(part)
    return Suspect(
        "EXM102",
        function.name,
        f"{move.zone} behind {name}",
        f"this condition {verb}: `{name}` was moved to `{move.zone}` just before",
        f"leave `{name}` out of what is asked about, or ask before it is moved",
        kinds=(ast.Branch,),
        words=frozenset(words),
    )
