"""A scenario ready to be run: a position, answers that are given, and what must then hold."""

from __future__ import annotations

from rulewright.diagnostics import NOWHERE, Span
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.model import Expr, Program, Ty

WORDS = frozenset({"done", "pass", "stop", "again"})
"""Options that are offered beside what is chosen from."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a scenario, with its place and its text for reports."""

    span: Span = NOWHERE
    text: str = ""


@dataclass(frozen=True, slots=True)
class Each:
    """``x in S`` of a line that holds for each of several things."""

    var: str
    source: Expr
    is_list: bool


@dataclass(frozen=True, slots=True)
class Put(Line):
    """Take `amount` pieces with this key from where they begin and lay them into a zone."""

    amount: int = 1
    key: str = ""
    kinds: int = -1
    """Bit set of the pieces that have this key."""
    zone: str = ""
    index: tuple[Expr, ...] = ()
    face: int | None = None
    bottom: bool = False
    side: int | None = None
    """The side that is up; None: the one that was."""
    each: tuple[Each, ...] = ()
    """Binders for whose values this is done, each inside of those before it; once without any."""
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class Given(Line):
    """Set a field."""

    field: str = ""
    index: tuple[Expr, ...] = ()
    value: Expr | None = None
    each: tuple[Each, ...] = ()
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class OneMeant(Line):
    """The line that follows names one piece by a key that several have: they must lie together, as any will do then."""

    key: str = ""
    pieces: int = 0
    """Bit set of the pieces that have this key."""


@dataclass(frozen=True, slots=True)
class Merged(Line):
    """Merge two regions."""

    merged: str = ""
    left: Expr | None = None
    right: Expr | None = None


@dataclass(frozen=True, slots=True)
class Start(Line):
    """Begin to run this function (instead of the whole game), settled state assumed before."""

    function: str = ""
    args: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: an option's key, or a value (a set gives several picks) from which the keys follow."""

    label: str
    key: str | None
    value: Expr | None = None
    ty: Ty | None = None
    keys: tuple[str, ...] = ()
    """Several picks by their keys, in the order in which they are written; equal ones are several."""
    items: tuple[Expr, ...] = ()
    """Several picks in the order in which they are written; none is left out."""
    several: bool = False
    """True if a choice of this name picks one after the other."""


@dataclass(frozen=True, slots=True)
class When(Line):
    """This seat answers these questions, in order."""

    seat: int = 0
    replies: tuple[Reply, ...] = ()
    may: bool = False
    """True if the scenario has held, and is over, where an answer is not offered."""


@dataclass(frozen=True, slots=True)
class Fate(Line):
    """The next outcomes of chance, by label, as option keys."""

    label: str = ""
    keys: tuple[str, ...] = ()
    shuffle: bool = False
    """True if `keys` are the members of what is shuffled, in the order that they are to have."""
    index: tuple[Expr, ...] | None = None
    """The keys of the pile, field or row that is meant; None: whichever is shuffled next."""


@dataclass(frozen=True, slots=True)
class Then(Line):
    """Must be true now."""

    condition: Expr | None = None
    parts: tuple[tuple[str, Expr, Ty], ...] = ()
    """For the report: the two sides of a comparison with their text."""


@dataclass(frozen=True, slots=True)
class Refused(Line):
    """This answer must not be offered, for this reason."""

    seat: int = 0
    reply: Reply | None = None
    because: str | None = None
    """``declaration.label``"""


@dataclass(frozen=True, slots=True)
class Offered(Line):
    """Exactly these options must be offered (words like ``done`` are not counted)."""

    seat: int = 0
    label: str = ""
    value: Expr | None = None
    ty: Ty | None = None
    keys: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Seen(Line):
    """This seat must know the value now; or, if it is `hidden`, must not."""

    seat: int = 0
    value: Expr | None = None
    ty: Ty | None = None
    hidden: bool = False
    source_text: str = ""
    """The value as it is written."""


@dataclass(frozen=True, slots=True)
class Out(Line):
    """These seats have left the game."""

    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Wins(Line):
    """The game is over and just these share the first place; perhaps none."""

    players: tuple[Expr, ...] = ()
    """Sets of players."""
    parties: tuple[tuple[str, Expr], ...] = ()
    """Sets of members of parties, each with its universe; some of them may have no players."""


@dataclass(frozen=True, slots=True)
class Payoff(Line):
    """So much the game is worth to each of some players, or they were paid so far."""

    players: Expr | None = None
    """A set of players."""
    value: Expr | None = None
    parts: Expr | None = None
    """Of so many the value is meant."""
    source_text: str = ""
    """The payoff as it is written."""


Step = Put | OneMeant | Given | Merged | Out | Start | When | Fate | Then | Refused | Offered | Seen | Wins | Payoff


@dataclass(frozen=True, slots=True)
class ScenarioPlan:
    """A scenario with the program it is played by."""

    title: str
    program: Program
    seats: tuple[str, ...]
    steps: tuple[Step, ...]
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE
