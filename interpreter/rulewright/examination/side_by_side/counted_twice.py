"""EXM218: a sum of two counts of the same things, in which one that meets both conditions counts twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.examination.examined_program import ExaminedProgram, has_free_variables, put
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.pair import Pair
from rulewright.examination.playing.probes import Probe
from rulewright.examination.playing.program_words import new_instructions, words_of
from rulewright.examination.playing.tally import observed
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

GAMES = 10
"""Games in which something has to be counted twice before it is told."""
_DEEP = 4
"""Queries that call each other are written out so far."""


@dataclass(frozen=True, slots=True)
class _Sum:
    """A sum of two counts, where it is asked for, and the condition that something is in both."""

    function: m.Function
    query: str
    """The query in which it stands; empty if it stands in the function itself."""
    pc: int
    both: m.Expr
    name: str


def things_counted_twice(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A number of the change is the sum of two counts of the same things, and in games there are some for which both
    conditions hold: each of them counts twice, where one condition joined by `or` would count it once."""
    known = dict[str, _Sum]()

    def probes(pair: Pair) -> list[Probe] | None:
        found = list(_sums(pair))
        known.update({one.name: one for one in found})
        looks = [(one, one.name, one.both) for one in found]
        looks += [(one, f"{one.name} asked", m.Const(1)) for one in found]
        return [Probe(one.function.name, one.pc, name, condition) for one, name, condition in looks] or None

    tally = observed(pairs, probes, 0.3)
    if tally is None:
        return
    told = set[str]()
    for name, one in known.items():
        place = one.query or one.function.name
        if tally.games[name] < GAMES or place in told:
            continue
        told.add(place)
        yield Suspect(
            "EXM218",
            place,
            "sum",
            f"this adds two counts of the same things, and some are in both: {tally.uses[name]} of "
            f"{tally.uses[f'{name} asked']} times in {tally.games[name]} random games something counts twice",
            "one count with both conditions joined by `or` counts each once",
            kinds=(ast.Binary,),
            words=words_of(one.function, one.both) if not one.query else frozenset(),
            rule=one.query,
        )


def _sums(pair: Pair) -> Iterator[_Sum]:
    """The sums of two counts in what the change brings: in its statements, and in queries that it changes."""
    program, examined = pair.game.program, ExaminedProgram(pair.game.program)
    new, base = new_instructions(program, pair.base.program), {q.name: q for q in pair.base.program.queries}
    changed = {q.name for q in program.queries if base.get(q.name) != q}
    for function in program.functions:
        for pc, i in enumerate(function.code):
            if isinstance(i, m.Choose):
                continue
            if pc in new[function.name]:
                yield from _in(function, pc, "", i)
            for query, body in _written_out(examined, i, 0):
                if query in changed:
                    yield from _in(function, pc, query, body)


def _written_out(examined: ExaminedProgram, part: object, depth: int) -> Iterator[tuple[str, m.Expr]]:
    """The bodies of queries that are asked in a part, with what they are asked about, and of those that they ask."""
    for node in nodes(part):
        if isinstance(node, m.CallQuery) and depth < _DEEP and not has_free_variables(node):
            query = examined.queries[node.query]
            body = put(query.body, {slot.name: one for slot, one in zip(query.params, node.args, strict=True)})
            yield node.query, body
            yield from ((name, inner) for name, inner in _written_out(examined, body, depth + 1))


def _in(function: m.Function, pc: int, query: str, part: object) -> Iterator[_Sum]:
    for number, node in enumerate(nodes(part)):
        match node:
            case m.Arith("add", m.Fold("count", (one,), first), m.Fold("count", (two,), second)) if (
                one.source == two.source and first is not None and second is not None
            ):
                same = put(second, {two.var: m.Var(one.var)})
                both = m.Fold("some", (one,), m.And((first, same)), None)
                if not has_free_variables(both) and same != first:
                    yield _Sum(function, query, pc, both, f"{query or function.name} counts twice ({pc}, {number})")
            case _:
                pass  # all else adds no counts


__all__ = ["things_counted_twice"]
