"""Plans: how the rules of a game are carried out, and what they cost.

A plan lists what a rule reads and writes, after which statements ends and consequences are looked for, which answers
and indexes are kept, what the passes of the optimiser have done, and what the rule costs in games at random.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.diagnostics.codes import QUIET
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.engine.native.passes import PASSES
from rulewright.engine.native.values import Unsupported
from rulewright.findings.check import findings_in_game
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.api_arguments import truth
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import EffectAnalysis
from rulewright.ir.dataflow.memoized_queries import MemoizedQueries
from rulewright.ir.rule_places import RulePlaces
from rulewright.ir.transform.charges import Charges
from rulewright.ir.walk import nodes
from rulewright.play.game import Game

if TYPE_CHECKING:
    from rulewright.engine.native.profile import Compiled

NO_RULE = "API001"


@dataclass(frozen=True, slots=True)
class Waking:
    """Statements after which ends and consequences are looked for."""

    rule: str
    """The function in which the statements stand."""
    writes: tuple[str, ...]
    """All that they may have written."""
    queries: tuple[str, ...]
    """The ends and consequences, in the order in which they are looked for."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Answers that are kept."""

    rule: str
    """A query, or an area (as ``area x``)."""
    answers: int
    """The number of answers that there can be."""
    size: int
    """The bytes that they take."""
    until: tuple[str, ...]
    """Anything that makes them be forgotten when it is written."""


@dataclass(frozen=True, slots=True)
class Index:
    """The sets of a field: for each value the keys that have it."""

    field: str
    values: int
    keys: int


@dataclass(frozen=True, slots=True)
class Cost:
    """The work of a rule in games at random."""

    rule: str
    file: str
    line: int
    """Line of the rules; 0 for parts of the engine."""
    instructions: int
    times: int
    share: float
    """Of all work."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A finding about a rule that could do with less work."""

    rule: str
    share: float
    """Of all work, that of this rule."""
    code: str
    file: str
    line: int
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Done:
    """The work of a pass in a rule."""

    name: str
    times: int
    to: tuple[str, ...]
    """The rules that it was done to, such as queries that were inlined."""


@dataclass(frozen=True, slots=True)
class RulePlan:
    """The plan of one rule."""

    name: str
    word: str
    """``query``, ``area``, ``procedure``, ``end`` …"""
    file: str
    line: int
    reads: tuple[str, ...]
    """With all that it asks: ``field x``, ``zone z``, ``where`` (any piece moves), ``side``, ``player`` (who is in)."""
    asks: tuple[str, ...]
    """The queries and areas that it asks itself."""
    writes: tuple[str, ...]
    calls: tuple[str, ...]
    wakes: tuple[Waking, ...]
    """The ends and consequences that are looked for after its statements."""
    woken: tuple[Waking, ...]
    """Of an end or a consequence: the statements after which it is looked for."""
    tested_in: tuple[str, ...]
    """Of an end: the procedures that look for it when they are over."""
    kept: Kept | None
    indexes: tuple[Index, ...]
    """The indexes that it reads or keeps up to date."""
    passes: tuple[Done, ...]
    costs: tuple[Cost, ...]
    """Work of its own, and that of its questions."""


class Plan:
    """The plan of a game; it is compiled and played when it is made.

    RulesetError if it cannot be played natively, or with the error of the rules that keeps every game from its end.
    Without `counts` nothing is compiled or played, which may take seconds: then there is nothing about costs,
    answers and indexes that are kept, and of passes.
    """

    def __init__(self, game: Game, games: int = 1000, seed: int = 0, most: int = 20_000, counts: bool = True) -> None:
        self.game, self.program = game, game.program
        self.counts = truth("counts", counts)
        self.compiled: Compiled | None = self._profile(games, seed, most) if counts else None
        self.games = self.compiled.profile.games if self.compiled is not None else 0
        self.failed = games - self.games if counts else 0
        """The games that ended in an error of the rules, or were not over; they are no games here."""
        if counts and games and not self.games:
            game.playout(seed, most=most)  # raises an error of the rules
        self._effects = EffectAnalysis.of(self.program)
        self._queries = {q.name: q for q in self.program.queries}
        self._areas = {f"area {a.name}": a for a in self.program.areas}
        self._functions = {f.name: f for f in self.program.functions}
        self._places = {info.name: info for info in self.program.rules}

    def _profile(self, games: int, seed: int, most: int) -> Compiled:
        from rulewright.engine.native.profile import profile

        try:
            return profile(self.program, games, seed, most, self.game.passes)
        except Unsupported as problem:
            message = f"{self.game.title} cannot be played by the native engine, which does not compile {problem} yet"
            raise RulesetError(Diagnostic("RUN018", message)) from None

    # ------------------------------------------------------------------------------------------------- the whole game

    @cached_property
    def costs(self) -> tuple[Cost, ...]:
        """All rules by their work, the most first."""
        total = max(1, self.instructions)
        found = []
        for one in self.compiled.profile.spent if self.compiled is not None else ():
            file, line = self._place(one.rule)
            found.append(Cost(one.rule, file, line, one.instructions, one.times, one.instructions / total))
        return tuple(found)

    @cached_property
    def advice(self) -> tuple[Advice, ...]:
        """Lines that could be evaluated with less work, those of the rules with the most work first."""
        game, found = self.game, []
        for one in findings_in_game(game.ruleset, self.program.players, self.program.variants, QUIET):
            above = [c for c in self.costs if c.file == one.span.file and 0 < c.line <= one.span.line]
            if above:
                cost = max(above, key=lambda c: c.line)
                hint = one.hint or (one.fix.message if one.fix is not None else "")
                found.append(Advice(cost.rule, cost.share, one.code, cost.file, one.span.line, one.message, hint))
        return tuple(sorted(found, key=lambda a: (-a.share, a.file, a.line)))

    @property
    def instructions(self) -> int:
        """The machine instructions of all games together."""
        return self.compiled.profile.instructions if self.compiled is not None else 0

    @cached_property
    def indexes(self) -> tuple[Index, ...]:
        """The indexes that are kept."""
        kept = self.compiled.value_sets if self.compiled is not None else ()
        return tuple(Index(one.field, one.high - one.low + 1, one.keys) for one in kept)

    @cached_property
    def kept(self) -> tuple[Kept, ...]:
        """The answers that are kept."""
        if self.compiled is None:
            return ()
        found, kept = [], MemoizedQueries(Charges(self.program).program)
        for name, table in self.compiled.tables.items():
            rows = 1
            for size in table.sizes:
                rows *= size
            found.append(Kept(name, rows, rows * table.span, tuple(sorted(kept.reads_of(name)))))
        return tuple(found)

    @cached_property
    def wakes(self) -> tuple[Waking, ...]:
        """All that is looked for after statements."""
        return tuple(one for function in self.program.functions for one in self._wakes(function))

    @cached_property
    def passes(self) -> dict[str, int]:
        """For each pass that is made how often it has found something to do."""
        found = {one.name: 0 for one in PASSES if one.name in self.game.passes}
        for (_, name, _), times in self.compiled.done.items() if self.compiled is not None else ():
            found[name] += times
        found |= {"value-sets": len(self.indexes)} if "value-sets" in found else {}
        return found

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of all rules that have a plan."""
        named = (f.name for f in self.program.functions if f.word != "system")
        return (*named, *self._queries, *self._areas)

    # --------------------------------------------------------------------------------------------------------- a rule

    def rule(self, name: str) -> RulePlan:
        """The plan of a function, query or area; RulesetError if there is none of this name."""
        name = f"area {name}" if f"area {name}" in self._areas and name not in self._queries else name
        function, place = self._functions.get(name), self._place(name)
        if function is not None:
            rules: tuple[object, ...] = function.code
            word: str = function.word
        elif name in self._queries or name in self._areas:
            word = "query" if name in self._queries else "area"
            rules = (self._queries[name].body if word == "query" else self._areas[name].across,)
        else:
            hint = did_you_mean(name, self.rules)
            message = f"{self.game.title} has no rule `{name}` with a plan: procedures, effects, ends, queries, areas"
            raise RulesetError(Diagnostic(NO_RULE, message, hint=hint))
        condition = self._conditions(name)
        reads = {token for rule in (*rules, *condition) for token in self._reads(rule)}
        writes = self._writes(function.code if function is not None else ())
        touched = {token.removeprefix("field ") for token in (*reads, *writes)}
        return RulePlan(
            name,
            word,
            *place,
            tuple(sorted(reads)),
            self._asks((*rules, *condition)),
            tuple(sorted(writes)),
            tuple(dict.fromkeys(c for c in self._calls(function) if c in self.rules)),
            tuple(self._wakes(function)) if function is not None else (),
            tuple(one for one in self.wakes if name in one.queries),
            self._tested_in(name),
            next((one for one in self.kept if one.rule == name), None),
            tuple(one for one in self.indexes if one.field in touched),
            self._done(name),
            tuple(one for one in self.costs if one.rule == name or one.rule.startswith(f"{name}.")),
        )

    def _place(self, name: str) -> tuple[str, int]:
        info = self._places.get(name.removeprefix("area ")) or self._places.get(name.split(".")[0])
        return (info.file, info.line) if info is not None else ("", 0)

    def _reads(self, rule: object) -> frozenset[str]:
        return self._effects.reads(rule)  # type: ignore[arg-type]

    def _asks(self, rules: Iterable[object]) -> tuple[str, ...]:
        found = dict[str, None]()
        for rule in rules:
            for node in nodes(rule):
                match node:
                    case m.CallQuery(query):
                        found[query] = None
                    case m.Component(area):
                        found[f"area {area}"] = None
                    case _:
                        pass  # it asks nothing
        return tuple(found)

    def _writes(self, code: Iterable[m.Instr]) -> set[str]:
        return {token for i in code for token in self._effects.writes(i)}

    def _calls(self, function: m.Function | None) -> Iterator[str]:
        for i in function.code if function is not None else ():
            if isinstance(i, m.Call):
                yield i.function

    def _conditions(self, name: str) -> list[m.Instr]:
        """The instructions that look for an end or a consequence."""
        found, places = [], RulePlaces(self.program)
        for function in self.program.functions:
            for i, place in zip(function.code, places.of(function), strict=True):
                if place == name and function.name != name:
                    found.append(i)
        return found

    def _tested_in(self, name: str) -> tuple[str, ...]:
        if name not in self._functions or self._functions[name].word not in ("end", "consequence"):
            return ()
        return tuple(f.name for f in self.program.functions if f.word != "system" and name in self._calls(f))

    @cached_property
    def _settling(self) -> tuple[str, tuple[str, ...]]:
        """The function that looks for ends and consequences, and these in its order."""
        words = {f.name: f.word for f in self.program.functions}
        for function in self.program.functions:
            if function.word == "system":
                return function.name, tuple(c for c in self._calls(function) if words[c] in ("end", "consequence"))
        return "", ()

    def _wakes(self, function: m.Function) -> Iterator[Waking]:
        """For each place of a function at which something is looked for: what was written before, since the last."""
        settling, order = self._settling
        written: set[str] = set()
        found: dict[tuple[tuple[str, ...], tuple[str, ...]], None] = {}
        for i in function.code:
            match i:
                case m.Call(called, (m.Const(which),)) if called == settling:
                    queries = tuple(name for number, name in enumerate(order) if which >> number & 1)
                    found[tuple(sorted(written)), queries] = None
                    written.clear()
                case m.Call(called):
                    if self._functions[called].word == "effect":
                        written |= self._effect_writes(called)
                case _:
                    written |= self._effects.writes(i)
        for writes, queries in found:
            yield Waking(function.name, writes, queries)

    def _effect_writes(self, name: str) -> set[str]:
        """The writes of an effect, with those that it calls."""
        waiting, seen, found = [name], {name}, set[str]()
        while waiting:
            function = self._functions[waiting.pop()]
            found |= self._writes(function.code)
            more = [called for called in self._calls(function) if called not in seen]
            seen.update(more)
            waiting += more
        return found

    def _done(self, name: str) -> tuple[Done, ...]:
        times: dict[str, int] = {}
        to: dict[str, dict[str, None]] = {}
        for (rule, one, what), count in self.compiled.done.items() if self.compiled is not None else ():
            if rule == name or rule.startswith(f"{name}."):
                times[one] = times.get(one, 0) + count
                to.setdefault(one, {}).update({what: None} if what else {})
        return tuple(Done(one.name, times[one.name], tuple(to[one.name])) for one in PASSES if one.name in times)
