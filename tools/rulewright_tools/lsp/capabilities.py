"""The server with all that it can do."""

from __future__ import annotations

from rulewright_tools.lsp.completion import add_completion
from rulewright_tools.lsp.edits import add_edits
from rulewright_tools.lsp.finding_ways import add_navigation
from rulewright_tools.lsp.hover import add_hover
from rulewright_tools.lsp.presentation import add_presentation
from rulewright_tools.lsp.renaming import add_renaming
from rulewright_tools.lsp.server import RulewrightServer, follow_documents


def create_server() -> RulewrightServer:
    """A server with all its capabilities."""
    server = RulewrightServer()
    follow_documents(server)
    for add in (add_completion, add_edits, add_hover, add_navigation, add_presentation, add_renaming):
        add(server)
    return server
