"""Public lines: those that all players may observe.

A line would give a secret away by its values, or by appearing at all. So the flow of secrets is followed through the
program: from what not all see into the slots, into what is called, and by control dependence to all that lies in a
branch that depends on a secret (D. E. Denning and P. J. Denning, *Certification of programs for secure information
flow*, 1977). A line is public if it depends on no secret. Only of a piece it may say which one it is, as that is left
out for those who do not see its face.

Whether a secret decides upon a call is looked at where the line appears, frame by frame: a rule that is carried out in
a secret branch once is no secret where all know of its call. Where something has announced that the rules have come
this far, no secret decides upon it any more (:mod:`.announcements`); then a line is public on any path of calls, if it
has nothing of what the function was handed.

A field that everybody sees is seen at any moment, also between two decisions. The answer may be too careful, never too
generous.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from functools import cached_property
from itertools import starmap

from rulewright.foundation.reachability import reachable
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import CallGraph
from rulewright.ir.control_flow.function_shape import ShapeCache, shapes
from rulewright.ir.dataflow.effects import instructions_of
from rulewright.ir.declared_sight import hides_anything
from rulewright.knowledge.answers.public_answers import public_answers
from rulewright.knowledge.answers.repeated_questions import RepeatedQuestions
from rulewright.knowledge.public_values import PublicValues, public_values, sort_of_game
from rulewright.knowledge.secrets.function_levels import (
    OPEN,
    SECRET,
    Back,
    FunctionLevels,
    KnownFunction,
    Returned,
)

Line = tuple[str, int]
"""A line by its function and instruction."""


class PublicLines:
    """The lines that everybody may hear, but for the names of pieces that they do not see. See :func:`public_lines`."""

    def __init__(self, program: m.Program) -> None:
        self._known: dict[str, KnownFunction] = {}
        self._open = frozenset[Line]()
        self._dark: dict[str, frozenset[int]] = {}
        self._calls: dict[str, set[Line]] = {}
        self._quiet = frozenset[Line]()
        """The calls that ask in secret."""
        self._unseen: dict[str, frozenset[int]] = {}
        """For each function the instructions that the rules may reach before anything but a question shows it."""
        if not any(instructions_of(f, (m.Tell,)) for f in program.functions):
            return
        self._known = known = _known_functions(program)
        self._alone = _PublicFlow(self._known)
        flow = _PublicFlow(
            dict(reversed(list(self._known.items()))), self._alone
        )  # callers before those they hand values to
        self._dark = {name: levels.dark for name, levels in flow.levels.items()}
        self._open = frozenset(flow.lines())
        self._quiet = frozenset((name, pc) for name, one in known.items() for pc in one.quiet or ())
        unasked = _known_functions(program, announcing=False)
        self._unseen = {name: one.unannounced for name, one in unasked.items()}
        for function in program.functions:
            for pc, i in instructions_of(function, (m.Call,)):
                self._calls.setdefault(i.function, set()).add((function.name, pc))

    @cached_property
    def _anywhere(self) -> _PublicFlow:
        """The flow if the callers of functions are unknown."""
        return _PublicFlow(self._known, self._alone, secret=True)

    @cached_property
    def _announced(self) -> frozenset[Line]:
        """The lines that are public on any path of calls: those before which something is announced in any case."""
        if not self._known:
            return frozenset()
        lines = self._anywhere.lines()
        return frozenset((name, pc) for name, pc in lines if pc not in self._known[name].unannounced)

    @cached_property
    def _unannounced(self) -> dict[str, frozenset[int]]:
        """For each function the instructions that a secret may decide upon, wherever it is called from."""
        return {name: self._anywhere.levels[name].dark | known.unannounced for name, known in self._known.items()}

    def is_public(self, line: Line, calls: Collection[Line]) -> bool:
        """True if a line on the path of these calls is public."""
        if line in self._open and not any(pc in self._dark[function] for function, pc in calls):
            return True
        return line in self._announced and self._is_told(line, calls)

    def _is_told(self, line: Line, calls: Collection[Line]) -> bool:
        """True if the place is shown by more than a question that others need not observe."""
        return line[1] not in self._unseen[line[0]] or self._quiet.isdisjoint(calls)

    def seen(self, place: Line, calls: Collection[Line]) -> bool:
        """True if all know that the rules have come to an instruction on the way of these calls. False without lines in
        the rules, as it is not needed then."""
        name, pc = place
        if name not in self._dark:
            return False
        announced = pc not in self._unannounced[name] and self._is_told(place, calls)
        return announced or not any(pc in self._dark[f] for f, pc in (place, *calls))

    def may_be_public(self, line: Line) -> bool:
        """True if there is a way of calls on which it is."""
        if line in self._open and self._lit(line[0], lambda call: call[1] in self._dark[call[0]]):
            return True
        if line not in self._announced:
            return False
        return line[1] not in self._unseen[line[0]] or self._lit(line[0], self._quiet.__contains__)

    def _lit(self, function: str, dark: Callable[[Line], bool]) -> bool:
        """True if a rule can be carried out on a way of calls of which none is dark."""
        rules = reachable((function,), lambda rule: [call[0] for call in self._calls[rule] if not dark(call)])
        return any(rule not in self._calls for rule in rules)


_kept: ShapeCache[PublicLines] = ShapeCache()


def public_lines(
    program: m.Program, kept: Callable[[Callable[[], PublicLines]], PublicLines] | None = None
) -> PublicLines:
    """The lines of a game that everybody may hear; games that differ only in numbers have that in common.

    `kept` may know something of this very program already: it is given the way to find them.
    """

    def find() -> PublicLines:
        return PublicLines(program)

    return _kept.get(sort_of_game(program), find if kept is None else lambda: kept(find))


_worlds: ShapeCache[PublicValues] = ShapeCache()
_functions: OrderedDict[Hashable, KnownFunction] = OrderedDict()
KEPT = 1 << 11
"""The number of functions of which it is kept what all may know of them, the most recent ones."""


_levels: ShapeCache[Mapping[str, FunctionLevels]] = ShapeCache()


def public_levels(program: m.Program, announcing: bool = True) -> Mapping[str, FunctionLevels]:
    """For each function what of it is a secret, wherever it is called from; kept as :func:`public_lines` are. Without
    `announcing` no question shows that the rules have come to it."""
    return _levels.get((announcing, sort_of_game(program)), lambda: _all_levels(program, announcing))


def _all_levels(program: m.Program, announcing: bool) -> Mapping[str, FunctionLevels]:
    known = _known_functions(program, announcing)
    return _PublicFlow(dict(reversed(list(known.items()))), _PublicFlow(known)).levels


_known: ShapeCache[dict[str, KnownFunction]] = ShapeCache()


def _known_functions(program: m.Program, announcing: bool = True) -> dict[str, KnownFunction]:
    """The functions of a program, those that are called before those that call them."""
    return _known.get((announcing, sort_of_game(program)), lambda: _find_known_functions(program, announcing))


def _find_known_functions(program: m.Program, announcing: bool) -> dict[str, KnownFunction]:
    """The functions of a program, those that are the same to everybody taken from games before."""
    public = public_values(program)
    public = _worlds.get(public.kind, lambda: public)
    answers = public_answers(program)
    quiet = _quiet(program) if announcing else {}
    writes = Counter(i.field for f in program.functions for _, i in instructions_of(f, (m.SetField,)))
    found: dict[str, KnownFunction] = {}
    shape = shapes(program)
    for function in program.functions:
        name = function.name
        questions = instructions_of(function, (m.Choose, m.Chance))
        which = {pc: answers.member(name, pc) for pc, _ in questions}
        whether = {pc: answers.whether(name, pc) for pc, i in questions if isinstance(i, m.Choose) and i.extras}
        once = frozenset(i.field for _, i in instructions_of(function, (m.SetField,)) if writes[i.field] == 1)
        unobserved = quiet.get(name, frozenset()) if announcing else None
        key = unobserved, public, shape[name], tuple(which.items()), tuple(whether.items()), once
        known = _functions.get(key)
        if known is None:
            known = _functions[key] = KnownFunction(function, public, which, whether, once, unobserved)
            if len(_functions) > KEPT:
                _functions.popitem(last=False)
        else:
            _functions.move_to_end(key)
        found[name] = known
    return {name: found[name] for name in CallGraph(program.functions).callees_first()}


def _quiet(program: m.Program) -> dict[str, frozenset[int]]:
    """For each function its questions, and calls that ask, that others need not hear of."""
    if not hides_anything(program):
        return {}
    repeated = RepeatedQuestions(program.functions, public_answers(program).known_to_all)
    levels = public_levels(program, announcing=False)
    found = {f.name: repeated.of(f, levels[f.name].decided) for f in program.functions}
    return {name: quiet for name, quiet in found.items() if quiet}


class _PublicFlow:
    """Levels in all functions; they only rise until nothing changes.

    A function is looked at again when a level of another that it depends on has risen. What comes back from one depends
    on what it is handed, so each is looked at by itself first, as if all knew its parameters.
    """

    def __init__(
        self, known: Mapping[str, KnownFunction], alone: _PublicFlow | None = None, secret: bool = False
    ) -> None:
        """Without `alone` the levels of each function by itself; `secret`: what is handed over is unknown to all."""
        self._known, self._alone, self._secret = known, alone, secret
        self._given = {name: [SECRET if secret else OPEN] * f.function.params for name, f in known.items()}
        self.levels: dict[str, FunctionLevels] = {}
        callers: dict[str, list[str]] = {name: [] for name in known}
        for name, one in known.items():
            for called, _ in one.called:
                callers[called].append(name)
        waiting = dict.fromkeys(known)
        while waiting:
            name = next(iter(waiting))
            del waiting[name]
            before = self.levels.get(name)
            now = known[name].levels(tuple(self._given[name]), tuple(starmap(self._back, known[name].called)))
            self.levels[name] = now
            if before is None or before.returned != now.returned:
                waiting.update(dict.fromkeys(callers[name]))
            if alone is not None:
                waiting.update(dict.fromkeys(self._hand_over(now)))

    def lines(self) -> Iterator[Line]:
        """All lines that depend on no secret."""
        return ((name, pc) for name, levels in self.levels.items() for pc in levels.lines)

    def _back(self, called: str, shared: int) -> Back:
        """The levels of what comes back from a function as far as they are known: of the result and some parameters."""
        if self._alone is None:
            return self._returned(called, shared), None
        return self._alone._returned(called, shared), None if self._secret else self._returned(called, shared)

    def _returned(self, called: str, shared: int) -> Returned:
        levels = self.levels.get(called)
        return (OPEN,) * (1 + shared) if levels is None else levels.returned[: 1 + shared]

    def _hand_over(self, levels: FunctionLevels) -> Iterator[str]:
        """Raise the levels of what functions are handed by one; those of which some have risen."""
        for called, handed in levels.handed.items():
            given = self._given[called]
            for number, level in enumerate(handed):
                if level > given[number]:
                    given[number] = level
                    yield called
