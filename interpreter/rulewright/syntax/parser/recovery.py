"""Parsing one declaration after the other, and going on after a mistake.

A file is cut into declarations: each begins in the first column. A line that does not fit is reported, repaired if it
is evident what was meant, and else dropped with the block below it; then the declaration is parsed again. A line that
was reported once is never reported again, so that one mistake gives one message.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from rulewright.diagnostics import Report
from rulewright.foundation import limits
from rulewright.foundation.line_anchors import Anchor
from rulewright.syntax import ast
from rulewright.syntax.builder.declaration_builder import build_declaration
from rulewright.syntax.builder.expression_builder import TooDeep, WrongHole
from rulewright.syntax.lalr.machine import END, Tree, frames, machine, read_as_names
from rulewright.syntax.lexer.logical_lines import Line, span_of, unreserve_stop
from rulewright.syntax.lexer.tokens import Token
from rulewright.syntax.parser.expectations import SyntaxFailure, declarations
from rulewright.syntax.parser.syntax_messages import explain
from rulewright.syntax.tables.parse_tables import words

MAX_TOKENS = 600_000
"""The number of tokens parsed at most, repetitions after mistakes included."""
MAX_STRAY = 500
"""After this many lines that are no declarations it is no rules file."""


def depth(lines: list[Line]) -> int:
    """The blocks that are open after the last line."""
    levels = [0]
    for line in lines:
        if line.indent > levels[-1]:
            levels.append(line.indent)
        while line.indent < levels[-1]:
            levels.pop()
    return len(levels) - 1


def framed_tokens(lines: list[Line]) -> list[Token]:
    """All tokens of these lines, including those for the ends of lines and for blocks."""
    tokens: list[Token] = []
    for before, line in frames(lines):
        tokens += [line.tokens[0].like(name, "") for name in before]
        tokens += line.tokens
        last = line.tokens[-1]
        tokens.append(Token("_NL", "", last.line, last.end_column, last.end_column))
    last = lines[-1].tokens[-1]
    return [*tokens, *(last.like(name, "") for name in ["_DEDENT"] * depth(lines) + [END])]


def locate(lines: list[Line]) -> SyntaxFailure:
    """The first place at which these lines, which do not parse, do not fit the grammar."""
    states = machine()
    stack = list(states.first)
    for index, (before, line) in enumerate(frames(lines)):
        at_line = list(stack)
        for position, name in enumerate([*before, *(t.type for t in line.tokens), "_NL"], -len(before)):
            if not states.step(stack, name):
                return SyntaxFailure(states, lines, index, max(position, -1), at_line, before)
    return SyntaxFailure(states, lines, len(lines), -1, stack, ["_DEDENT"] * depth(lines) + [END])


class Recovery:
    """Parses a file, declaration by declaration."""

    def __init__(self, file: str, report: Report, anchor: Anchor | None = None) -> None:
        self.file = file
        self.anchor = anchor
        """The anchor that the lines of all that is built are counted from, if they are not those of the file."""
        self.report = report
        self.stray = False
        """The last declaration had no block or was none, so that lines without a home may follow."""
        self.strays = 0
        self.tokens = 0
        self.reserved: set[str] = set()
        """Words of the language that were used as names: reported once."""

    def parse(self, lines: list[Line]) -> tuple[ast.Decl | ast.Change, ...]:
        """All declarations that could be parsed."""
        decls = []
        for chunk in self._chunks(lines):
            if self._exhausted():
                span = chunk[0].span(self.file)
                self.report.error("SYN001", "there are more mistakes; the rest of the file is not read", span)
                break
            if chunk[0].head == "SCENARIO":
                for line in chunk:
                    line.tokens = unreserve_stop(line.tokens)
            self._straighten(chunk)
            decl = self._declaration(chunk)
            if decl is not None:
                decls.append(decl)
        return tuple(decls)

    def _exhausted(self) -> bool:
        many = len(self.report.found) >= limits.SYNTAX_FINDINGS or self.strays >= MAX_STRAY
        return many or (bool(self.report.found) and self.tokens > MAX_TOKENS)

    def _chunks(self, lines: list[Line]) -> Iterator[list[Line]]:
        chunk: list[Line] = []
        for line in lines:
            if line.indent == 0 or not chunk:
                if chunk:
                    yield chunk
                chunk = []
            chunk.append(line)
        if chunk:
            yield chunk

    def _straighten(self, chunk: list[Line]) -> None:
        """Make each line stand on a level that is open; complain where it does not."""
        levels, reported = [0], False
        for line in chunk:
            if line is chunk[0] and line.indent > 0:
                self._indentation(line, "the first clause of a file begins in the first column", "")
                line.indent = 0
            if line.indent > levels[-1]:
                levels.append(line.indent)
                if len(levels) > limits.BLOCKS:
                    if not line.excused and not reported:
                        message = f"blocks are nested deeper than {limits.BLOCKS} levels"
                        self.report.error("SYN004", message, span_of(line.tokens[0], self.file))
                    line.excused = line.dead = reported = True
                continue
            while line.indent < levels[-1] and line.indent <= levels[-2]:
                levels.pop()
            if line.indent != levels[-1]:
                near = f"{levels[-2]} or {levels[-1]}"
                message = "this indentation matches no open block above"
                self._indentation(line, message, f"indent it by {near} spaces, not {line.indent}")
                line.indent = levels[-1]

    def _indentation(self, line: Line, message: str, hint: str) -> None:
        if not line.excused:
            self.report.error("SYN007", message, span_of(line.tokens[0], self.file), hint=hint)
        line.excused = True

    # ------------------------------------------------------------------ one declaration

    def _declaration(self, chunk: list[Line]) -> ast.Decl | ast.Change | None:
        begins = chunk[0].head in declarations()
        if begins:
            self.stray = False
        elif self.stray and not _almost_begins(chunk[0]):
            self.strays += 1
            return None  # a consequence of findings about the lines above
        lines = list(chunk)
        while lines and not self._exhausted():
            dead = next((i for i, line in enumerate(lines) if line.dead), None)
            if dead is not None:
                lines = self._drop(lines, dead)
                continue
            outcome = self._attempt(lines)
            if not isinstance(outcome, SyntaxFailure):
                try:
                    return build_declaration(outcome, self.file, lines, self.report, self.anchor)
                except WrongHole as error:
                    line = _line_at(lines, error.span.line)
                    if not line.excused:
                        self.report.error("SYN001", error.message, error.span)
                    line.excused = line.dead = True
                    continue
                except TooDeep as error:
                    line = _line_at(lines, error.span.line)
                    if not line.excused:
                        message = "this expression is nested too deeply to be parsed"
                        self.report.error("SYN004", message, error.span, hint="split it into several queries")
                    line.excused = line.dead = True
                    continue
            lines = self._mend(lines, outcome)
        self.stray = self.stray or not begins
        return None

    def _attempt(self, lines: list[Line]) -> Tree[Token] | SyntaxFailure:
        """Parse these lines, or say where it does not go on."""
        self.tokens += sum(len(line.tokens) for line in lines)
        tree = machine().parse(framed_tokens(lines))
        if tree is None and read_as_names(lines):
            tree = machine().parse(framed_tokens(lines))
        if tree is None:
            return locate(lines)
        (child,) = tree.children
        assert isinstance(child, Tree)
        return child

    def _mend(self, lines: list[Line], trouble: SyntaxFailure) -> list[Line]:
        """Report the trouble, unless it is a consequence, and give the lines without it."""
        verdict = explain(trouble, self.file)
        line = lines[verdict.line]
        if verdict.word in self.reserved:
            line.excused = True
            line.tokens = verdict.tokens or line.tokens
            return lines
        if not line.excused:
            self.report.extend([verdict.diagnostic])
            line.excused = verdict.diagnostic.is_error
            if verdict.word:
                self.reserved.add(verdict.word)
            if verdict.tokens is not None:
                line.tokens = verdict.tokens
                return lines
        if verdict.line == 0 and verdict.blockless:
            self.stray = True
        return self._drop(lines, verdict.line)

    def _drop(self, lines: list[Line], index: int) -> list[Line]:
        """The lines without this one, its block, and an ``else`` or ``then`` that belongs to it."""
        if index == 0:
            return []
        dropped = lines[index]
        inner = ("ELSE", "THEN") if lines[0].head != "SCENARIO" else ()
        end = index + 1
        while end < len(lines) and (
            lines[end].indent > dropped.indent
            or (lines[end].indent == dropped.indent and lines[end].head in inner and dropped.head not in inner)
        ):
            end += 1
        above = lines[index - 1]
        if above.indent < dropped.indent and (end == len(lines) or lines[end].indent <= above.indent):
            above.excused = True  # its block is empty now, which is not its fault
        return lines[:index] + lines[end:]


def _line_at(lines: list[Line], number: int) -> Line:
    return max((line for line in lines if line.number <= number), key=lambda line: line.number, default=lines[0])


def _almost_begins(line: Line) -> bool:
    """True if the line begins like a declaration with a slip of the pen; `move` is no slip for `remove`."""
    names = [words()[name] for name in declarations()]
    return line.head not in words() and bool(get_close_matches(str(line.tokens[0]), names, n=1, cutoff=0.75))
