"""Scenarios."""

from __future__ import annotations

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax.ast.base import Clause, Node, Path
from rulewright.syntax.ast.expressions import Bind, Expr
from rulewright.syntax.ast.statements import Face, Let, Merge


@dataclass(frozen=True, slots=True)
class Answer(Node):
    """``binder = e``, ``binder = done``, or a bare option label; a list answers several choices of one name.

    With `keys` it is ``deck[p] = e``: the shuffle of one of several piles.
    """

    name: str
    value: Expr | None
    keys: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class SFrom(Clause):
    """``from "title"``: the position of another scenario, as that one has laid it out; the first line."""

    title: str


@dataclass(frozen=True, slots=True)
class SPlayers(Clause):
    """``players black, white``: names the seats, and so their number."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SVariant(Clause):
    """``variant "Long war"``: played with this overlay; several lines chain."""

    title: str


@dataclass(frozen=True, slots=True)
class SSet(Clause):
    """``set param = e``."""

    path: Path
    value: Expr


@dataclass(frozen=True, slots=True)
class SPut(Clause):
    """``put [n] "key", "key" in zone [face] [as side]``, perhaps once for each of several things."""

    amount: int | None
    keys: tuple[str, ...]
    zone: Expr
    face: Face | None
    side: str | None = None
    binds: tuple[Bind, ...] = ()
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class Setting(Node):
    """``field = e``."""

    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class SGiven(Clause):
    """``given field = e, field = e``, perhaps once for each of several things: ``… for x in S where C``."""

    settings: tuple[Setting, ...]
    binds: tuple[Bind, ...] = ()
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class Sign(Node):
    """``X = "cross"``: what a sign of a drawing stands for."""

    sign: str
    value: Expr


@dataclass(frozen=True, slots=True)
class DrawnRow(Node):
    """One row of a drawing: signs with blanks between them."""

    text: str


@dataclass(frozen=True, slots=True)
class SDraw(Clause):
    """``draw on[place] with X = "cross"`` and the rows of the map below it: pieces are laid, or fields given, at each
    place where a sign stands."""

    target: Expr
    signs: tuple[Sign, ...]
    rows: tuple[DrawnRow, ...]


@dataclass(frozen=True, slots=True)
class SStart(Clause):
    """``start call``: from here the rules run."""

    call: Expr


@dataclass(frozen=True, slots=True)
class SWhen(Clause):
    """``when p: binder = answer, label``; ``when p may: …`` is given as far as it is offered."""

    who: str
    answers: tuple[Answer, ...]
    may: bool = False


@dataclass(frozen=True, slots=True)
class SChance(Clause):
    """``chance: binder = [red, red, blue], pile[p] = [a, b]``."""

    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class SThen(Clause):
    """``then e, e``: each must hold now."""

    conditions: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class SRefused(Clause):
    """``refused p: binder = e because decl.label``; the reason may be left out."""

    who: str
    answer: Answer
    because: Path | None


@dataclass(frozen=True, slots=True)
class SOffered(Clause):
    """``offered p: binder = {a, b}``: exactly these options."""

    who: str
    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class SSeen(Clause):
    """``seen p: e, e``: p knows each of these values here; ``hidden p: e, e``: they know none of them."""

    who: str
    values: tuple[Expr, ...]
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class SOut(Clause):
    """``out a, b``: these have left the game already."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SWins(Clause):
    """``wins a, b``: the game is over and just these players or parties have won (all that share the first place).

    ``wins nobody``: nobody has.
    """

    who: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class PayoffOf(Node):
    """``anna: 3``, or ``anna: -1/2``: a whole number of so many `parts`."""

    who: Expr
    value: Expr
    parts: Expr | None


@dataclass(frozen=True, slots=True)
class SPayoff(Clause):
    """``payoff a: 3, b: -3``: so much the game is worth to them, or what they were paid so far."""

    payoffs: tuple[PayoffOf, ...]


ScenarioLine = (
    SPlayers
    | SVariant
    | SFrom
    | SSet
    | SPut
    | SGiven
    | SDraw
    | SStart
    | SWhen
    | SChance
    | SThen
    | SRefused
    | SOffered
    | SSeen
    | SWins
    | SPayoff
    | SOut
    | Let
    | Merge
)


@dataclass(frozen=True, slots=True)
class Scenario(Clause):
    """``scenario "title"`` with its lines."""

    title: str
    lines: tuple[ScenarioLine, ...]
