"""Expressions that make, change and search sets and lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.folds import FoldKind
from rulewright.ir.set_operations import SetOperation

if TYPE_CHECKING:
    from rulewright.ir.expressions import Expr


@dataclass(frozen=True, slots=True)
class Item:
    """An element of a list, from 0; out of range is none."""

    list: Expr
    at: Expr


@dataclass(frozen=True, slots=True)
class SetOp:
    """Union, intersection or difference of two sets."""

    op: SetOperation
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Contains:
    """True if `item` is in a set or list; none is in nothing."""

    collection: Expr
    item: Expr
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class MakeSet:
    """A set of the values of `items`; none is left out."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class MakeList:
    """A list of the values of `items`."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Joined:
    """The items of a list, and behind them those of another one."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The number of times that the first `width` items of a list stand in another one, where one of its blocks of so
    many items begins; none is like nothing, and a shorter list stands nowhere. Passes write it."""

    blocks: Expr
    item: Expr
    width: int


@dataclass(frozen=True, slots=True)
class IntRange:
    """The whole numbers from `low` to `high` (0 ≤ low, high ≤ 1023), as a set."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Size:
    """The number of members of a set or list."""

    of: Expr
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Single:
    """The only member of a set, else none."""

    of: Expr


@dataclass(frozen=True, slots=True)
class First:
    """The least member of a set, or the first of a list, else none."""

    of: Expr
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Lowest:
    """The `count` least members of a set (all, if there are fewer; a negative count is 0)."""

    of: Expr
    count: Expr


@dataclass(frozen=True, slots=True)
class Filter:
    """The members of a set (or list, order kept) for which `where` holds."""

    source: Expr
    var: str
    where: Expr
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Preimage:
    """The members of a universe on which a value is printed; with `nothing` none is a value like others, else no member
    has it. Passes write it."""

    table: str
    value: Expr
    nothing: bool = False


@dataclass(frozen=True, slots=True)
class Leading:
    """The members of a list before the first for which `where` does not hold."""

    source: Expr
    var: str
    where: Expr


@dataclass(frozen=True, slots=True)
class Collect:
    """The set of the values of `element` for all members of `source`; none is left out. With `flat`, the union of the
    sets that `element` gives."""

    source: Expr
    var: str
    element: Expr
    flat: bool = False
    is_list: bool = False
    """True if `source` is a list."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """The list of the values of `element` for the members of `source`, in their order; with `flat`, of the items of the
    lists that `element` gives. None is left out."""

    source: Expr
    var: str
    element: Expr
    flat: bool = False
    is_list: bool = False
    """True if `source` is a list."""


@dataclass(frozen=True, slots=True)
class Closure:
    """The members of a universe that can be come to from `start` in steps from `var` to a member of the set `step`,
    over members of `within` (None: all); the start itself included. From none, nothing."""

    universe: str
    start: Expr
    within: Expr | None
    var: str
    step: Expr


@dataclass(frozen=True, slots=True)
class Bound:
    """``var`` runs over `source`."""

    var: str
    source: Expr
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Fold:
    """An aggregate over nested binders (a later source may use an earlier variable).

    ``count``/``some``/``no`` count those with `where`; ``sum`` adds `body` (none adds nothing); ``max``/``min`` of
    nothing is none; ``every`` asks whether `body` holds for all with `where`.
    """

    kind: FoldKind
    binds: tuple[Bound, ...]
    where: Expr | None
    body: Expr | None


@dataclass(frozen=True, slots=True)
class Best:
    """The set of those members of `source` with the highest `key`; members whose key is none are passed over."""

    source: Expr
    var: str
    key: Expr
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Sort:
    """`source` as a list, lowest `key` first (highest first if `descending`); stable; none comes last."""

    source: Expr
    var: str
    key: Expr
    descending: bool = False
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class ToList:
    """A set as a list, least first."""

    of: Expr


@dataclass(frozen=True, slots=True)
class ToSet:
    """A list as a set."""

    of: Expr


Collection = (
    Item
    | SetOp
    | Contains
    | MakeSet
    | MakeList
    | Joined
    | Occurrences
    | IntRange
    | Size
    | Single
    | First
    | Lowest
    | Filter
    | Preimage
    | Leading
    | Collect
    | Mapped
    | Closure
    | Fold
    | Best
    | Sort
    | ToList
    | ToSet
)
"""Sets and lists, and what is found in them."""
