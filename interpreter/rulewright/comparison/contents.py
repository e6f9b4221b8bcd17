"""The contents of a ruleset: everything that a variant or an edition can change, by its address.

The addresses are those that changes are written with: ``goal``, ``turn``, ``turn.too_dear``, ``turn.move_2`` for the
second ``move`` without a label, and ``row "village" of Tile`` for a row of a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from rulewright.comparison.diff.clause_tree import Part, declaration
from rulewright.comparison.diff.table_rows import cell_text, template
from rulewright.compiler import count_for, player_counts, sources, variants_titled
from rulewright.compiler.overlays.addresses import addresses, label_of, value_of
from rulewright.compiler.overlays.addresses import walk as clauses_in
from rulewright.compiler.overlays.declaration_set import Rules, name_of
from rulewright.compiler.overlays.layers import for_game
from rulewright.compiler.overlays.overlay_operations import WithBody, WithRows, has_rows
from rulewright.data.component_tables import for_players
from rulewright.data.ruleset import Ruleset
from rulewright.data.table_edits import row_names
from rulewright.diagnostics import Diagnostic, Report, RulesetError
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.syntax import ast, names, print_file

_ASIDE = ("guess", "note", "source")
_NONE = (ast.Game, ast.Players)
"""Declarations that only an edition says anew."""


@dataclass(frozen=True, slots=True)
class Item:
    """A changeable part of a ruleset, with all that belongs to it."""

    address: str
    """The address; empty for a part that can only be changed with its surroundings."""
    word: str
    """The kind: ``procedure``, ``choice``, ``forbid``, ``row`` …"""
    text: str
    cites: tuple[str, ...]
    file: str
    line: int
    changes: tuple[str, ...]
    """The words of the changes that can aim at it, such as ``remove`` and ``replace``."""
    items: tuple[Item, ...] = ()
    lines: tuple[str, ...] = ()
    """Changes of it as a variant writes them, with what stands there now."""

    def walk(self) -> Iterator[tuple[int, Item]]:
        """Itself and all that belongs to it, in the order written, with how deep each lies."""
        yield 0, self
        for item in self.items:
            yield from ((depth + 1, inner) for depth, inner in item.walk())


def contents(ruleset: Ruleset, players: int | None = None, variants: Sequence[str] = ()) -> tuple[Item, ...]:
    """All changeable parts of a ruleset: as it is for a number of players and with some variants, if they
    are given. RulesetError if it cannot be read."""
    report = Report()
    report.extend(ruleset.play_errors)
    report.stop_if_failed()
    source = sources(ruleset)
    rules = beneath = source.rules
    count = count_for(source, players, report)
    chosen = variants_titled(source, variants, report)
    report.stop_if_failed()
    if players is not None or chosen:
        rules = for_game(source.rules, count, chosen, report)
        report.stop_if_failed()
    reader = _Reader(ruleset, rules, count, beneath)
    found = [reader.item(name, decl) for name, decl in rules.decls.items() if not isinstance(decl, _NONE)]
    return (*found, *map(_variant, source.rules.variants))


def fewest_players(ruleset: Ruleset) -> int:
    """The smallest number of players."""
    return next(iter(player_counts(sources(ruleset).rules)), 2)


def player_names(ruleset: Ruleset) -> tuple[str, ...]:
    """The names of the fewest players, as a scenario gives them."""
    return names.players(ruleset.manifest.seat_names(fewest_players(ruleset)), sources(ruleset).rules.decls)


def parameters(ruleset: Ruleset) -> list[tuple[str, str]]:
    """Parameters, each with a value that it does not have, those with named values first: a change to begin with."""
    named: list[tuple[str, str]] = []
    numbers: list[tuple[str, str]] = []
    for decl in sources(ruleset).rules.all(ast.Parameter):
        match decl:
            case ast.Parameter(type=ast.ChoiceType(values), value=ast.Name(now)) if not decl.by_count:
                named += [(decl.name, value) for value in values if value != now][:1]
            case ast.Parameter(type=None, value=ast.Number(value)) if not decl.by_count:
                numbers.append((decl.name, str(value + 1)))
    return named + numbers


def named_values(ruleset: Ruleset, name: str) -> tuple[str, ...]:
    """All values that a parameter can have, if they are named or truths; none of a number."""
    for decl in sources(ruleset).rules.all(ast.Parameter):
        if decl.name == name and isinstance(decl.type, ast.ChoiceType):
            return decl.type.values
        if decl.name == name and isinstance(decl.type, ast.NamedType) and decl.type.name == "Bool":
            return "false", "true"
    return ()


def find(items: Sequence[Item], address: str) -> Item:
    """The item at an address; RulesetError, with a guess, if there is none."""
    for item in items:
        for _, inner in item.walk():
            if inner.address == address:
                return inner
    top = {item.address: item for item in items}
    name, dot, _ = address.partition(".")
    known = [inner.address for _, inner in top[name].walk()] if dot and name in top else list(top)
    hint = did_you_mean(address, known)
    raise RulesetError(Diagnostic("VAR401", f"there is no `{address}` to show", hint=hint))


class _Reader:
    """Makes items of declarations."""

    def __init__(self, ruleset: Ruleset, rules: Rules, count: int, beneath: Rules) -> None:
        """`beneath` are the rules for any number of players, without variants, in which clauses are numbered."""
        self.ruleset, self.rules, self.count, self.beneath = ruleset, rules, count, beneath

    def item(self, name: str, decl: ast.Decl) -> Item:
        """A declaration with its clauses, and the rows of its table."""
        held = declaration(decl, name)
        known = addresses(decl, self.beneath.decls.get(name))
        by_span = {id(span): (address, c) for address, c in known.items() for span in _spans(c)}
        inside = (*(self._part(part, name, by_span) for part in held.parts), *self._rows(decl))
        changes, lines, span = _of_declaration(decl), _written(_ops_of(decl)), held.span
        if has_rows(decl) and (cells := self._another(decl)):
            lines = (f"add row to {name}: {cells}",)
        return Item(name, held.word, held.text, held.cites, span.file, span.line, changes, inside, lines)

    def _part(self, part: Part, name: str, known: dict[int, tuple[str, ast.Clause]]) -> Item:
        address, changes, lines = "", tuple[str, ...](), tuple[str, ...]()
        decl = self.rules.decls[name]
        if part.word == "when" and part.label == "when" and isinstance(decl, ast.End | ast.Consequence):
            address, changes = f"{name}.when", ("replace",)
            lines = _written([ast.ReplaceClauseOp(ast.Path((name, "when")), decl.when)])
        elif part.word not in ("then", "else") and id(part.span) in known:
            label, clause = known[id(part.span)]
            address, changes = f"{name}.{label}", _of_clause(clause, decl)
            path = ast.Path((name, *label.split(".")))
            alone = sum(label_of(other) == label for other in clauses_in(decl)) < 2  # a change aims at all of a label
            lines = _written(_ops(path, clause, decl)) if alone and "replace" in changes else ()
        inside = tuple(self._part(inner, name, known) for inner in part.parts)
        span = part.span
        return Item(address, part.word, part.text, part.cites, span.file, span.line, changes, inside, lines)

    def _another(self, decl: WithRows) -> str:
        """The cells of one row more, like the last one; a value of an enum has a name of its own."""
        table = self.ruleset.table_of(decl)
        row = dict(table.rows[-1]) if table.rows else {}
        column = "name" if "name" in row else decl.name.lower()
        if isinstance(decl, ast.EnumDecl) and column in row:
            row[column] = "another"
        return ", ".join(_cells(row, self.count))

    def _rows(self, decl: ast.Decl) -> Iterator[Item]:
        """The rows of its table, by their names as far as these tell them apart."""
        if not has_rows(decl):
            return
        table = self.ruleset.table_of(decl)
        column = "name" if "name" in table.columns else decl.name.lower()
        called = template(self.rules, decl.name)
        names = [next(reversed(row_names(cells, column, called)), "") for cells in table.rows]
        for number, name in enumerate(names):
            shown = ", ".join(
                f"{c} {cell_text(for_players(v, self.count))}" for c, v in table.rows[number].items() if c not in _ASIDE
            )
            alike = names.count(name)
            rows = "row" if alike == 1 else "rows"
            address = f'{rows} "{name}" of {decl.name}' if name and names.index(name) == number else ""
            span = table.span(number)
            changes = ("set", "remove") if address else ()
            cells = ", ".join(_cells(table.rows[number], self.count))
            lines = (f"set {address}: {cells}",) if address and cells else ()
            yield Item(address, "row", shown, (), span.file, span.line, changes, (), lines)


def _cells(row: Mapping[str, object], count: int) -> Iterator[str]:
    """The cells of a row as a change writes them."""
    for column, held in row.items():
        if column not in _ASIDE and (value := for_players(held, count)) is not None:
            text = cell_text(value)
            yield f"{column} = " + (f'"{text}"' if isinstance(value, str) and not text.isidentifier() else text)


def _written(ops: Iterable[ast.Clause]) -> tuple[str, ...]:
    return tuple(print_file(ast.File((cast(ast.Decl, op),))).strip() for op in ops)


def _ops_of(decl: ast.Decl) -> Iterator[ast.Clause]:
    """Changes of a declaration to what it is now; none of one that is changed in its parts alone."""
    path = ast.Path((name_of(decl) or "",))
    match decl:
        case ast.Parameter(value=value, by_count=()):
            yield ast.AssignOp(path, value)
        case ast.Query(lines=()) | ast.Value():
            yield ast.ReplaceClauseOp(path, cast(ast.Expr, decl.value))
        case ast.Invariant() | ast.Property() | ast.Witness():
            yield ast.ReplaceClauseOp(path, decl.condition)
        case ast.Query() | ast.Limits():
            pass
        case _ if isinstance(decl, WithBody):
            yield ast.InsertOp("replace", path, decl.body)
        case _:
            yield ast.ReplaceDeclOp(decl)


def _ops(path: ast.Path, clause: ast.Clause, decl: ast.Decl) -> Iterator[ast.Clause]:
    """Changes of a clause to what it is now: its value, or the statement as a whole."""
    value = value_of(clause)
    if isinstance(clause, ast.Repeats) or (isinstance(clause, ast.Choose) and clause.many is not None):
        yield ast.ReplaceClauseOp(path, cast(ast.Many, clause.many), isinstance(clause, ast.Repeats))
    match clause:
        case ast.Repeats():
            pass
        case ast.Modifier():
            yield ast.ReplaceClauseOp(path, replace(clause, label=""))
        case ast.Case(condition=ast.Node()):
            yield ast.ReplaceClauseOp(path, clause)
        case ast.CallStatement(call) | ast.Arm(body=(ast.CallStatement(call),)):
            yield ast.ReplaceClauseOp(path, call)
        case ast.Option(restrictions=(), body=(ast.CallStatement(call),)):
            yield ast.ReplaceClauseOp(path, call)
        case ast.Option(restrictions=first, body=body, one_line=one_line):
            yield ast.InsertOp("replace", path, (*first, *body), one_line)
        case ast.Arm(body=body, one_line=one_line):
            yield ast.InsertOp("replace", path, body, one_line)
        case ast.Step(body=body):
            yield ast.InsertOp("replace", path, body)
        case _ if isinstance(clause, ast.LineStatement) and not isinstance(decl, ast.Query):
            yield ast.InsertOp("replace", path, (clause,), True)
        case _ if isinstance(value, ast.Expr):
            yield ast.ReplaceClauseOp(path, value)
        case _:
            yield ast.InsertOp("replace", path, (cast(ast.Stmt, clause),))


def _spans(clause: ast.Clause) -> Iterator[object]:
    yield clause.span
    if isinstance(clause, ast.If):  # it has no line of its own: its first branch has
        yield clause.branches[0].span


def _of_declaration(decl: ast.Decl) -> tuple[str, ...]:
    match decl:
        case ast.Parameter():
            return "set", "replace", "remove"
        case ast.Callable():
            return "before", "after", "in", "replace", "remove"
        case _ if isinstance(decl, WithBody):
            return "before", "after", "replace", "remove"
        case ast.Value() | ast.Limits() | ast.Query():
            return "in", "replace", "remove"
        case ast.Piece(table=str()) | ast.EnumDecl(table=str()):
            return "set rows", "add row", "remove rows", "replace", "remove"
        case _:
            return "replace", "remove"


def _of_clause(clause: ast.Clause, decl: ast.Decl) -> tuple[str, ...]:
    if isinstance(decl, ast.Query):
        return "replace", "remove"
    match clause:
        case ast.Forbid():
            return "in", "replace", "remove"
        case ast.Unless() | ast.Modifier() | ast.Case():
            return "replace", "remove"
        case ast.Option():
            return "in", "replace", "remove"
        case ast.Arm():
            return "replace", "remove"
        case ast.Obey():
            return ("remove",)
        case ast.Choose() | ast.Match() | ast.Either():
            return "before", "after", "in", "replace", "move", "remove"
        case _:
            return "before", "after", "replace", "move", "remove"


def _variant(variant: ast.Variant) -> Item:
    text = f'variant "{variant.title}"'
    return Item("", "variant", text, variant.trivia.cites, variant.span.file, variant.span.line, ())
