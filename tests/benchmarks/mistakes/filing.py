"""Data files: manifest, tables, maps, rulebook and rulings."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

from mistakes.book import Book, Data, Mistake, Place, Text, misspelt
from mistakes.kinds import kind
from rulewright.data.json_positions import JsonPath
from rulewright.syntax import ast

_FREE = {"note", "source", "guess", "count", "$schema", "about", "sources"}


def _rows(book: Book) -> Iterator[tuple[Data, str, int, dict[str, Any]]]:
    """The rows of the component tables: file, section, number, row."""
    for file in book.tables():
        value = file.value()
        for section, rows in value.items():
            if "shape" not in value and section not in _FREE and isinstance(rows, list):
                for number, row in enumerate(rows):
                    if isinstance(row, dict):
                        yield file, section, number, row


def _line(file: Text, offset: int) -> Place:
    return Place(file.name, file.line(offset))


def _declared(book: Book, file: Data, section: str) -> tuple[Text, ast.Node] | None:
    """The declaration that reads a section of a table."""
    for rules in book.rules():
        for decl in rules.tree.decls:
            table = getattr(decl, "table", None)
            if table in (f"{file.name}#{section}", file.name):
                return rules, decl
    return None


def _naming(book: Book, file: Data, section: str) -> list[Place]:
    found = _declared(book, file, section)
    return [Place(found[0].name, found[1].span.line)] if found else []


@kind("misspelt key in the manifest", "nobody reads this key")
def manifest_key(book: Book) -> Iterator[Mistake]:
    file = book.data("ruleset.json")
    for key in file.value():
        if key != "$schema":
            start, end = file.at((key,), key=True)
            # What is missing then is told of the manifest as a whole.
            yield book.put(file, (start, end), f'"{misspelt(key, file.value())}"')


@kind("misspelt file in the manifest", "there is no such file")
def manifest_file(book: Book) -> Iterator[Mistake]:
    file = book.data("ruleset.json")
    for key, value in file.value().items():
        for path, name in [((key,), value)] if isinstance(value, str) else _listed(key, value):
            if name.endswith((".rules", ".json")) and key != "$schema":
                stem, _, end = name.rpartition(".")
                head, _, last = stem.rpartition("/")
                wrong = (f"{head}/" if head else "") + misspelt(last, ()) + "." + end
                yield book.put(file, file.at(path), f'"{wrong}"')


def _listed(key: str, value: Any) -> list[tuple[JsonPath, str]]:
    return [((key, n), v) for n, v in enumerate(value) if isinstance(v, str)] if isinstance(value, list) else []


@kind("file left out of the manifest", "what other files use is declared nowhere")
def manifest_left_out(book: Book) -> Iterator[Mistake]:
    file = book.data("ruleset.json")
    rules = file.value()["rules"]
    for number, name in enumerate(rules if len(rules) > 1 else ()):
        declared = {getattr(d, "name", "") for d in _of(book, name)}
        users = [
            Place(other.name, node.span.line)
            for other, node, _ in book.uses(declared, roles=("rules", "scenario", "variant"))
            if other.name != name
        ]
        types = [
            Place(other.name, node.span.line)
            for other, node, _ in book.of(ast.NamedType, ast.TypeName, ast.IndexPart)
            if other.name != name and (node.type if isinstance(node, ast.IndexPart) else node.name) in declared
        ]
        start, end = file.at(("rules", number))
        end = end + 1 if file.text[end] == "," else end
        if users or types:
            after = file.text[end:].lstrip()
            if not after.startswith("]"):
                # Without `players` nothing can be made of the rest: that is told of the ruleset as a whole.
                whole = [Place(".", 0)] if any(isinstance(d, ast.Players) for d in _of(book, name)) else []
                yield book.put(file, (start, end), "", also=[*users, *types, *whole])


def _of(book: Book, name: str) -> list[ast.Node]:
    return [decl for file in book.rules() if file.name == name for decl in file.tree.decls]


@kind("wrong number of seats", "each number of players needs as many names")
def seats(book: Book) -> Iterator[Mistake]:
    file = book.data("ruleset.json")
    for count, names in file.value().get("seats", {}).items():
        start = file.at(("seats", count, len(names) - 2))[1]
        place = _line(file, file.at(("seats", count))[0])
        yield book.put(file, (start, file.at(("seats", count, len(names) - 1))[1]), "", also=[place])
        start, end = file.at(("seats", count, len(names) - 1))
        also = [_line(file, file.at(("seats", count, n))[0]) for n in range(len(names))]
        yield book.put(file, (start, end), f'"{names[0]}"', also=[*also, place])


@kind("misspelt `move` in the manifest", "there is no such procedure")
def move(book: Book) -> Iterator[Mistake]:
    file = book.data("ruleset.json")
    name = file.value().get("move")
    if name:
        yield book.put(file, file.at(("move",)), f'"{misspelt(name, book.words)}"')


@kind("broken JSON", "a comma or bracket is missing")
def broken(book: Book) -> Iterator[Mistake]:
    for file in [*book.tables(), book.data("ruleset.json")]:
        for match in re.finditer(r",\n|\"[:,] |\}", file.text):
            at = match.start() + (1 if match[0].startswith('"') else 0)
            if match[0] == "}" and file.text[at + 1 : at + 2] != ",":
                continue
            line = file.line(at)
            after = [Place(file.name, line + 1)]
            yield book.put(file, (at, at + 1), "", also=after)


@kind("misspelt column of a row", "no attribute has this name")
def column(book: Book) -> Iterator[Mistake]:
    for file, section, number, row in _rows(book):
        for key in row:
            if key not in _FREE:
                start, end = file.at((section, number, key), key=True)
                place = _line(file, file.at((section, number))[0])
                yield book.put(file, (start, end), f'"{misspelt(key, row)}"', also=[place])


@kind("missing column of a row", "the declaration reads it")
def missing_column(book: Book) -> Iterator[Mistake]:
    for file, section, number, row in _rows(book):
        keys = list(row)
        for before, key in itertools.pairwise(keys):
            if key not in _FREE:
                start = file.at((section, number, before))[1]
                end = file.at((section, number, key))[1]
                yield book.put(file, (start, end), "", also=[_line(file, file.at((section, number))[0])])


@kind("cell of another type", "the declaration says the type of the column")
def cell_type(book: Book) -> Iterator[Mistake]:
    for file, section, number, row in _rows(book):
        for key, value in row.items():
            if key in _FREE:
                continue
            wrong = '"many"' if isinstance(value, int) else "17" if isinstance(value, str) else None
            if wrong is not None:
                yield book.put(file, file.at((section, number, key)), wrong)


@kind("unknown value in a cell", "no enum has this value, nobody this number")
def cell_value(book: Book) -> Iterator[Mistake]:
    values = {v for vs in book.enums.values() for v in vs}
    for file, section, number, row in _rows(book):
        found = _declared(book, file, section)
        attributes = {a.name: a.type for a in getattr(found[1], "attributes", ())} if found else {}
        for key, value in row.items():
            if key in _FREE or key == "name":
                continue
            if isinstance(value, str) and value in values:
                yield book.put(file, file.at((section, number, key)), f'"{misspelt(value, values)}"')
            elif type(value) is int and _limited(attributes.get(key)):
                yield book.put(file, file.at((section, number, key)), "99")


def _limited(type_: ast.TypeExpr | None) -> bool:
    """True if a large number cannot be a value: numbers up to a limit, players."""
    return isinstance(type_, ast.OptionalType) or (isinstance(type_, ast.RangeType) and type_.high is not None)


@kind("cell without a number of players", "there must be a value for each number of players")
def by_players(book: Book) -> Iterator[Mistake]:
    for file, section, number, row in _rows(book):
        for key, value in row.items():
            if isinstance(value, dict) and len(value) > 1:
                last, before = list(value)[-1], list(value)[-2]
                start = file.at((section, number, key, before))[1]
                yield book.put(file, (start, file.at((section, number, key, last))[1]), "")


@kind("two rows of one name", "the values of an enum differ")
def same_name(book: Book) -> Iterator[Mistake]:
    for file, section, number, row in _rows(book):
        if number and "name" in row:
            first = next(r for f, s, n, r in _rows(book) if f is file and s == section and n == 0)
            also = [_line(file, file.at((section, 0))[0])]
            yield book.put(file, file.at((section, number, "name")), f'"{first["name"]}"', also=also)


@kind("count off by one", "an invariant says how many of these pieces there are, whatever happens")
def count(book: Book) -> Iterator[Mistake]:
    for file, section, number, row in _rows(book):
        found = _declared(book, file, section)
        if found is None or not isinstance(found[1], ast.Piece) or type(row.get("count", 1)) is not int:
            continue
        name = found[1].name
        invariants = [
            Place(rules.name, node.span.line)
            for rules, node, _ in book.of(ast.Invariant)
            if re.search(rf"(size\({name}\)|count\(\w+ in {name}\b.*) is \d", rules.cut(node.span), re.DOTALL)
            or _conserved(book, node, name, rules.cut(node.span))
        ]
        why = "" if invariants else "nothing in the rules says how many there are"
        if "count" in row:
            where, new = file.at((section, number, "count")), str(row["count"] + 1)
        else:
            end = file.at((section, number))[1] - 1
            where, new = (end, end), ', "count": 2'
        also = [*invariants, *_naming(book, file, section)]
        yield book.put(file, where, new, also=also, findable=bool(invariants), why=why)


def _conserved(book: Book, node: ast.Invariant, name: str, text: str) -> bool:
    """True if an invariant counts all the zones where such a piece can lie."""
    zones = [z.name for z in book.named(ast.Zone).values() if name in z.kinds]
    return bool(zones) and bool(re.search(r" is \d+$", text)) and all(f"size({z}" in text for z in zones)


@kind("misspelt table", "there is no such file or section")
def table(book: Book) -> Iterator[Mistake]:
    for file in book.rules():
        for match in re.finditer(r'from "([\w-]+)\.json(?:#(\w+))?"', file.text):
            group = 2 if match[2] else 1
            yield book.put(file, match.span(group), misspelt(match[group], ()))


def _maps(book: Book) -> Iterator[tuple[Data, dict[str, Any]]]:
    for file in book.tables():
        if "shape" in file.value():
            yield file, file.value()


@kind("one-way edge of a map", "one place lists the other, but not the other way round")
def one_way(book: Book) -> Iterator[Mistake]:
    for file, value in _maps(book):
        for number, place in enumerate(value.get("places", ())):
            beside = place.get("beside", ())
            for other in range(1, len(beside)):
                start = file.at(("places", number, "beside", other - 1))[1]
                end = file.at(("places", number, "beside", other))[1]
                back = next(n for n, p in enumerate(value["places"]) if p["name"] == beside[other])
                also = [_line(file, file.at(("places", back))[0])]
                yield book.put(file, (start, end), "", also=also)


@kind("unknown place in a map", "the map has no such place")
def unknown_place(book: Book) -> Iterator[Mistake]:
    for file, value in _maps(book):
        names = [p["name"] for p in value.get("places", ()) if "name" in p]
        for way, name in _ends(value):
            yield book.put(file, file.at(way), f'"{misspelt(name, names)}"')


def _ends(value: dict[str, Any]) -> Iterator[tuple[JsonPath, str]]:
    """The places that a map names as neighbours or ends of edges."""
    for number, place in enumerate(value.get("places", ())):
        for at, name in enumerate(place.get("beside", ())):
            yield ("places", number, "beside", at), name
    for number, edge in enumerate(value.get("edges", ())):
        ends = edge["between"] if isinstance(edge, dict) else edge
        for at, name in enumerate(ends):
            yield ("edges", number, *(("between",) if isinstance(edge, dict) else ()), at), name


@kind("edge of a map that stands twice", "it is listed already")
def twice(book: Book) -> Iterator[Mistake]:
    for file, value in _maps(book):
        for number, place in enumerate(value.get("places", ())):
            for at, name in enumerate(place.get("beside", ())):
                end = file.at(("places", number, "beside", at))[1]
                yield book.put(file, (end, end), f', "{name}"')
        for number in range(len(value.get("edges", ()))):
            start, end = file.at(("edges", number))
            yield book.put(file, (end, end), ", " + file.text[start:end])


@kind("place of a map that stands twice", "it is listed already")
def place_twice(book: Book) -> Iterator[Mistake]:
    for file, value in _maps(book):
        places = value.get("places", ())
        for number in range(1, len(places)):
            key = "name" if "name" in places[number] else "at"  # hexes are called by where they lie
            also = [_line(file, file.at(("places", 0))[0])]
            yield book.put(file, file.at(("places", number, key)), json.dumps(places[0][key]), also=also)


@kind("edge of a map that leads back", "a place does not lie beside itself")
def loop(book: Book) -> Iterator[Mistake]:
    for file, value in _maps(book):
        for number, place in enumerate(value.get("places", ())):
            if place.get("beside"):
                end = file.at(("places", number, "beside", 0))[1]
                yield book.put(file, (end, end), f', "{place["name"]}"')


@kind("unknown statement in the rulings", "the rulebook's index has no such statement")
def ruling_cites(book: Book) -> Iterator[Mistake]:
    name = book.data("ruleset.json").value().get("rulings")
    if name:
        file = book.data(name)
        for number, ruling in enumerate(file.value()["rulings"]):
            for at, cite in enumerate(ruling.get("cites", ())):
                yield book.put(file, file.at(("rulings", number, "cites", at)), f'"{cite}00"')


@kind("unknown parameter in the rulings", "the rules have no such parameter")
def ruling_parameter(book: Book) -> Iterator[Mistake]:
    name = book.data("ruleset.json").value().get("rulings")
    if name:
        file = book.data(name)
        for number, ruling in enumerate(file.value()["rulings"]):
            if isinstance(ruling.get("parameter"), str):
                wrong = misspelt(ruling["parameter"], book.words)
                yield book.put(file, file.at(("rulings", number, "parameter")), f'"{wrong}"')


@kind("statement of the rulebook that stands twice", "an id leads to one statement")
def statement_twice(book: Book) -> Iterator[Mistake]:
    file = book.data(book.data("ruleset.json").value()["rulebook"])
    statements = file.value()["statements"]
    for number in range(1, len(statements)):
        also = [_line(file, file.at(("statements", number - 1, "id"))[0])]
        also.append(_line(file, file.at(("statements", number))[0]))
        yield book.put(file, file.at(("statements", number, "id")), f'"{statements[number - 1]["id"]}"', also=also)
