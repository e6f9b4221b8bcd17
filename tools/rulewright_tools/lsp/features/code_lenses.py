"""Code lenses: commands above scenarios, variants and the game; who changes a declaration; who cites a statement."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import range_of, uri_of
from rulewright_tools.lsp.requests import index_of, location
from rulewright_tools.lsp.server import RulewrightServer


def add_code_lenses(server: RulewrightServer) -> None:
    """Offer lenses."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def on_code_lenses(params: types.CodeLensParams) -> list[types.CodeLens] | None:
        return await server.query(code_lenses, params.text_document.uri)


def code_lenses(editor: EditorWorkspace, uri: str) -> list[types.CodeLens]:
    """Commands above scenarios, variants and the game; above the statements of a rulebook those who cite them."""
    found = index_of(editor, uri)
    if found is None:
        return []
    index, path = found
    file = index.files.get(str(path))
    lines = editor.lines(path)
    if file is not None:
        commands = [*_runs(str(editor.place_of(path)), file), *_changed(editor, index, file)]
        return [types.CodeLens(range_of(span, lines), command) for span, command in commands]
    return [types.CodeLens(range_of(span, lines), command) for span, command in _cited(editor, index, path)]


def _runs(folder: str, file: rw.navigation.FileSymbols) -> Iterator[tuple[rw.Span, types.Command]]:
    """Run a scenario, or play from its position; play the game, or play, examine and confirm the variant."""
    for one in file.declared:
        if one.symbol.kind == "scenario":
            yield one.head, types.Command("Run scenario", "rulewright.test", arguments=[folder, one.symbol.name])
            yield (
                one.head,
                types.Command("Play from here", "rulewright.playScenario", arguments=[folder, one.symbol.name]),
            )
        elif one.symbol.kind == "variant":
            for word in ("play", "examine", "confirm"):
                title = f"{word.capitalize()} variant"
                yield one.head, types.Command(title, f"rulewright.{word}", arguments=[folder, one.symbol.name])
    game = next((clause for clause in file.words.clauses if clause[0].type == "GAME"), None)
    if game is not None:
        span = rw.Span(file.path, game[0].line, game[0].column, game[-1].line, game[-1].end_column)
        yield span, types.Command("Play", "rulewright.play", arguments=[folder])
        yield span, types.Command("Run all scenarios", "rulewright.test", arguments=[folder])


def _changed(
    editor: EditorWorkspace, index: rw.navigation.SymbolIndex, file: rw.navigation.FileSymbols
) -> Iterator[tuple[rw.Span, types.Command]]:
    """``changed by variant "Long war"``, with the places."""
    found: dict[str, dict[str, list[rw.Span]]] = {}
    for change in rw.navigation.changes(index):
        found.setdefault(change.declaration, {}).setdefault(change.by, []).append(change.span)
    for one in file.declared:
        for by, spans in found.get(one.symbol.name, {}).items() if one.symbol.kind == "declaration" else ():
            places = [location(editor, span) for span in spans if span.line != one.head.line]
            if places:
                yield one.head, _showing(editor, f"changed by {by}", one.head, places)


def _showing(editor: EditorWorkspace, title: str, span: rw.Span, places: list[types.Location]) -> types.Command:
    """The command with which an editor shows some places."""
    here = location(editor, span)
    return types.Command(title, "editor.action.showReferences", arguments=[here.uri, here.range.start, places])


def _cited(
    editor: EditorWorkspace, index: rw.navigation.SymbolIndex, path: Path
) -> Iterable[tuple[rw.Span, types.Command]]:
    """``2 rules and 1 scenario cite this``, with the places."""
    book = index.ruleset.rulebook
    for statement in book.statements if book is not None else ():
        span = index.statement_span(statement.id)
        if span is None or os.path.abspath(span.file) != str(path):
            return
        rules, examples = rw.navigation.citing(index, statement.id)
        title = rw.navigation.count_of(rules, examples)
        places = [
            types.Location(uri_of(one.name.file), range_of(one.name, editor.lines(one.name.file)))
            for one in (*rules, *examples)
        ]
        start = types.Position(span.line - 1, 0)
        arguments = [uri_of(path), start, places]
        yield span, types.Command(title, "editor.action.showReferences" if places else "", arguments=arguments)
