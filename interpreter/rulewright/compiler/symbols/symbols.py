"""Records of the symbol table: one class for each kind of declared thing."""

from __future__ import annotations

from dataclasses import field
from typing import NamedTuple

from rulewright.compiler.symbols.static_types import Type
from rulewright.diagnostics import Span
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.syntax import ast

Signature = tuple[tuple[tuple[str, Type], ...], Type]
"""Parameters and result of a query."""

MAIN = "play"
"""The procedure that is the game."""


@dataclass(slots=True)
class KindInfo:
    """A kind of piece."""

    name: str
    base: str | None
    own: dict[str, Type] = field(default_factory=dict)
    """Attributes it declares itself."""
    sides: tuple[str, ...] = ()
    back: str | None = None
    """The text on its back, its own or that of the kind it is one of."""
    members: int = 0
    order: int = 0


@dataclass(slots=True)
class PieceRows:
    """All pieces, each by its number."""

    values: list[dict[str, int | tuple[int, ...]]] = field(default_factory=list)
    """The attributes of each member."""
    keys: list[str] = field(default_factory=list)
    backs: list[str] = field(default_factory=list)
    """The texts on their backs."""
    owner: list[str] = field(default_factory=list)
    """The kinds of owners."""
    _alike: tuple[int, ...] | None = None

    def alike(self) -> tuple[int, ...]:
        """For each piece a number, equal for pieces that no player can distinguish; there are no more pieces after
        this."""
        if self._alike is None:
            numbers: dict[tuple[object, ...], int] = {}
            found = []
            for key, kind, values in zip(self.keys, self.owner, self.values, strict=True):
                found.append(numbers.setdefault((key, kind, tuple(sorted(values.items()))), len(numbers)))
            self._alike = tuple(found)
        return self._alike


@dataclass(frozen=True, slots=True)
class FieldInfo:
    """A declared field."""

    index: tuple[str, ...]
    type: Type
    lasting: str | None
    decl: ast.FieldDecl


@dataclass(frozen=True, slots=True)
class ZoneInfo:
    """A declared zone."""

    index: tuple[str, ...]
    type: Type
    order: str
    faced: bool
    decl: ast.Zone | None


@dataclass(frozen=True, slots=True)
class CallInfo:
    """An effect or a procedure."""

    decl: ast.Callable
    params: tuple[tuple[str, Type], ...]
    result: Type | None


class QuerySource:
    """The source from which the symbol table gets queries, which are lowered on first use."""

    def signature(self, name: str, span: Span) -> Signature | None:
        """Parameters and result, or None if there is no such query."""
        return None

    def possible(self, name: str, span: Span) -> tuple[tuple[str, Type], ...] | None:
        """Parameters of a procedure that ``possible`` asks about."""
        return None

    def running(self, kind: str, name: str) -> bool:
        """True if a ``query`` or whether something is ``possible`` is being lowered just now."""
        return False

    def certain(self, name: str) -> bool:
        """True if a procedure that ``possible`` asks about is always possible."""
        return False


class Typed(NamedTuple):
    """A lowered expression with its static type."""

    ir: m.Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Binding:
    """The meaning of a name: a variable of the expression or a slot of the frame."""

    ir: m.Expr
    type: Type
    changes: bool = False
    """True if it may be assigned (``var``)."""
    slot: int | None = None


@dataclass(slots=True)
class Scope:
    """A chain of names, innermost first."""

    names: dict[str, Binding] = field(default_factory=dict)
    outer: Scope | None = None
    reads: bool = False
    """True if some names are reads of fields, such as ``aim[c]``, of which more is known here than elsewhere."""

    def find(self, name: str) -> Binding | None:
        """The innermost binding of a name."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def inner(self, /, **names: Binding) -> Scope:
        """A scope inside this one."""
        return Scope(dict(names), self, self.reads)

    def bind(self, name: str, binding: Binding) -> None:
        """Give a name a meaning from here on."""
        self.names[name] = binding

    def since(self, around: Scope) -> dict[str, Binding]:
        """The names of the scopes inside of one around them, the innermost first."""
        found: dict[str, Binding] = {}
        scope: Scope | None = self
        while scope is not None and scope is not around:
            found = scope.names | found
            scope = scope.outer
        return found

    def known(self) -> list[str]:
        """All names that mean something here."""
        found: list[str] = []
        scope: Scope | None = self
        while scope is not None:
            found.extend(scope.names)
            scope = scope.outer
        return found
