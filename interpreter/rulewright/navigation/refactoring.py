"""Refactorings as edits: citations, extraction of queries and parameters, new scenarios. The caller checks the result.

Each function gives the edits, or None where it does not make sense.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log

from rulewright.compiler.symbols.static_types import BUILTINS
from rulewright.diagnostics import Edit, Span
from rulewright.foundation.characters import printable
from rulewright.navigation.call_hierarchy import incoming_calls
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.selection import children, nodes_around, whole_of
from rulewright.navigation.symbol_index import SymbolIndex
from rulewright.navigation.symbols import Declaration, Symbol, inside
from rulewright.navigation.type_inference import TypeInference
from rulewright.syntax import ast, print_expr, print_type, reserved_words

RULES = (
    ast.Query,
    ast.Value,
    ast.Limits,
    ast.Callable,
    ast.Reaction,
    ast.Consequence,
    ast.End,
    ast.Invariant,
    ast.Property,
    ast.Witness,
    ast.ExtendOp,
)
"""Declarations at top level in which something is computed while a game is played."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that can be made."""

    title: str
    edits: tuple[Edit, ...]


def free_name(index: SymbolIndex, wanted: str) -> str:
    """A name that nothing has, as near as possible to the one wanted."""
    taken = {name for kind, name in index.by_name if kind != "scenario"}
    taken |= {text for file in index.files.values() for text in file.by_text}
    names = itertools.chain([wanted], (f"{wanted}_{number}" for number in itertools.count(2)))
    return next(name for name in names if name not in taken and name not in reserved_words() and name not in BUILTINS)


def above(file: FileSymbols, decl: ast.Node, text: str) -> Edit:
    """The edit that puts a declaration above another one, and above the comments that belong to that."""
    lines = file.text.replace("\r\n", "\n").split("\n")
    line = decl.span.line
    while line > 1 and lines[line - 2][:1] in ("#", "@"):
        line -= 1
    return Edit(Span(file.path, line, 1, line, 1), f"{text}\n\n")


def below(file: FileSymbols, line: int, text: str) -> Edit:
    """The edit that puts a line below another one."""
    lines = file.text.replace("\r\n", "\n").split("\n")
    column = len(lines[line - 1]) + 1
    return Edit(Span(file.path, line, column, line, column), f"\n{text}")


MOST = 3
"""Proposals for one place."""
LONGEST = 60
"""Characters of a statement in a title."""
_WORD = re.compile(r"[^\W\d_]{3,}")


def cite_here(index: SymbolIndex, file: FileSymbols, line: int, column: int) -> list[Proposal]:
    """Citations for the clause at a position."""
    around = nodes_around(file, line, column)
    clauses = [(node, span) for node, span in around if isinstance(node, ast.Clause)]
    if not clauses or not isinstance(around[0][0], (*RULES, ast.Scenario)):
        return []
    clause = clauses[-1][0]
    assert isinstance(clause, ast.Clause)
    held = set(clause.trivia.cites)
    words = _words_of(file, clauses[0][1] if clause is clauses[0][0] else clause.span)
    known = [s for s in index.ruleset.statements.values() if s.counted and s.id not in held]
    best = _best(words, {s.id: Counter(_stems(s.statement)) for s in known})
    texts = {id: _clipped(index.ruleset.statements[id].statement) for id in best}
    return [Proposal(f"Cite @{id}: {texts[id]}", (_citing(file, clause.span.end_line, id),)) for id in best]


def cite_statement(index: SymbolIndex, id: str) -> list[Proposal]:
    """Clauses of rules that a statement of the rulebook may be about, with the statement cited there."""
    statement = index.ruleset.statements.get(id)
    if statement is None:
        return []
    own = {source.path for source in index.ruleset.of_role("rules")}
    places: dict[str, tuple[FileSymbols, Declaration]] = {}
    words: dict[str, Counter[str]] = {}
    for file in index.files.values():
        for one in file.declared:
            rule = file.path in own and isinstance(one.node, RULES) and one.symbol.kind == "declaration"
            if rule and id not in one.cites:
                key = f"{one.symbol.name}:{one.name.line}"
                places[key] = file, one
                words[key] = _words_of(file, whole_of(one.node, file.path))
    best = _best(Counter(_stems(statement.statement)), words)
    return [
        Proposal(
            f"Cite @{id} in {places[key][1].word} `{places[key][1].symbol.name}`",
            (_citing(places[key][0], places[key][1].head.end_line, id),),
        )
        for key in best
    ]


def _citing(file: FileSymbols, line: int, id: str) -> Edit:
    """The edit that adds a citation to a line, before a comment that stands there."""
    text = file.text.replace("\r\n", "\n").split("\n")[line - 1]
    comment = next((t for t in file.words.trivia if t.type == "COMMENT" and t.line == line), None)
    before = text[: comment.column - 1] if comment is not None else text
    kept = before.rstrip()
    gap = " " if any(t.type == "CITE" and t.line == line for t in file.words.trivia) else "  "
    behind = "  " if comment is not None else ""
    return Edit(Span(file.path, line, len(kept) + 1, line, len(before) + 1), f"{gap}@{id}{behind}")


def _words_of(file: FileSymbols, span: Span) -> Counter[str]:
    tokens = [t for t in file.words.within(span) if t.type in ("NAME", "TYPE", "COMMENT")]
    return Counter(stem for token in tokens for stem in _stems(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", token.value)))


def _stems(text: str) -> Iterable[str]:
    """The words of a text without their endings, as far as that is simple."""
    for word in _WORD.findall(text.replace("_", " ").lower()):
        yield re.sub(r"(?:ies|es|s|ed|ing)\Z", "", word) if len(word) > 4 else word


def _best(words: Counter[str], of: dict[str, Counter[str]]) -> Sequence[str]:
    """The entries with the most words in common with some: rare words count more, long texts less."""
    occurring = Counter(word for one in of.values() for word in one)
    worth = {word: log(1 + len(of) / count) for word, count in occurring.items()}

    def fit(key: str) -> float:
        common = sum(worth[word] for word in words if word in of[key])
        return common / (sum(worth[word] for word in of[key]) or 1) ** 0.5

    fits = {key: fit(key) for key in of}
    return [key for key in sorted(of, key=lambda key: -fits[key])[:MOST] if fits[key] > 0]


def _clipped(text: str) -> str:
    text = printable(text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"


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


_STARTED = frozenset({"procedure", "effect"})


def new_scenario(index: SymbolIndex, one: Declaration) -> Proposal | None:
    """The change that adds a scenario which starts a procedure, where its other scenarios are."""
    node = one.node
    if one.word not in _STARTED or not isinstance(node, ast.Callable):
        return None
    file = _file_of(index, one)
    seats = _seats(index)
    if file is None or seats is None:
        return None
    arguments = [_argument(param.type, seats) for param in node.params]
    call = f"{one.symbol.name}({', '.join(arguments)})" if arguments else one.symbol.name
    cites = "".join(f"  @{id}" for id in one.cites[:1] if id in index.ruleset.statements)
    lines = [
        f'scenario "{_title(index, one.symbol.name)}"{cites}',
        f"    players {', '.join(seats)}",
        f"    start {call}",
    ]
    return Proposal(f"New scenario for `{one.symbol.name}`", (_at_the_end(index.files[file], lines),))


def _title(index: SymbolIndex, name: str) -> str:
    """A title that no scenario has."""
    title, number = f"{name}: what happens", 2
    while ("scenario", title) in index.by_name:
        title, number = f"{name}: what happens ({number})", number + 1
    return title


def _at_the_end(file: FileSymbols, block: list[str]) -> Edit:
    """The edit that puts some lines behind all others."""
    text = file.text.replace("\r\n", "\n")
    lines = text.split("\n")
    gap = "" if not text.strip() else "\n" if text.endswith("\n") else "\n\n"
    end = Span(file.path, len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 1)
    return Edit(end, gap + "\n".join(block) + "\n")


def _file_of(index: SymbolIndex, one: Declaration) -> str | None:
    """The file in which most scenarios start the procedure, else the first one for scenarios."""
    keys = {found.path: key for key, found in index.files.items()}
    listed = [keys[file.path] for file in index.ruleset.of_role("scenario") if file.path in keys]
    callers = [caller.name.file for caller, _ in incoming_calls(index, one) if caller.symbol.kind == "scenario"]
    counted = Counter(keys[path] for path in callers if path in keys)
    own = [keys[file.path] for file in index.ruleset.files if file.path in keys]
    return max(listed, key=lambda path: counted[path], default=next(iter(own), None))


def _seats(index: SymbolIndex) -> list[str] | None:
    """The players of the smallest game."""
    for decl in _all(index):
        if isinstance(decl, ast.Players):
            return list(index.ruleset.manifest.seat_names(decl.low))
    return None


def _all(index: SymbolIndex) -> Iterator[ast.Node]:
    for file in index.files.values():
        yield from file.tree.decls


def _argument(type: ast.TypeExpr, seats: list[str]) -> str:
    """An example value of a type, as an expression."""
    match type:
        case ast.OptionalType():
            return "none"
        case ast.SetType() | ast.KeyedType():
            return "{}"
        case ast.ListType() | ast.PositionsType():
            return "[]"
        case ast.RangeType(low=low):
            return str(low)
        case ast.ChoiceType(values=values):
            return values[0]
        case ast.UnionType(parts=parts):
            return _argument(parts[0], seats)
        case ast.NamedType(name="Player"):
            return seats[0]
        case ast.NamedType(name="Int"):
            return "1"
        case ast.NamedType(name="Bool"):
            return "true"
        case ast.NamedType(name=name):
            return f"first({name})"
