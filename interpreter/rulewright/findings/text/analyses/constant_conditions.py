"""Conditions that hold always or never, by their words and types alone.

A condition is taken apart into *atoms*, each of which mentions one subject: ``gold[p] > 3`` of ``gold[p]``. A subject
is tried with the few values which its atoms can distinguish: around each number that is named, each value of an enum,
less, equal or greater for two things that are compared. What holds for all of them always holds. Parameters are
options, so nothing follows from the value of one: that, and what is written, a program no longer has, so this looks at
the text, with the bounds of the types that the compiler found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from rulewright.compiler.lowering.expressions.operators import comparison
from rulewright.compiler.symbols.static_types import Type
from rulewright.findings.text.analyses.declaration_nodes import nodes_of
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.comparison import applied
from rulewright.ir.intervals import compared
from rulewright.ir.model import NONE
from rulewright.syntax import ast

_FLIPPED: dict[ast.CompareOp, ast.CompareOp] = {
    "<": ">",
    "<=": ">=",
    ">": "<",
    ">=": "<=",
    "is": "is",
    "is not": "is not",
}
_MANY_VALUES = 200
MOST_PARTS = 50
"""Longer chains are not compared part by part."""

Holds = Callable[[int], bool]


class AtomSubject(NamedTuple):
    """The subject of an atom, and the sense in which it mentions it: its value, whether it holds, how two things
    compare.
    """

    sense: str
    expr: ast.Node


@dataclass(frozen=True, slots=True)
class Atom:
    """A simple condition."""

    written: ast.Expr
    subject: AtomSubject
    holds: Holds
    named: frozenset[int] = frozenset()
    """The values at which its truth may change."""
    values: tuple[int, ...] | None = None
    """All values there are; None: whole numbers, around those named."""


def operands(expr: ast.Expr, op: ast.LogicOp) -> Iterator[ast.Expr]:
    """The parts of a chain of ``and`` or ``or``."""
    if isinstance(expr, ast.Binary) and expr.op == op:
        yield from operands(expr.left, op)
        yield from operands(expr.right, op)
    else:
        yield expr


def opposite(expr: ast.Expr) -> ast.Expr:
    """The opposite of a condition."""
    if isinstance(expr, ast.Unary) and expr.op == "not":
        return expr.operand
    return ast.Unary("not", expr, span=expr.span)


class ConditionAnalysis:
    """Judges the conditions of one declaration in a game."""

    def __init__(self, decl: ast.Decl, index: RuleIndex) -> None:
        self.decl, self.index = decl, index

    def _type(self, expr: ast.Node) -> Type:
        return self.index.type_in(self.decl, expr)  # type: ignore[arg-type]

    # ------------------------------------------------------------------------------------------- atoms

    def atom(self, expr: ast.Expr) -> Atom:
        """A condition as an atom; one that is not understood is its own subject."""
        match expr:
            case ast.Unary("not"):
                inner = self.atom(expr.operand)
                return Atom(expr, inner.subject, lambda v: not inner.holds(v), inner.named, inner.values)
            case ast.Binary("is" | "is not" | "<" | "<=" | ">" | ">=" as op):
                return self._comparison(expr, op, expr.left, expr.right)
            case ast.Binary("not in"):
                same = ast.Binary("in", expr.left, expr.right)
                return Atom(expr, AtomSubject("holds", same), lambda v: not v, values=(0, 1))
            case ast.IsA(negated=negated):
                same_kind = ast.IsA(expr.operand, expr.kind, False)
                return Atom(expr, AtomSubject("holds", same_kind), lambda v: bool(v) != negated, values=(0, 1))
            case ast.IsEmpty(negated=negated):
                return Atom(expr, AtomSubject("size", expr.operand), lambda v: (v == 0) != negated, frozenset({0}))
            case ast.BoolLiteral(value):
                return Atom(expr, AtomSubject("holds", ast.BoolLiteral(True)), lambda v: value, values=(1,))
            case _:
                return Atom(expr, AtomSubject("holds", expr), bool, values=(0, 1))

    def _comparison(self, expr: ast.Expr, op: ast.CompareOp, left: ast.Expr, right: ast.Expr) -> Atom:
        for operand, other, word in ((left, right, op), (right, left, _FLIPPED[op])):
            if isinstance(other, ast.NoneValue):
                return self._none(expr, operand, word)
            value = self.index.value_of(other)
            if value is not None and self.index.value_of(operand) is None:
                return self._with_value(expr, operand, word, value)
        # Two things: how they compare, less, equal or greater; `_ONE` and `_BOTH` are none.
        if repr(right) < repr(left):
            left, right, op = right, left, _FLIPPED[op]
        pair = ast.Tuple((left, right))
        if left == right:
            values: tuple[int, ...] = (0, _BOTH) if self._optional(left) else (0,)
        else:
            values = (-1, 0, 1, _ONE, _BOTH)
        return Atom(expr, AtomSubject("pair", pair), lambda v: _pair(op, v), values=values)

    def _none(self, expr: ast.Expr, operand: ast.Expr, op: ast.CompareOp) -> Atom:
        wants = op == "is"
        type = self._type(operand)
        universe = self._values(operand)
        if type.kind == "int":
            return Atom(expr, AtomSubject("value", operand), lambda v: (v == NONE) == wants, frozenset({NONE}))
        return Atom(
            expr, AtomSubject("value", operand), lambda v: (v == NONE) == wants, frozenset({NONE}),
            values=universe if universe is not None else None,
        )  # fmt: skip

    def _with_value(self, expr: ast.Expr, operand: ast.Expr, op: ast.CompareOp, value: int) -> Atom:
        counted = self._counted(operand)
        subject = AtomSubject("value", operand) if counted is None else AtomSubject("size", counted)
        return Atom(
            expr, subject, lambda v: _compare(op, v, value), frozenset({value}), values=self._values(operand)
        )  # fmt: skip

    @staticmethod
    def _counted(expr: ast.Expr) -> ast.Expr | None:
        """The argument of `size`."""
        match expr:
            case ast.Call(ast.Name("size"), (one,)):
                return one
            case _:
                return None

    def _values(self, operand: ast.Expr) -> tuple[int, ...] | None:
        """All values of an enum or truth."""
        type = self._type(operand)
        if type.kind == "bool":
            return (0, 1)
        if type.kind == "entity":
            many = self.index.values_of_enum(type.universe)
            if many is not None and many <= _MANY_VALUES:
                return (*range(many), NONE) if type.optional else tuple(range(many))
        return None

    def _optional(self, expr: ast.Expr) -> bool:
        type = self._type(expr)
        return type.optional or type.unit or type.kind in ("any", "none")

    # ---------------------------------------------------------------------------------------- judging

    def tried(self, atoms: list[Atom]) -> list[int] | None:
        """The values with which atoms of one subject are tried; None if they are not known."""
        named = {v for a in atoms for v in a.named}
        fixed = [a.values for a in atoms if a.values is not None]
        if fixed:
            return list(fixed[0])
        subject = atoms[0].subject
        if subject.sense == "size":
            low, high, optional = 0, m.INT_MAX, False
        else:
            type = self._type(subject.expr)
            optional = type.optional or type.unit or type.kind in ("any", "none")
            bounds = self.index.bounds_of(subject.expr)  # type: ignore[arg-type]
            low, high = bounds if bounds is not None else (-m.INT_MAX, m.INT_MAX)
        points = {p for v in named if v != NONE for p in (v - 1, v, v + 1)} | {low, high}
        found = sorted(p for p in points if low <= p <= high)
        return [*found, NONE] if optional else found

    def atoms_by_subject(self, parts: list[ast.Expr]) -> list[list[Atom]]:
        """Atoms of several conditions, those of one subject together."""
        groups: dict[AtomSubject, list[Atom]] = {}
        for part in parts:
            atom = self.atom(part)
            groups.setdefault(atom.subject, []).append(atom)
        return list(groups.values())

    def never(self, parts: list[ast.Expr]) -> list[Atom] | None:
        """Atoms of which never all hold together, if there are some."""
        for group in self.atoms_by_subject(parts):
            if not any(all(a.holds(v) for a in group) for v in self.tried(group) or (0,)):
                return group
        return None

    def always(self, parts: list[ast.Expr]) -> list[Atom] | None:
        """Atoms of which always at least one holds, if there are some."""
        for group in self.atoms_by_subject(parts):
            if all(any(a.holds(v) for a in group) for v in self.tried(group) or (0,)):
                return group
        return None

    def implies(self, one: ast.Expr, other: ast.Expr) -> bool:
        """True if the second condition holds whenever the first does, and both mention the same."""
        a, b = self.atom(one), self.atom(other)
        if a.subject != b.subject:
            return False
        return all(b.holds(v) for v in self.tried([a, b]) or () if a.holds(v))

    def truth(self, expr: ast.Expr) -> bool | None:
        """True if a condition always holds, False if it never does, None if either."""
        simple = self._simple(expr)
        if simple is not None:
            return simple
        match expr:
            case ast.Unary("not", operand):
                inner = self.truth(operand)
                return None if inner is None else not inner
            case ast.Binary("and"):
                parts = list(operands(expr, "and"))
                judged = [self.truth(p) for p in parts]
                if False in judged or self.never(parts):
                    return False
                return True if all(judged) else None
            case ast.Binary("or"):
                parts = list(operands(expr, "or"))
                judged = [self.truth(p) for p in parts]
                if True in judged or self.always(parts):
                    return True
                return False if all(j is False for j in judged) else None
            case _:
                pass
        atom = self.atom(expr)
        held = [atom.holds(v) for v in self.tried([atom]) or ()]
        return held[0] if held and all(h == held[0] for h in held) else None

    def _simple(self, expr: ast.Expr) -> bool | None:
        """Decide what needs no atoms: two known values, ranges that do not meet, kinds, empty sets."""
        match expr:
            case ast.BoolLiteral(value):
                return value
            case ast.Binary("is" | "is not" | "<" | "<=" | ">" | ">=" as op, left, right):
                return self._ranges(op, left, right)
            case ast.Binary("in", left, right):
                return self._member(left, right)
            case ast.Binary("not in", left, right):
                inside = self._member(left, right)
                return None if inside is None else not inside
            case ast.IsA(operand, kind, negated):
                type = self._type(operand)
                ancestors = self.index.ancestors
                if type.kinds and not type.optional and not type.unit and type.kind == "entity":
                    return not negated if all(kind in (k, *ancestors(k)) for k in type.kinds) else None
            case ast.IsEmpty(ast.SetOf(items) | ast.ListOf(items), negated):
                return (not items) != negated
            case _:
                pass
        return None

    def _ranges(self, op: ast.CompareOp, left: ast.Expr, right: ast.Expr) -> bool | None:
        a, b = self.index.value_of(left), self.index.value_of(right)
        if a is not None and b is not None:
            return _compare(op, a, b)
        first, second = self.index.bounds_of(left), self.index.bounds_of(right)
        if first is None or second is None:
            return None
        optional = self._optional(left) or self._optional(right)
        outcome = compared(comparison(op), first, second)
        return None if optional and outcome is not (op == "is not") else outcome

    def _member(self, left: ast.Expr, right: ast.Expr) -> bool | None:
        if isinstance(right, (ast.SetOf, ast.ListOf)):
            if not right.items:
                return False
            held = [self.index.value_of(i) for i in right.items]
            if None in held:
                return None
            atom = self._with_value(left, left, "is", 0)
            if atom.values is None or self.index.value_of(left) is not None:
                return None
            inside = {v in held for v in atom.values}
            return inside.pop() if len(inside) == 1 else None
        if isinstance(right, ast.Range):
            low, high, bounds = (
                self.index.value_of(right.low),
                self.index.value_of(right.high),
                self.index.bounds_of(left),
            )
            if low is None or high is None or bounds is None:
                return None
            if bounds[1] < low or bounds[0] > high:
                return False
            if low <= bounds[0] and bounds[1] <= high and not self._optional(left):
                return True
        return None


_ONE, _BOTH = 2, 3
"""Results of a comparison when one, or both, are none."""


def _pair(op: ast.CompareOp, outcome: int) -> bool:
    if outcome == _ONE:
        return op == "is not"
    return outcome != _BOTH and _compare(op, outcome, 0)


def _compare(op: ast.CompareOp, a: int, b: int) -> bool:
    if NONE in (a, b):
        return op == "is not"
    return applied(comparison(op), a, b)


# -------------------------------------------------------------------------------- chains and pairs


def inner_links(decl: ast.Decl) -> set[int]:
    """Chains that are only a part of a longer chain."""
    found = set()
    for node in nodes_of(decl, ast.Binary):
        if node.op in ("and", "or"):
            found |= {
                id(part) for part in (node.left, node.right) if isinstance(part, ast.Binary) and part.op == node.op
            }
    return found


def is_about_none(expr: ast.Node) -> bool:
    """``x is none``, ``x is not none``."""
    return isinstance(expr, ast.Binary) and (
        isinstance(expr.left, ast.NoneValue) or isinstance(expr.right, ast.NoneValue)
    )


def never_both(one: ast.Expr, other: ast.Expr, truths: ConditionAnalysis) -> bool:
    """True if two conditions exclude each other, though each of them may hold."""
    first, second = list(operands(one, "and")), list(operands(other, "and"))
    if truths.truth(one) is not None or truths.truth(other) is not None:
        return False
    return bool(truths.never([*first, *second]))


def always_follows(one: ast.Expr, other: ast.Expr, truths: ConditionAnalysis) -> bool:
    """True if the second condition holds whenever the first does, though it does not always."""
    if one == other:
        return True
    if truths.truth(one) is not None or truths.truth(other) is not None:
        return False
    return all(any(truths.implies(a, b) for a in operands(one, "and")) for b in operands(other, "and"))
