"""Expressions that are computed from the printed map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.foundation.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from rulewright.ir.expressions import Expr


@dataclass(frozen=True, slots=True)
class NeighboursOf:
    """Places beside a place."""

    graph: str
    place: Expr


@dataclass(frozen=True, slots=True)
class Towards:
    """The place `steps` steps from `place` in a direction, else none. Negative steps go back: to the place from which
    so many steps in that direction lead to `place`."""

    graph: str
    place: Expr
    direction: Expr
    steps: Expr


@dataclass(frozen=True, slots=True)
class DistanceOf:
    """Steps between two places, none if there is no way."""

    graph: str
    start: Expr
    end: Expr


@dataclass(frozen=True, slots=True)
class EdgeBetween:
    """The edge between two places, else none."""

    graph: str
    start: Expr
    end: Expr


@dataclass(frozen=True, slots=True)
class EdgesOf:
    """The edges of a place."""

    graph: str
    place: Expr


@dataclass(frozen=True, slots=True)
class ReachFrom:
    """The places that can be come to from `start` over places in `within` (None: all) and over edges (or, on a map
    without edges, steps) for which `across` holds, `var` being bound to the edge; the start itself included."""

    graph: str
    start: Expr
    within: Expr | None
    var: str | None
    across: Expr | None


@dataclass(frozen=True, slots=True)
class Reaches:
    """True if there is a place in `source`, a flood (:class:`ReachFrom` or :class:`Closure`), for which `where` holds:
    paths end at the first. `where` cannot be an error. Passes write it."""

    source: Expr
    var: str
    where: Expr


@dataclass(frozen=True, slots=True)
class Ray:
    """The places in a direction, as far as the map goes; with `before` only those that come before the nearest one of
    this set. Passes write it."""

    graph: str
    place: Expr
    direction: Expr
    before: Expr | None = None


@dataclass(frozen=True, slots=True)
class Nearest:
    """Of some places of one ray in a direction the first, else none. Passes write it."""

    graph: str
    direction: Expr
    of: Expr


MapQuery = NeighboursOf | Towards | DistanceOf | EdgeBetween | EdgesOf | ReachFrom | Reaches | Ray | Nearest
"""Facts that follow from the printed map."""
