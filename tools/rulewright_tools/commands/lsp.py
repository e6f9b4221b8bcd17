"""``rulewright lsp``: the language server."""

from __future__ import annotations

from rulewright_tools.console import Exit
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require


@guarded
def lsp() -> Exit:
    """Run the language server: findings, help and refactorings while rules are written. Editors start it.

    It speaks the Language Server Protocol over its standard input and output, and ends when the editor closes it or
    closes its input.

    Example:

      rulewright lsp
    """
    require("pygls")
    from rulewright_tools.lsp.capabilities import create_server
    from rulewright_tools.lsp.server import serve

    serve(create_server())
    return Exit.FINE
