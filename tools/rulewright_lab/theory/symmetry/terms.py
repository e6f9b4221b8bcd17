"""Values of expressions as terms over the cells of a state, in a normal form.

Conjunctions and disjunctions are sets of formulas, so that two which say the same in another order are equal; what is
not looked into is an operation on its parts. A permutation of members goes through a term member by member.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from rulewright.foundation import dataclass
from rulewright.ir import NONE

Term = Hashable
"""A tuple whose first part is its kind; a member is ``("c", universe, number)``."""
Formula = Hashable
"""True, False, or a term of a truth."""


class NotProved(Exception):
    """Raised for an expression with a meaning for which no symmetry is proved."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number or a member of a universe; None: a constant of which the universe is to be seen from its use."""

    universe: str | None
    term: Term


@dataclass(frozen=True, slots=True)
class Members:
    """A set, by the formula of each member that may be in it."""

    universe: str | None
    formulas: Mapping[int, Formula]

    def term(self) -> Term:
        """The set as a part of a larger term."""
        return frozenset((member(self.universe, one), formula) for one, formula in self.formulas.items())


@dataclass(frozen=True, slots=True)
class Truth:
    """A truth."""

    formula: Formula


Value = Scalar | Members | Truth


def member(universe: str | None, number: int) -> Term:
    """A member of a universe; none is in none."""
    return "c", None if number == NONE else universe, number


def constant(value: Value) -> int | None:
    """The number of a constant; None if it is none."""
    if isinstance(value, Scalar) and isinstance(value.term, tuple) and value.term[0] == "c":
        return int(value.term[2])
    return None


def all_of(formulas: Iterable[Formula]) -> Formula:
    """The conjunction."""
    return _joined("and", formulas, True)


def one_of(formulas: Iterable[Formula]) -> Formula:
    """The disjunction."""
    return _joined("or", formulas, False)


def _joined(word: str, formulas: Iterable[Formula], neutral: bool) -> Formula:
    parts: set[Formula] = set()
    for formula in formulas:
        if isinstance(formula, bool):
            if formula is not neutral:
                return not neutral
        elif isinstance(formula, tuple) and formula[0] == word:
            parts |= formula[1]
        else:
            parts.add(formula)
    if not parts:
        return neutral
    return next(iter(parts)) if len(parts) == 1 else (word, frozenset(parts))


def opposite(formula: Formula) -> Formula:
    """The negation."""
    if isinstance(formula, bool):
        return not formula
    if isinstance(formula, tuple) and formula[0] == "not":
        inner: Formula = formula[1]
        return inner
    return "not", formula


def permuted(term: Any, symmetry: Mapping[str, tuple[int, ...]]) -> Any:
    """The term with the members of universes permuted."""
    if isinstance(term, tuple):
        if len(term) == 3 and term[0] == "c":
            to = symmetry.get(term[1]) if isinstance(term[1], str) else None
            return term if to is None else ("c", term[1], to[term[2]])
        return tuple(permuted(part, symmetry) for part in term)
    if isinstance(term, frozenset):
        return frozenset(permuted(part, symmetry) for part in term)
    return term
