"""The lines that rules tell and that everybody may hear.

A line would give a secret away by what it says, or by being told at all. So the flow of secrets is followed through
the program: from what not all see into the slots, into what is called, and by control dependence to all that lies in a
branch that depends on a secret (D. E. Denning and P. J. Denning, *Certification of programs for secure information
flow*, 1977). A line may be heard if it depends on no secret. Only of a piece it may say which one it is, as that is
left out for those who do not see its face.

Whether a secret decides upon a call is looked at where the line is told, frame by frame: a rule that is carried out in
a secret branch once is no secret where all know of its call. Where something has announced that the rules have come
this far, no secret decides upon it any more (:mod:`.announcements`); then a line is heard on any way of calls, if it
says nothing of what the function was handed.

A field that everybody sees is seen at any moment, also between two decisions. The answer may be too careful, never too
generous.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import count

from rulewright.ir import model as m
from rulewright.ir.dataflow.announcements import Announcements
from rulewright.ir.dataflow.call_graph import callees
from rulewright.ir.dataflow.effects import EffectAnalysis
from rulewright.ir.dataflow.expression_reads import instructions_of
from rulewright.ir.dataflow.function_shape import shape
from rulewright.ir.dataflow.heard_answers import HeardAnswers
from rulewright.ir.dataflow.public_values import Needs, PublicValues
from rulewright.ir.dataflow.shape_cache import ShapeCache
from rulewright.node_memo import memoized_by_node

OPEN, COVERED, SECRET = range(3)
"""Levels of a value: all may know it; it is a piece, or so many pieces as all may count, known to those who see their
faces; it is a secret."""

_CARRIERS = (m.SetLocal, m.Append, m.Choose, m.Chance, m.Call, m.Return)
_BRANCHES = (m.JumpUnless, m.Choose)

Line = tuple[str, int]
"""A line by its function and instruction."""


class PublicLines:
    """The lines that everybody may hear, but for the names of pieces that they do not see. See :func:`public_lines`."""

    def __init__(self, program: m.Program, public: PublicValues) -> None:
        self._program, self._public = program, public
        self._alone: _PublicFlow | None = None
        self._open = frozenset[Line]()
        self._dark: dict[str, frozenset[int]] = {}
        self._calls: dict[str, set[Line]] = {}
        if not any(isinstance(i, m.Tell) for f in program.functions for i in f.code):
            return
        self._alone = _PublicFlow(program, public)
        flow = _PublicFlow(program, public, self._alone)
        self._dark = {f.name: frozenset(flow.dark(f)) for f in program.functions}
        self._open = frozenset(flow.lines())
        for function in program.functions:
            for pc, i in enumerate(function.code):
                if isinstance(i, m.Call):
                    self._calls.setdefault(i.function, set()).add((function.name, pc))

    @cached_property
    def _anywhere(self) -> _PublicFlow | None:
        """The flow if nobody knows where functions are called from; None where the rules tell nothing."""
        return self._alone and _PublicFlow(self._program, self._public, self._alone, secret=True)

    @cached_property
    def _announced(self) -> frozenset[Line]:
        """The lines that are heard on any way of calls."""
        return frozenset(self._anywhere.announced_lines() if self._anywhere else ())

    @cached_property
    def _unannounced(self) -> dict[str, frozenset[int]]:
        """For each function the instructions that a secret may decide upon, wherever it is called from."""
        anywhere = self._anywhere
        if anywhere is None:
            return {}
        return {f.name: frozenset(anywhere.dark(f) | anywhere.unannounced(f)) for f in self._program.functions}

    def heard(self, line: Line, calls: Iterable[Line]) -> bool:
        """True if a line is heard that is told on the way of these calls."""
        if line in self._open and not any(pc in self._dark[function] for function, pc in calls):
            return True
        return line in self._announced

    def seen(self, place: Line, calls: Iterable[Line]) -> bool:
        """True if all know that the rules have come to an instruction on the way of these calls. Where the rules tell
        nothing, nobody asks."""
        name, pc = place
        if name not in self._dark:
            return False
        return pc not in self._unannounced[name] or not any(pc in self._dark[f] for f, pc in (place, *calls))

    def ever_heard(self, line: Line) -> bool:
        """True if there is a way of calls on which it is."""
        return (line in self._open and self._lit(line[0])) or line in self._announced

    def _lit(self, function: str) -> bool:
        """True if a rule can be carried out where no secret decides upon it."""
        found, waiting = {function}, [function]
        while waiting:
            calls = self._calls.get(waiting.pop())
            if calls is None:
                return True
            callers = {name for name, pc in calls if pc not in self._dark[name]} - found
            found |= callers
            waiting += sorted(callers)
        return False


_kept: ShapeCache[PublicLines] = ShapeCache()


def public_lines(program: m.Program) -> PublicLines:
    """The lines of a game that everybody may hear; games that differ only in numbers have that in common."""
    public = PublicValues(program)
    kind = public.kind(), EffectAnalysis.of(program).all_reads(), tuple(map(shape, program.functions))
    return _kept.get(kind, lambda: PublicLines(program, public))


_worlds: ShapeCache[int] = ShapeCache()
_numbers = count()
_KEPT = 4
"""So many forms of what is known of a function are kept, those found last."""


@memoized_by_node
def _needs_of(function: m.Function) -> OrderedDict[int, dict[int, Needs | None]]:
    """For each world, which decides upon what all see, the needs of expressions in a function, by their identity."""
    return OrderedDict()


class _PublicFlow:
    """Levels of the slots and results of all functions; they only rise until nothing changes.

    A function is looked at again when something has risen that it reads: a slot of its own, or what it gets from one
    that it calls. What that is depends on what it hands over, so each function is looked at by itself first, as if all
    knew its parameters (a summary, as M. Sharir and A. Pnueli call it).
    """

    def __init__(
        self, program: m.Program, public: PublicValues, alone: _PublicFlow | None = None, secret: bool = False
    ) -> None:
        """Without `alone` the levels of each function by itself; `secret`: nobody knows what is handed over."""
        self.program, self.public, self.alone, self.secret = program, public, alone, secret
        self.functions = {f.name: f for f in program.functions}
        self.answers: HeardAnswers = alone.answers if alone else HeardAnswers(program, public)
        self.announcements: Announcements = (
            alone.announcements if alone else Announcements(program, public, self.answers)
        )
        self._needs: dict[str, dict[int, Needs | None]] = alone._needs if alone else self._known_needs()
        self.covered: dict[str, set[int]] = {f.name: set(range(f.params if secret else 0)) for f in program.functions}
        """For each function the slots that not all know."""
        self.hidden = {name: set(slots) for name, slots in self.covered.items()}
        """Those of them that are secrets."""
        self.results: dict[str, int] = {}
        self._callers: dict[str, list[str]] = {name: [] for name in self.functions}
        for function in program.functions:
            for called in callees(function):
                self._callers[called].append(function.name)
        self._waiting = dict.fromkeys(self.functions)
        while self._waiting:
            name = next(iter(self._waiting))
            del self._waiting[name]
            self._pass(self.functions[name])

    def _known_needs(self) -> dict[str, dict[int, Needs | None]]:
        number, found = _worlds.get(self.public.kind(), lambda: next(_numbers)), {}
        for function in self.program.functions:
            known = _needs_of(function)
            found[function.name] = known.setdefault(number, {})
            if len(known) > _KEPT:
                known.popitem(last=False)
        return found

    def lines(self) -> Iterator[Line]:
        """All lines that depend on no secret."""
        for function in self.program.functions:
            dark = self.dark(function)
            for pc, i in enumerate(function.code):
                if isinstance(i, m.Tell) and pc not in dark:
                    levels = [self._told(function.name, pc, value) for value in i.values]
                    pieces = [ty.kind == "entity" and ty.universe == "Piece" for ty in i.types]
                    if all(one <= (COVERED if piece else OPEN) for one, piece in zip(levels, pieces, strict=True)):
                        yield function.name, pc

    def announced_lines(self) -> Iterator[Line]:
        """Those before which something is announced in any case."""
        hidden = {f.name: self.unannounced(f) for f in self.program.functions}
        return ((name, pc) for name, pc in self.lines() if pc not in hidden[name])

    def unannounced(self, function: m.Function) -> set[int]:
        """The instructions of a function to which the rules may come before anything is announced in it."""
        return self.announcements.unannounced(function.name, (0,))

    def _told(self, function: str, pc: int, value: m.Expr) -> int:
        """The level of a value of a line: of a piece with which something was done in sight all know which it is."""
        level = self._level(function, value)
        seen = isinstance(value, m.Local) and pc not in self.announcements.unseen(function, value.slot)
        return min(level, COVERED) if seen else level

    # ------------------------------------------------------------------------------------------ one function

    def _pass(self, function: m.Function) -> None:
        name, dark = function.name, self.dark(function)
        for pc, i in instructions_of(function, _CARRIERS):
            here = SECRET if pc in dark else OPEN
            match i:
                case m.SetLocal() | m.Append():
                    self._raise(name, i.slot, max(here, self._level(name, i.value)))
                case m.Choose(into=into) | m.Chance(into=into):
                    asked = OPEN if self.announcements.at(name, pc) else here
                    self._raise(name, into, max(asked, self._answered(name, pc, i)))
                case m.Call(called, args, into, _, shared):
                    levels = [self._level(name, arg) for arg in args]
                    for number, level in enumerate(levels if self.alone else ()):
                        self._raise(called, number, level)
                    for number, slot in enumerate(shared):
                        self._raise(name, slot, max(here, self._back(called, levels, number)))
                    if into is not None:
                        self._raise(name, into, max(here, self._back(called, levels, None)))
                case m.Return():
                    level = max(here, OPEN if i.value is None else self._level(name, i.value))
                    if level > self.results.get(name, OPEN):
                        self.results[name] = level
                        self._waiting.update(dict.fromkeys(self._callers[name]))

    def _back(self, called: str, given: list[int], number: int | None) -> int:
        """The level of what comes back from a call: in a parameter, or as its result."""

        def level(flow: _PublicFlow) -> int:
            return flow.results.get(called, OPEN) if number is None else flow.level(called, number)

        by_itself = max(level(self.alone or self), *given, OPEN)
        return by_itself if self.secret or not self.alone else min(by_itself, level(self))

    def level(self, function: str, slot: int) -> int:
        """The level of a slot."""
        return SECRET if slot in self.hidden[function] else COVERED if slot in self.covered[function] else OPEN

    def _raise(self, function: str, slot: int, level: int) -> None:
        if level > self.level(function, slot):
            self.covered[function].add(slot)
            if level == SECRET:
                self.hidden[function].add(slot)
            self._waiting[function] = None
            if slot < self.functions[function].params:  # it may be handed back
                self._waiting.update(dict.fromkeys(self._callers[function]))

    def dark(self, function: m.Function) -> set[int]:
        """The instructions of a function upon which a secret in it decides."""
        found: set[int] = set()
        for pc, i in instructions_of(function, _BRANCHES):
            match i:
                case m.JumpUnless():
                    secret = self._level(function.name, i.condition) > OPEN
                case m.Choose(extras=extras) if extras:
                    secret = not self.answers.whether(function.name, pc)
                case _:
                    continue
            if secret:
                found.update(self.announcements.branch(function.name, pc))
        return found

    # ------------------------------------------------------------------------------------------ values

    def _level(self, function: str, e: m.Expr) -> int:
        needs_of, covered, hidden = self._needs[function], self.covered[function], self.hidden[function]

        def known(e: m.Expr) -> bool:
            needs = needs_of[id(e)] if id(e) in needs_of else needs_of.setdefault(id(e), self.public.needs(e))
            return needs is not None and needs.slots.isdisjoint(covered) and needs.sizes.isdisjoint(hidden)

        if known(e):
            return OPEN
        match e:
            case m.Local(slot):
                return self.level(function, slot)
            case m.ZoneGet(zone, index) | m.ZoneList(zone, index):
                return COVERED if zone in self.public.counts and all(known(key) for key in index) else SECRET
            case m.FieldGet(field, index):
                return COVERED if field in self.public.marking and all(known(key) for key in index) else SECRET
            case m.First() | m.Single() | m.ToSet() | m.ToList():
                return self._level(function, e.of)
            case m.Item():
                return self._level(function, e.list) if known(e.at) else SECRET
        return SECRET

    def _answered(self, function: str, pc: int, i: m.Choose | m.Chance) -> int:
        """The level of an answer."""
        if self.answers.which(function, pc):
            return OPEN
        return COVERED if i.universe == "Piece" else SECRET
