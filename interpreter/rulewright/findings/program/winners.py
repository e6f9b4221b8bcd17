"""Analyses of ends that name the wrong winner, or one of several."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.findings.program.facts.examined_program import ExaminedProgram, conjuncts, put, queries_in
from rulewright.findings.program.facts.thresholds import player_looked_for, required_members, threshold
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# ------------------------------------------------------------------------------------------------------- end of several
# EXM104: an end with one winner that several can reach at once.


def ends_of_several(examined: ExaminedProgram) -> Iterator[Suspect]:
    """An end is looked for player by player and lets the one win, though an effect gives several of them, one after
    the other, of what it counts: the first of those who have enough then wins, whatever the others have.
    """
    shared = {name for f in examined.functions.values() if f.word == "effect" for name in _given_around(examined, f)}
    shared |= {name for f in examined.functions.values() if f.word == "procedure" for name in _given_to_all(f)}
    for function in examined.functions.values():
        code = function.code
        for i, unless, call in zip(code, code[1:], code[2:], strict=False):
            if not (isinstance(i, m.SetLocal) and isinstance(unless, m.JumpUnless) and isinstance(call, m.Call)):
                continue
            field = _threshold(i.value)
            if _ties(i.value) and _lets_win(examined.functions[call.function]):
                yield Suspect(
                    "EXM104",
                    call.function,
                    "a tie",
                    f"`{call.function}` holds for two players at once if they are equally good: the first seat wins",
                    "ask for more than the other has, or end the game for all together: `finish ranking …`",
                    rule=call.function,
                )
            elif field in shared and _lets_win(examined.functions[call.function]):
                yield Suspect(
                    "EXM104",
                    call.function,
                    "several",
                    f"`{call.function}` can hold for several at once, as `{field}` is given to several, one after the "
                    "other: the first seat wins then, whatever the others have",
                    f"end the game for all together: `finish ranking q in players by {field}[q]`",
                    rule=call.function,
                )


def _threshold(e: m.Expr) -> str | None:
    """The field of which a player must have enough."""
    var, where = player_looked_for(e) or ("", m.Const(1))
    for part in conjuncts(where):
        match threshold(part):
            case (m.FieldGet(name, (m.Var(of),)), _, True) if of == var:
                return name
            case _:
                pass
    return None


def _ties(e: m.Expr) -> bool:
    """True if a player must have as much as another one at least: two with equally much have it both."""
    var, where = player_looked_for(e) or ("", m.Const(1))
    parts = conjuncts(where)
    for part in parts:
        if isinstance(part, m.Cmp) and part.op in ("ge", "le"):
            mine, other = (part.left, part.right) if part.op == "ge" else (part.right, part.left)
            players = [node for node in nodes(other) if isinstance(node, m.Attr | m.LetIn)]
            others = (one for one in parts if one is not part)
            alone = not any(isinstance(node, m.Var) and node.name == var for one in others for node in nodes(one))
            if mine != other and alone and any(put(mine, {var: one}) == other for one in players):
                return True
    return False


def _given_to_all(function: m.Function) -> Iterator[str]:
    """The fields of players that the loops of a procedure let grow for several of them, with no decision between."""
    for pc, i in enumerate(function.code):
        if isinstance(i, m.Jump) and i.to <= pc:
            inside = function.code[i.to : pc]
            called = [one for one in inside if isinstance(one, m.Call) and one.at.partition("#")[0] != "settle"]
            if not called and not any(isinstance(one, m.Choose | m.Chance) or _asks(one) for one in inside):
                changing = {one.slot for one in inside if isinstance(one, m.SetLocal)}
                for one in inside:
                    yield from _given(one, changing)


def _asks(i: m.Instr) -> bool:
    """True if a loop leaves a player out: only one may get something then."""
    if not isinstance(i, m.JumpUnless):
        return False
    members = required_members(i.condition)
    if members is not None and isinstance(members.counted, m.Local) and members[1:] == (1, True):
        return False
    return not (isinstance(i.condition, m.Contains) and isinstance(i.condition.collection, m.Alive))


def _lets_win(function: m.Function) -> bool:
    return function.word == "end" and any(
        isinstance(i, m.FinishWin) and i.players == m.MakeSet((m.Local(0),)) for i in function.code
    )


def _given_around(examined: ExaminedProgram, function: m.Function) -> Iterator[str]:
    """The fields of players that the loops of an effect let grow for several of them."""
    for pc, i in enumerate(function.code):
        if isinstance(i, m.Jump) and i.to <= pc:
            inside = function.code[i.to : pc]
            changing = {one.slot for one in inside if isinstance(one, m.SetLocal)}
            for one in inside:
                yield from _given(one, changing)
                if isinstance(one, m.Call) and any(_depends(arg, changing) for arg in one.args):
                    called = examined.functions[one.function]
                    parts = {number for number, arg in enumerate(one.args) if _depends(arg, changing)}
                    for inner in called.code:
                        yield from _given(inner, parts)


def _given(i: m.Instr, changing: set[int]) -> Iterator[str]:
    match i:
        case m.SetField(name, (index,), m.Arith("add", m.FieldGet(read))) if name == read and _depends(index, changing):
            yield name
        case _:
            pass


def _depends(e: m.Expr, slots: set[int]) -> bool:
    return any(isinstance(node, m.Local) and node.slot in slots for node in nodes(e))


# ------------------------------------------------------------------------------------------------------ first of equals
# EXM115: the first of several best players wins or gets something.


def firsts_of_equals(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """The best players, or parties, are looked for, which may be several, and the first of them wins or gets
    something: the seat decides.
    """
    for function in examined.functions.values():
        for i in function.code:
            for node in nodes(i):
                if not isinstance(node, m.First) or not _best_players(examined, node.of):
                    continue
                what = "wins then" if isinstance(i, m.FinishWin) else "is taken then, in the order of seats"
                yield Suspect(
                    "EXM115",
                    function.name,
                    "first of the best",
                    f"several may be equally good here: with a tie the first seat {what}, and nobody has said so",
                    "`finish ranking … by …` lets equal ones share, `single(…)` gives none if there are several",
                    kinds=(ast.Ranked, ast.Aggregate),
                    words=queries_in(node.of),
                )
                break


def _best_players(examined: ExaminedProgram, e: m.Expr) -> bool:
    """True of the best ones among players or parties; also if a query looks for them."""
    sorts = {universe.name: universe.sort for universe in examined.program.universes}
    if isinstance(e, m.CallQuery):
        e = examined.queries[e.query].body
    if not isinstance(e, m.Best):
        return False
    source = e.source
    while isinstance(source, m.Filter):
        source = source.source
    return isinstance(source, m.Alive) and sorts.get(source.universe) in ("player", "party")
