"""Types as they are written."""

from __future__ import annotations

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax.ast.base import Node
from rulewright.syntax.ast.expressions import Name


@dataclass(frozen=True, slots=True)
class NamedType(Node):
    """``Family``, ``Player``, ``Int``, ``Bool``."""

    name: str


@dataclass(frozen=True, slots=True)
class RangeType(Node):
    """``1..5``, ``0..`` (no upper bound)."""

    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class SetType(Node):
    """``set of T``."""

    element: TypeExpr


@dataclass(frozen=True, slots=True)
class ListType(Node):
    """``list of T``."""

    element: TypeExpr


@dataclass(frozen=True, slots=True)
class PositionsType(Node):
    """``positions of man and captured``: records of what some fields and zones have held."""

    parts: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class ChoiceType(Node):
    """``{actor, owner}``: an enum without a name."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OptionalType(Node):
    """``T or none``."""

    base: TypeExpr


TypeExpr = NamedType | RangeType | SetType | ListType | PositionsType | ChoiceType | OptionalType
