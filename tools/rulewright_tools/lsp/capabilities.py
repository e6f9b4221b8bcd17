"""The server with all that it can do."""

from __future__ import annotations

from rulewright_tools.lsp.editing.code_actions import add_code_actions
from rulewright_tools.lsp.editing.formatting import add_formatting
from rulewright_tools.lsp.editing.rename import add_rename
from rulewright_tools.lsp.features.call_hierarchy import add_call_hierarchy
from rulewright_tools.lsp.features.code_lenses import add_code_lenses
from rulewright_tools.lsp.features.completion import add_completion
from rulewright_tools.lsp.features.document_links import add_document_links
from rulewright_tools.lsp.features.hover import add_hover
from rulewright_tools.lsp.features.inlay_hints import add_inlay_hints
from rulewright_tools.lsp.features.navigation import add_navigation
from rulewright_tools.lsp.features.selection_ranges import add_selection_ranges
from rulewright_tools.lsp.features.semantic_tokens import add_semantic_tokens
from rulewright_tools.lsp.features.symbols import add_symbols
from rulewright_tools.lsp.server import RulewrightServer, follow_documents

CAPABILITIES = (
    add_call_hierarchy,
    add_code_actions,
    add_code_lenses,
    add_completion,
    add_document_links,
    add_formatting,
    add_hover,
    add_inlay_hints,
    add_navigation,
    add_rename,
    add_selection_ranges,
    add_semantic_tokens,
    add_symbols,
)


def create_server() -> RulewrightServer:
    """A server with all its capabilities."""
    server = RulewrightServer()
    follow_documents(server)
    for add in CAPABILITIES:
        add(server)
    return server
