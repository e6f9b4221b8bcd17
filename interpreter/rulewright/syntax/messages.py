"""What is said about a line that does not fit."""

from __future__ import annotations

from dataclasses import dataclass

from lark import Token

from rulewright.diagnostics import Diagnostic
from rulewright.syntax.lexing import Line, span_of
from rulewright.syntax.tables import Machine, machine

DECLARATIONS = frozenset(machine().accepts(machine().first))


@dataclass(slots=True)
class Trouble:
    """Where the parser could not go on."""

    machine: Machine
    lines: list[Line]
    index: int
    """Of the line; the number of lines at the end of the declaration."""
    position: int
    """Of the token in the line; -1 in what frames it; the number of tokens at the end of the line."""
    stack: list[int]
    """The states of the parser where the line begins."""
    before: list[str]
    """What frames the line: _INDENT and _DEDENT tokens."""


@dataclass(slots=True)
class Verdict:
    """What is wrong, and how to go on."""

    diagnostic: Diagnostic
    line: int
    tokens: list[Token] | None = None
    """The tokens of the line as they were probably meant."""
    blockless: bool = False


def explain(trouble: Trouble, file: str) -> Verdict:
    """Say what is wrong in the words of somebody who writes rules."""
    index = min(trouble.index, len(trouble.lines) - 1)
    line = trouble.lines[index]
    token = line.tokens[max(0, min(trouble.position, len(line.tokens) - 1))]
    return Verdict(Diagnostic("SYN001", f"`{token}` is not expected here", span_of(token, file)), index)
