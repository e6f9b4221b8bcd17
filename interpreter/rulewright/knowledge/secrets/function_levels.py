"""Levels of what is in the slots of one function: what of it is a secret, by what it is handed and gets back.

They follow from the function and the results of others alone. So they are kept, and found once for all games of a
ruleset in which these are the same: a summary, as M. Sharir and A. Pnueli call it (*Two approaches to interprocedural
data flow analysis*, 1981), for each context in which the function stands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import definitions
from rulewright.ir.dataflow.effects import instructions_of
from rulewright.ir.reads import Within
from rulewright.ir.walk import Taken, children
from rulewright.knowledge.public_values import Needs, PublicValues
from rulewright.knowledge.secrets.announcements import Announcements

OPEN, COVERED, SECRET = range(3)
"""Levels of a value: all may know it; it is a piece, or so many pieces as all may count, known to those who see their
faces; it is a secret."""

Given = tuple[int, ...]
"""Levels of the parameters of a function."""
Returned = tuple[int, ...]
"""The level of the result of a function, and those of its parameters when they are handed back."""
Back = tuple[Returned, Returned | None]
"""The levels of all that comes back from a function if it is handed nothing hidden, and the highest they may have."""

_CARRIERS = (m.SetLocal, m.Append, m.Choose, m.Chance, m.Call, m.Return)
_BRANCHES = (m.JumpUnless, m.Choose)


class KnownFunction:
    """A function, and what everybody may know of it in some games."""

    def __init__(
        self,
        function: m.Function,
        public: PublicValues,
        which: dict[int, bool],
        whether: dict[int, bool],
        once: frozenset[str],
        quiet: frozenset[int] | None,
    ) -> None:
        """For each question: whether all know which member was chosen, and whether it was one. `once` are the fields of
        the function that are changed in one place of the rules only, `quiet` its questions that others need not hear
        of; None: all."""
        self.function, self.public, self.which, self.whether, self.quiet = function, public, which, whether, quiet
        self.announcements = Announcements(function, public, which, once, quiet)
        called: dict[str, int] = {}
        for _, i in instructions_of(function, (m.Call,)):
            called[i.function] = max(len(i.shared), called.get(i.function, 0))
        self.called = tuple(called.items())
        """The functions that it calls, each with the number of parameters that it hands back."""
        self._needs: dict[int, Needs | None] = {}
        """The needs of expressions of the function, by their identity."""
        self._levels: dict[tuple[Given, tuple[Back, ...]], FunctionLevels] = {}

    @cached_property
    def unannounced(self) -> frozenset[int]:
        """The instructions to which the rules may come before anything is announced in it."""
        return self.announcements.unannounced()

    def levels(self, given: Given, back: tuple[Back, ...]) -> FunctionLevels:
        """The levels if these are handed over, and this comes back from the functions it calls, in their order."""
        found = self._levels.get((given, back))
        if found is None:
            names = (name for name, _ in self.called)
            found = self._levels[given, back] = FunctionLevels(self, given, dict(zip(names, back, strict=True)))
        return found

    def needs(self, e: m.Expr) -> Needs | None:
        """The knowledge of slots from which that of a value in the function follows."""
        key = id(e)
        if key not in self._needs:
            self._needs[key] = self.public.needs(e)
        return self._needs[key]


class FunctionLevels:
    """Levels of the slots of a function; they only rise until nothing changes."""

    def __init__(self, known: KnownFunction, given: Given, back: dict[str, Back]) -> None:
        self._known, self._back = known, back
        self._covered = {slot for slot, level in enumerate(given) if level > OPEN}
        """The slots that not all know."""
        self._hidden = {slot for slot, level in enumerate(given) if level == SECRET}
        """The slots that are secrets."""
        self._result = OPEN
        self.handed: dict[str, Given] = {}
        """Levels of what is handed to other functions."""
        self.dark: frozenset[int] = frozenset()
        """The instructions upon which a secret in the function decides."""
        self._risen = True
        while self._risen:
            self._risen = False
            self._pass()
        self.returned: Returned = (self._result, *map(self.level_of, range(known.function.params)))

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """The lines that depend on no secret."""
        lines = instructions_of(self._known.function, (m.Tell,))
        return tuple(pc for pc, i in lines if pc not in self.dark and self._all_open(pc, i))

    def _all_open(self, pc: int, i: m.Tell) -> bool:
        for value, type in zip(i.values, i.types, strict=True):
            piece = type.kind == "entity" and type.universe == "Piece"
            if self._level_in_line(pc, value) > (COVERED if piece else OPEN):
                return False
        return True

    def _level_in_line(self, pc: int, value: m.Expr) -> int:
        """The level of a value of a line: of a piece with which something was done in sight all know which it is."""
        level = self.level(value)
        seen = isinstance(value, m.Local) and pc not in self._known.announcements.unseen(value.slot)
        return min(level, COVERED) if seen else level

    def _pass(self) -> None:
        known = self._known
        self.dark = dark = self._find_dark()
        for pc, i in instructions_of(known.function, _CARRIERS):
            here = SECRET if pc in dark else OPEN
            match i:
                case m.SetLocal() | m.Append():
                    self._raise(i.slot, max(here, self.level(i.value)))
                case m.Choose(into=into) | m.Chance(into=into):
                    level_if_asked = OPEN if known.announcements.at(pc) else here
                    answered = OPEN if known.which[pc] else COVERED if i.universe == "Piece" else SECRET
                    self._raise(into, max(level_if_asked, answered))
                case m.Call(called, args, into, _, shared):
                    levels = tuple(map(self.level, args))
                    before = self.handed.get(called)
                    self.handed[called] = levels if before is None else tuple(map(max, before, levels))
                    for number, slot in enumerate(shared):
                        self._raise(slot, max(here, self._returned(called, levels, 1 + number)))
                    if into is not None:
                        self._raise(into, max(here, self._returned(called, levels, 0)))
                case m.Return():
                    level = max(here, OPEN if i.value is None else self.level(i.value))
                    self._result = max(level, self._result)
                case _:
                    pass  # nothing comes into a slot

    def _returned(self, called: str, given: Sequence[int], number: int) -> int:
        """The level of what comes back from a call: the result, or a parameter."""
        alone, most = self._back[called]
        by_itself = max(alone[number], *given, OPEN)
        return by_itself if most is None else min(by_itself, most[number])

    def _find_dark(self) -> frozenset[int]:
        return frozenset().union(*(self._known.announcements.branch(pc) for pc in self._forks()))

    def _forks(self) -> Iterator[int]:
        """The branches at which it is secret which way the rules go on."""
        known = self._known
        for pc, i in instructions_of(known.function, _BRANCHES):
            match i:
                case m.JumpUnless():
                    secret = self.level(i.condition) > OPEN
                case m.Choose():
                    secret = bool(i.extras) and not known.whether[pc]
                    secret = secret or (not known.announcements.at(pc) and self._may_be_skipped(i))
                case _:
                    continue
            if secret:
                yield pc

    @cached_property
    def _secret_forks(self) -> tuple[int, ...]:
        return tuple(self._forks())

    def _may_be_skipped(self, i: m.Choose) -> bool:
        """True if it is secret whether a question has any answer, so that it comes."""
        offered = (i.source, i.where, *(r.condition for r in i.restrictions), *(x.guard for x in i.extras))
        return i.on_empty is not None and any(e is not None and self.level(e) > OPEN for e in offered)

    def deciding(self, pc: int) -> tuple[int, ...]:
        """The branches, secret to some player, that decide whether an instruction is reached; a question among them
        that may be left out."""
        i = self._known.function.code[pc]
        own = isinstance(i, m.Choose) and not self._known.announcements.at(pc) and self._may_be_skipped(i)
        branch = self._known.announcements.branch
        return tuple(fork for fork in self._secret_forks if pc in branch(fork) or (own and fork == pc))

    def decided(self, pc: int) -> bool:
        """True if it is secret to some player whether an instruction is reached."""
        return bool(self.deciding(pc))

    def level_of(self, slot: int) -> int:
        """The level of what is in a slot."""
        return SECRET if slot in self._hidden else COVERED if slot in self._covered else OPEN

    def _raise(self, slot: int, level: int) -> None:
        if level > self.level_of(slot):
            self._covered.add(slot)
            if level == SECRET:
                self._hidden.add(slot)
            self._risen = True

    def _open(self, e: m.Expr) -> bool:
        """True if everybody may know a value."""
        needs = self._known.needs(e)
        return needs is not None and needs.slots.isdisjoint(self._covered) and needs.sizes.isdisjoint(self._hidden)

    def follows(self, e: m.Expr, held: Collection[int]) -> bool:
        """True if everybody may know a value who knows what was in some slots."""
        needs = self._known.needs(e)
        if needs is None:
            return False
        return self._covered.isdisjoint(needs.slots.difference(held)) and self._hidden.isdisjoint(
            needs.sizes.difference(held)
        )

    def level(self, e: m.Expr) -> int:
        """The level of a value of the function."""
        if self._open(e):
            return OPEN
        if isinstance(e, m.Local):
            return self.level_of(e.slot)
        if isinstance(e, Within):
            public = self._known.public
            counted = e.field in public.marking if isinstance(e, m.FieldGet) else e.zone in public.counts
            return COVERED if counted and all(map(self._open, children(e))) else SECRET
        if isinstance(e, m.SetOp) and self._lacks_its_first(e):
            return self.level(e.left)
        if isinstance(e, Taken):
            source, *decides = children(e)
            return self.level(source) if all(map(self._open, decides)) else SECRET
        return SECRET

    def _lacks_its_first(self, e: m.SetOp) -> bool:
        """True if some pieces are all but one, since what is taken from them is a slot that only ever holds the first
        of them."""
        if e.op != "minus" or not isinstance(e.right, m.MakeSet) or len(e.right.items) != 1:
            return False
        (one,) = e.right.items
        if not isinstance(one, m.Local):
            return False
        given = [i for _, i in instructions_of(self._known.function, _CARRIERS) if one.slot in definitions(i)]
        return bool(given) and all(isinstance(i, m.SetLocal) and i.value == m.First(e.left) for i in given)
