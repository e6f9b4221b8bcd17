"""Sight of zones and fields by their declarations alone, whatever the position: read here, and nowhere else.

A declaration has audiences, each for a facet: of a zone the faces of its pieces, their backs or their count, of a field
its value. Who sees the face sees the rest as well. An audience is one of five *levels*; analyses of secrets, the
engine's layout and the linter ask for those that they need. Who sees something at a level that varies is evaluated in a
position (:mod:`rulewright.engine.runtime.visibility`).
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Literal

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.declarations import PAID, Audience, Field, Zone
from rulewright.ir.expressions import Expr
from rulewright.ir.expressions.collections import MakeSet
from rulewright.ir.expressions.scalars import Const, Var
from rulewright.ir.model import Program

Facet = Literal["face", "back", "count"]

SUFFICES: dict[Facet, tuple[str, ...]] = {
    "face": ("face", "all"),
    "back": ("face", "all", "back"),
    "count": ("face", "all", "back", "count"),
}
"""The facets of audiences of whom each sees a facet."""


class Level(Enum):
    """An audience, as far as it is known without a position."""

    NO_PLAYER = auto()
    OWNER = auto()
    """The player who is a key of it alone."""
    SEATS = auto()
    """A fixed set of players in every position, but not all."""
    EVERYBODY = auto()
    VARYING = auto()
    """Others in other positions: those still in the game, who has paid, all from the end of a round on."""


def level(by: Expr | None, binders: tuple[str, ...], players: int) -> Level:
    """The level of an audience of a declaration with these binders of its keys."""
    match by:
        case None | Const(0):
            return Level.NO_PLAYER
        case Const(seats):
            return Level.EVERYBODY if seats == (1 << players) - 1 else Level.SEATS
        case MakeSet((Var(name),)) if name in binders:
            return Level.OWNER
        case _:
            return Level.VARYING


@dataclass(frozen=True, slots=True)
class DeclaredSight:
    """The declarations of a game with so many players."""

    players: int

    def levels(self, declared: Zone | Field, facet: Facet = "face") -> frozenset[Level]:
        """The levels of all audiences that see a facet."""
        wanted = SUFFICES[facet]
        return frozenset(self._level(declared, a) for a in declared.audiences if a.facet in wanted)

    def everybody(self, declared: Zone | Field, facet: Facet = "face") -> bool:
        """True if all players always see a facet. Faces in a zone whose pieces may lie face down count as seen."""
        return Level.EVERYBODY in self.levels(declared, facet)

    def open(self, declared: Zone | Field) -> bool:
        """True if all players always see the face of everything in it: no piece lies face down."""
        return self.everybody(declared) and not (isinstance(declared, Zone) and declared.faced)

    def seen_by_none(self, declared: Zone | Field) -> bool:
        """True if no player ever sees anything of it."""
        return self.levels(declared, "count") <= {Level.NO_PLAYER}

    def owner_alone(self, declared: Zone | Field, owners: tuple[str, ...] | None = None) -> bool:
        """True if only the player who is its key ever sees anything of it; `owners`: the binders of such keys, if not
        any key will do."""
        binders = declared.binders if owners is None else owners
        levels = {level(audience.by, binders, self.players) for audience in declared.audiences}
        return levels <= {Level.NO_PLAYER, Level.OWNER}

    def names(self, field: Field) -> bool:
        """True if all players see which piece a field mentions, wherever that lies: ``face seen by everyone``."""
        return any(a.facet == "face" and self._level(field, a) is Level.EVERYBODY for a in field.audiences)

    def _level(self, declared: Zone | Field, audience: Audience) -> Level:
        return level(audience.by, declared.binders, self.players)


def sight_of(program: Program) -> DeclaredSight:
    """The reading of a program's declarations."""
    return DeclaredSight(next(universe.size for universe in program.universes if universe.name == "Player"))


def hides_anything(program: Program) -> bool:
    """True if anything in the game is not seen by all. What is paid alone is no secret: where all else is seen, so is
    what it follows from."""
    declared: list[Zone | Field] = [*program.zones, *(field for field in program.fields if field.name != PAID)]
    return not all(map(sight_of(program).open, declared))


def tells_apart(program: Program) -> bool:
    """True if one player may know what another does not: some alone see something, or who has set a field knows what no
    player sees there. A pile that lies face down before all is no such thing."""
    sight, shared = sight_of(program), {Level.NO_PLAYER, Level.EVERYBODY}
    fields = (field for field in program.fields if field.name != PAID)
    return not (all(sight.levels(zone, "count") <= shared for zone in program.zones) and all(map(sight.open, fields)))
