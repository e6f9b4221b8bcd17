"""The beginning of most answers: the file, its ruleset, and the word at a position."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import lines_of, path_of, position_in, range_of, uri_of


@dataclass(frozen=True, slots=True)
class RequestPosition:
    """A position in a rules file of a ruleset, and the index of that ruleset."""

    editor: EditorWorkspace
    index: rw.navigation.SymbolIndex
    file: rw.navigation.FileSymbols
    lines: list[str]
    line: int
    column: int

    @property
    def symbols(self) -> tuple[rw.navigation.Symbol, ...]:
        """The symbols that the word here stands for."""
        token = self.file.words.at(self.line, self.column)
        found = self.index.resolve(self.file, token) if token is not None else ()
        return self.inference.meant(self.file, token, found) if token is not None else ()

    @property
    def place(self) -> Path:
        """The folder of the ruleset; or the file itself, if it belongs to none and changes one."""
        path = Path(os.path.abspath(self.file.path))
        return self.editor.workspace.ruleset_of(path) or path

    @property
    def inference(self) -> rw.navigation.TypeInference:
        """The types of the ruleset."""
        return rw.navigation.TypeInference(self.index)

    def location(self, span: rw.Span) -> types.Location:
        """A span as a location."""
        return location(self.editor, span)


def location(editor: EditorWorkspace, span: rw.Span) -> types.Location:
    """A span as a location."""
    return types.Location(uri_of(span.file), range_of(span, editor.lines(span.file)))


def index_of(editor: EditorWorkspace, uri: str) -> tuple[rw.navigation.SymbolIndex, Path] | None:
    """The index of the ruleset to which a file belongs."""
    path = path_of(uri)
    place = editor.place_of(path) if path is not None else None
    if path is None or place is None:
        return None
    return editor.index(place), path


def file_at(editor: EditorWorkspace, uri: str) -> tuple[rw.navigation.SymbolIndex, rw.navigation.FileSymbols] | None:
    """The index of a ruleset, and what a file of it declares."""
    found = index_of(editor, uri)
    file = found[0].files.get(str(found[1])) if found is not None else None
    return (found[0], file) if found is not None and file is not None else None


def request_position(editor: EditorWorkspace, uri: str, position: types.Position) -> RequestPosition | None:
    """A position in a rules file; nothing if the file belongs to no ruleset."""
    found = file_at(editor, uri)
    if found is None:
        return None
    lines = lines_of(found[1].text)
    return RequestPosition(editor, *found, lines, *position_in(position, lines))
