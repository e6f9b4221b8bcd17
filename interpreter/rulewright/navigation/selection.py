"""Ever wider stretches around a position: the word, its expression, its clause, its declaration, the file."""

from __future__ import annotations

from rulewright.diagnostics import Span
from rulewright.foundation.tree_fields import below
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.symbols import extent, inside
from rulewright.syntax import ast
from rulewright.syntax.lexer.logical_lines import span_of


def nodes_around(file: FileSymbols, line: int, column: int) -> list[tuple[ast.Node, Span]]:
    """The nodes in which a position lies, the widest first, each with all that is below it."""
    found: list[tuple[ast.Node, Span]] = []
    tops = [d for d in file.tree.decls if (d.span.line, d.span.column) <= (line, column)]
    held: list[ast.Node] = [max(tops, key=lambda d: (d.span.line, d.span.column))] if tops else []
    while held:
        near = [(node, span) for node in held if inside(span := whole_of(node, file.path), line, column)]
        if not near:
            break
        # Of two that touch the position the later one begins there, and the other one ends.
        node, span = min(reversed(near), key=lambda one: extent(one[1]))
        found.append((node, span))
        held = children(node)
    return found


def children(node: ast.Node) -> list[ast.Node]:
    """The nodes directly below a node, in order."""
    found: list[ast.Node] = []
    for name in reversed(below(type(node)) or ()):
        held = getattr(node, name)
        todo = [held]
        while todo:
            one = todo.pop()
            if isinstance(one, tuple):
                todo += reversed(one)
            elif isinstance(one, ast.Node):
                found.append(one)
    return found


def whole_of(node: ast.Node, path: str) -> Span:
    """The span of a node with all below it."""
    end = (node.span.end_line, node.span.end_column)
    todo = [node]
    while todo:
        one = todo.pop()
        end = max(end, (one.span.end_line, one.span.end_column))
        todo += children(one)
    return Span(path, node.span.line, node.span.column, *end)


def selections(file: FileSymbols, line: int, column: int) -> list[Span]:
    """The stretches around a position, the narrowest first."""
    lines = file.text.replace("\r\n", "\n").split("\n")
    spans: list[Span] = []
    token = file.words.at(line, column)
    if token is not None:
        spans.append(span_of(token, file.path))
    for node, span in reversed(nodes_around(file, line, column)):
        if isinstance(node, ast.Clause):
            if inside(node.span, line, column):
                spans.append(node.span)
            last = min(span.end_line, len(lines))
            # Whole lines, with what they cite behind.
            spans.append(Span(file.path, span.line, span.column, last, len(lines[last - 1]) + 1))
        else:
            spans.append(span)
    if 1 <= line <= len(lines) and lines[line - 1].strip():
        start = len(lines[line - 1]) - len(lines[line - 1].lstrip()) + 1
        spans.append(Span(file.path, line, start, line, len(lines[line - 1]) + 1))
    spans.append(Span(file.path, 1, 1, len(lines), len(lines[-1]) + 1))
    return _nested(spans)


def _nested(spans: list[Span]) -> list[Span]:
    """The spans that hold all the narrower ones."""
    found: list[Span] = []
    for span in sorted(dict.fromkeys(spans), key=lambda s: (s.end_line - s.line, s.end_column - s.column)):
        if not found or _holds(span, found[-1]):
            found.append(span)
    return found


def _holds(outer: Span, inner: Span) -> bool:
    return (outer.line, outer.column) <= (inner.line, inner.column) and (inner.end_line, inner.end_column) <= (
        outer.end_line,
        outer.end_column,
    )
