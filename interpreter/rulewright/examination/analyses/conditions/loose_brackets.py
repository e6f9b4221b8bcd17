"""EXM137: `and` between two pairs of alternatives, of which it joins only the two beside it."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, disjuncts, names_in, queries_in
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def loose_brackets(examined: ExaminedProgram) -> Iterator[Suspect]:
    """`a is 1 or a is 2 and b is 3 or b is 4` reads as if one of the first two and one of the last two were meant; but
    `and` binds closer than `or`.
    """
    parts: list[tuple[str, object]] = [(query.name, query.body) for query in examined.program.queries]
    parts += [(f.name, i) for f in examined.program.functions for i in f.code]
    told = set[str]()
    for name, part in parts:
        for node in nodes(part):
            if isinstance(node, m.Or) and name not in told and _is_loose(disjuncts(node)):
                told.add(name)
                yield Suspect(
                    "EXM137",
                    name,
                    "and",
                    "`and` binds closer than `or` here: it joins only the two comparisons beside it, and each of the "
                    "others is enough by itself",
                    "write brackets around the alternatives: `(… or …) and (… or …)`",
                    kinds=(ast.Binary,),
                    words=names_in(node) | queries_in(node),
                )


def _is_loose(items: tuple[m.Expr, ...]) -> bool:
    """True of alternatives `a or b and c or d`, of which a and b compare one thing, and c and d another one."""
    for before, both, behind in zip(items, items[1:], items[2:], strict=False):
        match both:
            case m.And((first, *_, last)):
                one, other = _compared(first), _compared(last)
                known = one is not None and other is not None and one != other
                if known and (_compared(before), _compared(behind)) == (one, other):
                    return True
            case _:
                pass
    return False


def _compared(e: m.Expr) -> m.Expr | None:
    """The thing that is compared with something written."""
    return e.left if isinstance(e, m.Cmp) and not any(isinstance(node, m.Var) for node in nodes(e.right)) else None


__all__ = ["loose_brackets"]
