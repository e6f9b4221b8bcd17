"""Records of positions: how often one of them was there is a comparison of blocks, not a loop over their numbers."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.ir import model as m
from rulewright.ir.transform.rewriting import Rewriter
from rulewright.ir.walk import conjuncts, nodes


class Records:
    """Writes counts of blocks that are like another list."""

    name = "records"
    kinds: frozenset[type] = frozenset({m.LetIn})

    def __init__(self, fields: Iterable[m.Field], rewriter: Rewriter) -> None:
        self._room = {field.name: field.ty.capacity for field in fields if field.ty.kind == "list"}
        self._rewriter = rewriter

    def describe(self, node: m.LetIn) -> str | None:
        """The field with the blocks."""
        return node.value.field if isinstance(node.value, m.FieldGet) else ""

    def rewritten(self, node: m.LetIn) -> m.Expr:
        """The number of blocks that are like another list, where nothing else of the two is used."""
        match node:
            case m.LetIn(
                known, m.FieldGet(field) as blocks, m.LetIn(now, item, m.Fold("count", (bound,), where, None))
            ) if field in self._room and where is not None and not bound.is_list:
                number, source = bound.var, bound.source
            case _:
                return node
        match source.of if isinstance(source, m.Charged) else source:
            case m.IntRange(m.Const(1), m.Arith("div_down", m.Size(m.Var(sized), True), m.Const(width))) if (
                sized == known and len({known, now, number}) == 3
            ):
                pass
            case _:
                return node
        if width < 1 or self._room[field] // width >= m.MAX_NUMBER_BITS:
            return node  # more numbers than a set holds would be an error
        first = m.Arith("mul", m.Arith("sub", m.Var(number), m.Const(1)), m.Const(width))
        alike = [
            m.Cmp("eq", m.Item(m.Var(known), m.Arith("add", first, m.Const(at))), m.Item(m.Var(now), m.Const(at)))
            for at in range(width)
        ]
        if conjuncts(where) != alike or any(isinstance(one, m.Var) and one.name == known for one in nodes(item)):
            return node
        found: m.Expr = m.Occurrences(blocks, item, width)
        if isinstance(source, m.Charged):  # it costs what the loop did
            found = m.LetIn(known, blocks, m.LetIn(number, source, m.Occurrences(m.Var(known), item, width)))
        return self._rewriter.moved(node, found)


__all__ = ["Records"]
