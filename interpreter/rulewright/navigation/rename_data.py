"""New names in tables, maps, manifests and the keys of pieces: whatever is written with values and attributes."""

from __future__ import annotations

import itertools
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rulewright.data.component_tables import NOT_TABLES, Table
from rulewright.data.json_positions import Json, JsonPath, JsonText, read_json
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Edit, RulesetError, Span
from rulewright.host.files import read_text
from rulewright.navigation.declared_types import DeclaredTypes, name_of_type
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.selection import children
from rulewright.navigation.symbol_index import SymbolIndex
from rulewright.navigation.symbols import Symbol
from rulewright.syntax import ast
from rulewright.syntax.lexer.logical_lines import span_of
from rulewright.syntax.lexer.tokens import Token

_HOLE = re.compile(r"\{(\w+)\}")
_MOST = 2000
"""Keys that are listed at most."""


def piece_keys(index: SymbolIndex, players: list[str]) -> list[str]:
    """The keys of all pieces whose attributes stand in tables; those of players with these names."""
    found: dict[str, None] = {}
    types = DeclaredTypes(index)
    nodes = [of[0].node for of in index.declarations.values()]
    for node in nodes:
        if isinstance(node, ast.Piece) and node.table is not None:
            with suppress(RulesetError, OSError):
                found |= dict.fromkeys(itertools.islice(_keys_of(index, types, node, players), _MOST))
    return list(found)


def _keys_of(index: SymbolIndex, types: DeclaredTypes, node: ast.Piece, players: list[str]) -> Iterator[str]:
    kinds = [of[0].node for name in types.bases(node.name) if (of := index.declared_as(name))]
    chain = [kind for kind in kinds if isinstance(kind, ast.Piece)]
    template = next((kind.named for kind in chain if kind.named is not None), node.name.lower())
    of_players = {a.name for kind in chain for a in kind.attributes if name_of_type(a.type) in _parties(index)}
    holes = _HOLE.findall(template)
    for cells in index.ruleset.table(node.table or "", node.span).rows:
        choices = [players if hole in of_players else _texts(cells.get(hole)) for hole in holes]
        for values in itertools.product(*choices):
            texts = dict(zip(holes, values, strict=True))
            yield _HOLE.sub(lambda hole, texts=texts: texts[hole[1]], template)  # type: ignore[misc]


def _parties(index: SymbolIndex) -> set[str]:
    nodes = [of[0].node for of in index.declarations.values()]
    return {"Player", *(node.name for node in nodes if isinstance(node, ast.Party))}


def _texts(cell: object) -> list[str]:
    """The texts that a cell can be written as in a key; none if it cannot be seen here."""
    if isinstance(cell, dict):
        return list(dict.fromkeys(text for one in cell.values() for text in _texts(one)))
    if isinstance(cell, bool):
        return [str(cell).lower()]
    return [str(cell)] if isinstance(cell, str | int) else []


def place_keys(index: SymbolIndex) -> list[str]:
    """The keys of the places of rings and graphs; those of grids and hexes are written in brackets."""
    found: dict[str, None] = {}
    for of in index.declarations.values():
        node = of[0].node
        if isinstance(node, ast.MapDecl):
            if node.shape == "ring" and node.sizes and isinstance(node.sizes[0], ast.Number):
                found |= dict.fromkeys(str(number) for number in range(1, min(node.sizes[0].value, _MOST) + 1))
            elif node.shape == "graph" and node.table is not None:
                with suppress(RulesetError, OSError):
                    found |= dict.fromkeys(map(str, index.ruleset.map_file(node.table, node.span).graph.nodes))
    return list(found)


_TEMPLATES = frozenset({"NAMED", "BACK_SHOWS"})
_TITLES = frozenset({"VARIANT", "SCENARIO", "FROM", "HEXES_FROM", "GRAPH_FROM"})
"""The words before texts that are no keys."""
_KEYED = (("draw", "colours"), ("draw", "labels"), ("draw", "ground", "colours"), ("draw", "ground", "signs"),
          ("draw", "ground", "icons"), ("words",))  # fmt: skip
"""Tables of a manifest with an entry for each value of an enum, or for the keys of pieces."""

Printed = ast.Piece | ast.Place | ast.EnumDecl
"""Declarations with attributes."""


@dataclass(frozen=True, slots=True)
class Source:
    """Rows of a data file: each a dictionary, with the place of each cell and of each key."""

    rows: list[dict[str, object]]
    cell: Callable[[int, str], Span]
    key: Callable[[int, str], Span]
    plain: bool
    """True if cells are written as they are, without quotes."""


def data_edits(index: SymbolIndex, symbol: Symbol, new: str) -> Iterator[Edit]:
    """The edits for a value or an attribute outside of names in rules."""
    return _Renaming(index, symbol, new).edits()


class _Renaming:
    def __init__(self, index: SymbolIndex, symbol: Symbol, new: str) -> None:
        self.index, self.symbol, self.new = index, symbol, new
        self.types = DeclaredTypes(index)
        self.printed: dict[str, Printed] = {}
        for places in index.declarations.values():
            for one in places:
                if isinstance(one.node, Printed) and one.symbol.kind == "declaration":
                    self.printed.setdefault(one.symbol.name, one.node)

    def edits(self) -> Iterator[Edit]:
        """All edits."""
        if self.symbol.kind == "attribute":
            yield from self._columns()
            yield from self._templates()
            yield from self._computed()
            yield from self._in_manifests(self._attribute_places)
        else:
            yield from self._cells()
            patterns = list(self._patterns())
            yield from self._keys([*patterns, *self._quoted()])
            yield from self._in_manifests(lambda ruleset, value: self._value_places(ruleset, value, patterns))

    # -------------------------------------------------------------------------------------------- attributes

    def attributes(self, node: Printed) -> list[tuple[ast.Attribute, str]]:
        """The attributes of a declaration, those of the kinds that it is one of included, with their owners."""
        names = self.types.bases(node.name) if isinstance(node, ast.Piece) else [node.name]
        holders = [self.printed[name] for name in names if name in self.printed]
        return [(attribute, holder.name) for holder in holders for attribute in holder.attributes]

    def _has(self, node: Printed) -> bool:
        """True for a declaration with the attribute that is renamed."""
        wanted = (self.symbol.name, self.symbol.owner)
        return any((attribute.name, owner) == wanted for attribute, owner in self.attributes(node))

    def _columns(self) -> Iterator[Edit]:
        name = self.symbol.name
        for node in self.printed.values():
            if self._has(node):
                for source in self.sources(node):
                    for row, cells in enumerate(source.rows):
                        if name in cells:
                            span = source.key(row, name)
                            yield Edit(span, self.new if source.plain else json.dumps(self.new))

    def _templates(self) -> Iterator[Edit]:
        """The texts on pieces: ``named "{colour} pebble"``."""
        for file, token in self._strings(_TEMPLATES):
            node = self.printed.get(self.index.owner(file, token.line, token.column))
            if node is not None and self._has(node):
                text = token.value.replace(f"{{{self.symbol.name}}}", f"{{{self.new}}}")
                if text != token.value:
                    yield Edit(span_of(token, file.path), text)

    def _computed(self) -> Iterator[Edit]:
        """Names of the attribute in what the same piece says of itself: ``double: Int = worth * 2``."""
        for node in self.printed.values():
            if self._has(node):
                todo: list[ast.Node] = [a.value for a in node.attributes if a.value is not None]
                todo += [node.begins] if isinstance(node, ast.Piece) and node.begins is not None else []
                while todo:
                    one = todo.pop()
                    todo += children(one)
                    if isinstance(one, ast.Name) and one.name == self.symbol.name:
                        yield Edit(one.span, self.new)

    def _attribute_places(self, ruleset: Ruleset, value: dict[str, Json]) -> Iterator[tuple[JsonPath, bool, str]]:
        draw = value.get("draw")
        held: dict[str, Json] = draw if isinstance(draw, dict) else {}
        ground, markers = held.get("ground"), held.get("markers")
        for part in ("colour_by", "badges"):
            by_kind = held.get(part)
            for kind, name in by_kind.items() if isinstance(by_kind, dict) else ():
                node = self.printed.get(kind)
                if name == self.symbol.name and node is not None and self._has(node):
                    yield ("draw", part, kind), False, self.new
        of_places = any(isinstance(node, ast.Place) and self._has(node) for node in self.printed.values())
        if isinstance(markers, dict) and self.symbol.name in markers and of_places:
            yield ("draw", "markers", self.symbol.name), True, self.new
        if isinstance(ground, dict) and ground.get("field") == self.symbol.name:
            yield ("draw", "ground", "field"), False, self.new

    # ------------------------------------------------------------------------------------------------ values

    def _holds(self, attribute: ast.Attribute, owner: str) -> bool:
        """True for an attribute that can have the value that is renamed."""
        type: ast.TypeExpr = attribute.type
        while isinstance(type, ast.OptionalType | ast.SetType | ast.ListType):
            type = type.base if isinstance(type, ast.OptionalType) else type.element
        if isinstance(type, ast.KeyedType):
            type = type.key
        parts = type.parts if isinstance(type, ast.UnionType) else (type,)
        if any(isinstance(part, ast.ChoiceType) and self.symbol.name in part.values for part in parts):
            return owner == self.symbol.owner
        return any(isinstance(part, ast.NamedType) and part.name == self.symbol.owner for part in parts)

    def _cells(self) -> Iterator[Edit]:
        for node in self.printed.values():
            columns = [a.name for a, owner in self.attributes(node) if a.value is None and self._holds(a, owner)]
            if isinstance(node, ast.EnumDecl) and node.name == self.symbol.owner:
                columns += ["name", node.name.lower()]
            for source in self.sources(node) if columns else ():
                for row, cells in enumerate(source.rows):
                    for column in columns:
                        raw = cells.get(column)
                        other = self._replaced(raw)
                        if other != raw:
                            text = self.new if source.plain else json.dumps(other, ensure_ascii=False)
                            yield Edit(source.cell(row, column), text)

    def _replaced(self, raw: object) -> object:
        if isinstance(raw, list):
            return [self._replaced(one) for one in raw]
        if isinstance(raw, dict):
            return {self._replaced(key): self._replaced(one) for key, one in raw.items()}
        return self.new if raw == self.symbol.name else raw

    def _patterns(self) -> Iterator[re.Pattern[str]]:
        """The keys of pieces and places that have the value in them."""
        for node in self.printed.values():
            names = self.types.bases(node.name) if isinstance(node, ast.Piece) else [node.name]
            holders = [self.printed[name] for name in names if name in self.printed]
            template = next((text for h in holders if (text := getattr(h, "named", None))), None)
            if template is None:
                continue
            held = {a.name for a, owner in self.attributes(node) if self._holds(a, owner)}
            for hole in _HOLE.finditer(template):
                if hole[1] in held:
                    before, after = template[: hole.start()], template[hole.end() :]
                    value = f"(?P<value>{re.escape(self.symbol.name)})"
                    yield re.compile(f"{_open(before)}{value}{_open(after)}(?=\\Z|, | in )")

    def _quoted(self) -> Iterator[re.Pattern[str]]:
        """The value itself in quotes, unless that is the key of a place or of a piece."""
        name = self.symbol.name
        if name not in place_keys(self.index) and name not in piece_keys(self.index, []):
            yield re.compile(f"(?P<value>{re.escape(name)})\\Z")

    def _keys(self, patterns: list[re.Pattern[str]]) -> Iterator[Edit]:
        for file, token in self._strings():
            text = self._renamed_key(token.value.strip('"'), patterns)
            if text is not None:
                yield Edit(span_of(token, file.path), f'"{text}"')

    def _renamed_key(self, key: str, patterns: list[re.Pattern[str]]) -> str | None:
        for pattern in patterns:
            if found := pattern.match(key):
                return key[: found.start("value")] + self.new + key[found.end("value") :]
        return None

    def _value_places(
        self, ruleset: Ruleset, value: dict[str, Json], patterns: list[re.Pattern[str]]
    ) -> Iterator[tuple[JsonPath, bool, str]]:
        seats = {seat for names in ruleset.manifest.seats.values() for seat in names}
        for way in _KEYED:
            held: Json = value
            for part in way:
                held = held.get(part) if isinstance(held, dict) else None
            for key in held if isinstance(held, dict) else ():
                if key == self.symbol.name and key not in seats:
                    yield (*way, key), True, self.new
                elif (text := self._renamed_key(key, patterns)) is not None:
                    yield (*way, key), True, text

    # ------------------------------------------------------------------------------------------------- files

    def sources(self, node: Printed) -> Iterator[Source]:
        """The rows from which a declaration takes its attributes; none of a file that cannot be read."""
        with suppress(RulesetError, OSError):
            if isinstance(node, ast.Place):
                yield from self._maps(node)
            elif node.table is not None:
                yield _rows_of(self.index.ruleset.table(node.table, node.span))

    def _maps(self, node: ast.Place) -> Iterator[Source]:
        for places in self.index.declarations.values():
            shape = places[0].node
            if isinstance(shape, ast.MapDecl) and shape.table is not None and node.name in (shape.place, shape.edges):
                part = "places" if shape.place == node.name else "edges"
                text = read_json(Path(os.path.abspath(self.index.ruleset.map_file(shape.table, shape.span).file)))
                yield _rows_of_json(text, part)

    def _strings(self, behind: frozenset[str] | None = None) -> Iterator[tuple[FileSymbols, Token]]:
        """The texts in quotes behind some words; without any those that can be keys."""
        for file in self.index.files.values():
            for token in file.words.tokens:
                if token.type == "STRING":
                    clause, at = file.words.clause(token)
                    word = clause[at - 1].type if at else ""
                    if word in behind if behind is not None else word not in _TITLES | _TEMPLATES:
                        yield file, token

    def _in_manifests(
        self, places: Callable[[Ruleset, dict[str, Json]], Iterator[tuple[JsonPath, bool, str]]]
    ) -> Iterator[Edit]:
        ruleset: Ruleset | None = self.index.ruleset
        while ruleset is not None:
            source = ruleset.manifest.source
            if source is not None and isinstance(source.value, dict):
                for way, key, text in places(ruleset, source.value):
                    yield Edit(source.span(way, key=key), json.dumps(text, ensure_ascii=False))
            ruleset = ruleset.base


def _open(template: str) -> str:
    """A template as a regular expression, with anything in its holes."""
    return ".+?".join(map(re.escape, _HOLE.sub("\0", template).split("\0")))


def _rows_of(table: Table) -> Source:
    path = Path(os.path.abspath(table.file))
    if path.suffix == ".csv":
        return Source(table.rows, table.span, lambda row, column: _header(path, table, column), True)
    text = read_json(path)
    part = table.ref.partition("#")[2]
    if not part and isinstance(text.value, dict):
        part = next((key for key in text.value if key not in NOT_TABLES and text.value[key] == table.rows), "")
    return _rows_of_json(text, part)


def _rows_of_json(text: JsonText, part: str) -> Source:
    held = text.value.get(part) if isinstance(text.value, dict) else None
    rows = [row if isinstance(row, dict) else {} for row in held] if isinstance(held, list) else []
    return Source(
        [dict(row) for row in rows],
        lambda row, column: text.span((part, row, column)),
        lambda row, column: text.span((part, row, column), key=True),
        False,
    )


def _header(path: Path, table: Table, column: str) -> Span:
    """The place of the name of a column, which stands once above all rows."""
    first = read_text(path).partition("\n")[0]
    found = re.search(rf"\b{re.escape(column)}\b", first)
    start = found.start() + 1 if found else 1
    return Span(table.file, 1, start, 1, start + len(column))
