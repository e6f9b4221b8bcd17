"""Rules that a game can use at all as its parameters are set, and those that one turn can use together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType

from rulewright.compiler.lowering.function_builder import SETTLE
from rulewright.compiler.reactions.consequence_checks import ConsequenceChecks
from rulewright.foundation.reachability import reachable
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import EXIT, definitions, successors
from rulewright.ir.control_flow.graph_algorithms import components
from rulewright.ir.evaluation import NotConstant, holds, known


class KnownValues:
    """Values that hang on no state: of what parameters decide, nothing else is left."""

    def __init__(self, program: m.Program) -> None:
        self._tables = {table.name: table for table in program.tables}
        self._bodies = {query.name: query.body for query in program.queries}
        self._queries: dict[str, int | None] = {}

    def of(self, e: m.Expr, slots: Mapping[int, int]) -> int | None:
        """The value of an expression, None if it depends on the state; `slots` are those of the frame that are known.

        Errors are no matter: a condition is false already if one of its parts is.
        """
        match e:
            case m.Local():
                return slots.get(e.slot)
            case m.CallQuery():
                return self._query(e.query)
            case _:
                pass  # the value of its parts decides
        try:
            value = known(e, lambda part: self.of(part, slots), self._tables)
        except NotConstant:
            return None
        return value if isinstance(value, int) else None

    def truth(self, e: m.Expr, slots: Mapping[int, int]) -> bool | None:
        """The truth of a condition, None if it depends on the state."""
        value = self.of(e, slots)
        return None if value is None else holds(value)

    def _query(self, name: str) -> int | None:
        """The value of a query that is the same for all arguments."""
        if name not in self._queries:
            self._queries[name] = None
            self._queries[name] = self.of(self._bodies[name], {})
        return self._queries[name]


Place = tuple[str, int]
"""An instruction: its function and its number."""


class RuleFlow:
    """The ways through the instructions of a program that the values of its parameters leave open."""

    def __init__(self, program: m.Program) -> None:
        self.program = program
        self._values = KnownValues(program)
        self._functions = {function.name: function for function in program.functions}
        self._after: dict[Place, tuple[Place, ...]] = {}
        """For each place that can be come to those that may follow in the same function."""
        self._calls: dict[Place, tuple[str, ...]] = {}
        self._consequences = ConsequenceChecks(program, lambda match: self._values.of(match, {}) == m.NONE)
        self._checks: set[Place] = set()
        """Calls of whatever consequences are due."""
        self._rules: dict[Place, str] = {}
        self._asks: set[Place] = set()
        """Questions to players."""
        self._stops: set[Place] = set()
        """Instructions after which the game is over."""
        self._finishes: dict[str, list[str]] = {}
        """For each function the rules by which it ends the game itself."""
        self._walk()

    def _walk(self) -> None:
        waiting, seen = [self.program.main], {self.program.main}
        while waiting:
            for called in self._function(self._functions[waiting.pop()]):
                if called not in seen:
                    seen.add(called)
                    waiting.append(called)
        self._end_ways()

    def _end_ways(self) -> None:
        """The game is over after a call of a function from which no way leads back."""
        certain = {place: called[0] for place, called in self._calls.items() if place not in self._checks}
        begins = [(name, 0) for name in self._functions if (name, 0) in self._after]
        left, ends = set(certain), set[Place]()
        while left != ends:
            ends = left
            after = {place: () if place in ends else others for place, others in self._after.items()}
            last = [place for place in reachable(begins, after.__getitem__) if not after[place]]
            returning = {function for function, pc in last if (function, pc) not in ends | self._stops}
            left = {place for place, called in certain.items() if called not in returning}
        self._stops |= ends
        self._after.update(dict.fromkeys(ends, ()))

    def _function(self, function: m.Function) -> Iterator[str]:
        """Go all open ways of a function; gives the functions that it calls on them."""
        slots = self._known_slots(function)
        waiting, name, seen = [0], function.name, set[int]()
        while waiting:
            pc = waiting.pop()
            if pc in seen or pc == EXIT or pc >= len(function.code):
                continue
            seen.add(pc)
            i = function.code[pc]
            following = [to for to in self._following(i, pc, slots) if to != EXIT and to < len(function.code)]
            self._after[name, pc] = tuple((name, to) for to in following)
            waiting += following
            match i:
                case m.Fired(rule):
                    self._rules[name, pc] = rule
                case m.FinishWin(rule=rule) | m.FinishRank(rule=rule):
                    self._finishes.setdefault(name, []).append(rule)
                    self._stops.add((name, pc))
                    self._rules[name, pc] = rule
                case m.Choose():
                    self._asks.add((name, pc))
                case m.Call(called) if called == SETTLE:
                    self._checks.add((name, pc))
                    self._calls[name, pc] = self._consequences.due(function, pc)
                    yield from self._calls[name, pc]
                case m.Call(called):
                    self._calls[name, pc] = (called,)
                    yield called
                case _:
                    pass  # it uses no rule

    def _known_slots(self, function: m.Function) -> dict[int, int]:
        """Slots that are set in one place only, to a value that is known."""
        found: dict[int, int] = {}
        times = [slot for i in function.code for slot in definitions(i)]
        for i in function.code:
            if isinstance(i, m.SetLocal) and i.slot >= function.params and times.count(i.slot) == 1:
                value = self._values.of(i.value, found)
                if value is not None:
                    found[i.slot] = value
        return found

    def _following(self, i: m.Instr, pc: int, slots: dict[int, int]) -> Iterable[int]:
        match i:
            case m.JumpUnless(condition, to):
                truth = self._values.truth(condition, slots)
                return (pc + 1, to) if truth is None else (pc + 1,) if truth else (to,)
            case m.Choose(extras=extras):
                shut = {extra.to for extra in extras if self._is_shut(extra, slots)}
                shut -= {extra.to for extra in extras if not self._is_shut(extra, slots)}
                return [to for to in successors(i, pc) if to not in shut]
            case _:
                return successors(i, pc)

    def _is_shut(self, extra: m.Extra, slots: dict[int, int]) -> bool:
        """True if an option is never offered."""
        if extra.guard is not None and self._values.truth(extra.guard, slots) is False:
            return True
        return any(
            self._values.truth(r.condition, slots)
            and all(self._values.truth(x.condition, slots) is False for x in r.unless)
            for r in extra.restrictions
        )

    # ------------------------------------------------------------------------------------------ questions

    @cached_property
    def usable(self) -> frozenset[str]:
        """The rules that a game may use."""
        return frozenset(self._rules.values())

    @cached_property
    def endings(self) -> tuple[str, ...]:
        """The rules by which a game may end: an ``end``, whatever it calls, and others that finish the game."""
        ends = [f.name for f in self.program.functions if f.word == "end" and (f.name, 0) in self._after]
        found = [end for end in ends if any(name in self._finishes for name in self._called(end, ()))]
        for name in self._called(self.program.main, ends):
            found += self._finishes.get(name, ())
        return tuple(dict.fromkeys(found))

    def _called(self, function: str, without: Collection[str]) -> Iterator[str]:
        """A function with all that it calls, directly or not, but not through some others."""
        known: dict[str, list[str]] = {}
        for place, called in self._calls.items():
            known.setdefault(place[0], []).extend(one for one in called if one not in without)
        return reachable((function,), lambda name: known.get(name, ()))

    def together(self, turn: str) -> dict[str, frozenset[str]]:
        """For each rule those that can be used after it in the same turn, whatever its conditions are.

        A turn lasts until the function `turn` is called again.
        """
        found: dict[str, set[str]] = {}
        _, reached = self._until(turn, self._rules)
        for place, rule in self._rules.items():
            found.setdefault(rule, set()).update(reached[place])
        return {rule: frozenset(others) for rule, others in found.items()}

    def why_apart(self, one: str, other: str) -> str:
        """The reason, for people, why no turn can use both of two rules that are not :meth:`together`."""
        due = [rule for rule in (one, other) if self._functions[rule.split(".")[0]].word in ("consequence", "end")]
        if not due:
            return f"no way through a turn uses both `{one}` and `{other}`"
        ends = [rule for rule in due if rule in self.endings]
        if len(ends) > 1:
            return f"the game is over after `{one}`, and after `{other}`"
        rule, beside = (one, other) if due[-1:] == [one] else (other, one)
        after = ", and the game is over after it" if rule in ends else ""
        return f"nothing in a turn with `{beside}` can bring about `{rule}`{after}"

    def last_questions(self, turn: str) -> frozenset[Place]:
        """The last questions to players of a turn, whatever the answer is."""
        following, reached = self._until(turn, dict.fromkeys(self._asks, "asked"))
        return frozenset(place for place in self._asks if not any(reached[other] for other in following[place]))

    def _until(
        self, turn: str, marks: Mapping[Place, str]
    ) -> tuple[dict[Place, tuple[Place, ...]], dict[Place, frozenset[str]]]:
        """For each place those that may follow, and the marks of all places that ways from it lead to in the same turn.

        Calls and returns are matched (interprocedural reachability along realizable paths, Reps, Horwitz and Sagiv
        1995): a way first leaves functions, then enters others.
        """
        entered = self._reach({place: self._downwards(place, turn) for place in self._after}, marks)
        callers: dict[str, list[Place]] = {}
        for place, called in self._calls.items():
            for one in called:
                callers.setdefault(one, []).append(place)

        def leaving(place: Place) -> Iterator[Place]:
            if self._calls.get(place) != (turn,):
                yield from self._after[place]
            if not self._after[place] and place not in self._stops:
                for caller in callers.get(place[0], ()):
                    if caller in self._checks:  # another consequence may be next
                        yield caller
                    yield from self._after[caller]

        following = {place: tuple(leaving(place)) for place in self._after}
        return following, self._reach(following, marks, entered)

    def _downwards(self, place: Place, turn: str) -> tuple[Place, ...]:
        called = self._calls.get(place, ())
        return () if called == (turn,) else (*self._after[place], *((one, 0) for one in called))

    @staticmethod
    def _reach(
        edges: Mapping[Place, tuple[Place, ...]],
        marks: Mapping[Place, str],
        more: Mapping[Place, frozenset[str]] = MappingProxyType({}),
    ) -> dict[Place, frozenset[str]]:
        """The marks that ways from each place lead to, and what `more` gives for the places on them."""
        found: dict[Place, frozenset[str]] = {}
        for component in components(edges):
            met: set[str] = set()
            for place in component:
                if place in marks:
                    met.add(marks[place])
                met.update(more.get(place, ()))
                for other in edges[place]:
                    met.update(found.get(other, ()))
            same = frozenset(met)
            found.update(dict.fromkeys(component, same))
        return found
