"""Indentation of a line that is just being begun, from what stands above it."""

from __future__ import annotations

import re

from rulewright.diagnostics import Report
from rulewright.syntax.lalr.machine import frames, machine, read_as_names
from rulewright.syntax.lexer.logical_lines import Line, read_lines, unreserve_stop

STEP = 4
CONTINUED = 8
"""Columns by which a clause that goes on in the next line is indented."""
_ENDING = frozenset(
    {
        "STOP",
        "RETURN",
        "PROCEED",
        "FINISH_WITH_WINNER",
        "FINISH_WITH_NOBODY_WINNING",
        "FINISH_WITH_A_DRAW",
        "FINISH_RANKING",
        "FINISH_PAYING",
    }
)
"""Statements behind which a block ends."""
_USUALLY_BLOCKS = frozenset({"OPTION", "PIECE"})
"""Clauses that need no block, but nearly always have one."""
_OPENERS = {
    "else": re.compile(r"(?:else\s+)?if\b(?!.*\bthen\b)|then\s*$|.*\b(?:chooses|may choose)\b"),
    "then": re.compile(r".*\b(?:chooses|may choose)\b"),
}
"""The clauses to which a word that stands alone in its line belongs."""


def indent_of_new_line(text: str, line: int) -> int | None:
    """The columns before a new line, counted from 1, below one with text; None if it is unknown."""
    lines = text.replace("\r\n", "\n").split("\n")[: line - 1]
    if not lines or not lines[-1].strip() or lines[-1].lstrip().startswith("#"):
        return None
    top = next((n for n in range(len(lines) - 1, -1, -1) if lines[n][:1].strip() and lines[n][0] != "#"), 0)
    read = read_lines("\n".join(lines[top:]), "", Report()).lines
    if not read:
        return None
    if read[0].head == "SCENARIO":
        for one in read:
            one.tokens = unreserve_stop(one.tokens)
    read_as_names(read)
    last = read[-1]
    accepted = _behind(read)
    if accepted is None:
        return None
    if "_NL" not in accepted[0]:
        below = last.tokens[-1].line > last.number
        return len(lines[-1]) - len(lines[-1].lstrip()) if below else last.indent + CONTINUED
    if "_INDENT" in accepted[1] and (accepted[1] == {"_INDENT"} or last.head in _USUALLY_BLOCKS):
        return last.indent + STEP
    if last.head in _ENDING and last.indent > 0:
        return max((one.indent for one in read if one.indent < last.indent), default=0)
    return last.indent


def _behind(lines: list[Line]) -> tuple[set[str], set[str]] | None:
    """The tokens that can follow the last clause, and those that can follow its end; None if it does not parse."""
    states = machine()
    stack = list(states.first)
    for number, (before, line) in enumerate(frames(lines)):
        if not all(states.step(stack, name) for name in [*before, *(token.type for token in line.tokens)]):
            return None
        if number < len(lines) - 1 and not states.step(stack, "_NL"):
            return None
    accepted = states.accepts(stack)
    return accepted, states.accepts(stack) if "_NL" in accepted and states.step(stack, "_NL") else set()


def indent_of_word(text: str, line: int) -> int | None:
    """The columns before an ``else`` or ``then`` that stands alone in its line: those of the clause it belongs to."""
    lines = text.replace("\r\n", "\n").split("\n")[:line]
    opener = _OPENERS.get(lines[-1].strip()) if lines else None
    if opener is None:
        return None
    limit = len(lines[-1]) - len(lines[-1].lstrip())
    for above in reversed(lines[:-1]):
        clause = above.lstrip()
        indent = len(above) - len(clause)
        if not clause or clause[0] == "#" or indent > limit:
            continue
        if opener.match(clause):
            return indent
        limit = min(limit, indent)
        if indent == 0:
            break
    return None
