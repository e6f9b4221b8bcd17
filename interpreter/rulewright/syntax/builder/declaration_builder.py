"""From the parse tree to typed declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from rulewright.diagnostics import Report
from rulewright.foundation.line_anchors import Anchor
from rulewright.syntax import ast
from rulewright.syntax.builder.expression_builder import (
    Clauses,
    ExprBuilder,
    names,
    parts,
    quoted,
    text,
    text_or_none,
    tree,
    whole_bound,
)
from rulewright.syntax.builder.overlay_builder import CHANGES, OverlayBuilder
from rulewright.syntax.builder.scenario_builder import ScenarioBuilder
from rulewright.syntax.builder.statement_builder import StatementBuilder
from rulewright.syntax.lalr.machine import Tree
from rulewright.syntax.lexer.logical_lines import Line
from rulewright.syntax.lexer.tokens import Token
from rulewright.syntax.tables.parse_tables import words

Node = Tree[Token]


def build_declaration(
    node: Node, file: str, lines: Iterable[Line], report: Report, anchor: Anchor | None = None
) -> ast.Decl | ast.Change:
    """The declaration, or change of another ruleset, that was parsed from these lines; they count from the anchor."""
    builder = DeclBuilder(ExprBuilder(file, anchor), {line.number: line for line in lines}, report)
    return cast(ast.Change, builder.overlays.op(node)) if node.data in CHANGES else builder.decl(node)


class DeclBuilder:
    """Builds declarations."""

    def __init__(self, expressions: ExprBuilder, lines: Mapping[int, Line], report: Report) -> None:
        clauses = Clauses(lines, expressions)
        statements = self.statements = StatementBuilder(expressions, clauses)
        self.scenarios = ScenarioBuilder(expressions, clauses, statements)
        self.overlays = OverlayBuilder(expressions, clauses, statements, self)
        self.around, self.span = clauses.around, expressions.span
        self.expr, self.expr_or_none, self.path = expressions.expr, expressions.expr_or_none, expressions.path
        self.type, self.type_or_none = expressions.type, expressions.type_or_none
        self.sources, self.bind_or_none = expressions.sources, expressions.bind_or_none
        self.stmt, self.block, self.unless = statements.stmt, statements.block, statements.unless
        self.report = report

    def _once(self, found: Iterable[Node], word: Callable[[Node], str]) -> dict[str, Node]:
        """Index nodes that may be given once by their word; report those given again."""
        first: dict[str, Node] = {}
        for node in found:
            name = word(node)
            if name in first:
                hint = "leave one of the two out"
                self.report.error("SYN011", f"`{name}` is given twice", self.span(node), hint=hint)
            first[name] = node
        return first

    def decl(self, branch: object) -> ast.Decl:
        """Any declaration."""
        node = tree(branch)
        return cast(ast.Decl, getattr(self, f"_d_{node.data}")(node))

    # ------------------------------------------------------------------ header, parameters, data

    def _d_game(self, node: Node) -> ast.Game:
        return ast.Game(text(node.children[0]), **self.around(node))

    def _d_players(self, node: Node) -> ast.Players:
        around, (low, high, *teams) = self.around(node), parts(node)
        _, size, count, seated = teams if len(teams) == 4 else (None, None, None, None)
        return ast.Players(
            int(low),
            int(high or low),
            None if size is None else int(size),
            None if count is None else int(count),
            text_or_none(seated),
            **around,
        )

    def _d_party(self, node: Node) -> ast.Party:
        around, (name, *members) = self.around(node), parts(node)
        return ast.Party(text(name), tuple(self._member(m) for m in members), **around)

    def _member(self, branch: object) -> ast.Member:
        word, counts = parts(branch)
        return ast.Member(text(parts(word)[0]), self.counts(counts), span=self.span(tree(branch)))

    def counts(self, branch: object) -> tuple[int, ...]:
        """Numbers of players."""
        return tuple(int(t) for t in parts(branch))

    def _d_param(self, node: Node) -> ast.Parameter:
        around, (name, key, type_, value, *more) = self.around(node), parts(node)
        by_count = tuple(self.by_count(b) for b in more if b is not None)
        typed = self.type_or_none(type_)
        return ast.Parameter(text(name), typed, self.expr(value), by_count, text_or_none(key), **around)

    def by_count(self, branch: object) -> ast.ByCount:
        """A value for some numbers of players."""
        value, counts = parts(branch)
        return ast.ByCount(self.expr(value), self.counts(counts), span=self.span(tree(branch)))

    def _d_enum_values(self, node: Node) -> ast.EnumDecl:
        around, (name, *values, attrs) = self.around(node), parts(node)
        return ast.EnumDecl(text(name), tuple(text(v) for v in values), None, self._attrs(attrs), **around)

    def _d_enum_table(self, node: Node) -> ast.EnumDecl:
        around, (name, table, attrs) = self.around(node), parts(node)
        return ast.EnumDecl(text(name), (), quoted(table), self._attrs(attrs), **around)

    def _attrs(self, branch: object) -> tuple[ast.Attribute, ...]:
        return tuple(self._attr(a) for a in parts(branch) if tree(a).data == "attr")

    def _attr(self, node: Node) -> ast.Attribute:
        around, (name, type_, value) = self.around(node), parts(node)
        return ast.Attribute(text(name), self.type(type_), self.expr_or_none(value), **around)

    def _d_die_range(self, node: Node) -> ast.Die:
        around, (name, low, high) = self.around(node), parts(node)
        return ast.Die(text(name), int(low), int(high), (), **around)

    def _d_die_faces(self, node: Node) -> ast.Die:
        around, (name, *faces) = self.around(node), parts(node)
        return ast.Die(text(name), None, None, tuple(text(f) for f in faces), **around)

    def _d_piece(self, node: Node) -> ast.Piece:
        name, is_a, base, table, lines = _piece_parts(node)
        first = self._once(_other_lines(lines), _data)
        named, back, sides, begins = (first.get(word) for word in ("named", "back", "sides", "begins"))
        around = self.around(node, named=named, back=back, sides=sides, begins=begins)
        return ast.Piece(
            text(name),
            text_or_none(base) if is_a is not None else None,
            None if table is None else quoted(table),
            self._attrs(lines),
            None if named is None else quoted(parts(named)[0]),
            None if back is None else quoted(parts(back)[-1]),
            () if sides is None else names(parts(sides)[0]),
            None if begins is None else self.expr(parts(begins)[0]),
            **around,
        )

    def _d_place(self, node: Node) -> ast.Place:
        word, name, lines = parts(node)
        named = self._once(_other_lines(lines), _data).get("named")
        around = self.around(node, named=named)
        key = None if named is None else quoted(parts(named)[0])
        return ast.Place(cast(Any, text(word)), text(name), self._attrs(lines), key, **around)

    # ------------------------------------------------------------------ maps, zones, state

    def _d_map(self, node: Node) -> ast.MapDecl:
        around, (name, shape, edges) = self.around(node), parts(node)
        kind, c = str(shape.data), parts(shape)
        form = cast(Any, kind) if kind in ("hexagon", "rhombus", "triangle", "diagonals") else None
        kind = kind if form is None else "grid" if form == "diagonals" else "hexes"
        sizes = tuple(self.expr(e) for e in c if isinstance(e, Tree))
        table = next((quoted(t) for t in c if isinstance(t, Token) and t.type == "STRING"), None)
        *bases, place = (str(t) for t in c if isinstance(t, Token) and t.type == "TYPE")
        base = bases[0] if bases else None
        return ast.MapDecl(text(name), cast(Any, kind), sizes, table, place, text_or_none(edges), form, base, **around)

    def _d_area(self, node: Node) -> ast.Area:
        around, (name, place, _, across, where) = self.around(node), parts(node)
        return ast.Area(text(name), text(place), text(across), self.expr(where), **around)

    def _d_merged(self, node: Node) -> ast.Merged:
        around, (name, place) = self.around(node), parts(node)
        return ast.Merged(text(name), text(place), **around)

    def _d_zone(self, node: Node) -> ast.Zone:
        around, (name, index, order, kinds, *more) = self.around(node), parts(node)
        found = [tree(m) for m in more if m is not None]
        first = self._once(found, _zone_part)
        at_most = self.expr(parts(first["at most"])[-1]) if "at most" in first else None
        return ast.Zone(
            text(name),
            self._index(index),
            cast(Any, words()[order.type].removesuffix(" of")),
            names(kinds),
            at_most,
            names(parts(first["faced"])[0]) if "faced" in first else None,
            tuple(self._audience(m) for m in found if m.data == "seen"),
            **around,
        )

    def _index(self, branch: object) -> tuple[ast.IndexPart, ...]:
        found = []
        for part in parts(branch):
            name, *type_ = parts(part)
            low, *high = type_
            written = text(low) if not high else f"{whole_bound(low)}..{whole_bound(high[-1])}"
            found.append(ast.IndexPart(text_or_none(name), written, span=self.span(part)))
        return tuple(found)

    def _audience(self, node: Node) -> ast.Audience:
        word, by = parts(node)
        facet = words()[word.type].removesuffix("seen by").strip()
        return ast.Audience(cast(Any, facet or None), self.expr(by), span=self.span(node))

    def _d_field(self, node: Node) -> ast.FieldDecl:
        around, (name, index, type_, value, *more) = self.around(node), parts(node)
        found = [tree(m) for m in more if m is not None]
        first = self._once(found, _zone_part)
        last = {name: parts(part)[-1] for name, part in first.items()}
        return ast.FieldDecl(
            text(name),
            self._index(index),
            self.type(type_),
            self.expr_or_none(value),
            text_or_none(last.get("lasting")),
            tuple(self._audience(m) for m in found if m.data == "seen"),
            self.expr_or_none(last.get("at most")),
            **around,
        )

    # ------------------------------------------------------------------ queries, values, limits, acting

    def head(self, branch: object) -> tuple[str, tuple[ast.Param, ...], ast.TypeExpr | None]:
        """Name, parameters and type of something that can be called."""
        name, params, type_ = parts(branch)
        return text(name), self._params(params), self.type_or_none(type_)

    def _params(self, branch: object) -> tuple[ast.Param, ...]:
        found = []
        for part in parts(branch):
            if part is not None:
                name, type_ = parts(part)
                found.append(ast.Param(text(name), self.type(type_), span=self.span(part)))
        return tuple(found)

    def _d_query(self, node: Node) -> ast.Query:
        around, (word, head, bounded, value) = self.around(node), parts(node)
        return ast.Query(*self.head(head), self.expr(value), (), self._bounded(bounded), text(word), **around)  # type: ignore[arg-type]

    def _d_query_cases(self, node: Node) -> ast.Query:
        around, (word, head, bounded, *lines) = self.around(node), parts(node)
        built = tuple(self._query_line(line) for line in lines)
        return ast.Query(*self.head(head), None, built, self._bounded(bounded), text(word), **around)  # type: ignore[arg-type]

    def _query_line(self, node: Node) -> ast.Let | ast.Case:
        return cast(ast.Let, self.stmt(parts(node)[0])) if node.data == "let_line" else self.case(node)

    def _bounded(self, branch: object) -> ast.Expr | None:
        """``, at most 8 times``."""
        return None if branch is None else self.expr(parts(branch)[-1])

    def case(self, node: Node) -> ast.Case:
        """One case of a query."""
        around, (value, *condition) = self.around(node), parts(node)
        return ast.Case(self.expr(value), self.expr(condition[0]) if condition else None, **around)

    def _d_value(self, node: Node) -> ast.Value:
        around, (head, value, modifiers) = self.around(node), parts(node)
        built = tuple(self.modifier(m) for m in parts(modifiers))
        return ast.Value(*self.head(head), self.expr(value), built, **around)

    def modifier(self, node: Node) -> ast.Modifier:
        """A modifier of a value."""
        around, (label, op, value, condition) = self.around(node), parts(node)
        word = cast(Any, words()[op.type])
        return ast.Modifier(text(label), word, self.expr(value), self.expr_or_none(condition), **around)

    def _d_limits(self, node: Node) -> ast.Limits:
        around, (name, params, *lines) = self.around(node), parts(node)
        restrictions = tuple(cast(ast.Restriction, self.stmt(r)) for r in lines)
        return ast.Limits(text(name), self._params(params), restrictions, **around)

    def _d_callable(self, node: Node) -> ast.Callable:
        around, (word, head, open_, block) = self.around(node), parts(node)
        return ast.Callable(
            cast(Any, text(word)), *self.head(head), self.expr_or_none(open_), self.block(block), **around
        )

    # ------------------------------------------------------------------ what happens by itself, what holds

    def _d_reaction(self, node: Node) -> ast.Reaction:
        around = self.around(node)
        name, moment, event, each, by, with_, where, anyway, _, chooser, block = parts(node)
        return ast.Reaction(
            text(name),
            cast(Any, words()[moment.type]),
            self.expr(event),
            text_or_none(by),
            self.bind_or_none(with_),
            self.expr_or_none(where),
            self.block(block),
            anyway is not None,
            self.bind_or_none(each),
            self.expr_or_none(chooser),
            **around,
        )

    def _d_precedence(self, node: Node) -> ast.Precedence:
        return ast.Precedence(names(node.children[0]), **self.around(node))

    def _d_consequence(self, node: Node) -> ast.Consequence:
        around, (name, binds, by, when, block) = self.around(node), parts(node)
        return ast.Consequence(
            text(name),
            self.sources(binds),
            self.expr_or_none(by),
            self.expr(when),
            self.block(block),
            **around,
        )

    def _d_ending(self, node: Node) -> ast.End:
        around, (name, binds, when, after, block) = self.around(node), parts(node)
        return ast.End(
            text(name),
            self.sources(binds),
            self.expr(when),
            text_or_none(after),
            self.block(block),
            **around,
        )

    def _d_invariant(self, node: Node) -> ast.Invariant:
        around, (name, binds, condition) = self.around(node), parts(node)
        return ast.Invariant(text(name), self.sources(binds), self.expr(condition), **around)

    def _d_property(self, node: Node) -> ast.Property:
        around, (name, after, binds, condition) = self.around(node), parts(node)
        label = None if isinstance(after, Token) else str(self.path(after))
        return ast.Property(text(name), label, self.sources(binds), self.expr(condition), **around)

    def _d_witness(self, node: Node) -> ast.Witness:
        around, (name, condition) = self.around(node), parts(node)
        return ast.Witness(text(name), self.expr(condition), **around)

    def _d_scenario(self, node: Node) -> ast.Scenario:
        return self.scenarios.scenario(node)

    def _d_extend(self, node: Node) -> ast.ExtendOp:
        return self.overlays.extend(node)

    def _d_cases_for(self, node: Node) -> ast.CasesForOp:
        return self.overlays.cases_for(node)

    def _d_with_players(self, node: Node) -> ast.WithPlayers:
        return self.overlays.with_players(node)

    def _d_variant(self, node: Node) -> ast.Variant:
        return self.overlays.variant(node)


def _piece_parts(node: Node) -> tuple[Any, Any, Any, Any, Any]:
    name, is_a, base, table, lines = parts(node)
    return name, is_a, base, table, lines


def _other_lines(lines: object) -> list[Node]:
    """The lines in the block of a piece or place that are no attributes."""
    return [tree(line) for line in parts(lines) if tree(line).data != "attr"]


def _data(node: Node) -> str:
    return str(node.data)


def _zone_part(node: Node) -> str:
    """The words with which a part of a zone or field begins."""
    return words()[parts(node)[0].type] if node.data == "seen" else str(node.data).replace("_", " ")
