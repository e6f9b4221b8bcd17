"""Information that the backs of hidden pieces give away: attributes that are the same wherever the back is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from rulewright.ir import model as m
from rulewright.ir.declared_sight import Facet
from rulewright.ir.walk import nodes


def is_ordered(zone: m.Zone) -> bool:
    """True if the pieces in a zone have places, by which they can be distinguished unseen."""
    return zone.order in ("row", "stack")


class Backs:
    """The backs of a program's pieces."""

    def __init__(self, program: m.Program) -> None:
        self._backs = program.backs
        self._members = {kind.name: kind.members for kind in program.kinds}
        self._tables: Mapping[str, m.Table] = {table.name: table for table in program.tables}

    def facet(self, zone: m.Zone, var: str, where: object) -> Facet:
        """The facet of a zone that must be seen for a condition on the pieces in it, each called `var`: the backs, if
        only attributes are read that these show; their number, if only in which place they lie."""
        seen = [n for n in nodes(where) if isinstance(n, m.Attr) and n.of == m.Var(var)]
        slots = [n for n in nodes(where) if n == m.SlotOf(m.Var(var))] if is_ordered(zone) else []
        uses = sum(n == m.Var(var) for n in nodes(where))
        if uses != len(seen) + len(slots) or not all(self.shows(zone, attribute.table) for attribute in seen):
            return "face"
        return "count" if slots and not seen else "back"

    def shows(self, zone: m.Zone, table: str) -> bool:
        """True if the back of a piece in a zone shows its entry of a table."""
        held = 0
        for kind in zone.kinds:
            held |= self._members[kind]
        return bool(self._backs) and _follows_from(self._backs, self._tables[table].values, held)


@lru_cache(maxsize=1 << 12)
def _follows_from(backs: tuple[str, ...], values: tuple[object, ...], held: int) -> bool:
    """True if those of the pieces that are held which have equal backs have equal values."""
    found: dict[str, object] = {}
    return all(
        found.setdefault(back, value) == value
        for piece, (back, value) in enumerate(zip(backs, values, strict=False))
        if held >> piece & 1
    )
