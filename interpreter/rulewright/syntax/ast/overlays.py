"""Overlays, and with them all that can stand in a file."""

from __future__ import annotations

from typing import Literal

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax.ast.base import Clause, Path
from rulewright.syntax.ast.components import (
    Area,
    Die,
    EnumDecl,
    FieldDecl,
    Game,
    MapDecl,
    Merged,
    Parameter,
    Party,
    Piece,
    Place,
    Players,
    Zone,
)
from rulewright.syntax.ast.expressions import Expr
from rulewright.syntax.ast.rules import (
    Callable,
    Case,
    Consequence,
    End,
    Invariant,
    Limits,
    Modifier,
    Precedence,
    Property,
    Query,
    Reaction,
    Value,
    Witness,
)
from rulewright.syntax.ast.scenarios import Scenario
from rulewright.syntax.ast.statements import Arm, Many, Option, Restriction, Stmt, Unless
from rulewright.syntax.ast.types import RowOp


@dataclass(frozen=True, slots=True)
class AssignOp(Clause):
    """``set path = e``."""

    path: Path
    value: Expr


@dataclass(frozen=True, slots=True)
class RemoveOp(Clause):
    """``remove path``."""

    path: Path


@dataclass(frozen=True, slots=True)
class ReplaceClauseOp(Clause):
    """``replace path: e``, ``replace path: exactly 2 times``, ``replace path: + 3 when c``, a modifier whose label is
    empty, or ``replace path: e when c``, a case."""

    path: Path
    value: Expr | Many | Modifier | Case
    times: bool = False
    """True if ``times`` is written after it, as in a repetition."""


@dataclass(frozen=True, slots=True)
class ReplaceDeclOp(Clause):
    """``replace`` followed by a whole declaration of the same name."""

    decl: Decl


@dataclass(frozen=True, slots=True)
class AddDeclOp(Clause):
    """``add`` followed by a whole declaration."""

    decl: Decl


@dataclass(frozen=True, slots=True)
class MoreArms(Clause):
    """``match`` and arms, in an extension: more arms for a ``match``."""

    arms: tuple[Arm, ...]


@dataclass(frozen=True, slots=True)
class ExtendOp(Clause):
    """``in path`` with more restrictions, modifiers, cases, options or arms; also stands at top level."""

    path: Path
    clauses: tuple[Restriction | Modifier | Case | Unless | Option | MoreArms, ...]


@dataclass(frozen=True, slots=True)
class CasesForOp(Clause):
    """``for a, b`` and what some declarations have for these values: an arm of a ``match``, which has no values of its
    own here, or a case of a query without a condition."""

    values: tuple[Expr, ...]
    ops: tuple[ExtendOp, ...]


@dataclass(frozen=True, slots=True)
class InsertOp(Clause):
    """``before path`` / ``after path`` / ``replace path`` with statements, and ``replace path: move a to b``."""

    where: Literal["before", "after", "replace"]
    path: Path
    body: tuple[Stmt, ...]
    one_line: bool = False


@dataclass(frozen=True, slots=True)
class MoveOp(Clause):
    """``move path before path`` / ``move path after path``: a statement at another place of its declaration."""

    path: Path
    where: Literal["before", "after"]
    anchor: Path


@dataclass(frozen=True, slots=True)
class UnchangedOp(Clause):
    """``unchanged path`` with citations: what is there already transcribes these statements, too."""

    path: Path


Change = AssignOp | RemoveOp | ReplaceClauseOp | ReplaceDeclOp | InsertOp | MoveOp | UnchangedOp | RowOp
"""Changes that may stand on their own in a ruleset that extends another one; there, new declarations need no ``add``.
"""

OverlayOp = Change | AddDeclOp | ExtendOp | CasesForOp


@dataclass(frozen=True, slots=True)
class WithPlayers(Clause):
    """``with 3 or 4 players`` and what is different then."""

    counts: tuple[int, ...]
    ops: tuple[OverlayOp, ...]


@dataclass(frozen=True, slots=True)
class Variant(Clause):
    """``variant "Long war" of game[, excludes "Short", "Quick"]`` and what it changes."""

    title: str
    of: Path
    ops: tuple[OverlayOp, ...]
    excludes: tuple[str, ...] = ()
    """The titles of variants with which it cannot be played."""


Thing = (
    Game
    | Players
    | Party
    | Parameter
    | EnumDecl
    | Die
    | Piece
    | Place
    | MapDecl
    | Area
    | Merged
    | Zone
    | FieldDecl
    | Query
    | Value
    | Limits
    | Callable
)
"""Declarations of what there is, what can be asked and what can be done."""

Happening = (
    Reaction
    | Precedence
    | Consequence
    | End
    | Invariant
    | Property
    | Witness
    | ExtendOp
    | CasesForOp
    | WithPlayers
    | Variant
    | Scenario
)
"""Declarations of what follows by itself, what must hold, and of changes."""

Decl = Thing | Happening


@dataclass(frozen=True, slots=True)
class File(Clause):
    """A whole rules file."""

    decls: tuple[Decl | Change, ...]
