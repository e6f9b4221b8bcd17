"""Analyses of players and things that are taken for one another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.findings.program.facts.examined_program import ExaminedProgram, conjuncts, disjuncts, put
from rulewright.findings.program.facts.option_code import options_of
from rulewright.findings.program.facts.program_words import same_words, words_of
from rulewright.findings.program.facts.thresholds import required_members
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import reads_slot, slots_stored
from rulewright.ir.rule_places import statement_at
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# --------------------------------------------------------------------------------------------------------- wrong player
# EXM103: a condition that a computed player exists, followed by changes of another player's things.


def wrong_players(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A branch tests whether a computed player exists, does nothing with them, and changes what another one has.

    Fields do not count as such players: that of a place holds who stands there, and that one may be the reason for a
    change of another player.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.JumpUnless) or i.to <= pc:
                continue
            body = function.code[pc + 1 : i.to]
            parts = conjuncts(i.condition)
            for part in parts:
                who = _computed_player(examined, function, part)
                if who is None or any(node == who for one in body for node in nodes(one)):
                    continue
                other_conditions = isinstance(who, m.Local) and any(
                    node == who for p in parts if p != part for node in nodes(p)
                )
                found = (
                    (at, name) for at, one in enumerate(body) for name in _changed(examined, one, other_conditions)
                )
                at, changed = next(found, (0, ""))
                if changed:
                    statement = statement_at(examined.program, function, pc + 1 + at)
                    yield Suspect(
                        "EXM103",
                        function.name,
                        changed,
                        f"the condition asks whether some player is there, but `{changed}` of another one is changed",
                        f"if the one that is asked about is meant, write them into the brackets of `{changed}[…]`",
                        kinds=(ast.Assign, ast.Move, ast.Draw, ast.MoveHeld),
                        words=frozenset((changed,)),
                        span=None if statement is None else statement.span,
                    )


def _computed_player(examined: ExaminedProgram, function: m.Function, e: m.Expr) -> m.Expr | None:
    """The computed player of whom a condition asks whether it is none; or the name that was given to it for that."""
    match e:
        case m.Cmp("ne", m.Local(slot) as who, m.Const(m.NONE)) if slot >= function.params:
            stored = [i for i in function.code if slot in slots_stored(i)]
            read = [i for i in function.code if reads_slot(i, frozenset((slot,)))]
            if len(stored) == len(read) == 1 and isinstance(stored[0], m.SetLocal):
                return who if _is_computed(examined, stored[0].value) else None
            return None
        case m.Cmp("ne", who, m.Const(m.NONE)) if _is_computed(examined, who):
            return who
        case _:
            return None


def _is_computed(examined: ExaminedProgram, e: m.Expr) -> bool:
    match e:
        case m.Attr(table):
            return examined.tables[table].ty.universe == "Player"
        case m.CallQuery(query):
            ty = examined.queries[query].ty
            return ty.kind == "entity" and ty.universe == "Player"
        case _:
            return False


def _changed(examined: ExaminedProgram, i: m.Instr, beside: bool) -> Iterator[str]:
    """Things of a player that an instruction changes; `beside`: of one beside another, not of one with a name."""
    match i:
        case m.SetField(name, (whose, *_)) if examined.fields[name].index[0] == "Player":
            known = name
        case m.Move(zone=name, index=(whose, *_)):
            zone = next(z for z in examined.program.zones if z.name == name)
            if zone.index[0] != "Player":
                return
            known = name
        case _:
            return
    if not beside or isinstance(whose, m.Attr):
        yield known


# -------------------------------------------------------------------------------------------------------- includes self
# EXM133: a search for all with the same value as an entity, which is among the results itself.


def includes_self(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A loop goes through all players, or pieces, that have the same as one of them, and changes that of each; or a
    condition tests whether some player has the same: the one itself has.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if isinstance(i, m.JumpUnless):
                found = _looped(function, pc, i)
                if found is not None:
                    field, one = found
                    yield _suspect_that_includes_itself(
                        examined,
                        function,
                        one,
                        i.condition,
                        f"and {f'`{field}` of it is changed' if field else 'it is moved'} as well",
                        ast.Each,
                    )
                for part in conjuncts(i.condition):
                    condition = _always_one(function, part)
                    if condition is not None:
                        yield _suspect_that_includes_itself(
                            examined, function, condition, part, "and so there always is such a player", ast.Branch
                        )
            elif isinstance(i, m.Choose):
                for restriction in (*i.restrictions, *(one for extra in i.extras for one in extra.restrictions)):
                    for part in (one for e in disjuncts(restriction.condition) for one in conjuncts(e)):
                        condition = _always_one(function, part)
                        if condition is not None:
                            so = "and so there always is such a player"
                            yield replace(
                                _suspect_that_includes_itself(examined, function, condition, part, so, ast.Forbid),
                                rule=restriction.label,
                            )


def _suspect_that_includes_itself(
    examined: ExaminedProgram, function: m.Function, one: m.Local, e: m.Expr, so: str, kind: type
) -> Suspect:
    name = function.slots[one.slot].name
    return Suspect(
        "EXM133",
        function.name,
        same_words(examined.program, function.name, e),
        f"`{name}` itself is among those that have the same as `{name}`, {so}",
        f"leave it out: `… except {name}`",
        kinds=(kind,),
        words=words_of(function, e),
    )


def _looped(function: m.Function, pc: int, i: m.JumpUnless) -> tuple[str, m.Local] | None:
    """The value that a loop over all players, or pieces, compares with that of one and changes, and that one."""
    around = _loop(function, pc, i)
    if around is None:
        return None
    slot, body = around
    parts = conjuncts(i.condition)
    for part in parts:
        compared = _with_another(function, part, slot)
        if compared is None:
            continue
        one, what = compared
        excluded = any(node == one for other in parts if other is not part for node in nodes(other))
        asks = any(isinstance(x, m.JumpUnless) and any(node == one for node in nodes(x.condition)) for x in body)
        if not excluded and not asks and any(_changes(x, what, slot) for x in body):
            return what, one
    return None


def _with_another(function: m.Function, e: m.Expr, slot: int) -> tuple[m.Local, str] | None:
    """The one with which each is compared, and the field, or zones, that both must have alike."""
    match e:
        case m.Cmp("eq", left, right):
            pass
        case _:
            return None
    for mine, theirs in ((left, right), (right, left)):
        match mine, theirs:
            case m.FieldGet(field, (m.Local(of),)), m.FieldGet(other, (m.Local(one),)) if field == other and of == slot:
                what = field
            case m.PlaceOf(m.Local(of)), m.PlaceOf(m.Local(one)) if of == slot:
                what = ""
            case _:
                continue
        if one != slot and function.slots[one].ty.universe == function.slots[slot].ty.universe in ("Player", "Piece"):
            return m.Local(one), what
    return None


def _changes(i: m.Instr, what: str, slot: int) -> bool:
    match i:
        case m.SetField(field, index):
            return field == what and index == (m.Local(slot),)
        case m.Move(m.MakeSet((m.Local(moved),))):
            return not what and moved == slot
        case _:
            return False


def _loop(function: m.Function, pc: int, i: m.JumpUnless) -> tuple[int, tuple[m.Instr, ...]] | None:
    """The loop variable of a condition at the head of a loop over all, and what is done with it."""
    code, at = function.code, pc
    while at > 0 and isinstance(one := code[at - 1], m.JumpUnless) and isinstance(one.condition, m.Contains):
        at -= 1  # eliminated players are skipped
    match code[max(0, at - 2) : at]:
        case (m.SetLocal(slot, m.First(m.Local(left))), m.SetLocal(again)) if again == left:
            pass
        case (_, m.SetLocal(slot, m.Item(m.Local(left)))):
            pass
        case _:
            return None
    filled = [x.value for x in code if isinstance(x, m.SetLocal) and x.slot == left]
    ends = [to for to, x in enumerate(code) if isinstance(x, m.Jump) and x.to == i.to and to > pc]
    everybody = any(isinstance(value, m.Alive | m.Kind | m.ClockwiseFrom) for value in filled)
    return (slot, code[pc + 1 : max(ends)]) if i.to < pc and everybody and ends else None


def _always_one(function: m.Function, e: m.Expr) -> m.Local | None:
    """The player because of whom there always is one who has the same."""
    match required_members(e):
        case (m.Filter(m.Alive("Player"), var, where), 1, _):
            pass
        case _:
            return None
    for node in nodes(where):
        if isinstance(node, m.Local) and function.slots[node.slot].ty.universe == "Player":
            slot = function.slots[node.slot]
            sure = not slot.ty.optional and (
                node.slot < function.params or any(node.slot in slots_stored(x) for x in function.code)
            )
            if sure and all(_is_same(part) for part in conjuncts(put(where, {var: node}))):
                return node
    return None


def _is_same(e: m.Expr) -> bool:
    return isinstance(e, m.Cmp) and e.op in ("eq", "le", "ge") and e.left == e.right


# --------------------------------------------------------------------------------------------------------- marked other
# EXM103: a mark refuses something to one player and is set for another one.

_SIDES = ("Player.left", "Player.right")


def marks_of_another(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A player with a mark may not do something, and who does it marks the one beside, never themselves: so they may do
    it again, and the other may not.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if isinstance(i, m.Choose):
                yield from _marked(examined, function, i.restrictions, function.code[pc + 1 :])
        for option in options_of(function):
            yield from _marked(examined, function, option.extra.restrictions, (*option.own, *option.behind))


def _marked(
    examined: ExaminedProgram, function: m.Function, restrictions: tuple[m.Restriction, ...], code: tuple[m.Instr, ...]
) -> Iterator[Suspect]:
    done = tuple(examined.carried_out(code))
    for one in restrictions:
        for part in disjuncts(one.condition):
            match part:
                case m.FieldGet(name, (m.Local() as whose,)) if examined.fields[name].index == ("Player",):
                    marks = [x for x in code if isinstance(x, m.SetField) and x.field == name and x.value == m.Const(1)]
                    elsewhere = any(isinstance(x, m.SetField) and x.field == name and x not in marks for x in done)
                    if marks and not elsewhere and all(_is_beside(x.index[0], whose) for x in marks):
                        yield Suspect(
                            "EXM103",
                            function.name,
                            f"{name} for {one.label}",
                            f"`{one.label}` asks for `{name}` of the one who does it, and it is set for another player",
                            f"if it is to be done once, set `{name}` of the one who does it",
                            kinds=(ast.Assign,),
                            words=frozenset((name,)),
                        )
                case _:
                    pass


def _is_beside(whose: m.Expr, of: m.Expr) -> bool:
    sides = [node for node in nodes(whose) if isinstance(node, m.Attr) and node.table in _SIDES]
    return bool(sides) and any(node == of for node in nodes(whose))
