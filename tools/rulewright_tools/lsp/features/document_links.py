"""Links from names of files to the files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import range_of, uri_of
from rulewright_tools.lsp.requests import index_of
from rulewright_tools.lsp.server import RulewrightServer


def add_document_links(server: RulewrightServer) -> None:
    """Offer links."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def on_document_links(params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
        return await server.query(document_links, params.text_document.uri)


def document_links(editor: EditorWorkspace, uri: str) -> list[types.DocumentLink]:
    """The files that a rules file or a manifest names."""
    found = index_of(editor, uri)
    if found is None:
        return []
    index, path = found
    file = index.files.get(str(path))
    made = _in_rules(index, file) if file is not None else _in_manifest(index, path)
    return [types.DocumentLink(range_of(span, editor.lines(path)), uri_of(to)) for span, to in made if to.is_file()]


def _in_rules(index: rw.navigation.SymbolIndex, file: rw.navigation.FileSymbols) -> Iterator[tuple[rw.Span, Path]]:
    for token in file.words.tokens:
        clause, at = file.words.clause(token)
        if token.type == "STRING" and at and clause[at - 1].type in ("FROM", "HEXES_FROM", "GRAPH_FROM"):
            span = rw.Span(file.path, token.line, token.column + 1, token.line, token.end_column - 1)
            ruleset: rw.Ruleset | None = index.ruleset
            name = token.value.strip('"').partition("#")[0]
            while ruleset is not None:
                if (ruleset.folder / name).is_file():
                    yield span, ruleset.folder / name
                    break
                ruleset = ruleset.base


def _in_manifest(index: rw.navigation.SymbolIndex, path: Path) -> Iterator[tuple[rw.Span, Path]]:
    manifest = index.ruleset.manifest
    if path.parent != Path(os.path.abspath(index.ruleset.folder)) or path.name != "ruleset.json":
        return
    for key in ("rules", "variants", "scenarios"):
        for number, name in enumerate(getattr(manifest, key)):
            yield manifest.span(key, number), path.parent / name
    for key in ("rulebook", "rulings"):
        if name := getattr(manifest, key):
            yield manifest.span(key), path.parent / name
