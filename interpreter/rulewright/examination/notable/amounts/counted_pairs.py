"""EXM127: a count of pairs, in which one thing may be counted several times."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def counted_pairs(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """Two things are counted together as often as they fit: one that fits with two others counts twice, and two that
    fit with each other are found from both sides.
    """
    for name, part in _parts(examined):
        for node in nodes(part):
            match node:
                case m.Fold("count", binds, where) if len(binds) > 1 and where is not None:
                    variables = [
                        bind.var
                        for bind in binds
                        if not _is_listed(bind.source) or _opposite(examined, bind.source, where)
                    ]
                    asked = {one.name for one in nodes(where) if isinstance(one, m.Var)}
                    if len(variables) > 1 and set(variables) <= asked:
                        told = " and ".join(f"`{variable.rpartition('_')[0] or variable}`" for variable in variables)
                        yield Suspect(
                            "EXM127",
                            name,
                            " ".join(variable.rpartition("_")[0] for variable in variables),
                            f"{told} are counted in pairs: one that fits with two counts twice, and what lies side by "
                            "side may be found from both",
                            "if each is to be counted once, write `count(d in … where some(c in … where …))`",
                            kinds=(ast.Aggregate, ast.Comprehension),
                            words=frozenset(variable.rpartition("_")[0] for variable in variables),
                        )
                case _:
                    pass


def _is_listed(e: m.Expr) -> bool:
    """True of members that are written one by one, as directions are."""
    return isinstance(e, m.Const | m.MakeSet)


def _opposite(examined: ExaminedProgram, e: m.Expr, where: m.Expr) -> bool:
    """True of directions of which two lead back to where one comes from."""
    graphs = {node.graph for node in nodes(where) if isinstance(node, m.Towards)}
    listed = {item.value for item in e.items if isinstance(item, m.Const)} if isinstance(e, m.MakeSet) else set[int]()
    if isinstance(e, m.Const) and e.value >= 0:
        listed = {n for n in range(e.value.bit_length()) if e.value >> n & 1}
    for graph in examined.program.graphs:
        if graph.name in graphs:
            for there, back in ((a, b) for a in listed for b in listed if max(a, b) < len(graph.towards)):
                steps = [(n, to) for n, to in enumerate(graph.towards[there]) if to != m.NONE]
                if steps and all(graph.towards[back][to] == n for n, to in steps):
                    return True
    return False


def _parts(examined: ExaminedProgram) -> Iterator[tuple[str, object]]:
    yield from ((query.name, query.body) for query in examined.program.queries)
    yield from ((f.name, i) for f in examined.functions.values() for i in f.code)


__all__ = ["counted_pairs"]
