"""Definitions, references, outlines of files, symbols of all rulesets, and blocks that can be folded."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.asking import file_at, location, place_at
from rulewright_tools.lsp.library import Library
from rulewright_tools.lsp.positions import lines_of, range_of
from rulewright_tools.lsp.server import RulewrightServer

MOST_SYMBOLS = 500
"""Symbols that a search in all rulesets comes to at most."""

_KINDS = {
    "enum": types.SymbolKind.Enum,
    "die": types.SymbolKind.Enum,
    "value": types.SymbolKind.EnumMember,
    "face": types.SymbolKind.EnumMember,
    "side": types.SymbolKind.EnumMember,
    "member": types.SymbolKind.EnumMember,
    "piece": types.SymbolKind.Class,
    "place": types.SymbolKind.Class,
    "edge": types.SymbolKind.Class,
    "party": types.SymbolKind.Class,
    "map": types.SymbolKind.Namespace,
    "area": types.SymbolKind.Class,
    "merged": types.SymbolKind.Class,
    "zone": types.SymbolKind.Array,
    "field": types.SymbolKind.Variable,
    "param": types.SymbolKind.Constant,
    "parameter": types.SymbolKind.Constant,
    "attribute": types.SymbolKind.Property,
    "query": types.SymbolKind.Function,
    "effect": types.SymbolKind.Function,
    "procedure": types.SymbolKind.Function,
    "phase": types.SymbolKind.Function,
    "limits": types.SymbolKind.Interface,
    "reaction": types.SymbolKind.Event,
    "consequence": types.SymbolKind.Event,
    "end": types.SymbolKind.Event,
    "variant": types.SymbolKind.Package,
    "scenario": types.SymbolKind.Method,
}


def add_navigation(server: RulewrightServer) -> None:
    """Offer ways through the rules."""

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: types.DefinitionParams) -> list[types.Location] | None:
        return await server.ask(definitions, params.text_document.uri, params.position)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(params: types.ReferenceParams) -> list[types.Location] | None:
        declared = params.context.include_declaration
        return await server.ask(uses, params.text_document.uri, params.position, declared)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
        return await server.ask(highlights, params.text_document.uri, params.position)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def document_symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        return await server.ask(outline, params.text_document.uri)

    @server.feature(types.WORKSPACE_SYMBOL)
    async def workspace_symbols(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol] | None:
        folders = [*server.publisher.folders]
        return await server.ask(everywhere, params.query, folders)

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
        return await server.ask(folds, params.text_document.uri)


def definitions(library: Library, uri: str, position: types.Position) -> list[types.Location]:
    """The places where the word at a position is declared."""
    place = place_at(library, uri, position)
    if place is None:
        return []
    spans = [span for symbol in place.symbols for span in place.index.declared(symbol)]
    return [place.location(span) for span in dict.fromkeys(spans)]


def uses(library: Library, uri: str, position: types.Position, declared: bool) -> list[types.Location]:
    """All places that name the thing at a position."""
    place = place_at(library, uri, position)
    if place is None:
        return []
    found = dict.fromkeys(span for symbol in place.symbols for span in place.index.uses(symbol))
    if not declared:
        names = {span for symbol in place.symbols for span in place.index.declared(symbol)}
        found = dict.fromkeys(span for span in found if span not in names)
    return [place.location(span) for span in found]


def highlights(library: Library, uri: str, position: types.Position) -> list[types.DocumentHighlight]:
    """The same thing in the same file."""
    found = uses(library, uri, position, True)
    return [types.DocumentHighlight(one.range) for one in found if one.uri == uri]


def outline(library: Library, uri: str) -> list[types.DocumentSymbol]:
    """The declarations of a file, with their labels, attributes and values below them."""
    found = file_at(library, uri)
    if found is None:
        return []
    file = found[1]
    lines = lines_of(file.text)
    roots: list[types.DocumentSymbol] = []
    above: list[tuple[rw.navigation.Declared, types.DocumentSymbol]] = []
    shown = [d for d in file.declared if d.symbol.kind not in ("local", "player")]
    for one in sorted(shown, key=lambda d: (d.whole.line, d.whole.column, -d.whole.end_line)):
        made = types.DocumentSymbol(
            one.symbol.name,
            kind_of(one),
            range_of(one.whole, lines),
            range_of(one.name, lines),
            detail=one.word,
            children=[],
        )
        while above and not _within(one.whole, above[-1][0].whole):
            above.pop()
        (above[-1][1].children if above else roots).append(made)  # type: ignore[union-attr]
        above.append((one, made))
    return roots


def _within(inner: rw.Span, outer: rw.Span) -> bool:
    return (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)


def kind_of(one: rw.navigation.Declared) -> types.SymbolKind:
    """The kind of symbol that an editor shows for a declaration."""
    if one.symbol.kind == "declaration" and one.word == "value":
        return types.SymbolKind.Function
    return _KINDS.get(one.word, types.SymbolKind.Key if one.symbol.kind == "label" else types.SymbolKind.Object)


def everywhere(library: Library, query: str, folders: list[str]) -> list[types.WorkspaceSymbol]:
    """Declarations, variants and scenarios of all rulesets whose names contain what is asked for."""
    found: dict[tuple[str, str], types.WorkspaceSymbol] = {}
    for one in _all_declared(library, folders):
        if one.symbol.kind in ("declaration", "variant", "scenario", "label") and _matches(query, one.symbol.name):
            place = location(library, one.name)
            key = one.symbol.name, f"{place.uri}:{place.range}"
            found[key] = types.WorkspaceSymbol(place, one.symbol.name, kind_of(one), container_name=one.symbol.owner)
            if len(found) >= MOST_SYMBOLS:
                break
    return list(found.values())


def _all_declared(library: Library, folders: list[str]) -> Iterator[rw.navigation.Declared]:
    for folder in folders:
        try:
            ruleset = library.workspace.ruleset(folder)
        except rw.RulesetError:
            continue
        for file in library.navigator.index(ruleset).files.values():
            yield from file.declared


def _matches(query: str, name: str) -> bool:
    """True if the letters of the query occur in the name in this order, as editors expect."""
    letters = iter(name.lower())
    return all(letter in letters for letter in query.lower())


def folds(library: Library, uri: str) -> list[types.FoldingRange]:
    """Clauses with a block below them, and groups of comment lines."""
    found = file_at(library, uri)
    if found is None:
        return []
    file = found[1]
    blocks = {span.line: span.end_line for span in file.blocks}
    ranges = [types.FoldingRange(start - 1, end - 1) for start, end in blocks.items() if end > start]
    lines = lines_of(file.text)
    comments = [t.line for t in file.words.apart if t.type == "COMMENT" and _alone(lines[t.line - 1])]
    start = previous = -1
    for row in [*comments, -9]:
        if row != previous + 1:
            if previous > start:
                ranges.append(types.FoldingRange(start - 1, previous - 1, kind=types.FoldingRangeKind.Comment))
            start = row
        previous = row
    return sorted(ranges, key=lambda r: (r.start_line, r.end_line))


def _alone(line: str) -> bool:
    return line.lstrip().startswith("#")
