"""All kinds of questions that an editor asks about a position of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

REFUSED = -32803
"""The error of an answer that says why something cannot be done."""

_PLAIN = ("documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "documentLink")
_AT_POSITION = (
    "hover",
    "definition",
    "typeDefinition",
    "completion",
    "documentHighlight",
    "prepareRename",
    "prepareCallHierarchy",
)


def questions(
    capabilities: Mapping[str, Any], uri: str, text: str, line: int, character: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Methods with their parameters; the server says by its capabilities that it knows them all."""
    here = {"line": line, "character": character}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n") + 1, "character": 0}}
    document = {"textDocument": {"uri": uri}}
    options = {"options": {"tabSize": 4, "insertSpaces": True}}
    for name in _PLAIN:
        yield f"textDocument/{name}", document
    for name in _AT_POSITION:
        yield f"textDocument/{name}", {**document, "position": here}
    yield "textDocument/references", {**document, "position": here, "context": {"includeDeclaration": True}}
    yield "textDocument/selectionRange", {**document, "positions": [here]}
    yield "textDocument/inlayHint", {**document, "range": whole}
    # Fixes wait for the check that is under way; what is a matter of the position alone does not.
    context = {"diagnostics": [], "only": ["refactor"]}
    yield "textDocument/codeAction", {**document, "range": {"start": here, "end": here}, "context": context}
    yield "textDocument/formatting", {**document, **options}
    yield "textDocument/rangeFormatting", {**document, **options, "range": {"start": here, "end": here}}
    yield "textDocument/onTypeFormatting", {**document, **options, "position": here, "ch": "\n"}
    yield "workspace/symbol", {"query": "tu"}
    assert "renameProvider" in capabilities
