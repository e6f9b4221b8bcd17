"""Call hierarchy: who calls a procedure, effect or query, and what it calls."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.features.symbols import kind_of
from rulewright_tools.lsp.positions import position_in, range_of, uri_of
from rulewright_tools.lsp.requests import file_at, request_position
from rulewright_tools.lsp.server import RulewrightServer


def add_call_hierarchy(server: RulewrightServer) -> None:
    """Offer the call hierarchy."""

    @server.feature(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    async def on_prepare(params: types.CallHierarchyPrepareParams) -> list[types.CallHierarchyItem] | None:
        return await server.query(prepare, params.text_document.uri, params.position)

    @server.feature(types.CALL_HIERARCHY_INCOMING_CALLS)
    async def on_incoming(params: types.CallHierarchyIncomingCallsParams) -> list[types.CallHierarchyIncomingCall]:
        found = await server.query(calls, params.item, rw.navigation.incoming_calls)
        return [types.CallHierarchyIncomingCall(item, ranges) for item, ranges in found or ()]

    @server.feature(types.CALL_HIERARCHY_OUTGOING_CALLS)
    async def on_outgoing(params: types.CallHierarchyOutgoingCallsParams) -> list[types.CallHierarchyOutgoingCall]:
        found = await server.query(calls, params.item, rw.navigation.outgoing_calls)
        return [types.CallHierarchyOutgoingCall(item, ranges) for item, ranges in found or ()]


def prepare(editor: EditorWorkspace, uri: str, position: types.Position) -> list[types.CallHierarchyItem] | None:
    """The procedure, effect or query at a position."""
    place = request_position(editor, uri, position)
    if place is None:
        return None
    return [item_of(editor, one) for one in rw.navigation.callable_at(place.index, place.symbols)] or None


def item_of(editor: EditorWorkspace, one: rw.navigation.Declaration) -> types.CallHierarchyItem:
    """A declaration as the protocol represents it."""
    lines = editor.lines(one.name.file)
    whole, name = range_of(one.whole, lines), range_of(one.name, lines)
    return types.CallHierarchyItem(one.symbol.name, kind_of(one), uri_of(one.name.file), whole, name, detail=one.word)


def calls(
    editor: EditorWorkspace,
    item: types.CallHierarchyItem,
    find: Callable[[rw.navigation.SymbolIndex, rw.navigation.Declaration], rw.navigation.Calls],
) -> list[tuple[types.CallHierarchyItem, list[types.Range]]]:
    """The other ends of the calls of an item; none if it has gone meanwhile."""
    found = file_at(editor, item.uri)
    if found is None:
        return []
    index, file = found
    line, column = position_in(item.selection_range.start, editor.lines(file.path))
    here = [d for d in file.declared if (d.name.line, d.name.column) == (line, column)]
    return [
        (item_of(editor, other), [range_of(span, editor.lines(span.file)) for span in spans])
        for one in here[:1]
        for other, spans in find(index, one)
    ]
