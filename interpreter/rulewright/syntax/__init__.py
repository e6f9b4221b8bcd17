"""The rules language as text: reading it, writing it, and saying what is wrong with it."""

from __future__ import annotations

from rulewright.syntax import ast as ast
from rulewright.syntax.parser.parser import EditedFiles, ParseResult, parse, parse_expression, parse_file
from rulewright.syntax.printer.expression_printer import print_expr, print_type
from rulewright.syntax.printer.printer import format_text, print_file
from rulewright.syntax.tables.parse_tables import keywords, reserved_words
