"""Names that are bound while an expression or a body is read."""

from __future__ import annotations

from dataclasses import field
from typing import NamedTuple

from rulewright.compiler.symbols.static_types import Type
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m


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
        return Scope(dict(names), self)

    def bind(self, name: str, binding: Binding) -> None:
        """Give a name a meaning from here on."""
        self.names[name] = binding

    def known(self) -> list[str]:
        """All names that mean something here."""
        found: list[str] = []
        scope: Scope | None = self
        while scope is not None:
            found.extend(scope.names)
            scope = scope.outer
        return found
