"""The symbols of a game: universes, kinds, tables, maps, parameters, zones and fields.

A world is made by :mod:`rulewright.compiler.declarations.declare` for one number of players; the lowerers only ask it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import assert_never

from rulewright.compiler.symbols.static_types import ANY, BOOL, INT, Type, entity, piece, stand_in, stands_for
from rulewright.compiler.symbols.symbols import (
    CallInfo,
    FieldInfo,
    KindInfo,
    QuerySource,
    Signature,
    Typed,
    ZoneInfo,
)
from rulewright.diagnostics import Report, Span
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.syntax import ast

TEXT = "Text"
"""The type of what is printed to be read by people, and its universe: all texts there are."""
FACES = "side of pieces"
"""The enum of how pieces lie in a zone that is ``faced``: declared if there is one."""


@dataclass(slots=True)
class SymbolTable:
    """Lookups by name; everything is in the order declared."""

    player_count: int
    report: Report
    universes: dict[str, m.Universe] = field(default_factory=dict)
    tables: dict[str, m.Table] = field(default_factory=dict)
    attributes: dict[str, dict[str, tuple[Type, str]]] = field(default_factory=dict)
    """Universe to attribute name to its type and table (pieces: see `kinds`)."""
    kinds: dict[str, KindInfo] = field(default_factory=dict)
    piece_tables: dict[str, list[tuple[str, Type, str]]] = field(default_factory=dict)
    """Attribute name to (declaring kind, type, table)."""
    params: dict[str, tuple[Type, int | tuple[int, ...]]] = field(default_factory=dict)
    keyed: dict[str, tuple[str, Type, str]] = field(default_factory=dict)
    """Parameters with a value for each member of a universe: that, the type of one value, and the table."""
    base_of: dict[str, str] = field(default_factory=dict)
    """Die to the enum whose values it begins with."""
    dice: dict[str, Type] = field(default_factory=dict)
    unions: dict[str, dict[str, int]] = field(default_factory=dict)
    """Enums that have the values of others, and types of several kinds: where the members of each part begin."""
    stand_ins: tuple[str, ...] = ()
    """The universes for whose members pieces stand, as something may be a piece or one of them."""
    parties: dict[str, ast.Party] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    """Members that a party has only with other numbers of players; their names stand for none."""
    merged: dict[str, str] = field(default_factory=dict)
    areas: dict[str, ast.Area] = field(default_factory=dict)
    graphs: dict[str, m.Graph] = field(default_factory=dict)
    fields: dict[str, FieldInfo] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    """Blocks to the fields that say that they are going on."""
    zones: dict[str, ZoneInfo] = field(default_factory=dict)
    calls: dict[str, CallInfo] = field(default_factory=dict)
    queries: QuerySource = field(default_factory=QuerySource)
    query_decls: dict[str, ast.Query | ast.Value] = field(default_factory=dict)
    in_property: bool = False
    later: frozenset[str] = frozenset()
    """While the world is being made: names that stand for something that is known only when it is finished."""
    unread: set[str] = field(default_factory=set)
    """Universes and kinds of pieces whose file could not be read, so that nothing is unknown that may stand there."""
    reads: set[str] = field(default_factory=set)
    """The parameters that were read by what is lowered just now."""
    lookups: dict[tuple[str, str], None] = field(default_factory=dict)
    """The queries (``query``), possibilities (``possible``), limits, matches and conduct that were looked up."""
    most_players: int = 0
    """With the most players."""
    eliminates: bool = False
    """True if some rule may eliminate a player."""
    _index: dict[str, dict[str, int]] = field(default_factory=dict)

    # -------------------------------------------------------------------------------------- universes

    def add_universe(self, universe: m.Universe) -> None:
        """Take in a universe."""
        self.universes[universe.name] = universe
        index: dict[str, int] = {}
        for number, key in enumerate(universe.keys):
            index.setdefault(key, number)
        self._index[universe.name] = index

    def add_aliases(self, universe: str, number: int, keys: Iterable[str]) -> None:
        """Let a member be named by other keys, too."""
        for key in keys:
            self._index[universe].setdefault(key, number)

    def has_universe(self, name: str) -> bool:
        """True if there is a universe of this name (``Piece`` is not one to be named)."""
        return name in self.universes and name != "Piece"

    def size(self, universe: str) -> int:
        """The number of members."""
        return self.universes[universe].size

    def keys(self, universe: str) -> tuple[str, ...]:
        """The members' keys."""
        found = self.universes.get(universe)
        return found.keys if found else ()

    def called(self, universe: str, key: str) -> int:
        """The members of a key, as a bit set: pieces that are alike have the same."""
        keys, found, at = self.keys(universe), 0, -1
        for _ in range(keys.count(key)):
            at = keys.index(key, at + 1)
            found |= 1 << at
        for other in self.stand_ins if universe == "Piece" else ():
            found = found & ~self.kinds[stand_in(other)].members or found
        return found

    def key(self, universe: str, number: int) -> str:
        """The key of a member; a dash where there is none, as its table could not be read."""
        keys = self.keys(universe)
        return keys[number] if number < len(keys) else "-"

    def member(self, universe: str, key: str) -> int | None:
        """The first member with a key."""
        return self._index.get(universe, {}).get(key)

    def names(self, universe: str) -> Iterable[str]:
        """All keys of the members, also their other ones."""
        return self._index.get(universe, ())

    def _sort(self, universe: str) -> str:
        found = self.universes.get(universe)
        return found.sort if found else ""

    def is_enum(self, universe: str) -> bool:
        """True if members are named by words of the rules."""
        return self._sort(universe) == "enum"

    def is_ordered(self, type: Type) -> bool:
        """True of a value of an enum: these are in the order in which they are written."""
        return type.kind == "entity" and self.is_enum(type.universe)

    def is_party(self, universe: str) -> bool:
        """True if members own and fight, and may be players or teams."""
        return self._sort(universe) == "party"

    def takes_arguments(self, name: str) -> bool:
        """True if a query, effect or procedure has parameters, or a built-in function arguments."""
        decl = self.query_decls.get(name) or (self.calls[name].decl if name in self.calls else None)
        return decl is None or bool(decl.params)

    def is_merged(self, universe: str) -> bool:
        """True if it is a universe of regions."""
        return universe in self.merged

    def merged_over(self, universe: str) -> str | None:
        """The places that regions of a universe are made of."""
        return self.merged.get(universe)

    def extends(self, wide: str, narrow: str) -> bool:
        """True if `wide` begins with the values of `narrow` (a die and its enum)."""
        return self.base_of.get(wide) == narrow

    def may_be_key(self, universe: str) -> bool:
        """True of a universe that has the same members all the time, each with a name: keyed values have one for
        each."""
        return self._sort(universe) not in ("", "text", "merged") and self.numbers(universe) is None

    def same_indices(self, a: str, b: str) -> bool:
        """True if members of one are members of the other under the same index."""
        return a == b or self.extends(a, b) or self.extends(b, a)

    def numbers(self, universe: str) -> Type | None:
        """The whole numbers that are the keys of a field or zone, if these are its members."""
        low, dots, high = universe.partition("..")
        return Type("int", low=int(low), high=int(high)) if dots else None

    def universe_type(self, name: str) -> Type:
        """The type of a member; kinds of pieces included. Of an unknown universe (that is reported) anything."""
        if name in self.kinds:
            return Type("entity", "Piece", (name,))
        return entity(name) if name in self.universes else ANY

    def print_on(self, universe: str, name: str, type: Type, values: Sequence[int | tuple[int, ...]]) -> None:
        """Print something on each member of a universe."""
        table = f"{universe}.{name}"
        if m.NONE in values:
            type = type.or_none()
        self.tables[table] = m.Table(table, universe, type.run_time(), tuple(values))
        self.attributes.setdefault(universe, {})[name] = (type, table)

    def text(self, words: str) -> int:
        """The number of a text that is printed on something."""
        known = self.member(TEXT, words)
        if known is None:
            keys = self.keys(TEXT)
            known = len(keys)
            self.universes[TEXT] = m.Universe(TEXT, "text", (*keys, words))
            self._index.setdefault(TEXT, {})[words] = known
        return known

    def has_words(self, universe: str) -> bool:
        """True for enums and parties, whose values are words of the rules."""
        return self._sort(universe) in ("enum", "party")

    def enum_value(self, universe: str, word: str) -> int | None:
        """A value of one enum or party."""
        index = self.member(universe, word) if self.has_words(universe) else None
        if index is None or universe not in self.unions:
            return index
        wordless = ((at, self.size(part)) for part, at in self.unions[universe].items() if not self.has_words(part))
        return None if any(at <= index < at + size for at, size in wordless) else index

    def enum_values(self, word: str, expected: str) -> list[tuple[str, int]]:
        """All enums and parties that have a value of this name; the one expected alone if it has it."""
        found = [
            (name, index)
            for name, u in self.universes.items()
            if u.sort in ("enum", "party") and (index := self.member(name, word)) is not None
        ]
        if self.unions:
            found = [(name, index) for name, index in found if self.enum_value(name, word) is not None]
        for name, index in found:
            if name == expected:
                return [(name, index)]
        names = {name for name, _ in found}
        return [
            (n, i) for n, i in found if self.base_of.get(n) not in names and names.isdisjoint(self.unions.get(n, ()))
        ]

    # ---------------------------------------------------------------------------- types of several kinds

    def add_enum(self, name: str, members: Iterable[tuple[str, tuple[str, ...]]]) -> None:
        """Take in an enum: values of its own (behind no name), and those of others, which are parts of it."""
        keys: list[str] = []
        parts: dict[str, int] = {}
        for part, its in members:
            if part:
                parts |= {inner: len(keys) + at for inner, at in {part: 0, **self.unions.get(part, {})}.items()}
            keys.extend(its)
        self.add_universe(m.Universe(name, "enum", tuple(keys)))
        if parts:
            self.unions[name] = parts
        for part, at in parts.items():
            self.add_part(name, part, range(at, at + self.size(part)))

    def add_part(self, wide: str, part: str, numbers: Sequence[int]) -> None:
        """Tables that lead from the members of a universe to those of a wider one, which have these numbers there, and
        back."""
        type, back = entity(wide), entity(part, optional=True)
        at = dict(zip(numbers, range(len(numbers)), strict=True))
        lead_back = tuple(at.get(number, m.NONE) for number in range(self.size(wide)))
        up, down = f"{part}{m.CONVERSION}{wide}", f"{wide}{m.CONVERSION}{part}"
        self.tables[up] = m.Table(up, part, type.run_time(), tuple(numbers))
        self.tables[down] = m.Table(down, wide, back.run_time(), lead_back)

    def parts(self, type: Type) -> tuple[str, ...]:
        """The kinds of which a value may be, if these are of several universes: kinds of pieces, and universes."""
        if type.universe == "Piece" and self.stand_ins:
            return tuple(stands_for(k) or k for k in type.kinds) if any(map(stands_for, type.kinds)) else ()
        return tuple(self.unions.get(type.universe, ())) if self.unions else ()

    def option_type(self, universe: str) -> Type:
        """The type of what is chosen from a universe: pieces, and all for which some stand."""
        roots = [kind for kind, info in self.kinds.items() if info.base is None]
        return piece(*roots) if universe == "Piece" and self.stand_ins else entity(universe)

    def _union(self, written: ast.UnionType) -> Type:
        kinds: dict[str, None] = {}
        others: dict[str, str] = {}
        for part in written.parts:
            if isinstance(part, ast.ChoiceType) and not part.values[1:]:
                meant = next((n for n in self.type_names() if n.lower() == part.values[0]), None)
                if meant is not None:
                    hint = f"did you mean `{meant}`?"
                    self.report.error("REF001", f"unknown type `{part.values[0]}`", part.span, hint=hint)
                    return ANY
            type = self.resolve(part)
            if type.kind == "any":
                return ANY
            if type.kind != "entity" or self.is_merged(type.universe):
                what = "a region that may become part of another" if self.is_merged(type.universe) else str(type)
                message = f"one of several kinds is a piece, a player, a place or a value of an enum, not {what}"
                self.report.error("TYP245", message, part.span)
                return ANY
            if type.universe == "Piece":
                kinds |= dict.fromkeys(type.kinds)
            else:
                others[type.universe] = part.values[0] if isinstance(part, ast.ChoiceType) else type.universe
        if kinds:
            return piece(*kinds, *map(stand_in, others))
        inner = {part for universe in others for part in (universe, *self.unions.get(universe, ()))}
        name = " or ".join(others.values())
        name = next((known for known, parts in self.unions.items() if " " in known and parts.keys() == inner), name)
        if others.keys().isdisjoint((name,)) and name not in self.universes:
            keys = [key for universe in others for key in self.keys(universe)]
            twice = next((key for key in keys if keys.count(key) > 1), None)
            if twice is not None:
                self.report.error("TYP245", f"`{twice}` would be of two kinds in `{name}`", written.span)
                return ANY
            self.add_enum(name, ((universe, self.keys(universe)) for universe in others))
        return entity(name)

    def key_universes(self) -> list[str]:
        """Universes whose members are named by quoted keys."""
        return [n for n, u in self.universes.items() if u.sort in ("piece", "place", "edge", "player")]

    def capacity_of(self, type: Type) -> int:
        """Most elements of a list of such values without repetition."""
        if type.kind == "entity" and type.universe in self.universes:
            return max(self.size(type.universe), 1)
        if type.kind == "int" and 0 <= type.high - type.low < 256:
            return type.high - type.low + 1
        return 64

    def most_members(self, type: Type) -> int:
        """Most members of a set of such values."""
        if type.kind == "int":
            return max(min(type.high, 1023) - max(type.low, 0) + 1, 1)
        return self.capacity_of(type)

    # --------------------------------------------------------------------------------------- pieces

    def ancestors(self, kind: str) -> list[str]:
        """A kind and those above it."""
        found: dict[str, None] = {}
        at: str | None = kind
        while at is not None and at in self.kinds and at not in found:
            found[at] = None
            at = self.kinds[at].base
        return list(found)

    def overlap(self, a: Iterable[str], b: Iterable[str]) -> bool:
        """True if a piece can be of one of both."""
        return any(x in self.ancestors(y) or y in self.ancestors(x) for x in a for y in b)

    def kinds_of(self, piece: int) -> tuple[str, ...]:
        """The narrowest kind of a piece."""
        found = [k for k in self.kinds.values() if k.members >> piece & 1]
        return (max(found, key=lambda k: len(self.ancestors(k.name))).name,) if found else ()

    def sides_universe(self, kinds: tuple[str, ...]) -> str:
        """The enum of the sides of these kinds; those without sides lie face up or face down in zones that say so."""
        for kind in kinds:
            for name in self.ancestors(kind):
                if self.kinds[name].sides:
                    return f"side of {name}"
        for name, info in self.kinds.items():
            if info.sides and self.overlap(kinds, (name,)):
                return f"side of {name}"
        return FACES

    def attribute(self, type: Type, name: str) -> tuple[Type, str] | None:
        """Type and table of something printed, or None."""
        if type.universe != "Piece":
            return self.attributes.get(type.universe, {}).get(name)
        for kind, attr, table in self.piece_tables.get(name, ()):
            if not type.kinds or self.overlap(type.kinds, (kind,)):
                certain = type.kinds and all(kind in self.ancestors(k) for k in type.kinds)
                return (attr if certain else attr.or_none()), table
        return None

    def attribute_names(self, type: Type) -> list[str]:
        """Names that may follow the dot."""
        if type.universe != "Piece":
            return [*self.attributes.get(type.universe, {}), "neighbours"]
        return [n for n in self.piece_tables if self.attribute(type, n) is not None]

    # ------------------------------------------------------------------------------------------ maps

    def graph_of(self, place: str) -> m.Graph | None:
        """The map whose places these are."""
        return next((g for g in self.graphs.values() if g.place == place), None)

    def only_graph(self) -> m.Graph | None:
        """The map, if there is one."""
        return next(iter(self.graphs.values()), None)

    def graph_places(self) -> list[str]:
        """The place universes of all maps."""
        return [g.place for g in self.graphs.values()]

    def graph_with(self, edge: str) -> m.Graph | None:
        """The map whose edges these are."""
        return next((g for g in self.graphs.values() if edge and g.edge == edge), None)

    def edge_graph(self) -> m.Graph | None:
        """The map that has edges."""
        return next((g for g in self.graphs.values() if g.edge), None)

    def edge_index(self, graph: m.Graph, a: int, b: int) -> int | None:
        """The edge between two places."""
        pair = (min(a, b), max(a, b))
        return graph.edges.index(pair) if pair in graph.edges else None

    def place_at(self, place: str, parts: list[int]) -> int | None:
        """The place at coordinates."""
        return self.coordinates.get(place, {}).get(f"({parts[0]}, {parts[1]})")

    coordinates: dict[str, dict[str, int]] = field(default_factory=dict)
    """Place universe to the coordinates of each place, however it is named, with its number."""

    def grid_size(self, place: str) -> tuple[int, int]:
        """Rows and columns of a grid."""
        last = next(reversed(self.coordinates[place])).strip("()").split(",")
        return int(last[0]) + 1, int(last[1]) + 1

    def area_named(self, word: str) -> str | None:
        """The area or universe of regions that is called by a word, which is its name in lower case."""
        return next((n for n in self.area_names() if n.lower() == word), None)

    def area_place(self, name: str) -> str:
        """The places of an area."""
        return self.areas[name].place

    def area_names(self) -> list[str]:
        """Areas and regions, which are called by their name in lower case."""
        return [*self.areas, *self.merged]

    def place_universes(self) -> list[str]:
        """Universes where pieces can stand."""
        return [n for n, u in self.universes.items() if u.sort in ("place", "merged", "edge")]

    def owner_universes(self) -> list[str]:
        """Universes of those who own."""
        return [n for n, u in self.universes.items() if u.sort in ("player", "party")]

    def zone_keys(self, kinds: tuple[str, ...], universes: list[str]) -> list[str]:
        """The universes, out of those given, that are keys of zones which can hold these kinds."""
        found: dict[str, None] = {}
        for zone in self.zones.values():
            if zone.type.kinds and kinds and not self.overlap(zone.type.kinds, kinds):
                continue
            for universe in zone.index:
                if universe in universes:
                    found[universe] = None
        return list(found)

    def zones_with(self, universes: list[str]) -> tuple[str, ...]:
        """Zones that have a key of one of these universes."""
        return tuple(n for n, z in self.zones.items() if any(u in universes for u in z.index))

    # ----------------------------------------------------------------------------------------- names

    def param(self, name: str) -> Typed:
        """A parameter's value."""
        self.reads.add(name)
        type, value = self.params[name]
        if isinstance(value, tuple):
            return Typed(m.ListConst(value), type)
        return Typed(m.Const(value), type)

    def index_hint(self, name: str) -> str:
        """``Player, Hex``: the keys of a zone or field."""
        if name in self.keyed:
            return self.keyed[name][0]
        found = self.zones.get(name) or self.fields.get(name)
        return ", ".join(found.index) if found else ""

    def is_callable(self, name: str) -> bool:
        """True if it is called with parentheses."""
        return name in self.calls or name in self.query_decls

    def query_signature(self, name: str, span: Span) -> Signature | None:
        """Parameters and result of a query or value."""
        return self.queries.signature(name, span)

    def possible_signature(self, name: str, span: Span) -> tuple[tuple[str, Type], ...] | None:
        """Parameters of a procedure, as ``possible`` takes them."""
        return self.queries.possible(name, span)

    def query_names(self) -> list[str]:
        """All queries and values."""
        return list(self.query_decls)

    def procedure_names(self) -> list[str]:
        """All effects, procedures and phases."""
        return list(self.calls)

    def type_names(self) -> list[str]:
        """All words that can stand for a type."""
        return [*(n for n in self.universes if n.isidentifier() and n != TEXT), *self.kinds, *self.dice, "Int", "Bool"]

    def all_names(self) -> list[str]:
        """All lower-case words that mean something everywhere."""
        values = [k for u in self.universes.values() if u.sort in ("enum", "party") for k in u.keys]
        return [*self.params, *self.fields, *self.zones, *values, *self.query_decls, "players", "everyone"]

    def resolve_printed(self, written: ast.TypeExpr) -> Type:
        """The type of something printed, which may be a text."""
        match written:
            case ast.NamedType(name) if name == TEXT and self._sort(TEXT) in ("", "text"):
                return entity(TEXT)
            case ast.OptionalType(base):
                return self.resolve_printed(base).or_none()
            case _:
                return self.resolve(written)

    def resolve(self, written: ast.TypeExpr) -> Type:
        """The type that a type expression means; reports unknown names."""
        match written:
            case ast.NamedType("Int"):
                return INT
            case ast.NamedType("Bool"):
                return BOOL
            case ast.NamedType(name):
                if name in self.dice:
                    return self.dice[name]
                if name in self.kinds or (self.has_universe(name) and self._sort(name) != "text"):
                    return self.universe_type(name)
                hint = "only what is printed can be a text" if name == TEXT else did_you_mean(name, self.type_names())
                self.report.error("REF001", f"unknown type `{name}`", written.span, hint=hint)
                return ANY
            case ast.RangeType(low, high):
                return self._range(low, m.INT_MAX if high is None else high, written.span)
            case ast.KeyedType(element, key):
                return self._keyed(self.resolve(element), self.resolve(key), written)
            case ast.SetType(element):
                return self._member(element).as_set()
            case ast.ListType(element):
                type = self._member(element)
                return type.as_list(self.capacity_of(type))
            case ast.PositionsType():
                self.report.error("TYP242", "only a field holds positions", written.span)
                return ANY
            case ast.ChoiceType(values):
                return entity(self.anonymous(values))
            case ast.OptionalType(base):
                return self.resolve(base).or_none()
            case ast.UnionType():
                return self._union(written)
            case _:
                assert_never(written)

    def _range(self, low: int, high: int, span: Span) -> Type:
        if max(abs(low), abs(high)) > m.INT_MAX:
            self.report.error("TYP205", f"a number is at most {m.INT_MAX}", span)
            return INT
        if low > high:
            self.report.error("TYP206", f"no number is from {low} to {high}", span, hint="the lower bound comes first")
            return INT
        return Type("int", low=low, high=high)

    def _keyed(self, of: Type, key: Type, written: ast.KeyedType) -> Type:
        """The type of a value for each member of a universe."""
        if "any" in (of.kind, key.kind):
            return ANY
        if of.kind not in ("int", "bool"):
            hint = "a field has its keys in its own brackets: `field owner[City]: Player or none`"
            self.report.error("TYP229", f"one number or truth belongs to each key, no {of}", written.span, hint=hint)
            return ANY
        if key.kind != "entity" or not self.may_be_key(key.universe):
            message = f"the keys are players, places, pieces, or values of an enum or party, no {key}"
            self.report.error("TYP229", message, written.key.span)
            return ANY
        return of.keyed_by(key.universe, self.size(key.universe))

    def _member(self, written: ast.TypeExpr) -> Type:
        """The type of the members of a set or list."""
        type = self.resolve(written)
        if type.is_collection:
            held = "sets or lists" if not type.keys else f"{type}"
            self.report.error("TYP229", f"a set or list holds single things, not {held}", written.span)
            return ANY
        return type

    def anonymous(self, values: tuple[str, ...]) -> str:
        """The universe of an enum that is written where it is used."""
        name = "{" + ", ".join(values) + "}"
        if name not in self.universes:
            self.add_universe(m.Universe(name, "enum", values))
        return name
