"""The rules language as text: reading it, writing it, and saying what is wrong with it."""

from __future__ import annotations

from rulewright.syntax.parser import ParseResult, parse, parse_expression, parse_file

__all__ = ["ParseResult", "parse", "parse_expression", "parse_file"]
