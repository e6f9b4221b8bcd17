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

MOST = 64
"""So many readings of the beginning of a line are followed at most."""


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
    """The tokens, some of them as names, so that they and the end fit; None if they cannot.

    Of two readings the one is taken in which the first word that differs is one of the language.
    """
    if (end == ["_NL"] and len(tokens) == 1) or not any(t.type in CONTEXTUAL for t in tokens):
        return None
    readings: list[tuple[tuple[int, ...], int]] = [(tuple(stack), 0)]
    for number, token in enumerate(tokens):
        types = (token.type, "NAME") if token.type in CONTEXTUAL else (token.type,)
        found: dict[tuple[int, ...], int] = {}
        for states_so_far, names in readings:
            for type in types:
                trial = list(states_so_far)
                if states.step(trial, type):  # of two ways to one place the first counts
                    found.setdefault(tuple(trial), names | (type != token.type) << number)
        readings = list(found.items())[:MOST]
    for states_so_far, names in readings:
        if states.run(list(states_so_far), end):
            return [t.like("NAME", t.value) if names >> n & 1 else t for n, t in enumerate(tokens)]
    return None


__all__ = ["frames", "names_in", "read_as_names"]
