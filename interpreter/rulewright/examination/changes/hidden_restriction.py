"""EXM116: a restriction, or an offer, that asks what the one who is asked does not see."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, put
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.declared_sight import Level, sight_of
from rulewright.ir.walk import children, nodes
from rulewright.syntax import ast

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
        if zone.index[:1] == ("Player",) and Level.OWNER in sight.levels(zone) <= {Level.NOBODY, Level.OWNER}
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
    """True of a player beside the one who is asked, and of one who was chosen among all others."""
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
    """The zones of players beside the one who is asked into which an expression looks."""
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
    """True of a seat beside the one who is asked."""
    sides = [node for node in nodes(whose) if isinstance(node, m.Attr)]
    tables = ("Player.left", "Player.right")
    return whose != who and any(node.table in tables for node in sides) and any(node == who for node in nodes(whose))


__all__ = ["hidden_restrictions"]
