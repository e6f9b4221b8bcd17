"""Declarations of who sees what, and what is certain about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import product

from rulewright.findings.text.analyses.referenced_names import names_in
from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.control_flow.questions import QuestionsBehind
from rulewright.ir.declared_sight import SUFFICES, Facet, sight_of
from rulewright.ir.evaluation import Value, known
from rulewright.ir.walk import ExprFacts, nodes, scoped
from rulewright.knowledge.piece_visibility import Backs


def shown_zones(program: m.Program) -> frozenset[str] | None:
    """The zones of which something is shown before a question; None if that is unknown."""
    shown = [zones for zones, _ in _shown_before_questions(program)]
    return frozenset().union(*shown) if all(shown) else None


def wholly_shown_zones(program: m.Program) -> frozenset[str]:
    """The zones of which everything is shown at once before a question, so that the number of pieces is known, too."""
    return frozenset(e.zone for _, e in _shown_before_questions(program) if isinstance(e, m.ZoneGet | m.ZoneList))


def _shown_before_questions(program: m.Program) -> Iterator[tuple[frozenset[str], m.Expr]]:
    showing = [function for function in program.functions if _shown_by(function)]
    behind = QuestionsBehind(program) if showing else None
    for function in showing:
        for pc, shown in _shown_by(function).items():
            if behind is not None and behind.asks(function.name, pc):
                yield shown


@memoized_by_node
def _shown_by(function: m.Function) -> Mapping[int, tuple[frozenset[str], m.Expr]]:
    """For each instruction that shows something the zones of which it does, and what is shown; no zones: unknown."""
    return {
        pc: (frozenset(n.zone for n in nodes(i.what) if isinstance(n, m.ZoneGet | m.ZoneList | m.Top)), i.what)
        for pc, i in enumerate(function.code)
        if isinstance(i, m.Show)
    }


Values = tuple[frozenset[int], ...]
"""For each player who may have to decide, all the values that an expression takes then; it takes every one of them."""


class DeclaredVisibility:
    """The declarations of who sees what: the same for many games."""

    def __init__(self, program: m.Program) -> None:
        self.players = program.players
        self.sight = sight_of(program)
        self.tables = {t.name: t for t in program.tables}
        self.zones = {z.name: z for z in program.zones}
        self.fields = {f.name: f for f in program.fields}
        self.areas = {a.name: a for a in program.areas}
        self.spoken_in_areas = {f"area {a.name}": names_in(a.across) for a in program.areas}
        self.facts = ExprFacts({})
        self.shown, self.wholly_shown = shown_zones(program), wholly_shown_zones(program)
        self.backs = Backs(program)
        names = dict.fromkeys((*self.fields, *self.zones))
        self.public = frozenset(name for name in names if self._seen_by_all(self.declared(name)))
        """The zones and fields of which everybody sees all."""

    def declared(self, name: str) -> m.Zone | m.Field:
        """The zone or field of a name."""
        return self.fields[name] if name in self.fields else self.zones[name]

    def may_be_shown(self, zone: m.Zone, facet: Facet) -> bool:
        """True if some pieces in a zone, or their number, may be known before a question, though they are hidden."""
        if facet == "count":
            return zone.name in self.wholly_shown
        return zone.faced or self.shown is None or zone.name in self.shown

    def _seen_by_all(self, declared: m.Zone | m.Field) -> bool:
        everybody = (1 << self.players) - 1
        by = [a.by for a in declared.audiences if a.facet in SUFFICES["face"] and a.by is not None]
        return any(_seers(one, {}, self.tables, self.players) == everybody for one in by)

    def hidden(
        self, declared: m.Zone | m.Field, facet: Facet, given: Mapping[str, Values | None], n: int, player: int
    ) -> bool:
        """True if a player, the n-th of those who may have to decide, certainly does not see one of those that are
        read."""
        viewers_of = [a.by for a in declared.audiences if a.facet in SUFFICES[facet] and a.by is not None]
        names = sorted({name for by in viewers_of for name in self.facts.free(by)})
        rows = [given.get(name) for name in names]
        if any(row is None for row in rows):
            return False
        for keys in product(*(sorted(row[n]) for row in rows if row is not None)):
            observers = [
                _seers(by, dict(zip(names, keys, strict=True)), self.tables, self.players) for by in viewers_of
            ]
            if (
                all(s is not None for s in observers)
                and not reduce(lambda a, b: a | (b or 0), observers, 0) >> player & 1
            ):
                return True
        return False


KEPT = 16
"""So many declarations of who sees what are kept, of different games."""

_kept: list[tuple[tuple[object, ...], DeclaredVisibility]] = []


def visibility_of(program: m.Program) -> DeclaredVisibility:
    """The declarations of who sees what in a program: one for all programs that declare the same."""
    p = program
    declared = (
        p.players,
        p.zones,
        p.fields,
        p.areas,
        p.kinds,
        p.backs,
        p.tables,
        shown_zones(p),
        wholly_shown_zones(p),
    )
    for kept, visibility in tuple(_kept):
        if kept == declared:
            return visibility
    made = DeclaredVisibility(program)
    _kept.append((declared, made))
    del _kept[:-KEPT]
    return made


def _seers(by: m.Expr, keys: dict[str, int], tables: Mapping[str, m.Table], players: int) -> int | None:
    """The set of players an audience is, for these keys; None if it may change during the game."""

    def value(e: m.Expr) -> Value | None:
        if isinstance(e, m.Var):
            return keys.get(e.name)
        if e == m.Alive("Player"):
            return (1 << players) - 1
        return None if any(bound for _, bound in scoped(e)) else known(e, value, tables)

    found = value(by)
    return found if isinstance(found, int) else None
