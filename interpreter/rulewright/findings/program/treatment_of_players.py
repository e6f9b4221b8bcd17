"""Analyses of what a change does in every turn, to one player only, or bid by bid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from rulewright.findings.program.facts.examined_program import ExaminedProgram
from rulewright.findings.program.facts.program_words import new_instructions, words_of
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import reads_slot, slots_stored
from rulewright.ir.declared_sight import sight_of
from rulewright.ir.walk import children, nodes
from rulewright.syntax import ast

# ----------------------------------------------------------------------------------------------------------- every turn
# EXM124: something that is done in the turn of each player, and does not depend on whose turn it is.


def every_turns(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """A number of players grows in a procedure for one player, by an amount and for players that have nothing to do
    with that one, nor with any answer: so it grows in each turn of a round.
    """
    for function in examined.functions.values():
        if function.word != "procedure" or not function.params or not _has_turns(examined, function):
            continue
        if function.slots[0].ty.universe != "Player":
            continue
        own = _depending(function)
        for pc, i in enumerate(function.code):
            match i:
                case m.SetField(name, (whose, *_), m.Arith("add", m.FieldGet(read))) if name == read:
                    guards = [
                        one
                        for one in function.code[:pc]
                        if isinstance(one, m.JumpUnless) and one.to > pc and reads_slot(one, own)
                    ]
                    chosen = any(start <= pc < end for start, end in _options(function))
                    if not guards and not chosen and not reads_slot(i, own):
                        yield Suspect(
                            "EXM124",
                            function.name,
                            name,
                            f"`{name}` grows here in each turn of a player, whoever that is: several times in a round, "
                            "as often as there are players",
                            "if once in a round is meant, write it before or behind the turns of a round",
                            kinds=(ast.InsertOp,),
                            words=frozenset((name, *words_of(function, whose))),
                        )
                case _:
                    pass


def _has_turns(examined: ExaminedProgram, called: m.Function) -> bool:
    """True if a function is called in a loop, with a player that the loop gives."""
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if isinstance(i, m.Call) and i.function == called.name and i.args and isinstance(i.args[0], m.Local):
                back = (one.to for one in function.code[pc:] if isinstance(one, m.Jump))
                if any(to <= pc for to in back):
                    return True
    return False


def _depending(function: m.Function) -> frozenset[int]:
    """The slots whose values come from the parameters, or from an answer."""
    found = set(range(function.params))
    for i in function.code:
        if isinstance(i, m.Choose | m.Chance):
            found |= set(slots_stored(i))
    changed = True
    while changed:
        before = len(found)
        for i in function.code:
            if isinstance(i, m.SetLocal) and reads_slot(i.value, frozenset(found)):
                found.add(i.slot)
        changed = len(found) > before
    return frozenset(found)


def _options(function: m.Function) -> Iterator[tuple[int, int]]:
    """The stretches of instructions that are the options of a question."""
    for i in function.code:
        starts = sorted(extra.to for extra in i.extras) if isinstance(i, m.Choose) else []
        if starts:
            ends = [function.code[to - 1] for to in starts[1:]]
            joined = max((end.to for end in ends if isinstance(end, m.Jump)), default=len(function.code))
            yield starts[0], joined


# ----------------------------------------------------------------------------------------------------- one sided change
# EXM125: a change of one player's amount under a condition about another one, or without the player to act.

_SIDES = ("Player.left", "Player.right")


def one_sided_changes(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A number of one player changes and that of no other: who it is, and whom it leaves out, is reported where the two
    could be mistaken. That is where a condition around it asks about some other player, or where the one beside is
    changed and not who acts.
    """
    new = new_instructions(examined.program, base.program)
    for function in examined.functions.values():
        changes = [
            (pc, name, whose) for pc in new[function.name] for name, whose in _changed(examined, function.code[pc])
        ]
        for pc, name, whose in changes:
            others = {_words(other) for _, of, other in changes if of == name}
            players = [
                who
                for at, one in enumerate(function.code[:pc])
                if isinstance(one, m.JumpUnless) and _guards(function, at, one.to, pc)
                for who in _players_in(examined, one.condition)
            ]
            if any(_words(who) not in others for who in players):
                what = "the condition asks about another player, of whom nothing changes: only"
            elif _is_beside(whose) and all(_is_beside(other) for _, of, other in changes if of == name):
                what = "nothing changes of the one who acts, only of another player:"
            else:
                continue
            yield Suspect(
                "EXM125",
                function.name,
                f"{name} of {_owner_text(function, whose)}",
                f"{what} `{name}` of {_owner_text(function, whose)} does",
                "compare it with who is to get it, or to lose it; what one gets another one may have to give",
                kinds=(ast.Assign,),
                words=frozenset((name, *words_of(function, whose))),
            )


def _guards(function: m.Function, at: int, to: int, pc: int) -> bool:
    """True if an instruction is carried out only if a condition before it holds; or only for those it holds of."""
    if to > at:
        return to > pc
    return any(isinstance(i, m.Jump) and i.to == to for i in function.code[pc:])


def _words(e: m.Expr) -> str:
    """A player as a text that is equal for the same one, wherever it is written."""
    return re.sub(r"_\d+\b", "", repr(e))


def _changed(examined: ExaminedProgram, i: m.Instr) -> Iterator[tuple[str, m.Expr]]:
    """The number of a player that an instruction changes, and whose it is."""
    match i:
        case m.SetField(name, (whose,), m.Arith("add" | "sub", m.FieldGet(read))) if name == read:
            if examined.fields[name].index == ("Player",):
                yield name, whose
        case _:
            pass


def _players_in(examined: ExaminedProgram, e: m.Expr) -> Iterator[m.Expr]:
    """The players that a condition asks about: computed ones, and those that fields hold; not those that it looks
    through one by one. Of a field that is compared with such a player it is that one."""
    match e:
        case m.Cmp(_, m.FieldGet() as field, other) if not isinstance(other, m.Const):
            yield from _players_in(examined, other if _is_player(examined, field) else field)
        case _ if _is_player(examined, e):
            if not any(isinstance(node, m.Var) for node in nodes(e)) or isinstance(e, m.LetIn):
                yield e
        case _:
            for child in children(e):
                yield from _players_in(examined, child)


def _is_player(examined: ExaminedProgram, e: m.Expr) -> bool:
    match e:
        case m.Attr(table):
            return examined.tables[table].ty.universe == "Player"
        case m.FieldGet(name):
            return examined.fields[name].ty.universe == "Player" and examined.fields[name].ty.kind == "entity"
        case m.LetIn(_, _, m.LetIn(_, m.Attr(table))):
            return table in _SIDES
        case _:
            return False


def _is_beside(whose: m.Expr) -> bool:
    return any(isinstance(node, m.Attr) and node.table in _SIDES for node in nodes(whose))


def _owner_text(function: m.Function, whose: m.Expr) -> str:
    """A player in words."""
    if isinstance(whose, m.Local):
        return f"`{function.slots[whose.slot].name}`"
    if _is_beside(whose):
        side = next(node.table for node in nodes(whose) if isinstance(node, m.Attr) and node.table in _SIDES)
        return f"the player to the {side.partition('.')[2]}"
    return "a computed player"


# ------------------------------------------------------------------------------------------------------------ open bids
# EXM143: bids that are made one after the other, so that who comes later knows those before.


def open_bids(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """Players choose a number in turn, all see it, and behind the loop those with the highest, or lowest, are looked
    for. Where each bid must be higher than the last one they are meant to know.
    """
    sight = sight_of(examined.program)
    for function in examined.functions.values():
        code = function.code
        for pc, (i, stored) in enumerate(pairwise(code)):
            match i, stored:
                case m.Choose(who=m.Local(one), universe="Int", into=into), m.SetField(
                    name, (m.Local(whose),), m.Local(answer)
                ) if one == whose and answer == into and not i.secret:
                    pass
                case _:
                    continue
            is_open = sight.open(examined.fields[name])
            known = any(isinstance(node, m.FieldGet) and node.field == name for node in nodes(i))
            if is_open and not known and _goes_round(function, pc, one) and _compared(code[pc + 2 :], name):
                yield Suspect(
                    "EXM143",
                    function.name,
                    i.label,
                    f"whoever is asked for `{i.label}` later knows what those before have chosen, as all see `{name}`; "
                    "then they are compared",
                    "`each … at once` asks all of them together, a field that is `seen by` its player keeps it secret",
                    kinds=(ast.Choose,),
                    given=i.label,
                )


def _goes_round(function: m.Function, pc: int, slot: int) -> bool:
    """True if a question stands in a loop over players, who are named by its variable."""
    loops = any(isinstance(i, m.Jump) and i.to <= pc for i in function.code[pc:])
    named = [i.value for i in function.code if isinstance(i, m.SetLocal) and i.slot == slot]
    return loops and bool(named) and all(isinstance(value, m.First | m.Item) for value in named)


def _compared(code: tuple[m.Instr, ...], name: str) -> bool:
    """True if those with the highest, or lowest, of a field are looked for."""
    return any(
        isinstance(node, m.Best | m.Sort)
        and any(isinstance(n, m.FieldGet) and n.field == name for n in nodes(node.key))
        for i in code
        for node in nodes(i)
    )
