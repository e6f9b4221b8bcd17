"""Information that the backs of hidden pieces give away: attributes that are the same wherever the back is."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.ir import model as m
from rulewright.ir.walk import nodes


class Backs:
    """The backs of a program's pieces."""

    def __init__(self, program: m.Program) -> None:
        self._backs = program.backs
        self._members = {kind.name: kind.members for kind in program.kinds}
        self._tables: Mapping[str, m.Table] = {table.name: table for table in program.tables}

    def enough(self, zone: m.Zone, var: str, where: object) -> bool:
        """True if of the pieces in a zone, each called `var`, only such attributes are read as their backs tell."""
        seen = [n for n in nodes(where) if isinstance(n, m.Attr) and n.of == m.Var(var)]
        uses = sum(n == m.Var(var) for n in nodes(where))
        return uses == len(seen) and all(self.tell(zone, attribute.table) for attribute in seen)

    def tell(self, zone: m.Zone, table: str) -> bool:
        """True if the back of a piece in a zone tells what it has in a table."""
        held = 0
        for kind in zone.kinds:
            held |= self._members[kind]
        values = self._tables[table].values
        found: dict[str, object] = {}
        return bool(self._backs) and all(
            found.setdefault(back, value) == value
            for piece, (back, value) in enumerate(zip(self._backs, values, strict=False))
            if held >> piece & 1
        )
