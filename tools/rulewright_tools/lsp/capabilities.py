"""The server with all that it can do."""

from __future__ import annotations

from rulewright_tools.lsp.call_hierarchy import add_call_hierarchy
from rulewright_tools.lsp.code_actions import add_code_actions
from rulewright_tools.lsp.code_lenses import add_code_lenses
from rulewright_tools.lsp.completion import add_completion
from rulewright_tools.lsp.document_links import add_document_links
from rulewright_tools.lsp.formatting import add_formatting
from rulewright_tools.lsp.hover import add_hover
from rulewright_tools.lsp.inlay_hints import add_inlay_hints
from rulewright_tools.lsp.navigation import add_navigation
from rulewright_tools.lsp.rename import add_rename
from rulewright_tools.lsp.selection_ranges import add_selection_ranges
from rulewright_tools.lsp.semantic_tokens import add_semantic_tokens
from rulewright_tools.lsp.server import RulewrightServer, follow_documents
from rulewright_tools.lsp.symbols import add_symbols

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
