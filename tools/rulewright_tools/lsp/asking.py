"""The beginning of most answers: the file, its ruleset, and the word at a position."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.library import Library
from rulewright_tools.lsp.positions import lines_of, path_of, place_of, range_of, uri_of


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a rules file of a ruleset, and the index of that ruleset."""

    library: Library
    index: rw.navigation.SymbolIndex
    file: rw.navigation.FileSymbols
    lines: list[str]
    line: int
    column: int

    @property
    def symbols(self) -> tuple[rw.navigation.Symbol, ...]:
        """The symbols that the word here stands for."""
        found = self.index.at(self.file.path, self.line, self.column)
        return found[0] if found is not None else ()

    def location(self, span: rw.Span) -> types.Location:
        """A span as a location."""
        return location(self.library, span)


def location(library: Library, span: rw.Span) -> types.Location:
    """A span as a location."""
    return types.Location(uri_of(span.file), range_of(span, library.lines(span.file)))


def index_of(library: Library, uri: str) -> tuple[rw.navigation.SymbolIndex, Path] | None:
    """The index of the ruleset to which a file belongs."""
    path = path_of(uri)
    home = library.workspace.ruleset_of(path) if path is not None else None
    if path is None or home is None:
        return None
    return library.navigator.index(library.workspace.ruleset(home)), path


def file_at(library: Library, uri: str) -> tuple[rw.navigation.SymbolIndex, rw.navigation.FileSymbols] | None:
    """The index of a ruleset, and what a file of it declares."""
    found = index_of(library, uri)
    file = found[0].files.get(str(found[1])) if found is not None else None
    return (found[0], file) if found is not None and file is not None else None


def place_at(library: Library, uri: str, position: types.Position) -> Place | None:
    """A position in a rules file; nothing if the file belongs to no ruleset."""
    found = file_at(library, uri)
    if found is None:
        return None
    lines = lines_of(found[1].text)
    return Place(library, *found, lines, *place_of(position, lines))
