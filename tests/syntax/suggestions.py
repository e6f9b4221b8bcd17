"""Suggestions of messages beside the text that they are about: none may offer what stands there."""

from __future__ import annotations

import re
from functools import cache

from rulewright.diagnostics import Diagnostic, Span
from rulewright.syntax.lexer.tokens import scenario_words
from rulewright.syntax.tables.parse_tables import words

PART = re.compile(r'"[^"]*"|\w+|->|[^\w\s]')
BLANKS = {"a", "field", "game", "limits", "number", "piece", "place", "procedure", "stack", "value", "zone"}
"""Words of the language that stand for something else in the forms of messages."""
LONGEST = 200
"""Letters of a line that is compared with forms."""


def offers_what_stands_there(text: str, found: Diagnostic) -> str:
    """The suggestion of a finding that is written already, if one is."""
    lines = text.split("\n")
    before = lines[found.span.line - 1][: found.span.column - 1]
    there = _between(lines, found.span)
    for offered in re.findall(r"(?:did you mean|write) `([^`]+)`", found.hint):
        if offered == there or (" here" in found.hint and before.rstrip().endswith(f" {offered}")):
            return str(offered)
    for edit in found.fix.edits if found.fix is not None else ():
        if edit.text == _between(lines, edit.span):
            return edit.text
    if found.hint.startswith("it is written: ") and len(before) < LONGEST:
        for form in re.split(r" — or(?: in a scenario)?: ", found.hint.removeprefix("it is written: ")):
            if _pattern(form).fullmatch(" ".join(PART.findall(_plain(before, "(" in form or "[" in form)))):
                return form
    return ""


def _plain(text: str, nested: bool) -> str:
    """A text without citations and what stands in quotes, and in brackets unless `nested`."""
    text = re.sub('"[^"]*"', '""', re.sub(r"@[\w.-]+", "", text))
    while not nested and (shorter := re.sub(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}", "x", text)) != text:
        text = shorter
    return text if nested else re.split(r"[(\[{]", text)[0]


def _between(lines: list[str], span: Span) -> str | None:
    return lines[span.line - 1][span.column - 1 : span.end_column - 1] if span.line == span.end_line else None


@cache
def _pattern(form: str) -> re.Pattern[str]:
    """A form as a pattern of texts with one blank between words and signs; what is not said by it is anything."""
    known = {word for phrase in (*words().values(), *scenario_words()) for word in phrase.split()}
    parts: list[str] = []
    for place, part in enumerate(PART.findall(form)):
        literal = part in known and not part.isdecimal() and not (place and part in BLANKS | {"set"})
        if literal or parts[-1:] != [".+"]:
            parts.append(re.escape(part) if literal else ".+")
    return re.compile(" ".join(parts))
