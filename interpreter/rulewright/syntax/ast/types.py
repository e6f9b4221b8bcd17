"""Types as they are written, and changes of variants to rows of tables."""

from __future__ import annotations

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax.ast.base import Clause, Node
from rulewright.syntax.ast.expressions import ByCount, Expr, Name


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
class KeyedType(Node):
    """``Int[Good]``: one of these for each member of a type."""

    element: TypeExpr
    key: NamedType


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


@dataclass(frozen=True, slots=True)
class UnionType(Node):
    """``Card or Player``, ``Good or any``: a value is of one of several kinds."""

    parts: tuple[NamedType | RangeType | ChoiceType, ...]


TypeExpr = (
    NamedType | RangeType | KeyedType | SetType | ListType | PositionsType | ChoiceType | OptionalType | UnionType
)


@dataclass(frozen=True, slots=True)
class Rows(Node):
    """``row "village" of Tile`` or ``rows of Card where worth < 3``: some rows of the table of a declaration."""

    key: str | None
    kind: str
    where: Expr | None
    many: bool = False
    """True for ``rows``: there may be more than one."""


@dataclass(frozen=True, slots=True)
class Cell(Node):
    """``worth = 2`` or ``count = 2, 3 with 4 players``: what stands in a column."""

    column: str
    value: Expr
    by_count: tuple[ByCount, ...] = ()


@dataclass(frozen=True, slots=True)
class SetRowsOp(Clause):
    """``set row "village" of Tile: worth = 2, count = 3``."""

    rows: Rows
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class AddRowOp(Clause):
    """``add row to Tile: name = hamlet, worth = 1``."""

    kind: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class RemoveRowsOp(Clause):
    """``remove row "village" of Tile``."""

    rows: Rows


RowOp = SetRowsOp | AddRowOp | RemoveRowsOp


@dataclass(frozen=True, slots=True)
class RowEdit(Node):
    """A change of rows, with what the declaration that it names says of its table. No file has one: an overlay puts
    it into all declarations that read the table."""

    op: RowOp
    kind: str
    """The declaration that it names."""
    template: str
    """The text by which a piece is named; empty for the values of an enum."""
    columns: tuple[str, ...]
    """The attributes that are read from the table."""
