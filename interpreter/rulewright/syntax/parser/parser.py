"""From text to tree: the entry points of this package."""

from __future__ import annotations

from rulewright.diagnostics import Diagnostic, Report, RulesetError, Span
from rulewright.foundation import limits
from rulewright.foundation.garbage_collection import no_collections
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax import ast
from rulewright.syntax.builder.expression_builder import ExprBuilder, TooDeep
from rulewright.syntax.lalr.contextual_words import names_in
from rulewright.syntax.lalr.machine import END, machine
from rulewright.syntax.lexer.logical_lines import read_lines, span_of, unreserve_stop
from rulewright.syntax.lexer.token import Token
from rulewright.syntax.lexer.token_fixes import shown
from rulewright.syntax.parser.expectations import expected
from rulewright.syntax.parser.incremental import TreeStore, parse_incrementally
from rulewright.syntax.parser.recovery import Recovery
from rulewright.syntax.tables.parse_tables import EXPRESSION


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
        """The same as :func:`parse`, with trees that move."""
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
