"""The names that one rules file gives to something: declarations, their parts, and locals with their scopes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from rulewright.compiler.overlays.addresses import label_of
from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.diagnostics import Span
from rulewright.foundation.tree_fields import below
from rulewright.navigation.symbols import Declaration, Symbol, extent, inside
from rulewright.navigation.syntax_context import SourceTokens, tokens_of
from rulewright.syntax import ast
from rulewright.syntax.lexer.logical_lines import span_of
from rulewright.syntax.lexer.tokens import Token

_PATH_OPS = (ast.ExtendOp, ast.InsertOp, ast.ReplaceClauseOp, ast.RemoveOp, ast.AssignOp, ast.MoveOp, ast.UnchangedOp)
_INTRODUCED = {
    ast.Choose: ("CHOOSES", "CHOOSE"),
    ast.Draw: ("AS",),
    ast.Roll: ("AS",),
    ast.Reaction: ("BY",),
    ast.Area: ("JOINED_ACROSS",),
    ast.Reach: ("ACROSS", "BY"),
    ast.Either: ("AS",),
    ast.Repeat: ("AS",),
    ast.Repeats: ("AS",),
}
"""The words behind which a node has the name that it gives."""
_TO_THE_END = (ast.Choose, ast.Let, ast.Draw, ast.Roll)
"""Statements whose names hold until the end of their block."""


@dataclass(frozen=True)
class FileSymbols:
    """The declarations of a rules file, and its places of other kinds."""

    path: str
    text: str
    words: SourceTokens
    declared: tuple[Declaration, ...]
    owners: tuple[tuple[Span, str], ...]
    """Stretches of the file, and the declarations that they are about."""
    paths: tuple[Span, ...]
    """The places where ``declaration.label`` is written."""
    answers: tuple[Span, ...]
    """The names of choices in scenarios."""
    blocks: tuple[Span, ...]
    """Clauses with what stands below them."""
    tree: ast.File
    """The tree of all that could be read."""

    @cached_property
    def by_text(self) -> dict[str, list[Token]]:
        """All places of each word."""
        found: dict[str, list[Token]] = {}
        for token in self.words.tokens:
            found.setdefault(token.value, []).append(token)
        return found

    @cached_property
    def declared_at(self) -> dict[tuple[int, int], Symbol]:
        """The symbols that get their meaning at a position."""
        return {(d.name.line, d.name.column): d.symbol for d in self.declared}

    @cached_property
    def by_scope(self) -> dict[str, list[Declaration]]:
        """Locals by their names."""
        found: dict[str, list[Declaration]] = {}
        for one in self.declared:
            if one.scope is not None:
                found.setdefault(one.symbol.name, []).append(one)
        return found

    @cached_property
    def locals_of(self) -> dict[str, dict[str, list[Declaration]]]:
        """Locals by the declarations that they stand in, and their names: changes may use them."""
        found: dict[str, dict[str, list[Declaration]]] = {}
        for one in self.declared:
            if one.scope is not None and one.symbol.kind != "player":
                owner = self.owner(one.name.line, one.name.column)
                found.setdefault(owner, {}).setdefault(one.symbol.name, []).append(one)
        return found

    @cached_property
    def _owners_by_line(self) -> dict[int, list[tuple[Span, str]]]:
        return _by_line(self.owners)

    @cached_property
    def _paths_by_line(self) -> dict[int, list[tuple[Span, str]]]:
        return _by_line((span, "") for span in self.paths)

    @cached_property
    def _answers_by_line(self) -> dict[int, list[tuple[Span, str]]]:
        return _by_line((span, "") for span in self.answers)

    def owner(self, line: int, column: int) -> str:
        """The declaration that is written, or changed, at a position."""
        found = [one for one in self._owners_by_line.get(line, ()) if inside(one[0], line, column)]
        return min(found, key=lambda one: extent(one[0]))[1] if found else ""

    def in_path(self, line: int, column: int) -> bool:
        """True in ``declaration.label``."""
        return any(inside(span, line, column) for span, _ in self._paths_by_line.get(line, ()))

    def in_answer(self, line: int, column: int) -> bool:
        """True in the name of a choice of a scenario."""
        return any(inside(span, line, column) for span, _ in self._answers_by_line.get(line, ()))


def _by_line(spans: Iterable[tuple[Span, str]]) -> dict[int, list[tuple[Span, str]]]:
    """Stretches of a file, with what they are about, by the lines that they touch."""
    found: dict[int, list[tuple[Span, str]]] = {}
    for one in spans:
        for line in range(one[0].line, one[0].end_line + 1):
            found.setdefault(line, []).append(one)
    return found


@dataclass(frozen=True, slots=True)
class Part:
    """The symbols and places of one declaration at top level."""

    tree: ast.Node
    declared: tuple[Declaration, ...]
    owners: tuple[tuple[Span, str], ...]
    paths: tuple[Span, ...]
    answers: tuple[Span, ...]
    blocks: tuple[Span, ...]


def parts_of(path: str, text: str, file: ast.File, known: Mapping[int, Part]) -> dict[int, Part]:
    """The symbols of each declaration of a file, by the identity of its tree. Those of the same trees as before are
    known: they stand on the same lines and have the same text."""
    words = tokens_of(text)
    found: dict[int, Part] = {}
    for decl in file.decls:
        held = known.get(id(decl))
        same = held is not None and held.tree is decl
        found[id(decl)] = held if held is not None and same else _Collector(path, words, decl).collect()
    return found


def file_symbols(path: str, text: str, file: ast.File, parts: Mapping[int, Part]) -> FileSymbols:
    """The symbols of a file, from those of its declarations."""
    own = [parts[id(decl)] for decl in file.decls]
    return FileSymbols(
        path,
        text,
        tokens_of(text),
        tuple(one for part in own for one in part.declared),
        tuple(one for part in own for one in part.owners),
        tuple(one for part in own for one in part.paths),
        tuple(one for part in own for one in part.answers),
        tuple(one for part in own for one in part.blocks),
        file,
    )


class _Collector:
    def __init__(self, path: str, words: SourceTokens, decl: ast.Node) -> None:
        self.path, self.words = path, words
        self.nodes: list[ast.Node] = []
        self.parents: list[int] = []
        todo: list[tuple[object, int]] = [(decl, -1)]
        while todo:
            held, parent = todo.pop()
            if isinstance(held, tuple):
                todo += ((one, parent) for one in reversed(held))
            elif isinstance(held, ast.Node):
                self.nodes.append(held)
                self.parents.append(parent)
                todo += ((getattr(held, name), len(self.nodes) - 1) for name in reversed(below(type(held)) or ()))
        self.ends = [(n.span.end_line, n.span.end_column) for n in self.nodes]
        for index in reversed(range(len(self.nodes))):
            if (parent := self.parents[index]) >= 0:
                self.ends[parent] = max(self.ends[parent], self.ends[index])

    def collect(self) -> Part:
        declared: list[Declaration] = []
        owners: list[str] = []
        stretches: list[tuple[Span, str]] = []
        for index, node in enumerate(self.nodes):
            parent = self.parents[index]
            own = self._owned(node, parent)
            owners.append(own or (owners[parent] if parent >= 0 else ""))
            if own:
                stretches.append((self.whole(index), own))
            declared += self._declared(index, owners[index])
        answers = [n for n in self.nodes if isinstance(n, (ast.Answer, ast.SOffered))]
        return Part(
            self.nodes[0],
            tuple(declared),
            tuple(stretches),
            tuple(n.span for n in self.nodes if isinstance(n, ast.Path)),
            tuple(span for n in answers for span in self.named(n, n.name)),
            tuple(
                self.whole(i)
                for i, n in enumerate(self.nodes)
                if isinstance(n, ast.Clause) and self.ends[i][0] > n.span.line
            ),
        )

    def _owned(self, node: ast.Node, parent: int) -> str:
        """The declaration that a node is about, if it names one."""
        if isinstance(node, _PATH_OPS):
            return node.path.parts[0]
        if isinstance(node, ast.AddRowOp):
            return node.kind
        if isinstance(node, ast.SetRowsOp | ast.RemoveRowsOp):
            return node.rows.kind
        if isinstance(node, (ast.Scenario, ast.Variant, ast.CasesForOp, ast.WithPlayers, ast.Precedence)):
            return ""
        if parent < 0 or isinstance(self.nodes[parent], (ast.AddDeclOp, ast.ReplaceDeclOp)):
            return name_of(node) or ""  # type: ignore[arg-type]
        return ""

    def whole(self, index: int) -> Span:
        """The span of a node with all below it."""
        span = self.nodes[index].span
        return Span(self.path, span.line, span.column, *self.ends[index])

    def named(self, node: ast.Node, name: str, introduced: tuple[str, ...] = ()) -> Iterator[Span]:
        """The place of a name in a node: the first one behind a word that introduces it."""
        open = not introduced
        for token in self.words.within(node.span):
            if open and token.value == name and token.type not in ("STRING", "COMMENT", "CITE"):
                yield span_of(token, self.path)
                return
            open = open or token.type in introduced

    def _declared(self, index: int, owner: str) -> Iterator[Declaration]:
        node, parent = self.nodes[index], self.parents[index]
        holder = self.nodes[parent] if parent >= 0 else None
        if isinstance(node, (ast.Variant, ast.Scenario)):
            kind = "variant" if isinstance(node, ast.Variant) else "scenario"
            strings = (t for t in self.words.within(node.span) if t.type == "STRING")
            name = next((span_of(t, self.path) for t in strings), node.span)
            yield self._made(Symbol(kind, node.title), kind, index, name)  # type: ignore[arg-type]
        elif holder is None or isinstance(holder, (ast.AddDeclOp, ast.ReplaceDeclOp)):
            yield from self._declaration(index)
        yield from self._parts(index, owner)
        label = label_of(node)
        if label is not None and not isinstance(node, ast.Choose):
            word = _word_of(node)
            for span in self.named(node, label, _INTRODUCED.get(type(node), ())):
                yield self._made(Symbol("label", label, owner), word, index, span)
        yield from self._locals(index, owner, label)

    def _declaration(self, index: int) -> Iterator[Declaration]:
        node = self.nodes[index]
        name = getattr(node, "name", None)
        if isinstance(name, str) and not isinstance(node, ast.Game):
            tokens = list(self.words.within(node.span))[1:]
            found = next((t for t in tokens if t.value == name and t.type in ("NAME", "TYPE")), None)
            if found is not None:
                yield self._made(Symbol("declaration", name), _word_of(node), index, span_of(found, self.path))

    def _parts(self, index: int, owner: str) -> Iterator[Declaration]:
        """Values, sides, faces, attributes and members of a declaration; the players of a scenario."""
        node = self.nodes[index]
        match node:
            case ast.EnumDecl(values=values):
                values, word = tuple(v for v in values if not v[:1].isupper()), "value"
            case ast.ChoiceType(values=values):
                word = "value"
            case ast.Die(faces=faces):
                values, word = tuple(f for f in faces if not f[:1].isupper()), "face"
            case ast.Piece(sides=sides):
                yield from self._sides(index, sides, owner)
                return
            case ast.Attribute(name=name):
                for span in self.named(node, name):
                    yield self._made(Symbol("attribute", name, owner), "attribute", index, span)
                return
            case ast.Member(name=name) if name not in ("players", "teams"):
                values, word = (name,), "member"
            case ast.SPlayers(names=names):
                whole = self.whole(self.parents[index])
                for name in names:
                    for span in self.named(node, name, ("PLAYERS",)):
                        symbol = Symbol("player", name, f"{self.path}:{whole.line}")
                        yield self._made(symbol, "player", index, span, whole)
                return
            case _:
                return
        for value in values:
            opening = ("COLON",) if isinstance(node, (ast.EnumDecl, ast.Die)) else ()
            for span in self.named(node, value, opening):
                yield self._made(Symbol("value", value, owner), word, index, span)

    def _sides(self, index: int, sides: tuple[str, ...], owner: str) -> Iterator[Declaration]:
        """The sides of a piece stand on a line of their own, which is no node."""
        tokens = [t for t in self.words.within(self.whole(index)) if t.type in ("SIDES", "NAME")]
        below = (c for c in self.words.clauses if c[0].type == "SIDES" and c[0].line > self.nodes[index].span.line)
        clause: tuple[Token, ...] = next(below, tuple(tokens))
        for side in sides:
            found = next((t for t in clause[1:] if t.value == side), None)
            if found is not None:
                yield self._made(Symbol("value", side, owner), "side", index, span_of(found, self.path))

    def _locals(self, index: int, owner: str, label: str | None) -> Iterator[Declaration]:
        node, parent = self.nodes[index], self.parents[index]
        for field in node.gives:
            name = getattr(node, field)
            if name is None:
                continue
            introduced = ("AS",) if field == "as_name" else _INTRODUCED.get(type(node), ())
            for span in self.named(node, name, introduced):
                if isinstance(node, (ast.Roll, ast.Draw)) or (isinstance(node, ast.Choose) and name == label):
                    symbol = Symbol("label", name, owner)
                else:
                    symbol = Symbol("local", name, f"{self.path}:{span.line}:{span.column}")
                yield self._made(symbol, _word_of(node), index, span, self._scope(index, parent))

    def _scope(self, index: int, parent: int) -> Span:
        """The stretch in which a name that a node gives can be used."""
        node = self.nodes[index]
        if parent < 0 or (isinstance(node, ast.Clause) and not isinstance(node, _TO_THE_END)):
            return self.whole(index)
        outer = self.whole(parent)
        if isinstance(node, _TO_THE_END):
            return Span(self.path, node.span.line, node.span.column, outer.end_line, outer.end_column)
        return self.whole(index) if isinstance(node, ast.Reach) else outer

    def _made(self, symbol: Symbol, word: str, index: int, name: Span, scope: Span | None = None) -> Declaration:
        at = index
        while at >= 0 and not isinstance(self.nodes[at], ast.Clause):
            at = self.parents[at]
        clause = self.nodes[max(at, 0)]
        trivia = clause.trivia if isinstance(clause, ast.Clause) else ast.NO_TRIVIA
        comments = tuple(c for c in (*trivia.comments, trivia.behind) if c)
        whole = name if symbol.kind in ("value", "player") else self.whole(index)
        return Declaration(symbol, word, name, whole, clause.span, scope, comments, trivia.cites, self.nodes[index])


def _word_of(node: ast.Node) -> str:
    """The word for a kind of node."""
    match node:
        case ast.Callable(word=word) | ast.Place(word=word) | ast.Query(word=word):
            return word
        case ast.Let(changes=changes):
            return "var" if changes else "let"
        case ast.Choose() | ast.Either():
            return "choice"
        case ast.Repeat() | ast.Repeats():
            return "repetition"
        case ast.Param() | ast.IndexPart() | ast.Parameter():
            return "param"
        case ast.Bind():
            return "member"
        case ast.Roll() | ast.Draw():
            return "draw"
        case _:
            return type(node).__name__.lower().removesuffix("decl")
