"""Selection ranges: ever wider stretches around the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import range_of
from rulewright_tools.lsp.requests import request_position
from rulewright_tools.lsp.server import RulewrightServer


def add_selection_ranges(server: RulewrightServer) -> None:
    """Offer selections."""

    @server.feature(types.TEXT_DOCUMENT_SELECTION_RANGE)
    async def on_selection_ranges(params: types.SelectionRangeParams) -> list[types.SelectionRange] | None:
        return await server.query(selection_ranges, params.text_document.uri, params.positions)


def selection_ranges(
    editor: EditorWorkspace, uri: str, positions: Sequence[types.Position]
) -> list[types.SelectionRange] | None:
    """For each position the narrowest stretch, with the wider ones around it."""
    found = []
    for position in positions:
        place = request_position(editor, uri, position)
        if place is None:
            return None
        around: types.SelectionRange | None = None
        for span in reversed(rw.navigation.selections(place.file, place.line, place.column)):
            around = types.SelectionRange(range_of(span, place.lines), around)
        found.append(around or types.SelectionRange(types.Range(position, position)))
    return found
