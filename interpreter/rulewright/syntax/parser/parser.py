"""From text to tree: the entry points of this package."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from weakref import WeakValueDictionary

from rulewright.diagnostics import Diagnostic, Report, RulesetError, Span
from rulewright.foundation import limits
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.line_anchors import Anchor
from rulewright.foundation.resources import no_collections
from rulewright.syntax import ast
from rulewright.syntax.builder.expression_builder import ExprBuilder, TooDeep
from rulewright.syntax.lalr.machine import END, machine, names_in
from rulewright.syntax.lexer.logical_lines import read_lines, span_of, unreserve_stop
from rulewright.syntax.lexer.token_fixes import shown
from rulewright.syntax.lexer.tokens import Token
from rulewright.syntax.parser.expectations import expected
from rulewright.syntax.parser.recovery import Recovery
from rulewright.syntax.tables.parse_tables import EXPRESSION

Declaration = ast.Decl | ast.Change
Below = tuple[str, ...]
"""Comments below the last declaration."""

_known: WeakValueDictionary[tuple[str, int, str], Declaration] = WeakValueDictionary()
"""Declarations by file, line and text, as long as a tree holds them."""

REMEMBERED = 200
"""So many declarations of a file that are gone are kept by a store: many an edit is undone."""


def parse_incrementally(text: str, file: str) -> tuple[tuple[Declaration, ...], Below] | None:
    """The declarations of a text and the comments below them; None if anything is wrong with it."""

    def find(line: int, part: str) -> tuple[Declaration, Below] | None:
        known = _known.get((file, line, part))
        if known is not None:
            return known, ()
        read = _read(part, file, line)
        if read is not None and not read[1]:
            _known[file, line, part] = read[0]
        return read

    return _together(text, find)


class TreeStore:
    """The declarations of files that are being edited. They move when lines come or go above them.

    The same text in the same file gives the same tree, wherever it stands now: a declaration has its place in the text
    of its file that was read last, and in no other. So a store belongs to one who wants to know only how things stand.
    """

    def __init__(self) -> None:
        self._files: dict[str, dict[tuple[str, int], _Kept]] = {}

    def parse(self, text: str, file: str) -> tuple[tuple[Declaration, ...], Below] | None:
        """The declarations of a text and the comments below them; None if anything is wrong with it."""
        known = self._files.get(file, {})
        now: dict[tuple[str, int], _Kept] = {}

        def find(line: int, part: str) -> tuple[Declaration, Below] | None:
            body = part.lstrip("\n")
            blank = len(part) - len(body)
            if blank > 1:  # of several blank lines the last one alone means something
                line, part = line + blank - 1, part[blank - 1 :]
            times = 0
            while (part, times) in now:
                times += 1
            kept = known.get((part, times))
            if kept is None:
                anchor = Anchor(line - 1)
                read = _read(part, file, 1, anchor)
                if read is None:
                    return None
                kept = _Kept(*read, anchor)
            now[part, times] = kept
            kept.line = line
            return kept.decl, kept.below

        found = _together(text, find)
        if found is not None:
            for kept in now.values():
                kept.anchor.move(kept.line - 1)
            gone = {key: kept for key, kept in known.items() if key not in now}
            while len(gone) > REMEMBERED:
                del gone[next(iter(gone))]
            self._files[file] = gone | now
        return found


@dataclass(slots=True)
class _Kept:
    """A declaration in a store."""

    decl: Declaration
    below: Below
    anchor: Anchor
    line: int = 0
    """The first line of its text, in the text that is being read."""


def _together(
    text: str, find: Callable[[int, str], tuple[Declaration, Below] | None]
) -> tuple[tuple[Declaration, ...], Below] | None:
    """The declarations of all parts of a text."""
    decls: list[Declaration] = []
    below: Below = ()
    for line, part in _parts(text):
        if below:
            return None  # comments that belong to no declaration, and yet are not at the end
        found = find(line, part)
        if found is None:
            return None
        decls.append(found[0])
        below = found[1]
    return (tuple(decls), below) if decls else None


def _read(part: str, file: str, line: int, anchor: Anchor | None = None) -> tuple[Declaration, Below] | None:
    """The declaration of a part that begins on a line, and the comments below it; None if anything is wrong with it."""
    report = Report()
    read = read_lines(part, file, report, line)
    parsed = () if report.found else Recovery(file, report, anchor).parse(read.lines)
    return None if report.found or len(parsed) != 1 else (parsed[0], read.below)


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


@dataclass(frozen=True, slots=True)
class ParseResult:
    """The tree of what could be read, and findings about the rest."""

    file: ast.File
    diagnostics: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """True if everything could be read."""
        return not any(d.is_error for d in self.diagnostics)


def parse(text: str, file: str = "<text>", store: TreeStore | None = None) -> ParseResult:
    """Read a rules file. Never raises: whatever the text is, it gives findings and what could be understood.

    Declarations that a store has are those of the store.
    """
    report = Report()
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    span = Span(file, 1, 1, text.count("\n") + 1, 1)
    if len(text) > limits.RULES_CHARACTERS:
        report.error(
            "SYN005",
            f"this file is too large: {len(text):,} characters, at most {limits.RULES_CHARACTERS:,} are read",
            Span(file, 1, 1, 1, 1),
            hint="split it into several files",
        )
        return ParseResult(ast.File((), span=span), tuple(report.found))
    with no_collections():
        known = parse_incrementally(text, file) if store is None else store.parse(text, file)
        if known is not None:
            return ParseResult(ast.File(known[0], span=span, trivia=ast.Trivia(below=known[1])), ())
        read = read_lines(text, file, report, most=limits.SYNTAX_FINDINGS)
        lines = read.lines
        if len(report.found) > limits.SYNTAX_FINDINGS:
            del report.found[limits.SYNTAX_FINDINGS :]
            lines = []
        decls = Recovery(file, report).parse(lines)
    found = sorted(report.found, key=lambda d: (d.span.line, d.span.column))
    return ParseResult(ast.File(decls, span=span, trivia=ast.Trivia(below=read.below)), tuple(found))


class EditedFiles:
    """Reads files that are being edited; of each only the text that was read last counts."""

    def __init__(self) -> None:
        self._store = TreeStore()
        self._last: dict[str, tuple[str, ParseResult]] = {}

    def parse(self, text: str, file: str) -> ParseResult:
        """Parse a text as :func:`parse` does, with trees that move."""
        last = self._last.get(file)
        if last is None or last[0] != text:
            last = self._last[file] = text, parse(text, file, self._store)
        return last[1]


def parse_file(text: str, file: str = "<text>") -> ast.File:
    """Read a rules file, or raise :class:`RulesetError` with everything that is wrong."""
    result = parse(text, file)
    if not result.ok:
        raise RulesetError(result.diagnostics)
    return result.file


def parse_expression(text: str, file: str = "<text>") -> ast.Expr:
    """Read a single expression; raises :class:`RulesetError`."""
    report = Report()
    where = Span(file, 1, 1, 1, 1)
    if len(text) > limits.RULES_CHARACTERS:
        raise RulesetError(Diagnostic("SYN005", "this expression is too long", where))
    lines = read_lines(text, file, report).lines
    report.stop_if_failed()
    if not lines:
        raise RulesetError(Diagnostic("SYN001", "expected an expression", where))
    return _expression(unreserve_stop([token for line in lines for token in line.tokens]), file)


def _expression(tokens: list[Token], file: str) -> ast.Expr:
    states, end = machine(EXPRESSION), tokens[-1].like(END, "")
    tree = states.parse([*tokens, end])
    if tree is None and (named := names_in(states, states.first, tokens, [END])) is not None:
        tree = states.parse([*named, end])
    if tree is None:
        raise RulesetError(_no_expression(tokens, file))
    try:
        return ExprBuilder(file).expr(tree.children[0])
    except TooDeep as error:
        raise RulesetError(Diagnostic("SYN004", "this expression is nested too deeply", error.span)) from None


def _no_expression(tokens: list[Token], file: str) -> Diagnostic:
    states = machine(EXPRESSION)
    stack = list(states.first)
    previous: Token | None = None
    for token in tokens:
        before = list(stack)
        if not states.step(stack, token.type):
            accepted = states.accepts(before)
            what = "the end" if END in accepted else expected(accepted, "", previous)
            return Diagnostic("SYN001", f"expected {what}, not `{shown(token)}`", span_of(token, file))
        previous = token
    message = f"expected {expected(states.accepts(stack), '', previous)}, but the expression ends here"
    return Diagnostic("SYN001", message, span_of(tokens[-1], file))
