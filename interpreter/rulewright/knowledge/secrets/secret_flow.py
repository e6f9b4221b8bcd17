"""The flow of secrets through one function: which facts follow from which, whatever else the program does.

A *fact* is that a value is secret, or that something is done in secret; each follows from a single other one. So the
facts of a program are what can be reached in a graph, and the edges that a function adds to it are found once for all
programs that it is part of (constraint-based analysis: F. Nielson, H. R. Nielson, C. Hankin, *Principles of Program
Analysis*, chapter 3, Springer 1999).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from enum import StrEnum, auto
from typing import assert_never

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import ControlFlowGraph, control_flow_graph
from rulewright.ir.dataflow.effects import (
    EffectAnalysis,
    Names,
    asks_location,
    expression_reads,
    instructions_of,
    known_reads,
)
from rulewright.ir.walk import Taken, children

RESULT = -1
"""The slot of a function's result."""


class Sort(StrEnum):
    """Sorts of facts, each about a slot or an instruction of a function."""

    ALWAYS = auto()
    """The fact that always holds."""
    SECRET = auto()
    """Not all know the value of a slot."""
    DOUBTFUL = auto()
    """A secret decides whether a slot is none."""
    ASTRAY = auto()
    """A secret decides from where the pieces in a slot come."""
    UNTOLD = auto()
    """Not all may know the answers of a question."""
    FORK = auto()
    """A secret decides which branch is taken."""
    INSIDE = auto()
    """A secret decides whether an instruction is carried out."""
    LOOSE = auto()
    """A secret decides whether a function moves something."""
    MOVES = auto()
    """A secret decides from where or to where an instruction moves something."""


Fact = tuple[Sort, str, int]
"""The sort, the function, and the number of the slot or instruction."""
ALWAYS: Fact = (Sort.ALWAYS, "", 0)


@dataclass(frozen=True, slots=True)
class World:
    """Declarations of a program, as far as the meaning of its expressions for secrets depends on them."""

    zones: Names
    uncounted: Names
    """The zones that not everyone can always count."""
    hidden: Names
    """Tokens of all that is hidden from some player."""
    depend: EffectAnalysis


@dataclass(frozen=True, slots=True)
class PieceOrigin:
    """The zones from which the pieces of a value may come: some, and those of the pieces in slots."""

    zones: Names
    slots: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SecretFlow:
    """All that a function adds to the flow of secrets of a program; it holds no part of the function."""

    follows: dict[Fact, list[Fact]] = field(default_factory=dict)
    """The facts that follow from one."""
    comes: list[tuple[str, int, PieceOrigin]] = field(default_factory=list)
    """The slots, of this function and of others, with pieces that come from somewhere."""
    copies: list[tuple[str, int, str, int]] = field(default_factory=list)
    """Slots into which what lies in others is copied: from where, to where."""
    moves: dict[int, PieceOrigin] = field(default_factory=dict)
    """For each instruction that moves pieces where these come from."""


@dataclass(frozen=True, slots=True)
class _Reads:
    """The slots, zones and hidden things that an expression looks at."""

    slots: tuple[int, ...]
    zones: Names
    anywhere: bool
    """True if it asks where pieces lie: then they may come from any zone."""
    hidden: bool
    """True if it reads something that is hidden from some player."""


_FLOWS = (m.SetLocal, m.Append, m.Return, m.Choose, m.Chance, m.Call, m.Move)
"""Instructions through which something flows from slot to slot, or after which it lies elsewhere."""
_FORKS = (m.JumpUnless, m.Choose)
"""Instructions after which the rules may go on in several ways."""


def pieces_of(f: m.Function) -> tuple[int, ...]:
    """The slots that hold pieces."""
    return tuple(n for n, slot in enumerate(f.slots) if slot.ty.universe == "Piece")


def secret_flow(function: m.Function, world: World) -> SecretFlow:
    """The flow of secrets through a function."""
    return _Finding(function, world).find()


class _Finding:
    """Goes through the instructions of a function."""

    def __init__(self, function: m.Function, world: World) -> None:
        self.function, self.world = function, world
        self.name = function.name
        self.graph: ControlFlowGraph = control_flow_graph(function)
        self.pieces = frozenset(pieces_of(function))
        self.looks = known_reads(function)
        self.found = SecretFlow()

    def find(self) -> SecretFlow:
        """Go through them all."""
        flows = dict(instructions_of(self.function, _FLOWS))
        for pc, i in instructions_of(self.function, _FORKS):
            fork: Fact = (Sort.FORK, self.name, pc)
            if isinstance(i, m.JumpUnless):
                self.follow(self.secret(i.condition), fork)
            elif isinstance(i, m.Choose) and i.extras:
                self.follow([(Sort.UNTOLD, self.name, pc)], fork)
            for at in self.graph.branch(pc):
                if at in flows:
                    self.follow([fork], (Sort.INSIDE, self.name, at))
        for slot in self.pieces:
            self.follow([(Sort.LOOSE, self.name, 0)], (Sort.ASTRAY, self.name, slot))
        for pc, flowing in flows.items():
            self.step(pc, flowing)
        return self.found

    def follow(self, premises: Iterable[Fact], *conclusions: Fact) -> None:
        """Each of some facts follows from each of others."""
        for premise in premises:
            self.found.follows.setdefault(premise, []).extend(conclusions)

    def step(self, pc: int, i: m.Instr) -> None:
        """Add what follows from one instruction."""
        name, inside = self.name, (Sort.INSIDE, self.name, pc)
        loose: Fact = (Sort.LOOSE, name, 0)
        match i:
            case m.SetLocal() | m.Append():
                self.store(name, i.slot, i.value, [inside])
                if i.slot in self.pieces:
                    self.found.comes.append((name, i.slot, self.source(i.value)))
            case m.Return(None):
                self.follow([inside], (Sort.SECRET, name, RESULT))
            case m.Return():
                assert i.value is not None
                self.store(name, RESULT, i.value, [inside])
                self.found.comes.append((name, RESULT, self.source(i.value)))
            case m.Choose() | m.Chance():
                self.answer(pc, i)
            case m.Call(function, args, into, _, shared):
                for number, arg in enumerate(args):
                    self.store(function, number, arg, [])
                    self.found.comes.append((function, number, self.source(arg)))
                returned = [(RESULT, into)] if into is not None else []
                for there, slot in (*returned, *enumerate(shared)):
                    for sort in (Sort.SECRET, Sort.ASTRAY, Sort.DOUBTFUL):
                        self.follow([inside, (sort, function, there)], (sort, name, slot))
                    self.found.copies.append((function, there, name, slot))
                self.follow([inside, (Sort.LOOSE, function, 0)], loose)
            case m.Move():
                for slot in self.reads(i.what).slots:
                    self.found.comes.append((name, slot, PieceOrigin(frozenset((i.zone,)))))
                self.found.moves[pc] = self.source(i.what)
                self.follow([inside], loose)
                keys = (fact for key in i.index for fact in self.secret(key))
                self.follow([*self.astray(i.what), *keys], (Sort.MOVES, name, pc))
            case (
                m.SetField() | m.Reset() | m.Flip() | m.SwapItems() | m.Merge() | m.Eliminate() | m.Jump()
                | m.JumpUnless() | m.FinishWin() | m.FinishRank() | m.Fail() | m.Show() | m.Tell() | m.Fired()
                | m.Observe() | m.Turn()
            ):  # fmt: skip
                pass  # no piece comes elsewhere, and nothing into a slot
            case _:
                assert_never(i)

    def store(self, function: str, slot: int, value: m.Expr, inside: list[Fact]) -> None:
        """A slot gets a value."""
        secret = [*inside, *self.secret(value)]
        self.follow(secret, (Sort.SECRET, function, slot), (Sort.DOUBTFUL, function, slot))
        self.follow([*inside, *self.astray(value)], (Sort.ASTRAY, function, slot))

    def answer(self, pc: int, i: m.Choose | m.Chance) -> None:
        """A slot gets a member of a set. The question and its player are known to all."""
        inside: Fact = (Sort.INSIDE, self.name, pc)
        untold = [inside, (Sort.UNTOLD, self.name, pc)]
        source = i.source
        self.follow(untold, (Sort.SECRET, self.name, i.into))
        if source is not None:
            self.found.comes.append((self.name, i.into, self.source(source)))
        doubtful: Fact = (Sort.DOUBTFUL, self.name, i.into)
        if isinstance(i, m.Choose) or not isinstance(source, m.ZoneGet | m.ZoneList):
            self.follow(untold, doubtful)
        else:  # none is drawn where nothing lies
            uncounted = [ALWAYS] if source.zone in self.world.uncounted else []
            self.follow([inside, *uncounted, *self.astray(source)], doubtful)
        while isinstance(source, m.Filter):
            source = source.source
        astray = self.astray(source) if source is not None else ()
        self.follow([inside, *astray], (Sort.ASTRAY, self.name, i.into))

    # ------------------------------------------------------------------------------------------ expressions

    def secret(self, e: m.Expr) -> Iterator[Fact]:
        """The facts from which it follows that not all know the value of an expression."""
        match e:
            case m.Cmp(_, m.Local(slot), m.Const(m.NONE)):
                yield Sort.DOUBTFUL, self.name, slot
                return
            case _:
                pass
        reads = self.reads(e)
        if reads.hidden:
            yield ALWAYS
        yield from ((Sort.SECRET, self.name, slot) for slot in reads.slots)

    def astray(self, what: m.Expr) -> Iterator[Fact]:
        """The facts that make the zone of some pieces, or their number, possibly secret."""
        parts = list(children(what))
        if isinstance(what, m.ZoneGet | m.ZoneList | m.Top):
            of_pieces = 0
        elif isinstance(what, m.MakeSet | m.MakeList | m.Joined):
            of_pieces = len(parts)
        elif isinstance(what, Taken):
            of_pieces = 1
        else:
            yield (Sort.ASTRAY, self.name, what.slot) if isinstance(what, m.Local) else ALWAYS
            return
        for part in parts[:of_pieces]:
            yield from self.astray(part)
        for key in parts[of_pieces:]:
            yield from self.secret(key)

    def source(self, e: m.Expr) -> PieceOrigin:
        """The zones from which the pieces of a value may come."""
        reads = self.reads(e)
        slots = tuple(slot for slot in reads.slots if slot in self.pieces)
        return PieceOrigin(self.world.zones if reads.anywhere or not (reads.zones or slots) else reads.zones, slots)

    def reads(self, e: m.Expr) -> _Reads:
        looks = self.looks.get(id(e))
        if looks is None:
            looks = self.looks[id(e)] = expression_reads(e)
        found = self.world.depend.through(looks.reads)
        informative = found
        if not looks.reads.queries and looks.counted:
            # Where all see how many lie somewhere, to ask for just that is no secret.
            uncounted = frozenset(f"zone {name}" for name in self.world.uncounted)
            informative = found - (looks.counted - uncounted - looks.uncounted)
        return _Reads(
            looks.slots,
            frozenset(token[5:] for token in found if token.startswith("zone ")),
            asks_location(found),
            not self.world.hidden.isdisjoint(informative),
        )
