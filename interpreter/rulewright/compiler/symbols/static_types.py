"""Static types of the rules language.

A :class:`Type` is a flat record: for a set or list the universe, kinds and bounds are those of its members.
``any`` is the type of what could not be understood; it fits everywhere, so that one mistake gives one message.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeGuard

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m


@dataclass(frozen=True, slots=True)
class Type:
    """The static type of a value."""

    kind: Literal["bool", "int", "entity", "set", "list", "positions", "none", "any"]
    universe: str = ""
    """Of an entity or of the members; ``Int`` or ``Bool`` for whole numbers and truths in a set or list."""
    kinds: tuple[str, ...] = ()
    """For pieces: the kinds it may be of."""
    low: int = -m.INT_MAX
    high: int = m.INT_MAX
    optional: bool = False
    capacity: int = 0
    keys: str = ""
    """Of a list that has a value for each member of a universe, in the order of these: that universe."""
    unit: bool = False
    """A set that has at most one member and may be read as that member or none."""
    missing: bool = False
    """Of ``any``: a member of ``{}``. There is none, so it fits everywhere; several of them are a set or list still."""

    @property
    def is_collection(self) -> bool:
        """True if it has members."""
        return self.kind in ("set", "list")

    def element(self) -> Type:
        """The type of the members of a set or list."""
        if not self.universe:
            return MISSING if self.is_collection else ANY
        if self.universe == "Bool":
            return BOOL
        if self.universe == "Int":
            return Type("int", low=self.low, high=self.high)
        return Type("entity", self.universe, self.kinds)

    def as_set(self) -> Type:
        """The type of a set of such values."""
        if self.kind == "any":
            return Type("set") if self.missing else ANY
        if self.kind == "bool":
            return Type("set", "Bool", low=0, high=1)
        if self.kind == "int":
            return Type("set", "Int", low=self.low, high=self.high)
        return Type("set", self.universe, self.kinds)

    def as_list(self, capacity: int) -> Type:
        """The type of a list of such values."""
        made = self.as_set() if not self.is_collection else self
        if made.kind == "any":
            return made
        return replace(made, kind="list", capacity=capacity, keys="", unit=False, optional=False)

    def keyed_by(self, universe: str, size: int) -> Type:
        """The type of such a value for each member of a universe."""
        return replace(self.as_list(size), keys=universe)

    def or_none(self) -> Type:
        """The optional variant of the type."""
        if self.optional or self.kind in ("any", "set", "list", "positions", "none"):
            return self
        return Type(self.kind, self.universe, self.kinds, self.low, self.high, True, self.capacity, unit=self.unit)

    def present(self) -> Type:
        """The type without none."""
        return replace(self, optional=False) if self.optional else self

    @property
    def options(self) -> str:
        """The universe whose keys name such values where they are chosen."""
        return {"int": "Int", "bool": "Bool"}.get(self.kind, self.universe)

    def run_time(self) -> m.Ty:
        """The type in the program."""
        kind = self.kind
        if kind == "any" or kind == "none":
            return m.Ty("int", optional=True)
        if kind == "positions":
            kind = "list"
        if self.is_collection and not self.universe:  # of whatever it is, it has none
            return m.Ty(kind, "Int", 0, 0, capacity=self.capacity)
        return m.Ty(kind, self.universe, self.low, self.high, self.optional, self.capacity, self.keys)

    def __str__(self) -> str:
        many = f"{self.kind} of " if self.is_collection and not self.keys else ""
        if self.kind == "any":
            return "something"
        if self.kind in ("none", "positions"):
            return "none" if self.kind == "none" else "record of positions"
        if self.kind == "bool" or self.universe == "Bool":
            base = "Bool"
        elif self.kind == "int" or self.universe == "Int":
            base = "Int"
            if self.low != -m.INT_MAX and self.high != m.INT_MAX and self.low != self.high:
                base = f"{self.low}..{self.high}"
        elif self.universe == "Piece":
            base = " or ".join(kind.removeprefix(m.STAND_IN) for kind in self.kinds) or "piece"
        elif self.is_collection and not self.universe:
            return f"{self.kind} of nothing"
        else:
            base = self.universe
        return many + base + (f"[{self.keys}]" if self.keys else "") + (" or none" if self.optional else "")


ANY = Type("any")
MISSING = Type("any", missing=True)
BOOL = Type("bool", low=0, high=1)
INT = Type("int")
NOTHING = Type("none", optional=True)
RECORD = Type("positions")
"""A record of positions, with which only ``record`` and ``seen_before`` can do anything."""


def entity(universe: str, optional: bool = False) -> Type:
    """A member of a universe."""
    return Type("entity", universe, optional=optional)


def piece(*kinds: str) -> Type:
    """A piece of one of these kinds."""
    return Type("entity", "Piece", tuple(kinds))


def set_of(universe: str) -> Type:
    """A set of members of a universe."""
    return Type("set", universe)


def stand_in(universe: str) -> str:
    """The kind of those pieces that stand for the members of a universe where a value may be a piece or one of them."""
    return m.STAND_IN + universe


def stands_for(kind: str) -> str:
    """The universe for whose members pieces of a kind stand; empty, if it is a kind of the rules."""
    return kind.removeprefix(m.STAND_IN) if kind.startswith(m.STAND_IN) else ""


def join(a: Type, b: Type) -> Type | None:
    """The type that holds values of both (as of the two branches of a condition), or None."""
    if a.kind == "any" or b.kind == "any":
        return ANY
    if a.kind == "none":
        return b.or_none()
    if b.kind == "none":
        return a.or_none()
    if a.kind != b.kind:
        return None
    if a.keys != b.keys:
        return None
    optional = a.optional or b.optional
    if a.universe != b.universe:
        if a.is_collection and not a.universe:
            return b
        if b.is_collection and not b.universe:
            return a
        return None
    kinds = a.kinds + tuple(k for k in b.kinds if k not in a.kinds)
    return replace(
        a,
        kinds=kinds,
        low=min(a.low, b.low),
        high=max(a.high, b.high),
        optional=optional,
        capacity=max(a.capacity, b.capacity),
        unit=False,
    )


BuiltIn = Literal[
    "top",
    "bottom",
    "size",
    "place",
    "holder",
    "on_board",
    "in_game",
    "side",
    "slot",
    "places",
    "edges_around",
    "boundary",
    "connected",
    "ahead",
    "distance",
    "towards",
    "ray",
    "opposite",
    "rotated",
    "player_of",
    "old",
    "possible",
    "seen_before",
]

BUILTINS: dict[BuiltIn, tuple[int, int]] = {
    "top": (1, 1),
    "bottom": (1, 1),
    "size": (1, 1),
    "place": (1, 1),
    "holder": (1, 1),
    "on_board": (1, 1),
    "in_game": (1, 1),
    "side": (1, 1),
    "slot": (1, 1),
    "places": (1, 1),
    "edges_around": (1, 1),
    "boundary": (1, 1),
    "connected": (1, 1),
    "ahead": (2, 2),
    "distance": (2, 2),
    "towards": (2, 3),
    "ray": (2, 2),
    "opposite": (1, 1),
    "rotated": (2, 2),
    "player_of": (1, 1),
    "old": (1, 1),
    "possible": (1, 1),
    "seen_before": (1, 1),
}
"""The built-in functions, with the fewest and the most arguments of each."""


def is_builtin(name: str) -> TypeGuard[BuiltIn]:
    """True of the name of a built-in function."""
    return name in BUILTINS


YIELDING = frozenset({"top", "bottom"})
"""Functions that stand back where the rules declare a query or procedure of that name: they are younger than games that
do."""

STATEMENTS = ("eliminate", "record")
"""Built-in calls that do something, each with one argument."""
