"""The instructions of a program: what effects and procedures are made of."""

from __future__ import annotations

from typing import Literal

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.expressions import Expr
from rulewright.ir.types import Ty


@dataclass(frozen=True, slots=True)
class SetLocal:
    """Store a value in a slot of the frame."""

    slot: int
    value: Expr


@dataclass(frozen=True, slots=True)
class Append:
    """Add an element to a list in a slot of the frame; over its capacity is an error. None adds nothing, unless the
    list keeps it like other elements."""

    slot: int
    value: Expr
    keeps_none: bool = False


@dataclass(frozen=True, slots=True)
class SetField:
    """Store a value in a field. Out of its bounds, or under a none key, is an error of the rules."""

    field: str
    index: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Reset:
    """Give every cell of these fields its initial value."""

    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """Move pieces (a set, in canonical order, or a list, in its order) to a zone. In a stack ``top`` is the default
    (the last one moved lies on top), in a row the end. `face` turns them up (0) or down (1); in a zone that is not
    faced pieces lie face up."""

    what: Expr
    is_list: bool
    zone: str
    index: tuple[Expr, ...]
    at: Literal["top", "bottom"] = "top"
    face: int | None = None


@dataclass(frozen=True, slots=True)
class Flip:
    """Turn a set of pieces to a side (by number). Pieces without sides face up (0) or down (1), if their zone is
    faced."""

    what: Expr
    side: int


@dataclass(frozen=True, slots=True)
class SwapItems:
    """Exchange two positions of a stack (from the top), row or list field (`zone` or `field` is given, the other
    empty)."""

    zone: str
    field: str
    index: tuple[Expr, ...]
    first: Expr
    second: Expr


@dataclass(frozen=True, slots=True)
class Merge:
    """Merge two regions: pieces in zones keyed by the second are moved to the first's; the one of least index stands
    for both."""

    merged: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Jump:
    """Go to an instruction."""

    to: int


@dataclass(frozen=True, slots=True)
class JumpUnless:
    """Go to an instruction if the condition does not hold."""

    condition: Expr
    to: int


@dataclass(frozen=True, slots=True)
class Call:
    """Call an effect or procedure; its result goes to `into`."""

    function: str
    args: tuple[Expr, ...]
    into: int | None
    at: str
    """Name of this place in the function, stable when the rules are edited elsewhere."""
    shared: tuple[int, ...] = ()
    """Slots, of the same types, that take the last values of the called function's first parameters when it is over
    (parameters by value and result, as ``in out`` in Ada)."""


@dataclass(frozen=True, slots=True)
class Return:
    """Return from the function."""

    value: Expr | None


@dataclass(frozen=True, slots=True)
class Exception_:
    """An exception of a restriction."""

    label: str
    condition: Expr
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Restriction:
    """Refuses a candidate when `condition` holds and no exception does. The candidate is the variable of the choice."""

    label: str
    """``declaration.label``"""
    condition: Expr
    unless: tuple[Exception_, ...]
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extra:
    """An option that is a word: ``done``, ``pass``, or the label of an ``either``. Offered if `guard` holds and no
    restriction refuses it; goes to `to`."""

    key: str
    guard: Expr | None
    restrictions: tuple[Restriction, ...]
    to: int
    cites: tuple[str, ...] = ()
    aside: bool = False
    """Offered only beside something else: it is no answer by itself."""
    is_declared: bool = False
    """True of a name that the rules give, of an option or a reaction, even if a word of the language is spelt alike."""


@dataclass(frozen=True, slots=True)
class Choose:
    """The one decision primitive: `who` decides, the rules wait.

    Offered are the members of `source` that pass `where` and all restrictions, each under its key, and the extras.
    Interchangeable pieces are one option, for which one of them stands. The answer is stored in `into` and
    the rules go on after this instruction; an extra goes to its target. If nothing at all is offered, they go on at
    `on_empty`, or, if that is None, stop with an error. The same happens if the one who decides is out of the game.
    """

    label: str
    """The binder, or the label of the ``either``; the decision's name is ``function.label``."""
    at: str
    who: Expr
    """A player; or, by `who_is`, the set of a party's players, whose first one in the game answers."""
    who_is: Literal["player", "party"]
    universe: str
    """Of the members; ``Int`` for numbers; empty if there are only extras."""
    source: Expr | None
    is_list: bool
    var: str
    """The candidate, in `where` and the restrictions."""
    where: Expr | None
    restrictions: tuple[Restriction, ...]
    extras: tuple[Extra, ...]
    into: int
    on_empty: int | None
    secret: bool = False
    """True for a simultaneous question: no other player sees the answer until the rules use it."""
    cites: tuple[str, ...] = ()

    @property
    def declared(self) -> frozenset[str]:
        """The names of options and reactions; the other extras are words of the language, such as ``done``."""
        return frozenset(extra.key for extra in self.extras if extra.is_declared)


@dataclass(frozen=True, slots=True)
class Chance:
    """A decision of chance: one member of `source`, all equally likely (interchangeable pieces are one outcome with
    their number as weight). Drawn from `stream`. If there is none, `into` becomes none."""

    label: str
    at: str
    stream: str
    universe: str
    source: Expr
    is_list: bool
    into: int


@dataclass(frozen=True, slots=True)
class Show:
    """Show a set of pieces to a set of players: they know their faces as long as these lie where they are. The log
    says so too."""

    what: Expr
    to: Expr


@dataclass(frozen=True, slots=True)
class Tell:
    """A line for listeners, without effect on the state: the words around the values, one part more than there are
    values. Which players may observe it: `knowledge.secrets.public_flow`."""

    words: tuple[str, ...]
    values: tuple[Expr, ...]
    types: tuple[Ty, ...]
    kinds: tuple[str, ...]
    """For each value the word for a piece that the listener does not see; empty if there is none."""
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Eliminate:
    """Eliminate a player."""

    player: Expr


@dataclass(frozen=True, slots=True)
class FinishWin:
    """The game is over; these players (a bit set, perhaps empty) share the first place, the others the next."""

    players: Expr
    rule: str = ""
    universe: str = ""
    parties: Expr | None = None
    """The winners as a set of members of a party `universe`: some of them may have no players."""
    drawn: bool = False
    """True for a draw of the first, who have not won together."""


@dataclass(frozen=True, slots=True)
class FinishRank:
    """The game is over; members of `source` (players or parties) are ranked by their keys, highest first.

    It is drawn if several share the first place. A player who is not among them comes behind all, and never first.
    """

    source: Expr
    universe: str
    var: str
    keys: tuple[Expr, ...]
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Fired:
    """A mark that a rule was used, for coverage, traces and its citations; without effect on the state."""

    rule: str


@dataclass(frozen=True, slots=True)
class Observe:
    """A mark that a block with watched properties begins or ends; without effect on the state."""

    block: str
    leaving: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """A mark that the turn of one of several simultaneous deciders begins or ends; without effect on the state.

    Between the two nothing is done that another of them could see, or that depends on what another one decides: so
    their turns may be taken in any order, with one result.
    """

    members: int
    """The slot with the list of those who decide."""
    at: int
    """The slot with the position of the one in turn."""
    one: int
    """The slot with the one in turn."""
    kept: tuple[int, ...]
    """The slots in which what was decided is kept until all have decided."""
    leaving: bool


@dataclass(frozen=True, slots=True)
class Fail:
    """The rules have come to a place where they say nothing: an error."""

    message: str


StateChange = SetField | Reset | Move | Flip | SwapItems | Merge | Eliminate
"""Instructions that change the state: `dataflow.effects` has to list what each writes."""

LocalChange = SetLocal | Append
"""Instructions that change the frame only."""

Transfer = Jump | JumpUnless | Call | Return | FinishWin | FinishRank | Fail
"""Instructions that say where the rules go on, or that they are over."""

Question = Choose | Chance
"""Instructions at which the rules wait for an answer."""

Stores = LocalChange | Call | Question
"""Instructions that store something in slots of the frame, which ones `control_flow.successors` gives."""

Notice = Show | Tell | Fired | Observe | Turn
"""Instructions that show something to players or observers."""

NoStateChange = LocalChange | Transfer | Question | Notice
"""Instructions after which the state is as it was."""

Instr = StateChange | LocalChange | Transfer | Question | Notice
