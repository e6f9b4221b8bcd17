"""EXM111: a number among several that what is compared with them can never come to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.examination.bounds import Bounds
from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def members_out_of_reach(examined: ExaminedProgram) -> Iterator[Suspect]:
    """Among some numbers something that is printed on a thing is looked for, and one of them stands on no such thing,
    with any number of players.
    """
    known = Bounds(examined)
    parts: list[tuple[str, object]] = [(query.name, query.body) for query in examined.program.queries]
    parts += [(function.name, i) for function in examined.program.functions for i in function.code]
    for name, part in parts:
        for node in nodes(part):
            match node:
                case m.Contains(m.MakeSet(items), m.Attr(table) as item):
                    bounds = known.number(item)
                    printed = table.partition(".")[2]
                case _:
                    continue
            missed = [one.value for one in items if isinstance(one, m.Const)]
            missed = [n for n in missed if bounds is not None and n != m.NONE and not bounds[0] <= n <= bounds[1]]
            if bounds is not None and missed and len(missed) < len(items):
                low, high = bounds
                yield Suspect(
                    "EXM111",
                    name,
                    f"{printed} in {missed[0]}",
                    f"`{printed}` is never {missed[0]}: it lies between {low} and {high}, so only the others count",
                    f"compare it with numbers between {low} and {high}",
                    kinds=(ast.Binary,),
                    words=_words(item, set(items) - {m.Const(n) for n in missed}),
                    everywhere=True,
                )


def _words(item: m.Attr, others: set[m.Expr]) -> frozenset[str]:
    """The words of a comparison: the name of the thing, and the numbers that may well stand on it."""
    numbers = {str(one.value) for one in others if isinstance(one, m.Const)}
    name = re.sub(r"_\d+$", "", item.of.name) if isinstance(item.of, m.Var) else ""
    return frozenset((*numbers, *((name,) if name else ())))


__all__ = ["members_out_of_reach"]
