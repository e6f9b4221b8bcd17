"""The contents of a ruleset: everything that a variant or an edition can change, by its address.

The addresses are those that changes are written with: ``goal``, ``turn``, ``turn.too_dear``, ``turn.move_2`` for the
second ``move`` without a label, and ``row "village" of Tile`` for a row of a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.comparison.diff.clause_tree import Part, declaration
from rulewright.comparison.diff.table_rows import cell_text, template
from rulewright.compiler import count_for, player_counts, sources, variants_titled
from rulewright.compiler.overlays.addresses import addresses, value_of
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.overlays.layers import for_game
from rulewright.compiler.overlays.overlay_operations import has_rows
from rulewright.data.component_tables import for_players
from rulewright.data.ruleset import Ruleset
from rulewright.data.table_edits import row_names
from rulewright.diagnostics import Diagnostic, Report, RulesetError
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.syntax import ast, names, print_expr

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
    replaced: str = ""
    """The words that ``replace address: e`` puts others in the place of."""

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
        return Item(
            name, held.word, held.text, held.cites, held.span.file, held.span.line, _of_declaration(decl), inside
        )

    def _part(self, part: Part, name: str, known: dict[int, tuple[str, ast.Clause]]) -> Item:
        address, changes, replaced = "", tuple[str, ...](), ""
        if part.word == "when" and part.label == "when":
            address, changes = f"{name}.when", ("replace",)
        elif part.word not in ("then", "else") and id(part.span) in known:
            label, clause = known[id(part.span)]
            address, changes = f"{name}.{label}", _of_clause(clause, self.rules.decls[name])
            replaced = _printed(value_of(clause)) if "replace" in changes else ""
        inside = tuple(self._part(inner, name, known) for inner in part.parts)
        span = part.span
        return Item(address, part.word, part.text, part.cites, span.file, span.line, changes, inside, replaced)

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
            yield Item(address, "row", shown, (), span.file, span.line, changes)


def _printed(value: ast.Expr | tuple[ast.Expr, ...] | None) -> str:
    values = value if isinstance(value, tuple) else () if value is None else (value,)
    return " then ".join(map(print_expr, values))


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
            return "in", "remove"
        case ast.Arm() | ast.Obey():
            return ("remove",)
        case ast.Choose() | ast.Match():
            return "before", "after", "in", "replace", "replace step", "move", "remove"
        case ast.Either():
            return "before", "after", "in", "replace step", "move", "remove"
        case _ if value_of(clause) is not None or isinstance(clause, ast.Repeats):
            return "before", "after", "replace", "replace step", "move", "remove"
        case _:
            return "before", "after", "replace step", "move", "remove"


def _variant(variant: ast.Variant) -> Item:
    text = f'variant "{variant.title}"'
    return Item("", "variant", text, variant.trivia.cites, variant.span.file, variant.span.line, ())
