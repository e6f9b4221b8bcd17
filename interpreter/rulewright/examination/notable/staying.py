"""Analyses of pieces that stay where they are though they should have been moved or forgotten."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.examination.examined_program import ExaminedProgram, conjuncts
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.program_words import new_instructions, words_of
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import reads_slot, successors
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# --------------------------------------------------------------------------------------------------------- filling zone
# EXM128: a change lays pieces where nothing takes them from any more.


def filling_zones(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """Pieces go to a zone out of which nothing comes once the game is going on: it only fills."""
    parts = _Parts(examined)
    new = new_instructions(examined.program, base.program)
    for function in examined.functions.values():
        for pc in new[function.name]:
            i, part = function.code[pc], parts.last(function.name, pc)
            if not isinstance(i, m.Move) or i.zone == "box" or part is None:
                continue
            takers = (
                parts.last(other.name, at)
                for other in examined.functions.values()
                for at, one in enumerate(other.code)
                if _takes_from(one, i.zone)
            )
            if all(one is None or one < part for one in takers):
                yield Suspect(
                    "EXM128",
                    function.name,
                    i.zone,
                    f"`{i.zone}` only fills: nothing comes out of it any more once the game is going on",
                    "if these pieces are to come back, lay them where they are taken from",
                    kinds=(ast.Move, ast.Draw, ast.MoveHeld),
                    words=frozenset((i.zone, *words_of(function, i.what))),
                )


def _takes_from(i: m.Instr, zone: str) -> bool:
    """True if pieces of a zone are moved, or read, by an instruction."""
    looked: object = i.what if isinstance(i, m.Move) else i if isinstance(i, m.Choose | m.Chance | m.SetLocal) else None
    if isinstance(i, m.Exchange):
        return True
    return any(isinstance(node, m.ZoneGet | m.ZoneList | m.Top) and node.zone == zone for node in nodes(looked))


class _Parts:
    """The parts of a game: what the game itself does, one after the other, a loop with all that it calls as one."""

    def __init__(self, examined: ExaminedProgram) -> None:
        self._main = examined.functions[examined.program.main]
        self._called: dict[str, int] = {}
        for pc, i in enumerate(self._main.code):
            if isinstance(i, m.Call):
                for function in examined.closure(i.function):
                    self._called[function.name] = max(self._called.get(function.name, -1), self._part(pc))

    def last(self, function: str, pc: int) -> int | None:
        """The last part in which an instruction may be carried out; None if it never is."""
        return self._part(pc) if function == self._main.name else self._called.get(function)

    def _part(self, pc: int) -> int:
        loops = (at for at, i in enumerate(self._main.code) if at > pc and isinstance(i, m.Jump) and i.to <= pc)
        return max(loops, default=pc)


# -------------------------------------------------------------------------------------------------------- kept reaction
# EXM147: a thing that a player must have to react, and that is not used up by the reaction.


def kept_reactions(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A reaction is one with a piece out of a zone; neither it nor what it calls moves that piece, turns it over or
    marks it, or changes anything in that zone: so it can be used as often as there is an occasion.
    """
    for function in examined.functions.values():
        if function.word != "reaction" or function.name in base.functions:
            continue
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.Choose) or not isinstance(i.source, m.ZoneGet | m.ZoneList):
                continue
            code = function.code[pc + 1 :]
            if _is_used_up(examined, code, i) or _asks_for_more(examined, i):
                continue
            name = function.slots[i.into].name
            raised = {called for one in code if isinstance(one, m.Call) for called in (one.function.split(" ")[0],)}
            again = next((one for one in sorted(raised) if _answers(examined, function.name, one)), "")
            circle = f", and `{again}` is what it reacts to: it may go round without end" if again else ""
            yield Suspect(
                "EXM147",
                function.name,
                name,
                f"`{name}` is not used up: it stays in `{i.source.zone}` when `{function.name}` has been used{circle}",
                f"if it is to be used once, move it: `move {name} to …`",
                rule=function.name,
            )


def _is_used_up(examined: ExaminedProgram, code: tuple[m.Instr, ...], choice: m.Choose) -> bool:
    """True if a piece is moved, turned, marked, handed on, or taken out of the zone in which it lay."""
    slot = frozenset((choice.into,))
    source = choice.source
    for i in code:
        match i:
            case m.Tell() | m.Fired() | m.Observe() | m.Show():
                continue
            case m.JumpUnless() | m.SetField() if not any(reads_slot(e, slot) for e in _keys(i)):
                pass
            case _ if reads_slot(i, slot):
                return True
            case _:
                pass
        zone = f"zone {source.zone}" if isinstance(source, m.ZoneGet | m.ZoneList) else ""
        if isinstance(i, m.Move | m.Exchange | m.SwapItems) and zone in examined.effects.writes(i):
            return True
    return False


def _keys(i: m.Instr) -> tuple[m.Expr, ...]:
    """The keys under which an instruction changes a field, and the value that it gives to it if that is a set."""
    match i:
        case m.SetField(_, index, value):
            return (*index, *(node for node in nodes(value) if isinstance(node, m.SetOp | m.MakeSet)))
        case _:
            return ()


def _asks_for_more(examined: ExaminedProgram, choice: m.Choose) -> bool:
    """True if it depends on a field whether a piece can be used: that may be what is used up."""
    return choice.where is not None and any(
        token.startswith("field ") for token in examined.effects.reads(choice.where)
    )


def _answers(examined: ExaminedProgram, reaction: str, event: str) -> bool:
    """True if a reaction is one to this event."""
    return any(
        function.word == "system"
        and function.name.startswith(f"{event} ")
        and any(isinstance(i, m.Call) and i.function == reaction for i in function.code)
        for function in examined.functions.values()
    )


# ------------------------------------------------------------------------------------------------ piece not moved along
# EXM135: something that goes from one place to another one is not taken from where it stood.

MOST = 400
"""Ways through a function that are followed."""


def pieces_not_moved_along(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """A place where something of a player stands is chosen, and then another one; on one way through what follows the
    new place gets it and the old one is cleared, on another way the old one keeps it: there are two of it then. Or no
    way clears it, and where it may go depends on where it stands.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.Choose) or i.where is None:
                continue
            for part in conjuncts(i.where):
                match part:
                    case m.Cmp("eq", m.FieldGet(field, (m.Var(var),)), who) if var == i.var and who == i.who:
                        ways = list(_ways(examined, function, pc, field, m.Local(i.into)))
                        kept = [way for way in ways if way[0] and not way[1]]
                        if kept and any(way[0] and way[1] for way in ways):
                            yield _suspect(function, field, kept[0][0], i.label, "on another way it is cleared")
                        elif kept and len(kept) == len([way for way in ways if way[0]]) and _goes_on(function, pc, i):
                            yield _suspect(function, field, kept[0][0], i.label, "it is never cleared")
                    case _:
                        pass


def _goes_on(function: m.Function, pc: int, i: m.Choose) -> bool:
    """True if the next answer depends on this one: a piece goes from here to there."""
    following = next((one for one in function.code[pc + 1 :] if isinstance(one, m.Choose)), None)
    return following is not None and any(node == m.Local(i.into) for node in nodes(following))


def _suspect(function: m.Function, field: str, at: str, home: str, otherwise: str) -> Suspect:
    return Suspect(
        "EXM135",
        at,
        f"{field} from {function.name}",
        f"here the new place gets what `{field}` of `{home}` holds and `{home}` keeps it, {otherwise}: there are two "
        "of it then",
        f"if it is moved, write `move {field} from … to …`, or clear the old place as well",
        kinds=(ast.Assign,),
        words=frozenset((field,)),
    )


_Way = tuple[str, bool]
"""The function in which the new place gets something, empty if none does, and whether the old one is cleared."""


def _ways(examined: ExaminedProgram, function: m.Function, start: int, field: str, home: m.Local) -> Iterator[_Way]:
    """The ways from a question to the end of the function, without going round twice."""
    waiting: list[tuple[int, frozenset[int], str, bool]] = [(start + 1, frozenset((start,)), "", False)]
    followed = 0
    while waiting and followed < MOST:
        pc, seen, given, cleared = waiting.pop()
        followed += 1
        if pc in seen or not 0 <= pc < len(function.code):
            yield given, cleared
            continue
        i = function.code[pc]
        here, gone = _done(examined, function, i, field, home)
        given, cleared = given or here, cleared or gone
        following = [to for to in successors(i, pc) if to != pc]
        if not following or isinstance(i, m.Return):
            yield given, cleared
        waiting += [(to, seen | {pc}, given, cleared) for to in following if not isinstance(i, m.Return)]


def _done(examined: ExaminedProgram, function: m.Function, i: m.Instr, field: str, home: m.Local) -> tuple[str, bool]:
    """The function in which another place gets what stood there, and whether that place is cleared."""
    match i:
        case m.SetField():
            return _set(i, field, home, function.name, {})
        case m.Call(name, args) if home in args:
            called = examined.functions[name]
            given: Mapping[m.Expr, m.Expr] = {m.Local(n): arg for n, arg in enumerate(args)}
            inside = m.Local(args.index(home))
            straight = not any(isinstance(x, m.JumpUnless | m.Choose) for x in called.code)
            if not straight:
                wrote = any(isinstance(x, m.SetField) and x.field == field for x in called.code)
                return ("", True) if wrote else ("", False)
            done = [_set(x, field, inside, name, given) for x in called.code if isinstance(x, m.SetField)]
            return next((at for at, _ in done if at), ""), any(gone for _, gone in done)
        case _:
            return "", False


def _set(i: m.SetField, field: str, home: m.Local, name: str, _given: Mapping[m.Expr, m.Expr]) -> tuple[str, bool]:
    if i.field != field:
        return "", False
    if i.index == (home,):
        return "", True
    holds = isinstance(i.value, m.Local) or i.value == m.FieldGet(field, (home,))
    return (name if holds and not any(node == home for node in nodes(i.index)) else ""), False
