"""All mutants of a ruleset: each is one small change at one place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Span
from rulewright.engine import Dice
from rulewright.findings.mutation.mutation_sites import Site, nodes, places, put
from rulewright.findings.mutation.operators import (
    choice_operators,
    declaration_operators,
    expression_operators,
    insertion_operators,
    name_operators,
    order_operators,
)
from rulewright.findings.mutation.operators.operator_api import Operator, Replacement, Words, bound_in, shown
from rulewright.ir.declarations import Universe
from rulewright.ir.model import Program
from rulewright.syntax import ast, print_file

OPERATORS: dict[str, Operator] = {
    **choice_operators.RESTRICTION_OPERATORS,
    **expression_operators.CONDITION_OPERATORS,
    **expression_operators.NUMBER_OPERATORS,
    **order_operators.OPERATORS,
    **choice_operators.CHOICE_OPERATORS,
    **expression_operators.PAYMENT_OPERATORS,
    **declaration_operators.OPERATORS,
    **name_operators.OPERATORS,
    **insertion_operators.OPERATORS,
}


@dataclass(frozen=True)
class Mutant:
    """A ruleset with one small change."""

    id: str
    """``declaration.label/operator/number``; stable as long as the declaration is unchanged."""
    operator: str
    rule: str
    """``declaration.label``, or the declaration alone."""
    span: Span
    cites: tuple[str, ...]
    """Statements that the line transcribes, or else its declaration."""
    comment: tuple[str, ...] = field(repr=False)
    """The lines of comment above it, or above the nearest clause around it that has some."""
    before: str
    after: str
    """The clause as it is now; empty: it has gone."""
    depth: int = field(repr=False)
    """0: in the ruleset itself; 1: in the one that it extends; and so on."""
    file: int = field(repr=False)
    """The number of the file that is changed."""
    decl: int = field(repr=False)
    """The number of the declaration in it."""
    part: Span = field(repr=False)
    """All that is changed: of a clause with what stands below it, of an expression only itself."""
    instead: ast.Decl | ast.Change | None = field(repr=False)
    """The declaration that takes its place."""

    def applied(self, ruleset: Ruleset) -> Ruleset:
        """The ruleset with this change; nothing is written."""
        return self._beneath(ruleset, self.depth)

    def written(self, ruleset: Ruleset) -> tuple[str, str, str]:
        """The path of the changed file, its text as it was read, and that with this change, in the standard format."""
        held = self.applied(ruleset)
        for _ in range(self.depth):
            assert held.base is not None
            held = held.base
        source = held.files[self.file]
        return source.path, source.text, print_file(source.file)

    def _beneath(self, ruleset: Ruleset, depth: int) -> Ruleset:
        if depth:
            assert ruleset.base is not None
            return replace(ruleset, base=self._beneath(ruleset.base, depth - 1))
        source = ruleset.files[self.file]
        decls = source.file.decls
        new = () if self.instead is None else (self.instead,)
        file = replace(source.file, decls=(*decls[: self.decl], *new, *decls[self.decl + 1 :]))
        files = (*ruleset.files[: self.file], source.with_tree(file), *ruleset.files[self.file + 1 :])
        return replace(ruleset, files=files)

    @cached_property
    def name(self) -> str:
        """The declaration that is changed."""
        return self.rule.partition(".")[0]


def mutants(
    ruleset: Ruleset,
    programs: Iterable[Program],
    variants: Collection[str] | None = None,
    operators: Mapping[str, Operator] = OPERATORS,
    own: bool = False,
) -> Iterator[Mutant]:
    """All mutants, in the order of files, places and operators; what only tests the rules is left alone.

    The rules of the ruleset that it extends count as well: they hold here, too, and must be proved here. Variants are
    left alone that are not among `variants`, if any are named. With `own` there are only those of these variants, or,
    if none are named, of the ruleset without the ones that it extends.
    """
    made = list(programs)
    siblings = _siblings(dict.fromkeys(universe for program in made for universe in program.universes))
    alike, locals = name_operators.alike(made), name_operators.local_types(made)
    decls = [decl for *_, decl in declarations(ruleset)]
    bases = {decl.name: decl for decl in decls if isinstance(decl, _REPLACED)}
    lasting = _lasting(decls)
    numbers: Counter[str] = Counter()
    for depth, file, number, decl in declarations(ruleset):
        if variants is not None and isinstance(decl, ast.Variant) and decl.title not in variants:
            continue
        if own and (depth > 0 if not variants else not isinstance(decl, ast.Variant)):
            continue
        words = Words(siblings, bound_in(decl), alike, locals, bases, _counts(decl), lasting)
        for place in places(decl):
            for name, operator in operators.items():
                for altered in operator(place, words):
                    address = _address(place, altered)
                    kind = f"{address}/{name}"
                    numbers[kind] += 1
                    yield _mutant(f"{kind}/{numbers[kind]}", name, address, place, altered, (depth, file, number))


def declarations(ruleset: Ruleset) -> Iterator[tuple[int, int, int, ast.Decl | ast.Change]]:
    """Every declaration of rules and variants, with where it is found."""
    at: Ruleset | None = ruleset
    depth = 0
    while at is not None:
        for file, source in enumerate(at.files):
            if source.role != "scenario":
                for number, decl in enumerate(source.file.decls):
                    yield depth, file, number, decl
        at, depth = at.base, depth + 1


def _counts(decl: ast.Node) -> tuple[tuple[ast.Expr, ast.Expr], ...]:
    """The fields of a variant that it only counts up or down: as it names them, each with its first value."""
    begins = {one.name: one.value for one in nodes(decl) if isinstance(one, ast.FieldDecl) and one.value is not None}
    assigned = [one for one in nodes(decl) if isinstance(one, ast.Assign)]
    anew = {_field_of(one.target) for one in assigned if one.op == "="}
    counted = dict.fromkeys(one.target for one in assigned if one.op != "=")
    named = [(target, begins.get(_field_of(target))) for target in counted if _field_of(target) not in anew]
    return tuple((target, value) for target, value in named if value is not None)


def _field_of(target: ast.Expr) -> str:
    operand = target.operand if isinstance(target, ast.Index) else target
    return operand.name if isinstance(operand, ast.Name) else ""


_REPLACED = (ast.Callable, ast.Query, ast.Reaction, ast.Consequence, ast.Limits)
"""Declarations of which a variant replaces a part or all."""


def _lasting(decls: Iterable[ast.Node]) -> tuple[str, ...]:
    """The procedures at whose end a field may forget itself: those at whose end one does, then turns and rounds."""
    held = list(decls)
    named = {decl.lasting: None for decl in held if isinstance(decl, ast.FieldDecl) and decl.lasting is not None}
    usual = {decl.name: None for decl in held if isinstance(decl, ast.Callable) and decl.name in ("turn", "round")}
    return tuple(named | usual)


def _address(place: Site, altered: Replacement) -> str:
    """A clause that has gone or changed places is mentioned by its own label."""
    if not altered.before:
        return place.address
    inner = Site(altered.before[0], (), (*place.clauses, altered.before[0]))
    return inner.address


def _mutant(
    id: str, operator: str, rule: str, place: Site, altered: Replacement, where: tuple[int, int, int]
) -> Mutant:
    decl = place.clauses[0]
    instead = put(decl, place.way, altered.node) if altered.node is not None else None
    before, after = altered.before, altered.after
    part = _extent(*(before or (place.node,)))
    if not before:
        before, after = (place.clause,), (_clause(instead, place),)
    line = before[0]
    cites = line.trivia.cites or next((c.trivia.cites for c in reversed(place.clauses) if c.trivia.cites), ())
    comment = next((c.trivia.comments for c in (line, *reversed(place.clauses)) if any(c.trivia.comments)), ())
    comment = tuple(one.strip() for one in comment if one.strip())
    new: ast.Decl | ast.Change | None = instead  # type: ignore[assignment]
    return Mutant(id, operator, rule, line.span, cites, comment, shown(*before), shown(*after), *where, part, new)


def _extent(*several: ast.Node) -> Span:
    """The span of neighbouring nodes with all that stands below them."""
    first = several[0].span
    end = max((node.span.end_line, node.span.end_column) for one in several for node in nodes(one))
    return Span(first.file, first.line, first.column, *end)


def _clause(decl: ast.Node | None, place: Site) -> ast.Clause:
    """The line on which the changed node stands, in the changed declaration."""
    at, found = decl, decl
    for name, position in place.way:
        held = getattr(at, name)
        at = held if position is None else held[position]
        if isinstance(at, ast.Clause):
            found = at
    assert isinstance(found, ast.Clause)
    return found


def _siblings(universes: Iterable[Universe]) -> Mapping[str, str]:
    """For each value of an enum the next one of it, the first after the last."""
    lists = [u.keys for u in universes if u.sort in ("enum", "party")]
    found: dict[str, str] = {}
    for keys in lists:
        for one, two in zip(keys, (*keys[1:], *keys[:1]), strict=True):
            if one != two:
                found.setdefault(one, two)
    return found


def sampled(made: list[Mutant], size: int | None, seed: int) -> list[Mutant]:
    """Some of the mutants, in an order that begins with one of each operator, and among these with other declarations.

    The same seed gives the same order; without a size all of them, so that a run stopped early has looked everywhere.
    """
    dice = Dice(seed, "mutants")
    by_operator: dict[str, dict[str, list[Mutant]]] = {}
    for number in dice.shuffled(range(len(made))):
        mutant = made[number]
        by_operator.setdefault(mutant.operator, {}).setdefault(mutant.name, []).append(mutant)
    rows = [list(in_turn(list(names.values()))) for _, names in sorted(by_operator.items())]
    return list(in_turn(rows))[: len(made) if size is None else size]


def in_turn(rows: list[list[Mutant]]) -> Iterator[Mutant]:
    """One of each row, then the next of each, until all are through."""
    for number in range(max(map(len, rows), default=0)):
        for row in rows:
            if number < len(row):
                yield row[number]
