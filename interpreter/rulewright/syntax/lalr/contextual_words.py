"""Words that belong to the language at some places only, and are names wherever the grammar takes a name.

This is the ``%fallback`` of the Lemon parser generator: a line that does not fit is tried again with such words as
names. Only a whole line that fits then is read so; any other keeps its words, for the sake of messages.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.syntax.lalr.machine import Machine, machine
from rulewright.syntax.lexer.logical_lines import Line
from rulewright.syntax.lexer.token import Token
from rulewright.syntax.tables.parse_tables import CONTEXTUAL

MOST = 12
"""So many such words of a line are tried at most."""


def frames(lines: list[Line]) -> Iterator[tuple[list[str], Line]]:
    """Each line with the _INDENT and _DEDENT tokens before it."""
    levels = [0]
    for line in lines:
        before = []
        if line.indent > levels[-1]:
            levels.append(line.indent)
            before.append("_INDENT")
        while line.indent < levels[-1]:
            levels.pop()
            before.append("_DEDENT")
        yield before, line


def read_as_names(lines: list[Line], *, partial: bool = False) -> bool:
    """Make names of the words of a declaration that can only be names; True if there are any.

    `partial`: the last line is being written, so it need not be whole.
    """
    if not any(t.type in CONTEXTUAL for line in lines for t in line.tokens):
        return False
    states, changed = machine(), False
    stack = list(states.first)
    for before, line in frames(lines):
        framed = list(stack)
        if not all(states.step(framed, name) for name in before):
            return changed
        end = [] if partial and line is lines[-1] else ["_NL"]
        fitting = list(framed)
        if all(states.step(fitting, name) for name in [*(t.type for t in line.tokens), *end]):
            stack = fitting
            continue
        tokens = names_in(states, framed, line.tokens, end)
        stack = framed
        if tokens is not None:
            changed, line.tokens = True, tokens
            for name in [*(t.type for t in tokens), *end]:
                states.step(stack, name)
    return changed


def names_in(states: Machine, stack: list[int], tokens: list[Token], end: list[str]) -> list[Token] | None:
    """The tokens, some of them as names, so that they and the end fit; None if they cannot."""
    if (end == ["_NL"] and len(tokens) == 1) or not 0 < sum(t.type in CONTEXTUAL for t in tokens) <= MOST:
        return None
    return _fitting(states, list(stack), tokens, 0, end)


def _fitting(states: Machine, stack: list[int], tokens: list[Token], at: int, end: list[str]) -> list[Token] | None:
    for number in range(at, len(tokens)):
        token = tokens[number]
        if token.type in CONTEXTUAL:
            for type in (token.type, "NAME"):
                trial = list(stack)
                if states.step(trial, type):
                    rest = _fitting(states, trial, tokens, number + 1, end)
                    if rest is not None:
                        word = token if type == token.type else token.like("NAME", token.value)
                        return [*tokens[at:number], word, *rest]
            return None
        if not states.step(stack, token.type):
            return None
    return tokens[at:] if all(states.step(stack, name) for name in end) else None


__all__ = ["frames", "names_in", "read_as_names"]
