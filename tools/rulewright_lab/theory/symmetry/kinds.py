"""Values of expressions in places of a kind: truths, members of a universe, sets; and comparisons of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from rulewright.engine import bits_of
from rulewright.ir import CmpOp
from rulewright.ir import applied as compared
from rulewright.ir import model as m
from rulewright_lab.theory.symmetry.terms import (
    Formula,
    Members,
    NotProved,
    Scalar,
    Term,
    Truth,
    Value,
    constant,
    member,
    opposite,
)

Environment = Mapping[str | int, Value]
"""Values of binders by name, and of slots by number."""
NUMBER, BOOL = "Int", "Bool"
NOTHING = Scalar(None, member(None, m.NONE))


class Kinds(ABC):
    """Takes values for what they have to be, in one program of which some universes are permuted."""

    def __init__(self, program: m.Program, moving: frozenset[str]) -> None:
        self.program, self.moving = program, moving
        self.sizes = {universe.name: universe.size for universe in program.universes}

    @abstractmethod
    def value(self, e: m.Expr, env: Environment) -> Value:
        """The value of an expression; :class:`NotProved` if it is not understood."""

    def truth(self, e: m.Expr, env: Environment) -> Formula:
        """The value of a truth."""
        return truth_of(self.value(e, env))

    def scalar(self, e: m.Expr, env: Environment, universe: str) -> Term:
        """The value of a member of a universe, or of a number."""
        return self.of_universe(self.value(e, env), universe)

    def members(self, e: m.Expr, env: Environment, universe: str | None = None) -> Members:
        """The value of a set."""
        return self.set_of(self.value(e, env), universe)

    def of_universe(self, value: Value, universe: str) -> Term:
        """A value as one of a universe."""
        if isinstance(value, Truth) and universe == BOOL:
            return "truth", value.formula
        if not isinstance(value, Scalar):
            raise NotProved
        if value.universe == universe:
            return value.term
        if value.universe is None:
            return _named(value.term, universe)
        if universe in self.moving or value.universe in self.moving:
            raise NotProved
        return value.term  # some locals are numbers of members: what does not move is the same by any name

    def set_of(self, value: Value, universe: str | None = None) -> Members:
        """A value as a set of members of a universe."""
        number = constant(value)
        if number is not None and isinstance(value, Scalar) and value.universe is None and number != m.NONE:
            value = Members(universe, dict.fromkeys(bits_of(number), True))
        if not isinstance(value, Members):
            raise NotProved
        if universe is not None and value.universe not in (None, universe):
            raise NotProved
        return Members(universe or value.universe, value.formulas)

    def unknown(self, ty: m.Ty, term: Term) -> Value:
        """A value of a type of which nothing is known but where it stands."""
        match ty.kind:
            case "entity":
                return Scalar(ty.universe, term)
            case "int":
                return Scalar(NUMBER, term)
            case "bool":
                return Truth(("holds", term))
            case "set" if ty.universe in self.sizes:
                return self.symbolic(term, ty.universe)
            case _:
                raise NotProved

    def symbolic(self, term: Term, universe: str) -> Members:
        """A set that is a term, by its members."""
        each = range(self.sizes[universe])
        return Members(universe, {one: ("in", term, member(universe, one)) for one in each})

    def typed(self, value: Value, ty: m.Ty) -> Value:
        """A value in a place of a type."""
        match ty.kind:
            case "bool":
                return Truth(truth_of(value))
            case "int":
                return Scalar(NUMBER, self.of_universe(value, NUMBER))
            case "entity":
                return Scalar(ty.universe, self.of_universe(value, ty.universe))
            case "set":
                return self.set_of(value, ty.universe)
            case _:
                raise NotProved

    def same(self, left: Scalar, right: Scalar, nothing: bool = False, op: CmpOp = "eq") -> Formula:
        """The comparison of two values."""
        a, b = constant(left), constant(right)
        universe = left.universe or right.universe
        if (op not in ("eq", "ne") and universe in self.moving) or (right.universe or universe) != universe:
            raise NotProved
        if a is not None and b is not None:
            if m.NONE not in (a, b):
                return compared(op, a, b)
            if nothing and op in ("eq", "ne"):
                return (a == b) is (op == "eq")
            return op == "ne" and a != b
        if op == "eq" and not nothing and m.NONE in (a, b):
            return False
        if universe is None:
            raise NotProved
        terms = self.of_universe(left, universe), self.of_universe(right, universe)
        if op == "eq":
            return "same", nothing, frozenset(terms)
        if op == "ne" and nothing:
            return opposite(("same", nothing, frozenset(terms)))
        return "compared", op, nothing, *((frozenset(terms),) if op == "ne" else terms)


def truth_of(value: Value) -> Formula:
    """A value as a truth."""
    number = constant(value)
    if number is not None:
        return number == 1
    if isinstance(value, Truth):
        return value.formula
    if isinstance(value, Scalar):
        return "holds", value.term
    raise NotProved


def _named(term: Any, universe: str) -> Term:
    """A constant of which the universe is known now."""
    if isinstance(term, tuple) and term[0] == "c":
        return member(universe, term[2])
    if isinstance(term, tuple) and term[0] == "if":
        return "if", term[1], _named(term[2], universe), _named(term[3], universe)
    raise NotProved


def there(formulas: Mapping[int, Formula]) -> dict[int, Formula]:
    """Members that may be there, with the formulas under which they are."""
    return {number: formula for number, formula in formulas.items() if formula is not False}
