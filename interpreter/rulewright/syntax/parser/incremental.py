"""Parsing a text again of which most is known: a declaration that did not change is not parsed again.

A declaration begins with a word in the first column, whatever stands above it: no bracket and no operator goes on
there. So a text is cut above these words, and above the comments that stand over them, and what is between two cuts is
read by itself. As long as nothing is wrong with any of them, together they are what the whole text is (a mistake may
have consequences further down, and is told once a file).

The same text on the same lines of the same file gives the same tree, by identity: whatever is known about it holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakValueDictionary

from rulewright.diagnostics import Report
from rulewright.syntax import ast
from rulewright.syntax.lexer.logical_lines import read_lines
from rulewright.syntax.parser.recovery import Recovery

Declaration = ast.Decl | ast.Change

_known: WeakValueDictionary[tuple[str, int, str], Declaration] = WeakValueDictionary()
"""Declarations by file, line and text, as long as a tree holds them."""


def parse_incrementally(text: str, file: str) -> tuple[tuple[Declaration, ...], tuple[str, ...]] | None:
    """The declarations of a text and the comments below them; None if anything is wrong with it."""
    decls: list[Declaration] = []
    below: tuple[str, ...] = ()
    for line, part in _parts(text):
        if below:
            return None  # comments that belong to no declaration, and yet are not at the end
        known = _known.get((file, line, part))
        if known is None:
            report = Report()
            read = read_lines(part, file, report, line)
            parsed = () if report.found else Recovery(file, report).parse(read.lines)
            if report.found or len(parsed) != 1:
                return None
            known, below = parsed[0], read.below
            if not below:
                _known[file, line, part] = known
        decls.append(known)
    return (tuple(decls), below) if decls else None


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """The parts of a text, each with the number of its first line."""
    lines = text.split("\n")
    cuts: list[int] = []
    above: int | None = None  # where the blank lines and comments above begin
    for number, line in enumerate(lines):
        if "a" <= line[:1] <= "z":
            cuts.append(number if above is None else above)
            above = None
        elif line.startswith("#") or not line.strip(" \t"):
            above = number if above is None else above
        elif above is not None and line.lstrip(" \t").startswith("@"):
            return  # it cites for the declaration above, and what stands above it belongs to the one below
        else:
            above = None
    for begin, end in zip([0, *cuts[1:]], [*cuts[1:], len(lines)], strict=True) if cuts else ():
        yield begin + 1, "\n".join(lines[begin:end])


__all__ = ["parse_incrementally"]
