"""Analyses of options that a change offers for nothing, and of restrictions that refuse by what is hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.findings.program.facts.examined_program import ExaminedProgram, put
from rulewright.findings.program.facts.option_code import OptionCode, options_of
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.ir.declared_sight import Level, sight_of
from rulewright.ir.walk import children, nodes
from rulewright.syntax import ast

# --------------------------------------------------------------------------------------------------- hidden restriction
# EXM116: a restriction, or an offer, that depends on what the player to act does not see.

_DEEP = 6
"""Queries that call each other are followed so far."""


def hidden_restrictions(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """An answer is refused because of the pieces in a zone of another player which only that one sees, or what is
    printed on these is offered: that tells a secret. How many there are is no secret here.
    """
    sight = sight_of(examined.program)
    closed = {
        zone.name
        for zone in examined.program.zones
        if zone.index[:1] == ("Player",) and Level.OWNER in sight.levels(zone) <= {Level.NO_PLAYER, Level.OWNER}
    }
    for function in examined.functions.values():
        for i in function.code:
            if not isinstance(i, m.Choose) or i.who_is != "player":
                continue
            for restriction in (*i.restrictions, *(one for extra in i.extras for one in extra.restrictions)):
                zone = next(_hidden(examined, restriction.condition, i.who, closed, 0), None)
                if zone is not None:
                    yield Suspect(
                        "EXM116",
                        function.name,
                        restriction.label,
                        f"`{restriction.label}` asks for what lies hidden in `{zone}` of another player: whoever is "
                        "asked does not see it, and learns it from what is refused",
                        f"ask for what they see themselves, or `show` them `{zone}` before",
                        rule=restriction.label,
                    )
            zone = next(_offered(function, i, closed), None)
            if zone is not None:
                yield Suspect(
                    "EXM116",
                    function.name,
                    f"{i.label} of {zone}",
                    f"what is offered as `{i.label}` is printed on what lies hidden in `{zone}` of another player: "
                    "whoever is asked does not see it, and learns it from what they may choose",
                    f"offer all that there may be, or what is in `{zone}` of whoever is asked",
                    kinds=(ast.Choose,),
                    given=i.label,
                )


def _offered(function: m.Function, i: m.Choose, closed: set[str]) -> Iterator[str]:
    """The zones of another player from whose pieces something printed on them is offered."""
    for node in nodes(i.source) if i.source is not None else ():
        match node:
            case m.Collect(source, _, m.Attr()):
                for inner in nodes(source):
                    match inner:
                        case m.ZoneGet(name, (whose, *_)) if name in closed and _is_other(function, whose, i.who):
                            yield name
                        case _:
                            pass
            case _:
                pass


def _is_other(function: m.Function, whose: m.Expr, who: m.Expr) -> bool:
    """True of a player beside the player to act, and of one who was chosen among all others."""
    if _is_beside(whose, who):
        return True
    return isinstance(whose, m.Local) and any(
        isinstance(i, m.Choose)
        and i.into == whose.slot
        and isinstance(i.source, m.SetOp)
        and (i.source.op, i.source.right) == ("minus", m.MakeSet((who,)))
        for i in function.code
    )


def _hidden(examined: ExaminedProgram, e: m.Expr, who: m.Expr, closed: set[str], depth: int) -> Iterator[str]:
    """The zones of players beside the player to act into which an expression looks."""
    match e:
        case m.Size(m.ZoneGet() | m.ZoneList()):
            return
        case m.ZoneGet(name, (whose, *_)) | m.ZoneList(name, (whose, *_)) if name in closed and _is_beside(whose, who):
            yield name
        case m.CallQuery(name, args) if depth < _DEEP:
            query = examined.queries[name]
            given = {param.name: arg for param, arg in zip(query.params, args, strict=True)}
            yield from _hidden(examined, put(query.body, given), who, closed, depth + 1)
        case _:
            for child in children(e):
                yield from _hidden(examined, child, who, closed, depth)


def _is_beside(whose: m.Expr, who: m.Expr) -> bool:
    """True of a seat beside the player to act."""
    sides = [node for node in nodes(whose) if isinstance(node, m.Attr)]
    tables = ("Player.left", "Player.right")
    return whose != who and any(node.table in tables for node in sides) and any(node == who for node in nodes(whose))


# ---------------------------------------------------------------------------------------------------------- free option
# EXM120: an option that does what another one does, and gives more.


def free_options(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """An option does all that another one of the same question does, as often as that is allowed, and gives its chooser
    more of something beside: no player ever takes the other one.
    """
    for function in examined.functions.values():
        options = list(options_of(function))
        for better in options:
            for other in options:
                if better is other or better.question is not other.question or not better.rule or not other.rule:
                    continue
                more = _more(examined, better, other)
                if more:
                    yield Suspect(
                        "EXM120",
                        function.name,
                        better.rule,
                        f"`{better.rule}` is always better than `{other.rule}`: it does the same, costs nothing, and "
                        f"gives more `{more}`",
                        "let it cost something, or let it be taken only at times",
                        rule=better.rule,
                    )


def _more(examined: ExaminedProgram, better: OptionCode, other: OptionCode) -> str:
    """The field of which an option gives more than another one that it contains; empty if it does not."""
    if [_text(one.condition, {}) for one in better.extra.restrictions] != [
        _text(one.condition, {}) for one in other.extra.restrictions
    ]:
        return ""
    mine, theirs = _statements(examined, better.own), _statements(examined, other.own)
    here, there = dict[int, int](), dict[int, int]()
    gained, position = "", 0
    for i in theirs:
        while position < len(mine) and not _same(mine[position], i, here, there):
            gain = _gain(mine[position], better.question.who)
            if not gain:
                return ""
            gained, position = gain, position + 1
        if position == len(mine):
            return ""
        gained = _raised(mine[position], i, here, there) or gained
        position += 1
    for i in mine[position:]:
        gain = _gain(i, better.question.who)
        if not gain:
            return ""
        gained = gain
    return gained if theirs else ""


def _statements(examined: ExaminedProgram, code: Sequence[m.Instr]) -> list[m.Instr]:
    """The instructions that do something."""
    return [
        i
        for i in code
        if not isinstance(i, m.Fired | m.Jump | m.Tell | m.Observe)
        and not (isinstance(i, m.Call) and examined.functions[i.function].word == "system")
    ]


def _same(mine: m.Instr, theirs: m.Instr, here: dict[int, int], there: dict[int, int]) -> bool:
    """True if two instructions do the same, with answers under other names; or the first one gives more."""
    if isinstance(mine, m.Choose) and isinstance(theirs, m.Choose):
        number = len(here)
        here[mine.into], there[theirs.into] = number, number
    return _text(mine, here) == _text(theirs, there) or bool(_raised(mine, theirs, here, there))


def _raised(mine: m.Instr, theirs: m.Instr, here: dict[int, int], there: dict[int, int]) -> str:
    """The field to which one instruction adds more than another one does."""
    match mine, theirs:
        case (
            m.SetField(name, _, m.Arith("add", old, m.Arith("add", amount, m.Const(more)))),
            m.SetField(other, _, m.Arith("add", known, less)),
        ) if name == other and more > 0:
            equal = (mine.index, old, amount), (theirs.index, known, less)
            return name if _text(equal[0], here) == _text(equal[1], there) else ""
        case m.SetField(name, _, m.Arith("add", old, m.Const(more))), m.SetField(
            other, _, m.Arith("add", known, m.Const(less))
        ) if name == other and more > less:
            return name if _text((mine.index, old), here) == _text((theirs.index, known), there) else ""
        case _:
            return ""


def _gain(i: m.Instr, who: m.Expr) -> str:
    """The field that an instruction raises for the player to act."""
    match i:
        case m.SetField(name, (whose, *_), m.Arith("add", m.FieldGet(read), m.Const(more))):
            return name if name == read and whose == who and more > 0 else ""
        case _:
            return ""


def _text(part: object, slots: dict[int, int]) -> str:
    """A part of a program as a text in which answers have numbers, and the names of questions and variables none."""
    text = re.sub(r"slot=(\d+)", lambda found: f"slot={_number(slots, int(found[1]))}", repr(part))
    text = re.sub(r"\b(label|at|into|cites|on_empty|to)=('[^']*'|\([^)]*\)|[^,)]*)", "", text)
    names = dict[str, str]()
    return re.sub(r"\b(var|name)='([^']*)'", lambda found: names.setdefault(found[2], f"name {len(names)}"), text)


def _number(slots: dict[int, int], slot: int) -> str:
    return f"answer {slots[slot]}" if slot in slots else str(slot)
