"""Statements: what effects, procedures and phases are made of."""

from __future__ import annotations

from typing import Literal

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax.ast.base import Clause, Node
from rulewright.syntax.ast.expressions import Bind, Expr
from rulewright.syntax.ast.types import TypeExpr


@dataclass(frozen=True, slots=True)
class Param(Node):
    """``name: Type`` in the head of a declaration."""

    gives = ("name",)

    name: str
    type: TypeExpr


@dataclass(frozen=True, slots=True)
class Let(Clause):
    """``let x = e``; with `changes`, ``var x: T = e``, which may be assigned again."""

    gives = ("name",)

    name: str
    value: Expr
    changes: bool = False
    type: TypeExpr | None = None


@dataclass(frozen=True, slots=True)
class Assign(Clause):
    """``target = e``, ``target += e``, ``target -= e``."""

    sets = ("target",)

    target: Expr
    op: Literal["=", "+=", "-="]
    value: Expr


@dataclass(frozen=True, slots=True)
class Update(Node):
    """``target = e`` beside others."""

    sets = ("target",)

    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class AssignAll(Clause):
    """``a = e, b = f``: all values are computed before any of them is set."""

    updates: tuple[Update, ...]


@dataclass(frozen=True, slots=True)
class DoNothing(Clause):
    """``do nothing``."""


@dataclass(frozen=True, slots=True)
class CallStatement(Clause):
    """A call that stands as a statement."""

    call: Expr


Face = Literal["face up", "face down", "on top", "at bottom"]
Laid = Literal[Face, "as it lies"]


@dataclass(frozen=True, slots=True)
class Move(Clause):
    """``move [n of] what to zone [face]``."""

    takes = ("what",)
    fills = ("to",)
    writes = ("where", "side")

    amount: Expr | None
    what: Expr
    to: Expr
    face: Laid | None


@dataclass(frozen=True, slots=True)
class MoveHeld(Clause):
    """``move field from a to b``: what a field holds for a, it holds for b then, and for a nothing."""

    sets = ("what",)

    what: Expr
    source: Expr
    to: Expr


@dataclass(frozen=True, slots=True)
class Draw(Clause):
    """``draw [n] from zone to zone [as name] [face]``: from the top of a stack, at random from a bag or set."""

    gives = ("name",)
    takes = ("source",)
    fills = ("to",)
    writes = ("where", "side")

    amount: Expr | None
    source: Expr
    to: Expr
    name: str | None
    face: Face | None


@dataclass(frozen=True, slots=True)
class Flip(Clause):
    """``flip x face up`` or ``flip x to heads``."""

    writes = ("side",)

    what: Expr
    side: str


@dataclass(frozen=True, slots=True)
class Show(Clause):
    """``show x to p``."""

    what: Expr
    to: Expr


@dataclass(frozen=True, slots=True)
class Tell(Clause):
    """``tells "{p} builds a castle in {place}"``: a line of the log, which changes nothing."""

    words: tuple[str, ...]
    """The text around the values, one part more than there are values."""
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Shuffle(Clause):
    """``shuffle zone`` or ``shuffle list_field``."""

    sets = ("what",)

    what: Expr


@dataclass(frozen=True, slots=True)
class Merge(Clause):
    """``merge r with n``."""

    writes = ("regions",)

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Roll(Clause):
    """``p rolls [n] Die as name``: one die gives its face, ``n`` dice a list."""

    gives = ("name",)

    who: Expr
    amount: Expr | None
    die: str
    name: str


@dataclass(frozen=True, slots=True)
class Proceed(Clause):
    """``proceed``: in an ``instead of`` reaction, do now what was replaced."""


@dataclass(frozen=True, slots=True)
class Stop(Clause):
    """``stop`` leaves the nearest repetition; ``stop label`` the step or repetition so named."""

    label: str | None


@dataclass(frozen=True, slots=True)
class Return(Clause):
    """``return [e]``."""

    value: Expr | None


@dataclass(frozen=True, slots=True)
class Win(Clause):
    """``finish with winner e``: a player, a party, or a set of them."""

    who: Expr


@dataclass(frozen=True, slots=True)
class NobodyWins(Clause):
    """``finish with nobody winning``: all have lost."""


@dataclass(frozen=True, slots=True)
class DrawnGame(Clause):
    """``finish with a draw``: all who are still in the game share the first place, and nobody has beaten the others."""


@dataclass(frozen=True, slots=True)
class RankAll(Clause):
    """``finish ranking x in S by e then e``: highest first; equal in all measures share the place."""

    bind: Bind
    by: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class PayAll(Clause):
    """``finish paying e for x in S``: payoffs of players, or of the players of parties; the places follow."""

    value: Expr
    bind: Bind


@dataclass(frozen=True, slots=True)
class Reward(Clause):
    """``reward who: e``: a payoff on the way, for a player, the players of a party, or a set of them."""

    who: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Branch(Node):
    """One condition of an ``if`` with what is done when it holds."""

    condition: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class If(Clause):
    """``if c`` … ``else if c`` … ``else``; `one_line` was written ``if c then s [else t]``."""

    branches: tuple[Branch, ...]
    otherwise: tuple[Stmt, ...]
    one_line: bool = False


@dataclass(frozen=True, slots=True)
class Arm(Clause):
    """``a, b: statement`` or ``a, b`` with a block, inside ``match``."""

    values: tuple[Expr, ...]
    body: tuple[Stmt, ...]
    one_line: bool = False


@dataclass(frozen=True, slots=True)
class Match(Clause):
    """``match e`` with arms; `otherwise` stands last."""

    subject: Expr
    arms: tuple[Arm, ...]
    otherwise: Arm | None


@dataclass(frozen=True, slots=True)
class Each(Clause):
    """``each x in S where C`` in canonical order, ``by K [descending]``, ``at once`` or ``, order chosen by p``;
    `anyway` is for a question also about the last one."""

    bind: Bind
    where: Expr | None
    order: Literal["by", "by descending", "at once", "chosen"] | None
    key: Expr | None
    body: tuple[Stmt, ...]
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class Repeat(Clause):
    """``repeat [until c | while c | n times] [, at most m times]``."""

    mode: Literal["until", "while", "times", "forever"]
    value: Expr | None
    at_most: Expr | None
    label: str | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Many(Node):
    """The number to choose: ``exactly n``, ``up to n``, ``a to b``, ``any number of``, ``as many as possible of n``."""

    mode: Literal["exactly", "up to", "between", "any number", "as many as possible"]
    low: Expr | None
    high: Expr | None


@dataclass(frozen=True, slots=True)
class Unless(Clause):
    """``unless label: condition`` under a ``forbid``."""

    label: str
    condition: Expr


@dataclass(frozen=True, slots=True)
class Forbid(Clause):
    """``forbid label: condition`` with its exceptions."""

    label: str
    condition: Expr
    unless: tuple[Unless, ...]


@dataclass(frozen=True, slots=True)
class Obey(Clause):
    """``obey limits(a, b)``: the restrictions of a ``limits`` declaration apply here too."""

    call: Expr


Restriction = Forbid | Obey


@dataclass(frozen=True, slots=True)
class Choose(Clause):
    """``who chooses [many] x [: Kind] [as xs] from S [where C][, leading on][, asked anyway]``, or with `optional`,
    ``who may choose …``."""

    gives = ("name", "as_name")

    who: Expr
    optional: bool
    many: Many | None
    name: str
    kind: str | None
    as_name: str | None
    source: Expr
    where: Expr | None
    restrictions: tuple[Restriction, ...]
    then: tuple[Stmt, ...] | None
    otherwise: tuple[Stmt, ...] | None
    leading: bool = False
    """Only that is offered after which what follows is possible."""
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class Option(Clause):
    """``option label`` of an ``either``, with restrictions first and then what it does."""

    label: str
    restrictions: tuple[Restriction, ...]
    body: tuple[Stmt, ...]
    one_line: bool = False


@dataclass(frozen=True, slots=True)
class Either(Clause):
    """``who chooses either [as label]`` one of the labelled options; `anyway` is for a question without any."""

    who: Expr
    label: str | None
    options: tuple[Option, ...]
    otherwise: tuple[Stmt, ...] | None
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class Repeats(Clause):
    """``who repeats [many] times [as label]``: as often as wanted within the bounds, as long as it is possible;
    `anyway` is for a question also where it is not."""

    who: Expr
    many: Many
    label: str | None
    body: tuple[Stmt, ...]
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class Step(Clause):
    """``step label``: a named part, handle for overlays, traces and ``during``."""

    label: str
    body: tuple[Stmt, ...]


StateChange = Assign | AssignAll | Move | MoveHeld | Flip | Merge
"""Statements that change the game and go on."""

RandomEvent = Draw | Roll | Shuffle
"""Statements that ask chance."""

Question = Choose | Either | Repeats
"""Statements that ask players."""

Invocation = CallStatement | Proceed
"""Statements that do what stands elsewhere."""

Ending = Win | NobodyWins | DrawnGame | RankAll | PayAll
"""Statements that end the game."""

Transfer = Stop | Return | Ending
"""Statements behind which the rules do not go on."""

LineStatement = Let | StateChange | Reward | DoNothing | Show | Tell | RandomEvent | Invocation | Transfer | Obey
"""Statements on one line, with nothing below them."""

BlockStatement = If | Match | Each | Repeat | Question | Step | Forbid
"""Statements that may have lines below them."""

Stmt = LineStatement | BlockStatement
