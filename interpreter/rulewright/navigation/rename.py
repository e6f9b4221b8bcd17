"""Renaming: all places at once, or the reason why it cannot be done."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from rulewright.compiler.symbols.static_types import BUILTINS
from rulewright.compiler.symbols.symbols import MAIN
from rulewright.data.json_positions import JsonPath
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Edit, Span
from rulewright.foundation.characters import UNSEEN
from rulewright.navigation.declared_types import MEMBER_NAMES, DeclaredTypes
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.rename_data import data_edits
from rulewright.navigation.symbol_index import SymbolIndex
from rulewright.navigation.symbols import Symbol
from rulewright.navigation.type_inference import TypeInference
from rulewright.syntax import ast
from rulewright.syntax.tables.parse_tables import reserved_words

_NAME = re.compile(r"[a-z_][a-z0-9_]*")
_TYPE = re.compile(r"[A-Z][A-Za-z0-9]*")
_FIXED = {"statement": "the ids of statements belong to the rulebook index"}


class RenameError(ValueError):
    """A name cannot be changed; the message says why."""


def renamable(index: SymbolIndex, file: FileSymbols, line: int, column: int) -> tuple[Symbol, Span]:
    """The symbol that would be renamed at a position, and the span of its name there."""
    found = index.at(file.path, line, column)
    if found is None:
        raise RenameError("there is no name here that a rule gives")
    symbols, span = found
    token = file.words.at(line, column)
    symbols = TypeInference(index).meant(file, token, symbols) if token is not None else symbols
    if len(symbols) > 1:
        owners = ", ".join(sorted(f"`{s.owner or s.name}`" for s in symbols))
        raise RenameError(f"`{symbols[0].name}` means something in {owners}; rename it there")
    _check_fixed(symbols[0])
    return symbols[0], span


def _check_fixed(symbol: Symbol) -> None:
    """The symbol must be one whose name the rules may choose."""
    if symbol.kind in _FIXED:
        raise RenameError(_FIXED[symbol.kind])
    if symbol == Symbol("declaration", MAIN):
        raise RenameError(f"`{MAIN}` is a word of the language: the game begins with this procedure")


def rename(indices: Iterable[SymbolIndex], symbol: Symbol, new: str) -> tuple[Edit, ...]:
    """The edits that give a symbol another name, in all rulesets in which it stands."""
    titled = symbol.kind in ("variant", "scenario")
    _check_fixed(symbol)
    _check_word(symbol, new, titled)
    edits: dict[Span, Edit] = {}
    for index in indices:
        _check_free(index, symbol, new)
        types = TypeInference(index)
        for file, token, possible in index.occurrences(symbol):
            meanings = types.meant(file, token, possible)
            if symbol not in meanings:
                continue
            span = Span(file.path, token.line, token.column, token.line, token.end_column)
            if len(meanings) > 1:
                raise RenameError(f"at {file.path}:{token.line} `{symbol.name}` may mean something else, too")
            text = (
                f'"{new}"' if titled or token.type == "STRING" else new.lower() if token.value != symbol.name else new
            )
            edits[span] = Edit(span, text)
        edits |= {edit.span: edit for edit in _in_data(index, symbol, new)}
    return tuple(edits.values())


def _check_word(symbol: Symbol, new: str, titled: bool) -> None:
    """The new name must be one."""
    if titled:
        if not new.strip() or '"' in new or UNSEEN.search(new):
            raise RenameError("a title is a text without quotes")
        return
    pattern = _TYPE if symbol.name[:1].isupper() else _NAME
    if not pattern.fullmatch(new):
        shape = "a capital letter, then letters and digits" if pattern is _TYPE else "small letters, digits and `_`"
        raise RenameError(f"`{new}` is no name for this: it needs {shape}")
    if new in reserved_words() or new in BUILTINS or new == MAIN:
        raise RenameError(f"`{new}` is a word of the language")


def _check_free(index: SymbolIndex, symbol: Symbol, new: str) -> None:
    """The new name must not mean anything yet where the symbol stands."""
    if new == symbol.name:
        return
    if symbol.kind in ("variant", "scenario"):
        taken = index.by_name.get((symbol.kind, new), [])
    else:
        taken = [s for kind in ("declaration", "value") for s in index.by_name.get((kind, new), [])]
    if taken:
        place = index.names_of(taken[0])[0]
        raise RenameError(f"`{new}` is taken: it is declared at {place.file}:{place.line}")
    if symbol.kind in ("variant", "scenario"):
        return
    if symbol.kind == "value" and any(_seats(file, symbol.owner) for file in index.files.values()):
        raise RenameError(f"`{symbol.name}` says how people are seated: it is a word of the language there")
    near = symbol.kind in ("local", "label")
    if symbol.kind == "attribute":
        _check_members(index, symbol, new)
        return
    owner = _owner(index, symbol) if near else ""
    for file, token in index.places_of(new):
        if token.type == "NAME" and (not near or index.owner(file, token.line, token.column) == owner):
            raise RenameError(f"`{new}` is taken: it stands at {file.path}:{token.line}")


def _seats(file: FileSymbols, parameter: str) -> bool:
    """True if a parameter says how people are seated."""
    return any(isinstance(decl, ast.Players) and decl.seated == parameter for decl in file.tree.decls)


def _check_members(index: SymbolIndex, symbol: Symbol, new: str) -> None:
    """An attribute must not be called like another one of the same things."""
    types = DeclaredTypes(index)
    for other in index.by_name.get(("attribute", new), ()):
        if other.owner in types.bases(symbol.owner) or symbol.owner in types.bases(other.owner):
            place = index.names_of(other)[0]
            raise RenameError(f"`{new}` is taken: it is declared at {place.file}:{place.line}")
    if new in MEMBER_NAMES:
        raise RenameError(f"`.{new}` is a word of the language")


def _owner(index: SymbolIndex, symbol: Symbol) -> str:
    """The declaration in which a local or a label stands."""
    if symbol.kind == "label":
        return symbol.owner
    name = index.declarations[symbol][0].name
    file = next(f for f in index.files.values() if f.path == name.file)
    return index.owner(file, name.line, name.column)


def _in_data(index: SymbolIndex, symbol: Symbol, new: str) -> Iterator[Edit]:
    """The manifests and rulings that name a declaration."""
    if symbol.kind in ("value", "attribute"):
        yield from data_edits(index, symbol, new)
        return
    ruleset: Ruleset | None = index.ruleset if symbol.kind in ("declaration", "label") else None
    while ruleset is not None:
        source = ruleset.manifest.source
        if source is not None:
            for way, key, text in _named(source.value, symbol, new):
                yield Edit(source.span(way, key=key), json.dumps(text))
        if symbol.kind == "declaration" and (rulings := ruleset.rulings) is not None:
            named = [ruling.id for ruling in rulings.own if ruling.parameter == symbol.name]
            yield from (Edit(rulings.span(id, "parameter"), json.dumps(new)) for id in named)
        ruleset = ruleset.base


def _named(manifest: object, symbol: Symbol, new: str) -> Iterator[tuple[JsonPath, bool, str]]:
    """The places of a manifest at which a declaration or a label is named, and what is to stand there; True for the
    key of an entry."""
    held, name = manifest if isinstance(manifest, dict) else {}, symbol.name
    draw, log = held.get("draw", {}), held.get("log", {})
    places: list[tuple[JsonPath, bool, object]] = [(("asks", one), True, one) for one in held.get("asks", {})]
    places += ((("log", "answers", one), True, one) for one in log.get("answers", {}))
    for part in ("shows", "hides"):
        places += ((("log", part, number), False, one) for number, one in enumerate(log.get(part, ())))
    for way, is_key, one in places:  # a question stands under its rule: `battle.roll`
        question, gap, answer = str(one).partition(" ")
        rule, _, label = question.partition(".")
        if symbol.kind == "label" and (rule, label) == (symbol.owner, name):
            yield way, is_key, f"{rule}.{new}{gap}{answer}"
        elif symbol.kind == "label" and (rule, answer) == (symbol.owner, name):
            yield way, is_key, f"{question} {new}"
        elif symbol.kind == "declaration" and rule == name:
            yield way, is_key, f"{new}.{label}{gap}{answer}" if label else new
    words = held.get("words", {})
    if name in words and new not in words:
        yield ("words", name), True, new
    if symbol.kind == "label":
        return
    ways: list[tuple[JsonPath, object]] = [(("move",), held.get("move"))]
    ways += ((("draw", part), draw.get(part)) for part in ("tint", "rim"))
    for part in ("ground", "walls", "links"):
        ways.append((("draw", part, "field"), draw.get(part, {}).get("field")))
    ways.append((("draw", "walls", "mark"), draw.get("walls", {}).get("mark")))
    for part in ("shows", "hides", "stacks"):
        ways += ((("draw", part, number), one) for number, one in enumerate(draw.get(part, ())))
    for part in ("beside", "badges", "figures"):
        ways += ((("draw", part, name), one) for name, one in draw.get(part, {}).items())
    yield from ((way, False, new) for way, one in ways if one == name)
    tables = (*_BY_KIND, "beside", "markers", "figures")
    yield from ((("draw", part, name), True, new) for part in tables if name in draw.get(part, {}))


_BY_KIND = ("colours", "labels", "shapes", "colour_by", "badges")
"""Tables of a manifest with an entry for each kind of piece."""
