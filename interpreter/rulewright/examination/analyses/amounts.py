"""Analyses of amounts: draws, bids, shares, and numbers that are looked up in lists."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, conjuncts, disjuncts
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# ---------------------------------------------------------------------------------------------------------- drawn again
# EXM152: a draw that gives back what was laid on the pile just before.


def draws_of_what_was_laid(examined: ExaminedProgram) -> Iterator[Suspect]:
    """Pieces are laid on a stack, and with nothing between that could change its order pieces are drawn from it."""
    stacks = {zone.name for zone in examined.program.zones if zone.order == "stack"}
    for function in examined.functions.values():
        targets = {i.to for i in function.code if isinstance(i, m.Jump | m.JumpUnless)}
        laid: m.Move | None = None
        for pc, i in enumerate(function.code):
            if pc in targets:
                laid = None
            match i:
                case m.Move(m.Top(zone, index), zone=to):
                    same = laid is not None and (laid.zone, laid.index) == (zone, index)
                    if same and (to, i.index) != (zone, index):
                        yield Suspect(
                            "EXM152",
                            function.name,
                            f"from {zone} to {to}",
                            f"what is drawn here was laid on `{zone}` just before: it comes back, the same as before",
                            f"draw first, shuffle `{zone}` between, or lay it there `at bottom`",
                            kinds=(ast.Draw,),
                            words=frozenset((zone, to)),
                        )
                    laid = None
                case m.Move(zone=zone, at="top") if zone in stacks:
                    laid = i
                case m.Call() if laid is not None and not _changes(examined, i, laid.zone):
                    pass
                case m.Fired() | m.Tell() | m.Observe() | m.SetField() | m.Show():
                    pass
                case _:
                    laid = None


def _changes(examined: ExaminedProgram, call: m.Call, zone: str) -> bool:
    """True if what is called may change what lies in a zone."""
    return any(f"zone {zone}" in examined.effects.writes(i) for i in examined.carried_out((call,)))


# --------------------------------------------------------------------------------------------- compared to wrong amount
# EXM150: an answer that is held against what another player has, and paid by the one who gives it.


def compared_to_wrong_amounts(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A player chooses a number, which is refused if another player has less than that of something; and it is the
    chooser who loses it then, at once or as what is noted as their bid.
    """
    for function in examined.functions.values():
        for i in function.code:
            if not isinstance(i, m.Choose) or i.universe != "Int" or not isinstance(i.who, m.Local):
                continue
            for restriction in i.restrictions:
                parts = [part for e in disjuncts(restriction.condition) for part in conjuncts(e)]
                choice = [held for part in parts for held in _held(part, i)]
                others = {name for name, whose in choice if isinstance(whose, m.Local) and whose != i.who}
                own = {name for name, whose in _all_held(i) if whose == i.who}
                for name in sorted(others - own):
                    if _pays(examined, function, i, name):
                        yield Suspect(
                            "EXM150",
                            function.name,
                            restriction.label,
                            f"`{restriction.label}` compares `{i.label}` with `{name}` of another player, but it is "
                            "paid by the one who is asked",
                            f"compare it with what they have themselves: `{name}[{function.slots[i.who.slot].name}]`",
                            rule=restriction.label,
                        )


def _held(e: m.Expr, choice: m.Choose) -> Iterator[tuple[str, m.Expr]]:
    """The fields, and whose they are, of which there is less than the answer if a condition holds."""
    match e:
        case m.Cmp("gt" | "ge", m.Var(name), m.FieldGet(field, (whose,))) if name == choice.var:
            yield field, whose
        case m.Cmp("lt" | "le", m.FieldGet(field, (whose,)), m.Var(name)) if name == choice.var:
            yield field, whose
        case _:
            pass


def _all_held(choice: m.Choose) -> Iterator[tuple[str, m.Expr]]:
    """All fields that bound an answer: by restrictions, or as the end of the numbers that are offered."""
    for restriction in choice.restrictions:
        yield from (
            (node.field, node.index[0])
            for node in nodes(restriction.condition)
            if isinstance(node, m.FieldGet) and len(node.index) == 1
        )
    for node in nodes(choice.source) if choice.source is not None else ():
        if isinstance(node, m.FieldGet) and len(node.index) == 1:
            yield node.field, node.index[0]


def _pays(examined: ExaminedProgram, function: m.Function, choice: m.Choose, resource: str) -> bool:
    """True if the answer, or the field in which it is noted as theirs, is taken from who gave it."""
    answers = _answers(function, choice)
    stored = {
        i.field
        for i in function.code
        if isinstance(i, m.SetField) and i.index == (choice.who,) and isinstance(i.value, m.Local)
        if i.value.slot in answers
    }
    for i in (i for f in examined.functions.values() for i in f.code):
        match i:
            case m.SetField(name, (whose,), m.Arith("sub", m.FieldGet(read), amount)) if name == read == resource:
                if isinstance(amount, m.FieldGet) and amount.field in stored and amount.index == (whose,):
                    return True
                if (
                    i in function.code
                    and whose == choice.who
                    and isinstance(amount, m.Local)
                    and amount.slot in answers
                ):
                    return True
            case _:
                pass
    return False


def _answers(function: m.Function, choice: m.Choose) -> frozenset[int]:
    """The slots that hold an answer: of several players who are asked at once it is put into a list between."""
    found = {choice.into}
    lists = {i.slot for i in function.code if isinstance(i, m.Append) and i.value == m.Local(choice.into)}
    for i in function.code:
        match i:
            case m.SetLocal(slot, m.Item(m.Local(of))) if of in lists:
                found.add(slot)
            case _:
                pass
    return frozenset(found)


# ----------------------------------------------------------------------------------------------------------- short list
# EXM105: a list in which a number is looked up that can be too large for it.

_GROWING = 6
"""Places beside one of a growing map, which is made of hexes."""


def short_lists(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A list of numbers is indexed by a count of neighbouring places, or of words, and is too short for the largest."""
    for name, part in _parts(examined):
        for node in nodes(part):
            if not isinstance(node, m.Item) or not isinstance(node.list, m.ListConst):
                continue
            most, entries = _most(examined, node.at), len(node.list.values)
            if most is not None and 1 < entries <= most:
                yield Suspect(
                    "EXM105",
                    name,
                    "list",
                    f"this list has entries for 0 to {entries - 1}, but {most} can be counted: it gives none then",
                    f"it needs {most + 1} entries",
                    kinds=(ast.ListOf,),
                    words=frozenset(str(abs(number)) for number in node.list.values),
                )


def _parts(examined: ExaminedProgram) -> Iterator[tuple[str, object]]:
    yield from ((query.name, query.body) for query in examined.program.queries)
    yield from ((f.name, i) for f in examined.program.functions for i in f.code)


def _most(examined: ExaminedProgram, at: m.Expr) -> int | None:
    """The largest number of places beside one, or of words, that an index can be; None if it is something else."""
    match at:
        case m.Fold("count", (m.Bound(_, source),)) | m.Size(source):
            inner = source
        case m.CallQuery(query):
            return _most(examined, examined.queries[query].body)
        case _:
            return None
    while isinstance(inner, m.Filter):
        inner = inner.source
    if isinstance(inner, m.Alive):
        return next((u.size for u in examined.program.universes if u.name == inner.universe and u.sort == "enum"), None)
    if not isinstance(inner, m.NeighboursOf):
        return None
    graph = next(g for g in examined.program.graphs if g.name == inner.graph)
    return _GROWING if graph.shape == "growing" else max((n.bit_count() for n in graph.neighbours), default=0)


# --------------------------------------------------------------------------------------------------------- uneven share
# EXM141: an amount is shared among the others, by a number that fits only so many players.


def uneven_shares(examined: ExaminedProgram) -> Iterator[Suspect]:
    """One player pays an amount, and each of several others gets a part of it: a half, or a third. With another number
    of players what they get together is another amount than was paid.
    """
    players = examined.program.players
    for function in examined.functions.values():
        paid = {part for i in function.code for part in _paid(i)}
        for i in function.code:
            match i:
                case m.SetField(
                    name, (m.Local(slot),), m.Arith("add", m.FieldGet(read), m.Arith(op, amount, m.Const(parts)))
                ) if name == read and op.startswith("div") and (name, amount) in paid and parts > 1:
                    several = _receivers(function, slot, players)
                    if several is not None and several != parts:
                        yield Suspect(
                            "EXM141",
                            function.name,
                            name,
                            f"with more, or fewer, players than {parts + players - several} those who get a part of "
                            f"`{name}` are not {parts}, by which it is divided: together they get another amount than "
                            "was paid",
                            "divide by the number of those who get something, `size(players) - 1`",
                            kinds=(ast.Divide,),
                            words=frozenset((str(parts),)),
                        )
                case _:
                    pass


def _paid(i: m.Instr) -> Iterator[tuple[str, m.Expr]]:
    match i:
        case m.SetField(name, index, m.Arith("sub", m.FieldGet(read, of), amount)) if (name, index) == (read, of):
            yield name, amount
        case _:
            pass


def _receivers(function: m.Function, slot: int, players: int) -> int | None:
    """The number of players through whom a loop goes: all, or all but one; None if it is not known."""
    lefts = [
        i.value.of.slot
        for i in function.code
        if isinstance(i, m.SetLocal)
        and i.slot == slot
        and isinstance(i.value, m.First)
        and isinstance(i.value.of, m.Local)
    ]
    for left in lefts:
        filled = [i.value for i in function.code if isinstance(i, m.SetLocal) and i.slot == left]
        match filled[0] if filled else None:
            case m.SetOp("minus", m.Alive("Player"), m.MakeSet((one,))) if not any(
                n == m.Local(left) for n in nodes(one)
            ):
                return players - 1
            case m.Alive("Player"):
                return players
            case _:
                pass
    return None
