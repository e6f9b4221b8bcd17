"""Writing the language: the canonical text of a tree, and of a text."""

from __future__ import annotations

from rulewright.host.api_arguments import text as as_text
from rulewright.syntax.parser.parser import parse_file
from rulewright.syntax.printer.declaration_printer import print_file
from rulewright.syntax.printer.expression_printer import print_expr, print_type

__all__ = ["format_text", "print_expr", "print_file", "print_type"]


def format_text(text: str, file: str = "<text>") -> str:
    """The same rules in canonical form; raises :class:`RulesetError` if they cannot be read."""
    return print_file(parse_file(as_text("the rules", text), as_text("the file", file)))
