"""Writes a position as lines of a scenario: what differs from how a game begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rulewright.engine import Engine, Position
from rulewright.engine.cells.layout import Instance
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m
from rulewright.ir.model import NONE
from rulewright.ir.scenario_plan import WORDS
from rulewright.syntax import ast, names, parse_expression


@dataclass(frozen=True, slots=True)
class Merging:
    """``merge a with b``."""

    universe: str
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Laying:
    """``put "key" in zone [face] [as side]``: one piece."""

    piece: int
    zone: str
    index: tuple[int, ...]
    face: int | None
    side: int | None = None


@dataclass(frozen=True, slots=True)
class Giving:
    """``given field = value``, with the raw value."""

    field: str
    index: tuple[int, ...]
    value: int | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Leaving:
    """``out player``."""

    player: int


Laid = Merging | Laying | Giving | Leaving
"""One thing that makes a position differ from the beginning."""


def differences(engine: Engine, cells: Sequence[int]) -> list[Laid]:
    """All that makes a position differ from the beginning."""
    layout = engine.layout
    found: list[Laid] = [Leaving(player) for player in bits_of(cells[layout.out])]
    for name, place in layout.merged.items():
        for region in bits_of(cells[place.alive]):
            others = bits_of(cells[place.members + region] & ~(1 << region))
            found += [Merging(name, region, other) for other in others]
    for instance in layout.instances:
        found += _layings(engine, cells, instance)
    for declared in engine.program.fields:
        if declared.is_internal:  # no line of a scenario holds the past: the story begins without it
            continue
        place_of = layout.fields[declared.name]
        for number in range(place_of.count):
            at = place_of.at + number * place_of.span
            now, was = (tuple(c[at : at + place_of.span]) for c in (cells, layout.initial))
            if now != was:
                value = now[1 : 1 + now[0]] if declared.ty.kind == "list" else now[0]
                found.append(Giving(declared.name, layout.keys_of(number, declared.index), value))
    return found


def _layings(engine: Engine, cells: Sequence[int], instance: Instance) -> Iterator[Laying]:
    """The pieces that were put into a zone. In a stack or row those that stay below others are not put again."""
    layout = engine.layout
    zone = engine.program.zones[instance.zone]
    initial = layout.initial
    if instance.ordered:
        lying = list(cells[instance.at + 1 : instance.at + 1 + cells[instance.at]])
        begun = initial[instance.at + 1 : instance.at + 1 + initial[instance.at]]
        stays = [piece for piece in begun if piece in lying]
        same = 0
        while same < len(stays) and stays[same] == lying[same]:
            same += 1
        put = lying[same:]
    else:
        put = [piece for piece in bits_of(cells[instance.at]) if not initial[instance.at] >> piece & 1]
        if layout.down >= 0:
            turned = cells[instance.at] & initial[instance.at] & (cells[layout.down] ^ initial[layout.down])
            put += bits_of(turned)
        lying = bits_of(cells[instance.at] & initial[instance.at]) if layout.sided else []
        put += [p for p in lying if cells[layout.side + p] != initial[layout.side + p] and p not in put]
    for piece in put:
        face = cells[layout.down] >> piece & 1 if instance.faced and layout.down >= 0 else None
        side = cells[layout.side + piece] if layout.sided and sides_of(engine, piece) else None
        yield Laying(piece, zone.name, instance.keys, face, side)


def sides_of(engine: Engine, piece: int) -> tuple[str, ...]:
    """The names of the sides of a piece, if it has any."""
    return next((kind.sides for kind in engine.program.kinds if kind.sides and kind.members >> piece & 1), ())


def lay(position: Position, laid: Iterable[Laid]) -> bool:
    """Lay out a position, just as a scenario with these lines would; whether it can be done."""
    keys = position.engine.layout.universes["Piece"].keys
    for one in laid:
        match one:
            case Merging(universe, left, right):
                position.join(universe, left, right)
            case Laying(piece, zone, index, face, side):
                same = sum(1 << other for other, key in enumerate(keys) if key == keys[piece])
                pieces = position.take(same, 1, zone, index)
                if pieces is None:
                    return False
                position.put(pieces, zone, index, face=face)
                if side is not None:
                    position.turn(pieces, side)
            case Giving(field, index, value):
                position.set_field(field, index, value)
            case Leaving(player):
                position.put_out(player)
    return True


class Words:
    """Values of a program as the rules write them."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.layout = engine.layout
        self._graphs = {name: g for g in engine.program.graphs for name in (g.place, g.edge or "")}
        self._tables = {table.name for table in engine.program.tables}
        self._places = {merged.name: merged.place for merged in engine.program.merged}
        program = engine.program
        declared = (program.queries, program.functions, program.fields, program.zones)
        self.declared = {*WORDS, *(one.name for kind in declared for one in kind)}
        """The names that mean something in the rules, and as answers."""
        self.seats = names.players(self.layout.universes["Player"].keys, self.declared)
        """The names of the players."""

    def lines(self, laid: Sequence[Laid]) -> Iterator[ast.ScenarioLine]:
        """The lines that lay out a position."""
        pieces = self.layout.universes["Piece"].keys
        for _, group in groupby(enumerate(laid), lambda x: self._alike(*x)):
            some = [one for _, one in group]
            first = some[0]
            match first:
                case Merging(universe, left, right):
                    yield ast.Merge(self.member(universe, left), self.member(universe, right))
                case Laying(piece, zone, index, face, side):
                    turned: ast.Face | None = None if face is None else ("face down" if face else "face up")
                    where = self.at(zone, self.layout.zone_of[zone].index, index)
                    up = sides_of(self.engine, piece)[side] if side is not None else None
                    yield ast.SPut(len(some) if len(some) > 1 else None, (pieces[piece],), where, turned, up)
                case Giving(field, index, value):
                    declared = self.layout.field_of[field]
                    setting = ast.Setting(self.at(field, declared.index, index), self.value(declared.ty, value))
                    yield ast.SGiven((setting,))
                case Leaving(player):
                    yield ast.SOut((self.seats[player],))

    def _alike(self, number: int, one: Laid) -> object:
        """The key that two neighbours share if they are written as one line."""
        if not isinstance(one, Laying):
            return number
        return self.layout.key("Piece", one.piece), one.zone, one.index, one.face, one.side

    def at(self, name: str, universes: Sequence[str], index: Sequence[int]) -> ast.Expr:
        """A zone or field with its keys."""
        named = ast.Name(name)
        keys = tuple(self.member(universe, key) for universe, key in zip(universes, index, strict=True))
        return ast.Index(named, keys) if keys else named

    def value(self, ty: m.Ty, raw: int | tuple[int, ...]) -> ast.Expr:
        """A value of a type."""
        if isinstance(raw, tuple):
            return ast.ListOf(tuple(self.member(ty.universe, one) for one in raw))
        if ty.kind == "set":
            return ast.SetOf(tuple(self.member(ty.universe, one) for one in bits_of(raw)))
        if ty.kind == "entity":
            return self.member(ty.universe, raw)
        if raw == NONE:
            return ast.NoneValue()
        return ast.BoolLiteral(raw == 1) if ty.kind == "bool" else self.member("Int", raw)

    def member(self, universe: str, member: int) -> ast.Expr:
        """A member of a universe."""
        if member == NONE:
            return ast.NoneValue()
        if universe == "Bool":
            return ast.BoolLiteral(member == 1)
        if universe == "Player":
            return ast.Name(self.seats[member])
        if universe in ("Int", ""):
            return ast.Number(member) if member >= 0 else ast.Unary("-", ast.Number(-member))
        place = self._places.get(universe, universe)
        graph = self._graphs.get(place)
        key = self.layout.key(universe, member)
        if graph is None:
            hidden = key in self.seats and f"Player.{universe}" not in self._tables
            return ast.StringLiteral(key) if hidden or place == "Piece" else names.key(key)
        if graph.shape in ("grid", "hexes", "growing"):
            return parse_expression(key)
        if place == graph.edge:
            one, other = graph.edges[member]
            return ast.Binary("|", self.member(graph.place, one), self.member(graph.place, other))
        return ast.StringLiteral(key)
