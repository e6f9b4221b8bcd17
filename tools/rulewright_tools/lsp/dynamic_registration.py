"""Capabilities that the server registers after it has started, because they are for some files only.

An editor may send its JSON files, too, and has a formatter for them: it is not offered another one.
"""

from __future__ import annotations

from lsprotocol import types

FOR_RULES = [types.TextDocumentFilterPattern("**/*.rules", scheme="file")]
WATCHED = ("**/*.rules", "**/*.json", "**/*.csv")
"""The files that rulesets consist of."""
TYPED = ("\n", ["e", "n"])
"""Characters behind which a line may be indented: its end, and the last letters of `else` and `then`."""


def formats(client: types.ClientCapabilities) -> list[types.Registration]:
    """The kinds of formatting that are registered with an editor after its start."""
    document = client.text_document
    found = []
    if document is not None:
        if document.formatting is not None and document.formatting.dynamic_registration:
            options = types.DocumentFormattingRegistrationOptions(document_selector=FOR_RULES)
            found.append(types.Registration("format", types.TEXT_DOCUMENT_FORMATTING, options))
        if document.range_formatting is not None and document.range_formatting.dynamic_registration:
            ranges = types.DocumentRangeFormattingRegistrationOptions(document_selector=FOR_RULES)
            found.append(types.Registration("format range", types.TEXT_DOCUMENT_RANGE_FORMATTING, ranges))
        if document.on_type_formatting is not None and document.on_type_formatting.dynamic_registration:
            typing = types.DocumentOnTypeFormattingRegistrationOptions(
                TYPED[0], more_trigger_character=TYPED[1], document_selector=FOR_RULES
            )
            found.append(types.Registration("indent", types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, typing))
    return found


def watching(client: types.ClientCapabilities) -> list[types.Registration]:
    """The registration for notices of files that change on disk, if the editor supports it."""
    workspace = client.workspace
    can = workspace.did_change_watched_files if workspace is not None else None
    if can is None or not can.dynamic_registration:
        return []
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(glob) for glob in WATCHED])
    return [types.Registration("rulesets", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)]


def without(capabilities: types.ServerCapabilities, later: list[types.Registration]) -> None:
    """Take out of the capabilities of the beginning those that are registered later."""
    methods = {one.method for one in later}
    if types.TEXT_DOCUMENT_FORMATTING in methods:
        capabilities.document_formatting_provider = None
    if types.TEXT_DOCUMENT_RANGE_FORMATTING in methods:
        capabilities.document_range_formatting_provider = None
    if types.TEXT_DOCUMENT_ON_TYPE_FORMATTING in methods:
        capabilities.document_on_type_formatting_provider = None
