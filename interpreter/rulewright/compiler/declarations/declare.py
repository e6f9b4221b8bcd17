"""Builds the world of a game from its declarations, tables and maps."""

from __future__ import annotations

from functools import partial
from typing import TypeVar

from rulewright.compiler.declaration_facts import eliminates, union_types
from rulewright.compiler.declarations.attributes import Attributes
from rulewright.compiler.declarations.parameters import Parameters
from rulewright.compiler.declarations.pieces import Pieces
from rulewright.compiler.declarations.places import Places
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.lowering_context import LoweringContext
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.symbols.constants import Cells, constant
from rulewright.compiler.symbols.static_types import Type, entity, set_of, stand_in
from rulewright.compiler.symbols.symbol_cache import Snapshots
from rulewright.compiler.symbols.symbol_table import FACES, SymbolTable
from rulewright.compiler.symbols.symbols import CallInfo, FieldInfo, Scope, ZoneInfo
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Report, RulesetError, Span
from rulewright.foundation import limits
from rulewright.ir import model as m
from rulewright.ir.evaluation import Value, number
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_type

D = TypeVar("D", bound=ast.Clause)


def _beside_pieces(written: ast.UnionType, kinds: set[str]) -> list[str]:
    """The universes of what a value may be besides a piece of some kinds."""
    names = [p.name if isinstance(p, ast.NamedType) else "" for p in written.parts]
    named = [name for name in names if name and name not in kinds]
    made = ["{" + ", ".join(p.values) + "}" for p in written.parts if isinstance(p, ast.ChoiceType)]
    return [] if kinds.isdisjoint(names) else [*named, *made]


class Declarations:
    """One pass over the declarations, in an order in which each finds what it needs."""

    def __init__(
        self,
        rules: Rules,
        ruleset: Ruleset,
        count: int,
        options: dict[str, ast.Expr],
        report: Report,
        snapshots: Snapshots,
    ) -> None:
        self.rules, self.ruleset, self.report, self.snapshots = rules, ruleset, report, snapshots
        self.options = options
        self.world = SymbolTable(count, report)
        self.lower = ExpressionLowerer(LoweringContext(self.world, report))
        self.cells = Cells(self.world, report)
        self.attributes = Attributes(self.world, self.lower, report)
        self.pieces = Pieces(self.world, self.lower, self.attributes, ruleset, report)
        self.places = Places(rules, ruleset, self.world, self.lower, self.attributes, report)

    def build(self) -> SymbolTable:
        """The world."""
        world = self.world
        world.add_universe(m.Universe("Player", "player", self.ruleset.manifest.seat_names(world.player_count)))
        players = next(iter(self._all(ast.Players)), None)
        world.most_players = max(players.high if players else 0, world.player_count)
        later: tuple[type[ast.Clause], ...] = (ast.FieldDecl, ast.Zone, ast.Callable, ast.Query, ast.Value)
        world.later = frozenset(n for n, d in self.rules.decls.items() if isinstance(d, later))
        unions = [written for decl in self.rules.decls.values() for written in union_types(decl)]
        kinds = {decl.name for decl in self._all(ast.Piece)} if unions else set()
        world.stand_ins = tuple(dict.fromkeys(name for written in unions for name in _beside_pieces(written, kinds)))
        for enum in self._all(ast.EnumDecl):
            self._enum(enum, ())
        for die in self._all(ast.Die):
            self._die(die)
        parameters = Parameters(world, self.lower, self.options, self.report)
        parameters.declare(self._all(ast.Parameter), self.rules.first_values)
        world.later |= {decl.name for decl in parameters.late}
        self._declare(players, unions)
        world.later = frozenset()
        parameters.declare_late()
        for written in unions:
            world.resolve(written)
        for query in self._all(ast.Query):
            world.query_decls[query.name] = query
        for value in self._all(ast.Value):
            world.query_decls[value.name] = value
        world.eliminates = any(map(eliminates, self.rules.decls.values()))  # so far no player could have left
        return world

    def _declare(self, players: ast.Players | None, unions: list[ast.UnionType]) -> None:
        """The declarations but the rules, as an earlier game found it if nothing is different for this one."""
        world, before = self.world, len(self.report.found)
        snapshot = self.snapshots.find(self.rules.decls, world) if not before else None
        if snapshot is not None:
            self.snapshots.restore(snapshot, self.rules.decls, world)
            self.pieces.rows = snapshot.rows
            return
        begun, world.reads = dict(world.universes), set()
        self._components(players, unions)
        if len(self.report.found) == before:
            self.snapshots.keep(self.rules.decls, world, begun, self.pieces.rows)

    def _components(self, players: ast.Players | None, unions: list[ast.UnionType]) -> None:
        world = self.world
        for party in self._all(ast.Party):
            self._party(party, players)
        self._player_attributes()
        self.places.declare(self._all(ast.MapDecl))
        self.places.merge(self._all(ast.Merged))
        for area in self._all(ast.Area):
            world.areas[area.name] = area
        for enum in self._all(ast.EnumDecl):
            self._enum_attributes(enum)
        self.places.printed(self._all(ast.MapDecl))
        for written in unions:
            for part in written.parts:
                if isinstance(part, ast.ChoiceType):
                    world.anonymous(part.values)
        self.pieces.declare(self._all(ast.Piece))
        if world.stand_ins:
            kinds = tuple(map(stand_in, world.stand_ins))
            world.zones[m.STAND_INS] = ZoneInfo((), Type("set", "Piece", kinds), "set", False, None)
        for zone in self._all(ast.Zone):
            self._zone(zone)
            if zone.faced is not None and not world.has_universe(FACES):
                world.add_universe(m.Universe(FACES, "enum", ("face_up", "face_down")))
        world.zones["box"] = ZoneInfo((), set_of("Piece"), "set", False, None)
        for field in self._all(ast.FieldDecl):
            self._field(field)
        for call in self._all(ast.Callable):
            params = tuple((p.name, world.resolve(p.type)) for p in call.params)
            world.calls[call.name] = CallInfo(call, params, world.resolve(call.type) if call.type else None)

    def _all(self, kind: type[D]) -> list[D]:
        return self.rules.all(kind)

    # --------------------------------------------------------------------------------- enums and dice

    def _enum(self, decl: ast.EnumDecl, around: tuple[str, ...]) -> None:
        """An enum, after those whose values it has; it is declared because of those `around` it."""
        if decl.name in self.world.universes:
            return
        if decl.name in around:
            self.report.error("REF008", f"`{decl.name}` is a part of itself", decl.span)
            return
        values = tuple(value for value in decl.values if not value[0].isupper())
        if decl.table is not None:
            try:
                table = self.ruleset.table_of(decl)
            except RulesetError as error:
                self.report.extend(error.diagnostics)
                self.world.unread.add(decl.name)
                values = ()
            else:
                self.report.extend(table.findings)
                column = "name" if "name" in table.columns else decl.name.lower()
                if column not in table.columns:
                    self.report.error(
                        "DAT010", f"no column `name` or `{column}` to name the values of {decl.name}", table.span()
                    )
                values = tuple(dict.fromkeys(str(r[column]) for r in table.rows if column in r))
        if len(values) == len(decl.values) or decl.table is not None:
            self.world.add_universe(m.Universe(decl.name, "enum", values))
            return
        members: list[tuple[str, tuple[str, ...]]] = []
        for value in decl.values:
            if value[0].isupper():
                for other in self._all(ast.EnumDecl):
                    if other.name == value:
                        self._enum(other, (*around, decl.name))
                if not self.world.is_enum(value):
                    self.lower.context.unknown("enum", value, self.world.type_names(), decl.span)
                    continue
                members.append((value, self.world.keys(value)))
            else:
                members.append(("", (value,)))
        keys = [key for _, its in members for key in its]
        twice = next((key for key in keys if keys.count(key) > 1), None)
        if twice is not None:
            self.report.error("REF007", f"`{twice}` is twice a value of {decl.name}", decl.span)
        self.world.add_enum(decl.name, members)

    def _enum_attributes(self, decl: ast.EnumDecl) -> None:
        if decl.table is None:
            for attribute in decl.attributes:
                self.report.error(
                    "DAT010", f"`{attribute.name}` is printed nowhere: {decl.name} has no table", attribute.span,
                    hint=f'write `enum {decl.name} from "file.json"`',
                )  # fmt: skip
        if not decl.attributes or decl.table is None:
            return
        types = {a.name: self.world.resolve_printed(a.type) for a in decl.attributes}
        try:
            table = self.ruleset.table_of(decl)
        except RulesetError:
            for name, type in types.items():
                self.world.print_on(decl.name, name, type, [])
            return
        column = "name" if "name" in table.columns else decl.name.lower()
        first: dict[str, int] = {}
        for number_, row in enumerate(table.rows):
            same = table.rows[first.setdefault(str(row.get(column)), number_)]
            if column in row and any(row.get(a) != same.get(a) for a in types):
                where = table.span(number_, column)
                message = f"`{row[column]}` occurs twice, with different values"
                self.report.error("REF007", message, where, path=table.path(number_, column))

        def cell(attribute: ast.Attribute, type: Type, row: int) -> Value:
            return self.cells.read(table, row, attribute.name, type)

        held = [
            self.attributes.read(decl.attributes, types, partial(cell, row=first[key]))
            for key in self.world.keys(decl.name)
        ]
        for name, type in types.items():
            self.world.print_on(decl.name, name, type, [values[name] for values in held])

    def _die(self, decl: ast.Die) -> None:
        if decl.low is not None and decl.high is not None:
            low, high = decl.low, decl.high
            if not 0 <= low <= high <= limits.NUMBER_IN_A_SET:
                why = "has no faces" if low > high else f"has faces above {limits.NUMBER_IN_A_SET}"
                self.report.error("CHN310", f"die {decl.name} {why}", decl.span)
                low = high = 0
            self.world.dice[decl.name] = Type("int", low=low, high=high)
            return
        keys: list[str] = []
        for face in decl.faces:
            if face[0].isupper():
                if not self.world.is_enum(face):
                    self.lower.context.unknown("enum", face, self.world.type_names(), decl.span)
                    continue
                if not keys:
                    self.world.base_of[decl.name] = face
                keys.extend(self.world.keys(face))
            else:
                keys.append(face)
        self.world.add_universe(m.Universe(decl.name, "enum", tuple(keys)))
        self.world.dice[decl.name] = entity(decl.name)

    def constant(self, ir: m.Expr, type: Type, span: Span) -> Value:
        """The value of an expression that may not depend on the game."""
        value = constant(ir, type, span, self.report, self.world)
        return (() if type.kind == "list" else 0) if value is None else value

    def _amount(self, expr: ast.Expr, least: int = 0) -> int:
        before = len(self.report.found)
        ir = self.lower.number(expr, Scope())
        if len(self.report.found) > before:
            return max(least, 1)
        amount = self.constant(ir, Type("int", low=least, high=limits.HELD), expr.span)
        return amount if isinstance(amount, int) and amount >= least else max(least, 1)

    # --------------------------------------------------------------------------------------- parties

    def _party(self, decl: ast.Party, players: ast.Players | None) -> None:
        count = self.world.player_count
        seats = self.world.keys("Player")
        keys: list[str] = []
        held: list[int] = []
        for member in decl.members:
            if member.counts and count not in member.counts:
                self.world.absent[member.name] = decl.name
                continue
            if member.name == "teams" and players is not None and players.in_teams == count:
                size = players.team_size or 1
                teams = max(count // size, 1)
                together = self._together(players)
                for team in range(teams):
                    seated = [s for s in range(count) if (s // size if together else s % teams) == team]
                    keys.append(f"team {team + 1}")
                    held.append(sum(1 << s for s in seated))
            elif member.name in ("teams", "players"):
                keys.extend(seats)
                held.extend(1 << s for s in range(count))
            else:
                keys.append(member.name)
                held.append(0)
        self.world.add_universe(m.Universe(decl.name, "party", tuple(keys)))
        self.world.parties[decl.name] = decl
        members = f"{decl.name}.members"
        self.world.tables[members] = m.Table(members, decl.name, set_of("Player").run_time(), tuple(held))
        self.world.attributes.setdefault(decl.name, {})["players"] = (set_of("Player"), members)
        only = [h.bit_length() - 1 if h and h & (h - 1) == 0 else m.NONE for h in held]
        self.world.print_on(decl.name, "player", entity("Player", optional=True), list(only))
        of = [next((i for i, h in enumerate(held) if h >> s & 1), m.NONE) for s in range(count)]
        name = f"Player.{decl.name}"
        type = entity(decl.name, optional=m.NONE in of)
        self.world.tables[name] = m.Table(name, "Player", type.run_time(), tuple(of))
        self.world.attributes.setdefault("Player", {})[decl.name.lower()] = (type, name)

    def _together(self, players: ast.Players) -> bool:
        if players.seated in (None, "apart", "together"):
            return players.seated == "together"
        self.world.reads.add(players.seated or "")
        found = self.world.params.get(players.seated or "")
        if found is None or found[0].kind != "entity":
            self.lower.context.unknown("parameter", players.seated or "", list(self.world.params), players.span)
            return False
        return self.world.key(found[0].universe, number(found[1])) == "together"

    def _player_attributes(self) -> None:
        count = self.world.player_count
        self.world.print_on("Player", "left", entity("Player"), [(s + 1) % count for s in range(count)])
        self.world.print_on("Player", "right", entity("Player"), [(s - 1) % count for s in range(count)])
        self.world.print_on("Player", "seat", Type("int", low=1, high=count), [s + 1 for s in range(count)])

    # --------------------------------------------------------------------------------- zones and fields

    def _index(self, parts: tuple[ast.IndexPart, ...]) -> tuple[str, ...]:
        for part in parts:
            if part.numbers is not None:
                self._number_keys(part, *part.numbers)
            elif not self.world.has_universe(part.type) and part.type not in self.world.kinds:
                self.lower.context.unknown("type", part.type, self.world.type_names(), part.span)
        return tuple("Piece" if p.type in self.world.kinds else p.type for p in parts)

    def _number_keys(self, part: ast.IndexPart, low: int, high: int) -> None:
        if not 0 <= high - low <= limits.NUMBER_IN_A_SET or max(abs(low), abs(high)) > m.INT_MAX:
            message = f"no number is from {low} to {high}" if high < low else "so many keys are too many"
            hint = "the lower bound comes first" if high < low else f"at most {limits.NUMBER_IN_A_SET + 1}"
            self.report.error("TYP206", message, part.span, hint=hint)
            high = low
        if not self.world.has_universe(part.type):
            self.world.add_universe(m.Universe(part.type, "enum", tuple(map(str, range(low, high + 1)))))

    def _zone(self, decl: ast.Zone) -> None:
        for kind in decl.kinds:
            if kind not in self.world.kinds:
                self.lower.context.unknown("kind of piece", kind, list(self.world.kinds), decl.span)
        for kind in decl.faced or ():
            if kind not in decl.kinds:
                self.lower.context.unknown("kind of piece of this zone", kind, list(decl.kinds), decl.span)
        limit = self._amount(decl.at_most) if decl.at_most is not None else None
        kinds = tuple(k for k in decl.kinds if k in self.world.kinds)
        type = Type("set", "Piece", kinds, unit=limit == 1, capacity=limit or 0)
        self.world.zones[decl.name] = ZoneInfo(self._index(decl.index), type, decl.order, decl.faced is not None, decl)
        if not decl.audiences:
            self.report.error(
                "INF322",
                f"zone `{decl.name}` does not say who sees it",
                decl.span,
                hint="add `seen by everyone`, or `face seen by p, count seen by everyone`",
            )
        printed = [info.name for info in self.world.kinds.values() if info.back is not None]
        back = next((a for a in decl.audiences if a.facet == "back"), None)
        if back is not None and kinds and not self.world.overlap(kinds, printed):
            self.report.error(
                "INF323",
                f"zone `{decl.name}` lets backs be seen, but no {' or '.join(kinds)} has one",
                back.span,
                hint='say what it shows, as a line below the kind of piece: `back shows "{attribute} text"`',
            )

    def _field(self, decl: ast.FieldDecl) -> None:
        if isinstance(decl.type, ast.PositionsType):
            most = m.FINGERPRINT * self._amount(decl.at_most, 1) if decl.at_most is not None else m.FINGERPRINT
            type = Type("positions", "Int", low=0, capacity=most)
        else:
            type = self.world.resolve(decl.type)
        if type.keys and isinstance(decl.type, ast.KeyedType):
            keys = ", ".join([*(part.type for part in decl.index), type.keys])
            hint = f"`field {decl.name}[{keys}]: {print_type(decl.type.element)}`"
            self.report.error("TYP229", "a field has all its keys behind its name", decl.type.span, hint=hint)
        if type.kind == "list" and decl.at_most is not None:
            type = type.element().as_list(self._amount(decl.at_most, 1))
        self.world.fields[decl.name] = FieldInfo(self._index(decl.index), type, decl.lasting, decl)
