"""Extraction: an expression becomes a query, a number a parameter that variants and options can set."""

from __future__ import annotations

from rulewright.compiler.symbols.static_types import BUILTINS
from rulewright.diagnostics import Edit, Span
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.refactoring.proposals import RULES, Proposal, above, below, free_name
from rulewright.navigation.selection import children, nodes_around
from rulewright.navigation.symbol_index import SymbolIndex
from rulewright.navigation.symbols import Symbol, inside
from rulewright.navigation.type_inference import TypeInference
from rulewright.syntax import ast, print_expr, print_type

_TRIVIAL = (ast.Name, ast.TypeName, ast.Number, ast.StringLiteral, ast.NoneValue, ast.BoolLiteral)
"""Expressions that need no name."""
_MEANT_HERE = frozenset({"result", "old"})
"""Names that mean something in their declaration only."""


def extract_query(index: SymbolIndex, file: FileSymbols, selected: Span) -> Proposal | None:
    """The change that makes a query of the expression selected, or of the one at the cursor."""
    around = nodes_around(file, selected.line, selected.column)
    if not around or not isinstance(around[0][0], RULES):
        return None
    expression = _selected(around, selected)
    if expression is None:
        return None
    parameters = _parameters(index, file, expression)
    if parameters is None:
        return None
    name = free_name(index, f"{_stem(around)}_value")
    head = ", ".join(f"{local}: {type}" for local, type in parameters.items())
    comments, cites = _lost(file, expression.span)
    query = "".join(f"{comment}\n" for comment in comments)
    query += f"query {name}({head}) = " if head else f"query {name} = "
    query += print_expr(expression) + "".join(f"  {cite}" for cite in cites)
    call = f"{name}({', '.join(parameters)})"
    return Proposal(f"Extract a query `{name}`", (above(file, around[0][0], query), Edit(expression.span, call)))


def _selected(around: list[tuple[ast.Node, Span]], selected: Span) -> ast.Expr | None:
    """The expression that fills the selection; without a selection the innermost one that is more than a name."""
    empty = (selected.line, selected.column) == (selected.end_line, selected.end_column)
    for number in range(len(around) - 1, 0, -1):
        node, span = around[number]
        if not isinstance(node, ast.Expr) or isinstance(node, _TRIVIAL):
            continue
        held = inside(span, selected.end_line, selected.end_column)
        if held and _stands_for_a_value(node, around[number - 1][0]) and (empty or _fills(span, selected)):
            return node
    return None


def _fills(span: Span, selected: Span) -> bool:
    """True for the same stretch, brackets around it included."""
    wider = (selected.line, selected.column) <= (span.line, span.column)
    return wider and abs(selected.end_column - span.end_column) <= 1 and abs(span.column - selected.column) <= 1


def _stands_for_a_value(node: ast.Expr, parent: ast.Node) -> bool:
    """False for what is changed or called, and for the sets that a query would need to give in their own order."""
    changed = [getattr(parent, name) for name in (*parent.sets, *parent.takes, *parent.fills)]
    if any(node is one for one in changed):
        return False
    if isinstance(parent, ast.CallStatement | ast.Obey | ast.Reaction | ast.SStart):
        return False
    return not (isinstance(parent, ast.Call | ast.Index) and parent.operand is node)


def _lost(file: FileSymbols, span: Span) -> tuple[list[str], list[str]]:
    """The comments and citations between the lines of an expression, which go with it."""
    inner = [t for t in file.words.trivia if inside(span, t.line, t.column)]
    return [t.value for t in inner if t.type == "COMMENT"], [t.value for t in inner if t.type == "CITE"]


def _parameters(index: SymbolIndex, file: FileSymbols, expression: ast.Expr) -> dict[str, str] | None:
    """The locals that an expression uses, with their types; None if the type of one cannot be seen."""
    inference = TypeInference(index)
    resolve = inference.resolver(file)
    found: dict[str, str] = {}
    todo: list[ast.Node] = [expression]
    while todo:
        node = todo.pop()
        todo += reversed(children(node))
        if not isinstance(node, ast.Name):
            continue
        if node.name in _MEANT_HERE:
            return None
        for symbol in resolve(node):
            if _is_local(index, symbol) and not _given_inside(index, symbol, expression):
                type = inference.of_symbol(symbol)
                if type is None:
                    return None
                found[node.name] = print_type(type)
        if not resolve(node) and not _of_the_language(node.name):
            return None
    return found


def _is_local(index: SymbolIndex, symbol: Symbol) -> bool:
    return symbol.kind in ("local", "label") and bool(index.declarations.get(symbol))


def _given_inside(index: SymbolIndex, symbol: Symbol, expression: ast.Expr) -> bool:
    return all(inside(expression.span, one.name.line, one.name.column) for one in index.declarations[symbol])


def _of_the_language(name: str) -> bool:
    return name in BUILTINS or name in ("players", "teams", "everyone", "box", "place", "chance")


def _stem(around: list[tuple[ast.Node, Span]]) -> str:
    """A name for what the expression is about: the nearest label, else the declaration."""
    for node, _ in reversed(around):
        label = getattr(node, "label", None) or getattr(node, "name", None)
        if isinstance(label, str) and isinstance(node, ast.Clause) and label.isidentifier() and label.islower():
            return label
    return "new"


_BOUNDS = {"AT_MOST": "most", "UP_TO": "most", "AT_LEAST": "least"}
_STATE = (ast.Zone, ast.FieldDecl)


def make_parameter(index: SymbolIndex, file: FileSymbols, line: int, column: int) -> Proposal | None:
    """The change that makes a parameter of the number at a position."""
    around = nodes_around(file, line, column)
    if not around or not isinstance(around[0][0], (*RULES, *_STATE)):
        return None
    top, number = around[0][0], around[-1][0]
    if not isinstance(number, ast.Number) or isinstance(around[-2][0], ast.Tuple):  # coordinates must be numbers
        return None
    owner = index.owner(file, line, column)
    token = file.words.at(line, column)
    clause, at = file.words.clause(token) if token is not None else ((), 0)
    bound = _BOUNDS.get(clause[at - 1].type) if at else None
    name = free_name(index, f"{bound}_{owner}" if bound else f"{owner}_number")
    declared = f"param {name} = {number.value}"
    known = [decl for decl in file.tree.decls if isinstance(decl, ast.Parameter)]
    new = below(file, known[-1].span.end_line, declared) if known else above(file, top, declared)
    return Proposal(f"Make {number.value} a parameter `{name}`", (new, Edit(number.span, name)))
