"""EXM211: a condition that asks about what was put down just before, and finds it each time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.examination.examined_program import ExaminedProgram, conjuncts, put
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.pair import Pair
from rulewright.examination.playing.probes import Probe
from rulewright.examination.playing.program_words import new_instructions, same_words, words_of
from rulewright.examination.playing.straight_line import beginning, conditions_of
from rulewright.examination.playing.tally import observed
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

ENOUGH = 100
"""A condition that is asked less often is not spoken of."""
GAMES = 5
"""Nor is one that is asked in few games."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A thing that is put down, and the condition behind it that asks whether there is any such thing."""

    function: m.Function
    condition: m.Expr
    put: str
    noted: Probe
    """The look that notes what was put down."""
    asked: Probe
    itself: Probe

    @property
    def looks(self) -> tuple[Probe, ...]:
        """All of them."""
        return self.noted, self.asked, self.itself


def things_that_count_themselves(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A condition of the change asks whether there is any thing of a kind, and what was put down just before is one of
    that kind, each time it is asked: so it says nothing of the others. With any number of players.
    """
    known: dict[str, _Found] = {}

    def probes(pair: Pair) -> list[Probe] | None:
        found = list(_found(pair))
        known.update({one.asked.name: one for one in found})
        return [look for one in found for look in one.looks] or None

    tally = observed(pairs, probes, 0.5)
    if tally is None:
        return
    uses, games = tally.uses, tally.games
    program = pairs[0].game.program
    for name, one in known.items():
        if uses[name] >= ENOUGH and games[name] >= GAMES and uses[one.itself.name] == uses[name]:
            yield Suspect(
                "EXM211",
                one.function.name,
                same_words(program, one.function.name, one.condition),
                f"this asks whether there is any such thing, and {one.put} just before is one itself, each of "
                f"{uses[name]} times in {games[name]} random games: so the answer is always the same",
                "leave out what has just been put there (`… is not …`), or ask before it is",
                kinds=(ast.Branch, ast.IfElse),
                words=words_of(one.function, one.condition),
            )


def _found(pair: Pair) -> Iterator[_Found]:
    """The new conditions that ask for things such as one that is put down in the statements before."""
    program = pair.game.program
    examined, new = ExaminedProgram(program), new_instructions(program, pair.base.program)
    for function in program.functions:
        fresh = set(new[function.name])
        for pc, condition in conditions_of(function, lambda _: True):
            start = beginning(function, pc, condition)
            if start == pc or not fresh & set(range(start, pc + 1)):
                continue
            for number, part in enumerate(conjuncts(condition)):
                asked = _any(examined, part)
                if asked is None:
                    continue
                for at in range(pc - 1, start - 1, -1):
                    thing = _thing(examined, function.code[at], asked)
                    if thing is None or _universe(examined, function, asked[0]) != thing[1]:
                        continue
                    about = f"condition {pc} of {function.name}, part {number}"
                    noted = Probe(function.name, at, f"{about} put", m.Const(1), notes=thing[0], of=thing[1])
                    yield _Found(
                        function,
                        condition,
                        thing[2],
                        noted,
                        Probe(function.name, pc, f"{about} asked", m.Const(1)),
                        Probe(function.name, pc, f"{about} itself", _is_one(asked, noted.noted)),
                    )
                    break


_Any = tuple[m.Expr, str, "m.Expr | None"]
"""A set, a variable over it, and a condition on it: what it is asked for whether there is any."""


def _any(examined: ExaminedProgram, e: m.Expr) -> _Any | None:
    """The things of which a condition asks whether there are any, or none."""
    match e:
        case m.Not(inner):
            return _any(examined, inner)
        case m.Fold("some" | "no", (m.Bound(var, source, False),), where, _):
            return source, var, where
        case m.SetEq(of, m.Const(0)):
            return of, "", None
        case m.Cmp("eq" | "ne" | "gt" | "le", counted, m.Const(0)) | m.Cmp("ge" | "lt", counted, m.Const(1)):
            return _counted(examined, counted)
        case _:
            return None


def _counted(examined: ExaminedProgram, e: m.Expr) -> _Any | None:
    match e:
        case m.Size(of, False):
            return of, "", None
        case m.Fold("count", (m.Bound(var, source, False),), where, _):
            return source, var, where
        case m.CallQuery(name, args):
            query = examined.queries[name]
            return _counted(examined, put(query.body, {p.name: a for p, a in zip(query.params, args, strict=True)}))
        case _:
            return None


def _is_one(asked: _Any, thing: m.Expr) -> m.Expr:
    """A condition that a thing is one of those that are asked for."""
    source, var, where = asked
    inside = m.Contains(source, thing)
    return inside if where is None else m.And((inside, put(where, {var: thing})))


def _thing(examined: ExaminedProgram, i: m.Instr, asked: _Any) -> tuple[m.Expr, str, str] | None:
    """The thing that an instruction puts down, its universe, and where: such that what is asked for depends on it."""
    source, var, where = asked
    parts = (source, where) if where is not None else (source,)
    match i:
        case m.SetField(name, index, value) if value not in (m.Const(0), m.Const(m.NONE)):
            for node in nodes(where):
                if isinstance(node, m.FieldGet) and node.field == name:
                    for n, key in enumerate(node.index):
                        if key == m.Var(var):
                            return index[n], examined.fields[name].index[n], f"what `{name}` was set of"
        case m.Move(m.MakeSet((piece,)), False, zone):
            return (piece, "Piece", f"what was moved to `{zone}`") if _reads(examined, parts, i) else None
        case m.Move(m.Lowest(_, m.Const(1)) as what, False, zone):
            return (m.First(what), "Piece", f"what was moved to `{zone}`") if _reads(examined, parts, i) else None
        case _:
            pass
    return None


def _reads(examined: ExaminedProgram, parts: Sequence[m.Expr], i: m.Instr) -> bool:
    """True if where pieces lie in a zone is read, and not only whether they are on the board."""
    return any(examined.effects.reads(part) & examined.effects.writes(i) for part in parts)


def _universe(examined: ExaminedProgram, function: m.Function, e: m.Expr) -> str:
    """The universe of the members of a set; empty if it is not known."""
    graphs = {graph.name: graph for graph in examined.program.graphs}
    match e:
        case m.Alive(universe):
            return universe
        case m.Kind() | m.ZoneGet() | m.Top():
            return "Piece"
        case m.EdgesOf(graph):
            return graphs[graph].edge or ""
        case m.NeighboursOf(graph):
            return graphs[graph].place
        case m.Filter(source) | m.SetOp(_, source):
            return _universe(examined, function, source)
        case m.CallQuery(name):
            return examined.queries[name].ty.universe
        case m.FieldGet(name):
            return examined.fields[name].ty.universe
        case m.Local(slot):
            return function.slots[slot].ty.universe
        case _:
            return ""


__all__ = ["things_that_count_themselves"]
