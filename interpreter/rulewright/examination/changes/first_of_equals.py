"""EXM115: of several players who are equally good the first seat is taken."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, queries_in
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


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


__all__ = ["firsts_of_equals"]
