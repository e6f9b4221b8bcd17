"""Declarations of what holds and what happens: queries, values, procedures, reactions, consequences, ends."""

from __future__ import annotations

from typing import Literal

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax.ast.base import Clause
from rulewright.syntax.ast.expressions import Bind, Expr
from rulewright.syntax.ast.statements import Let, Param, Restriction, Stmt
from rulewright.syntax.ast.types import TypeExpr

ModifierOp = Literal["+", "-", "times", "becomes", "at least", "at most"]


@dataclass(frozen=True, slots=True)
class Case(Clause):
    """``e when c`` or ``e otherwise`` (no condition) in a query."""

    value: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Query(Clause):
    """``query name(params) -> type = e``, or with lets and cases; perhaps ``, at most 8 times``.

    A ``measure`` is one that players may aim at, and that is worth watching: a number, of the game or of a player.
    """

    name: str
    params: tuple[Param, ...]
    type: TypeExpr | None
    value: Expr | None
    lines: tuple[Let | Case, ...]
    at_most: Expr | None = None
    """The number of times that it asks itself, one inside the other."""
    word: Literal["query", "measure"] = "query"

    @property
    def cases(self) -> tuple[Case, ...]:
        """The cases, without the lets above and between them."""
        return tuple(line for line in self.lines if isinstance(line, Case))


@dataclass(frozen=True, slots=True)
class Modifier(Clause):
    """``label: + e when c`` under a ``value``."""

    label: str
    op: ModifierOp
    value: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Value(Clause):
    """``value name(params) -> type = e`` with labelled modifiers."""

    name: str
    params: tuple[Param, ...]
    type: TypeExpr | None
    value: Expr
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, slots=True)
class Limits(Clause):
    """``limits name(params)``: a named list of restrictions."""

    name: str
    params: tuple[Param, ...]
    restrictions: tuple[Restriction, ...]


@dataclass(frozen=True, slots=True)
class Callable(Clause):
    """``effect`` or ``procedure``; `open` is the order in which others may react."""

    word: Literal["effect", "procedure"]
    name: str
    params: tuple[Param, ...]
    type: TypeExpr | None
    open: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Reaction(Clause):
    """``reaction name before|after|instead of|during event(…)[, by p [with m in S]] [where C][, asked anyway]``; or
    ``… event(…) [for c in S] [where C][, order chosen by p]``, which happens by itself, once for each c."""

    gives = ("by",)

    name: str
    moment: Literal["before", "after", "instead of", "during"]
    event: Expr
    by: str | None
    with_: Bind | None
    where: Expr | None
    body: tuple[Stmt, ...]
    anyway: bool = False
    """True if whoever might have what it takes is asked, also if they can only pass."""
    each: Bind | None = None
    chooser: Expr | None = None
    """The player who decides which of several that happen by themselves is next."""


@dataclass(frozen=True, slots=True)
class Precedence(Clause):
    """``precedence a, b``: which of several comes first."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Consequence(Clause):
    """``consequence name for x in S, y in T [by K] when C``: follows at once from a change of state."""

    name: str
    binds: tuple[Bind, ...]
    by: Expr | None
    when: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class End(Clause):
    """``end name for x in S, y in T when C[, after block]``."""

    name: str
    binds: tuple[Bind, ...]
    when: Expr
    after: str | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Invariant(Clause):
    """``invariant name for x in S, y in T: e``: holds in every settled state."""

    name: str
    binds: tuple[Bind, ...]
    condition: Expr


@dataclass(frozen=True, slots=True)
class Property(Clause):
    """``property name after each label|always for x in S, y in T: e``; may use ``old(e)``."""

    name: str
    after: str | None
    binds: tuple[Bind, ...]
    condition: Expr


@dataclass(frozen=True, slots=True)
class Witness(Clause):
    """``witness name: e``: some game must reach this."""

    name: str
    condition: Expr
