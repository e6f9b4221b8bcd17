"""Outlines of files, symbols of all rulesets, and blocks that can be folded."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import lines_of, range_of
from rulewright_tools.lsp.requests import file_at, location
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
    "limits": types.SymbolKind.Interface,
    "reaction": types.SymbolKind.Event,
    "consequence": types.SymbolKind.Event,
    "end": types.SymbolKind.Event,
    "variant": types.SymbolKind.Package,
    "scenario": types.SymbolKind.Method,
}


def add_symbols(server: RulewrightServer) -> None:
    """Offer outlines, symbols and folding."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def on_document_symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        return await server.query(document_symbols, params.text_document.uri)

    @server.feature(types.WORKSPACE_SYMBOL)
    async def on_workspace_symbols(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol] | None:
        folders = [*server.publisher.folders]
        return await server.query(workspace_symbols, params.query, folders)

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def on_folding_ranges(params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
        return await server.query(folding_ranges, params.text_document.uri)


def document_symbols(editor: EditorWorkspace, uri: str) -> list[types.DocumentSymbol]:
    """The declarations of a file, with their labels, attributes and values below them."""
    found = file_at(editor, uri)
    if found is None:
        return []
    file = found[1]
    lines = lines_of(file.text)
    roots: list[types.DocumentSymbol] = []
    above: list[tuple[rw.navigation.Declaration, types.DocumentSymbol]] = []
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


def kind_of(one: rw.navigation.Declaration) -> types.SymbolKind:
    """The kind of symbol that an editor shows for a declaration."""
    if one.symbol.kind == "declaration" and one.word == "value":
        return types.SymbolKind.Function
    return _KINDS.get(one.word, types.SymbolKind.Key if one.symbol.kind == "label" else types.SymbolKind.Object)


def workspace_symbols(editor: EditorWorkspace, query: str, folders: list[str]) -> list[types.WorkspaceSymbol]:
    """Declarations, variants and scenarios of all rulesets whose names contain the query."""
    found: dict[tuple[str, str], types.WorkspaceSymbol] = {}
    for one in _all_declared(editor, folders):
        if one.symbol.kind in ("declaration", "variant", "scenario", "label") and _matches(query, one.symbol.name):
            place = location(editor, one.name)
            key = one.symbol.name, f"{place.uri}:{place.range}"
            found[key] = types.WorkspaceSymbol(place, one.symbol.name, kind_of(one), container_name=one.symbol.owner)
            if len(found) >= MOST_SYMBOLS:
                break
    return list(found.values())


def _all_declared(editor: EditorWorkspace, folders: list[str]) -> Iterator[rw.navigation.Declaration]:
    for folder in folders:
        try:
            index = editor.index(folder)
        except rw.RulesetError:
            continue
        for file in index.files.values():
            yield from file.declared


def _matches(query: str, name: str) -> bool:
    """True if the letters of the query occur in the name in this order, as editors expect."""
    letters = iter(name.lower())
    return all(letter in letters for letter in query.lower())


def folding_ranges(editor: EditorWorkspace, uri: str) -> list[types.FoldingRange]:
    """Clauses with a block below them, and groups of comment lines."""
    found = file_at(editor, uri)
    if found is None:
        return []
    file = found[1]
    blocks = {span.line: span.end_line for span in file.blocks}
    ranges = [types.FoldingRange(start - 1, end - 1) for start, end in blocks.items() if end > start]
    lines = lines_of(file.text)
    comments = [t.line for t in file.words.trivia if t.type == "COMMENT" and _alone(lines[t.line - 1])]
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
