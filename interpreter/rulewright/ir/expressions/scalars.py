"""Expressions of constants, names, numbers and conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.arithmetic import ArithOp
from rulewright.ir.comparison import CmpOp
from rulewright.ir.types import Ty

if TYPE_CHECKING:
    from rulewright.ir.expressions import Expr


@dataclass(frozen=True, slots=True)
class Const:
    """A number, index, truth or bit set known when the program was made."""

    value: int


@dataclass(frozen=True, slots=True)
class ListConst:
    """A list known when the program was made."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Var:
    """A binder of an enclosing expression, or a parameter of the query."""

    name: str


@dataclass(frozen=True, slots=True)
class Local:
    """A slot of the running frame."""

    slot: int


@dataclass(frozen=True, slots=True)
class Kind:
    """All pieces of a kind."""

    name: str


@dataclass(frozen=True, slots=True)
class Attr:
    """A table entry; of none it is none (an empty set if the table holds sets)."""

    table: str
    of: Expr


@dataclass(frozen=True, slots=True)
class Arith:
    """Integer arithmetic; ``div_up`` and ``div_down`` round towards plus and minus infinity; ``mod`` is what
    ``div_down`` leaves over, with the sign of the divisor. By zero is an error."""

    op: ArithOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Cmp:
    """A comparison. With `nothing`, ``eq``/``ne`` treat none as an ordinary value (``x is none``)."""

    op: CmpOp
    left: Expr
    right: Expr
    nothing: bool = False


@dataclass(frozen=True, slots=True)
class SetEq:
    """True if two sets (or two lists) are the same."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class And:
    """True if all are; stops at the first that is not."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """True if one is; stops at the first that is."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a truth."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class IfElse:
    """One of two values; only the one that is needed is computed."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class LetIn:
    """`body` with `var` bound to `value`."""

    var: str
    value: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class Old:
    """The value `of` had before (only in properties)."""

    of: Expr


@dataclass(frozen=True, slots=True)
class Charged:
    """The value `of`, for which so many steps are paid first; if that is `all`, nothing is paid for what is in it.

    For each member of it, as many operations are paid as what goes through it takes. No compiler writes that: what
    takes long is charged before any pass (:mod:`rulewright.ir.transform.charges`).
    """

    steps: int
    of: Expr
    each: int = 0
    all: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """No value, but an error of the rules: a value is out of its bounds, or a query asks itself too often.

    The value that is `shown` ends the message.
    """

    reason: Literal["bounds", "depth"]
    message: str
    shown: Expr | None
    ty: Ty


Scalar = (
    Const
    | Fault
    | ListConst
    | Var
    | Local
    | Kind
    | Attr
    | Arith
    | Cmp
    | SetEq
    | And
    | Or
    | Not
    | IfElse
    | LetIn
    | Old
    | Charged
)
"""Values that stand for themselves or are named, arithmetic and logic."""
