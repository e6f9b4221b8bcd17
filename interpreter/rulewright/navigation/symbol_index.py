"""An index of a ruleset: what each word stands for, where that is declared, and where else it is used."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property

from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import RulesetError, Span
from rulewright.foundation.characters import printable
from rulewright.navigation.file_symbols import FileSymbols, Part, file_symbols, parts_of
from rulewright.navigation.symbols import Declaration, Symbol, extent, inside
from rulewright.syntax import ast
from rulewright.syntax.lexer.logical_lines import span_of
from rulewright.syntax.lexer.tokens import Token

_TITLED = {"VARIANT": "variant", "SCENARIO": "scenario"}
_ROWS = frozenset({"SET_ROW", "ADD_ROW", "REMOVE_ROW"})
"""Changes of rows of tables."""


_BEFORE_CALLS = frozenset(
    {"THEN", "COLON", "AFTER", "BEFORE", "DURING", "INSTEAD_OF", "LASTING", "START", "OBEY", "EACH", "PRECEDENCE"}
)
"""The words behind which something is called, or named as a block, without parentheses."""

TOP = ("declaration", "variant", "scenario")
"""The kinds of symbols that stand at top level."""


class SymbolIndex:
    """The symbols of a ruleset, and of those that it extends."""

    def __init__(self, ruleset: Ruleset, files: Iterable[FileSymbols]) -> None:
        self.ruleset = ruleset
        self.files = {os.path.abspath(file.path): file for file in files}

    # ------------------------------------------------------------------------------------------ declarations

    @cached_property
    def declarations(self) -> dict[Symbol, list[Declaration]]:
        """All places where something is declared, by what it is."""
        found: dict[Symbol, list[Declaration]] = {}
        for file in self.files.values():
            for one in file.declared:
                found.setdefault(one.symbol, []).append(one)
        for one in self._in_tables(found):
            found.setdefault(one.symbol, []).append(one)
        return found

    def _in_tables(self, declared: dict[Symbol, list[Declaration]]) -> list[Declaration]:
        """The values of enums that are the rows of tables; none of a table that cannot be read."""
        found: list[Declaration] = []
        for places in list(declared.values()):
            node = places[0].node
            if places[0].symbol.kind != "declaration" or not isinstance(node, ast.EnumDecl) or node.table is None:
                continue
            with suppress(RulesetError, OSError):
                table = self.ruleset.table(node.table, node.span)
                column = "name" if "name" in table.columns else node.name.lower()
                for row, cells in enumerate(table.rows):
                    if isinstance(value := cells.get(column), str):
                        span = table.span(row, column)
                        found.append(
                            Declaration(Symbol("value", value, node.name), "value", span, span, span, node=node)
                        )
                found += self._added(node, column)
        return found

    def _added(self, node: ast.EnumDecl, column: str) -> Iterator[Declaration]:
        """The values of an enum whose rows are added by changes."""
        for op in self._added_rows.get(node.name, ()):
            for cell in op.cells:
                if cell.column == column and isinstance(cell.value, ast.Name):
                    name, span = cell.value.name, cell.value.span
                    yield Declaration(Symbol("value", name, node.name), "value", span, span, op.span, node=node)

    @cached_property
    def _added_rows(self) -> dict[str, list[ast.AddRowOp]]:
        found: dict[str, list[ast.AddRowOp]] = {}
        for decl in (decl for file in self.files.values() for decl in file.tree.decls):
            for op in decl.ops if isinstance(decl, ast.Variant | ast.WithPlayers) else (decl,):
                if isinstance(op, ast.AddRowOp):
                    found.setdefault(op.kind, []).append(op)
        return found

    @cached_property
    def by_name(self) -> dict[tuple[str, str], list[Symbol]]:
        """The symbols of a kind and name; areas and regions also by the names of their questions."""
        found: dict[tuple[str, str], list[Symbol]] = {}
        for symbol, places in self.declarations.items():
            found.setdefault((symbol.kind, symbol.name), []).append(symbol)
            if symbol.kind == "declaration" and places[0].word in ("area", "merged"):
                found.setdefault((symbol.kind, symbol.name.lower()), []).append(symbol)
        return found

    def declared_as(self, name: str) -> list[Declaration]:
        """The places where a declaration of this name stands."""
        return self.declarations.get(Symbol("declaration", name), [])

    @cached_property
    def parameters_by_count(self) -> dict[str, ast.Parameter]:
        """The parameters with other values for some numbers of players."""
        nodes = (places[0].node for places in self.declarations.values())
        return {node.name: node for node in nodes if isinstance(node, ast.Parameter) and node.by_count}

    def names_of(self, symbol: Symbol) -> list[Span]:
        """The names in the declarations of a symbol; a statement stands in the index of the rulebook."""
        if symbol.kind == "statement":
            return [span] if (span := self.statement_span(symbol.name)) is not None else []
        return [one.name for one in self.declarations.get(symbol, ())]

    def statement_span(self, id: str) -> Span | None:
        """The place of a statement in the index of the rulebook."""
        ruleset: Ruleset | None = self.ruleset
        while ruleset is not None:
            if ruleset.rulebook is not None and id in ruleset.rulebook.by_id:
                return ruleset.rulebook.span(id)
            ruleset = ruleset.base
        return None

    def statements_at(self, path: str, line: int) -> list[str]:
        """The statement of the index of the rulebook, in a file, that stands on a line."""
        book = self.ruleset.rulebook
        spans = ((s.id, book.span(s.id)) for s in book.statements) if book is not None else ()
        return [id for id, span in spans if os.path.abspath(span.file) == path and span.line <= line <= span.end_line][
            :1
        ]

    # ------------------------------------------------------------------------------------------- occurrences

    def at(self, path: str, line: int, column: int) -> tuple[tuple[Symbol, ...], Span] | None:
        """The meanings of the word at a position, and the span of the word."""
        file = self.files.get(os.path.abspath(path))
        token = file.words.at(line, column) if file is not None else None
        if file is None or token is None:
            return None
        found = self.resolve(file, token)
        return (found, span_of(token, file.path)) if found else None

    def references(self, symbol: Symbol, path: str = "") -> list[Span]:
        """All places where a symbol is named, in one file or in all, its declarations included, in order."""
        return [span_of(token, file.path) for file, token, _ in self.occurrences(symbol, path)]

    def occurrences(self, symbol: Symbol, path: str = "") -> Iterator[tuple[FileSymbols, Token, tuple[Symbol, ...]]]:
        """The words that name a symbol, with all that each of them can mean."""
        texts = (symbol.name, symbol.name.lower(), f"@{symbol.name}", f'"{symbol.name}"')
        for file, token in (place for text in dict.fromkeys(texts) for place in self.places_of(text, path)):
            meanings = self.resolve(file, token)
            if symbol in meanings:
                yield file, token, meanings

    def places_of(self, text: str, path: str = "") -> Iterator[tuple[FileSymbols, Token]]:
        """All places of a word, in one file or in all."""
        for file in self.files.values() if not path else [self.files[os.path.abspath(path)]]:
            for token in file.by_text.get(text, ()):
                yield file, token

    def resolve(self, file: FileSymbols, token: Token) -> tuple[Symbol, ...]:
        """The symbols that a word of a file stands for; several where only the game decides."""
        match token.type:
            case "CITE":
                return (Symbol("statement", token.value.removeprefix("@")),)
            case "STRING":
                clause, at = file.words.clause(token)
                if at == 1 and clause[0].type in _ROWS:
                    return self._row(clause, token)
                kind = _TITLED.get(clause[at - 1].type) if at else None
                if at == 1 and clause[0].type == "FROM":
                    kind = "scenario"
                return tuple(self.by_name.get((kind, token.value.strip('"')), ())) if kind else ()
            case "TYPE" | "NAME" if _is_sign(file, token):
                return ()
            case "TYPE":
                return tuple(self.by_name.get(("declaration", token.value), ()))
            case "NAME" | "STOP":
                return self._name(file, token)
            case _:
                return ()

    def _name(self, file: FileSymbols, token: Token) -> tuple[Symbol, ...]:
        name, span = token.value, span_of(token, file.path)
        here = file.declared_at.get((token.line, token.column))
        if here is not None:
            return (here,)
        clause, at = file.words.clause(token)
        if at and clause[at - 1].type == "DOT":
            return self._behind_dot(file, clause, at, span)
        if clause[0].type in _ROWS and (column := self._column(file, token, clause, at)):
            return column
        if file.in_answer(token.line, token.column):
            return self._answer(name, clause, at)
        if file.in_path(token.line, token.column):
            return tuple(self.by_name.get(("declaration", name), ()))
        owner = self.owner(file, token.line, token.column)
        label = Symbol("label", name, owner)
        if at and clause[at - 1].type in ("STOP", "EACH") and label in self.declarations:
            return (label,)
        return (
            self._local(file, token, owner)
            or self._declaration_or_value(name, clause, at)
            or tuple(self.by_name.get(("label", name), ()))
        )

    def _answer(self, name: str, clause: tuple[Token, ...], at: int) -> tuple[Symbol, ...]:
        """The meanings of a word in an answer: a question, before its value; else an option, or a reaction."""
        labels = tuple(self.by_name.get(("label", name), ()))
        if at + 1 < len(clause) and clause[at + 1].type == "EQUAL":
            return labels
        named = self.by_name.get(("declaration", name), ())
        return labels + tuple(one for one in named if self.declarations[one][0].word == "reaction")

    def _declaration_or_value(self, name: str, clause: tuple[Token, ...], at: int) -> tuple[Symbol, ...]:
        """A declaration, unless it is one that must be called and the word is also a value; both, if types decide."""
        declared = tuple(self.by_name.get(("declaration", name), ()))
        values = tuple(self.by_name.get(("value", name), ()))
        if not declared or not values:
            return declared or values
        if any(one.word in ("field", "zone", "param", "parameter") for one in self.declarations[declared[0]]):
            return declared + values
        behind = clause[at + 1].type if at + 1 < len(clause) else ""
        begins = not at and behind not in ("COLON", "COMMA")  # else it is a value that `match` compares with
        return declared if behind == "LPAR" or begins or clause[at - 1].type in _BEFORE_CALLS else values

    def _behind_dot(self, file: FileSymbols, clause: tuple[Token, ...], at: int, span: Span) -> tuple[Symbol, ...]:
        """A label in ``declaration.label``, a value in ``Type.value``, a key in ``set cost.wood``, or an attribute."""
        name, root = clause[at].value, clause[at - 2].value if at > 1 else ""
        value = Symbol("value", name, root)
        if clause[at - 2].type == "TYPE" and value in self.declarations:
            return (value,)
        is_path = file.in_path(span.line, span.column)
        while is_path and at > 3 and clause[at - 3].type == "DOT":  # declaration.option.label
            at -= 2
            root = clause[at - 2].value
        label = Symbol("label", name, root)
        if label in self.declarations and (is_path or clause[0].type == "PROPERTY"):
            return (label,)
        if not is_path:
            return tuple(self.by_name.get(("attribute", name), ()))
        keyed = (one.node for one in self.declared_as(root) if isinstance(one.node, ast.Parameter))
        keys = (node.type.key.name if isinstance(node.type, ast.KeyedType) else node.key for node in keyed)
        return tuple(key for of in keys if (key := Symbol("value", name, of or "")) in self.declarations)

    def _row(self, clause: tuple[Token, ...], token: Token) -> tuple[Symbol, ...]:
        """The value of an enum whose row a change names."""
        kind = next((t.value for t in clause if t.type == "TYPE"), "")
        value = Symbol("value", token.value.strip('"'), kind)
        return (value,) if value in self.declarations else ()

    def _column(self, file: FileSymbols, token: Token, clause: tuple[Token, ...], at: int) -> tuple[Symbol, ...]:
        """The attribute that is read from a column, where a change of rows names one."""
        set_here = at + 1 < len(clause) and clause[at + 1].type == "EQUAL"
        told_apart = any(t.type == "WHERE" for t in clause[:at]) and not any(t.type == "COLON" for t in clause[:at])
        if not set_here and not told_apart:
            return ()
        kinds = self.kinds_above(self.owner(file, token.line, token.column))
        return tuple(s for s in self.by_name.get(("attribute", token.value), ()) if s.owner in kinds)

    def kinds_above(self, name: str) -> list[str]:
        """A declaration, and the kinds of pieces that it is one of."""
        found = [name]
        while (of := self.declared_as(found[-1])) and isinstance(node := of[0].node, ast.Piece):
            if node.base is None or node.base in found:
                break
            found.append(node.base)
        return found

    def _local(self, file: FileSymbols, token: Token, owner: str) -> tuple[Symbol, ...]:
        """The innermost local of this name; in a change, one of the declaration that is changed."""
        found = [
            one
            for one in file.by_scope.get(token.value, ())
            if one.scope is not None and inside(one.scope, token.line, token.column)
        ]
        if found:
            return (min(found, key=lambda one: extent(one.scope or one.whole)).symbol,)
        for other in self.files.values():
            for one in other.locals_of.get(owner, {}).get(token.value, ()):
                return (one.symbol,)
        return ()

    def owner(self, file: FileSymbols, line: int, column: int) -> str:
        """The declaration that is written, or changed, at a position."""
        return file.owner(line, column)

    def enclosing_declaration(self, span: Span) -> Declaration | None:
        """The declaration, variant or scenario at top level in which a line stands."""
        file = self.files.get(os.path.abspath(span.file))
        tops = [d for d in file.declared if d.symbol.kind in TOP] if file is not None else []
        found = [d for d in tops if d.whole.line <= span.line <= d.whole.end_line]
        return max(found, key=lambda d: extent(d.whole), default=None)

    def locals_at(self, file: FileSymbols, line: int, column: int) -> list[Declaration]:
        """The locals that can be used at a position."""
        inner = [d for d in file.declared if d.scope is not None and inside(d.scope, line, column)]
        owner = self.owner(file, line, column)
        outer = [of[0] for other in self.files.values() for of in other.locals_of.get(owner, {}).values()]
        return [*inner, *(d for d in outer if d not in inner and d.word == "param")]


class Navigator:
    """Makes indices; what it knows of files that did not change is used again."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[object, FileSymbols]] = {}
        self._parts: dict[str, dict[int, Part]] = {}

    def index(self, ruleset: Ruleset) -> SymbolIndex:
        """The index of a ruleset."""
        return SymbolIndex(ruleset, self._files(ruleset))

    def _files(self, ruleset: Ruleset) -> Iterator[FileSymbols]:
        at: Ruleset | None = ruleset
        while at is not None:
            for source in at.files:
                held = self._known.get(source.path)
                if held is None or held[0] is not source.file:
                    before = self._parts.get(source.path, {})
                    parts = self._parts[source.path] = parts_of(source.path, source.text, source.file, before)
                    held = source.file, file_symbols(source.path, source.text, source.file, parts)
                    self._known[source.path] = held
                yield held[1]
            at = at.base


def _is_sign(file: FileSymbols, token: Token) -> bool:
    """True for a sign of a drawing, which is a word of that drawing only."""
    clause, at = file.words.clause(token)
    if clause[0].type != "DRAW" or not 0 < at < len(clause) - 1:
        return False
    return clause[at - 1].type in ("WITH", "COMMA") and clause[at + 1].value == "="


def lines_of_clause(index: SymbolIndex, span: Span) -> list[str]:
    """The lines of a clause, without what they cite."""
    file = next((f for f in index.files.values() if f.path == span.file), None)
    if file is None:
        return []
    lines = file.text.split("\n")[span.line - 1 : span.end_line]
    lines[-1:] = [lines[-1][: span.end_column - 1]] if lines else []
    return [line.strip() if n == 0 else f"    {line.strip()}" for n, line in enumerate(lines)]


def head_of(index: SymbolIndex, one: Declaration) -> str:
    """The first line of a declaration."""
    return printable(next(iter(lines_of_clause(index, one.head)), ""))
