"""A program with an index for lint rules.

Most functions and queries are the very same ones in all games of a ruleset, and after an edit. What depends on one, and
on queries that it asks, is remembered with these (:mod:`rulewright.foundation.memo`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import fields
from functools import cached_property, wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from rulewright.compiler.driver import Compiler
from rulewright.findings.text.analyses.declared_visibility import DeclaredVisibility, visibility_of
from rulewright.findings.text.analyses.referenced_names import ReferencedNames, names_in, names_in_part
from rulewright.findings.text.subject import Configuration
from rulewright.foundation.memo import Context, tracked_query
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import with_callers
from rulewright.ir.dataflow.effects import EffectAnalysis, instructions_of
from rulewright.ir.walk import ExprFacts
from rulewright.knowledge.answers.public_answers import PublicAnswers, public_answers

T = TypeVar("T")

_PARTS = tuple(f.name for f in fields(m.Program) if f.name not in ("rules", "digest"))
"""All but where the rules stand, and what files they were made from."""


def memoized_by_code(find: Callable[[ProgramIndex], T]) -> Callable[[ProgramIndex], T]:
    """A function that keeps the result of another one for a game until its code changes; it must not ask for lines."""
    known: WeakKeyDictionary[Compiler, tuple[tuple[object, ...], T]] = WeakKeyDictionary()

    @wraps(find)
    def ask(index: ProgramIndex) -> T:
        parts = (index.wanted, *[getattr(index.program, name) for name in _PARTS])
        held = known.get(index.game.compiler)
        if held is None or not _same(held[0], parts):
            held = known[index.game.compiler] = parts, find(index)
        return held[1]

    return ask


def _same(before: tuple[object, ...], after: tuple[object, ...]) -> bool:
    return all(a is b for a, b in zip(before, after, strict=True))


class ProgramIndex(Context):
    """The program of one game."""

    def __init__(self, game: Configuration) -> None:
        super().__init__()
        self.game, self.program = game, game.program
        self._queries = {q.name: q for q in self.program.queries}
        self._functions = {f.name: f for f in self.program.functions}
        self._areas = {f"area {a.name}": a for a in self.program.areas}
        self.facts = ExprFacts({})
        self.wanted: frozenset[str] | None = None
        """The rules of the program that findings are wanted about, and those that they are parts of; None: all."""
        if game.part is not None:
            names = [rule.name for rule in self.program.rules if rule.file in game.part.files]
            self.wanted = frozenset((*names, *(name.partition(".")[0] for name in names)))

    def concerns(self, *names: str) -> bool:
        """True if findings are wanted about one of these rules."""
        return self.wanted is None or not self.wanted.isdisjoint(names)

    @tracked_query
    def query(self, name: str) -> m.QueryDef | None:
        """The query of a name: who looks into it depends on all that stands there."""
        return self._queries.get(name)

    @tracked_query
    def function(self, name: str) -> m.Function | None:
        """The function of a name."""
        return self._functions.get(name)

    @tracked_query
    def asks(self, name: str) -> bool:
        """True if a function, or one that it calls, asks a player."""
        return name in self._asking

    @cached_property
    def _asking(self) -> frozenset[str]:
        functions = self.program.functions
        return with_callers(functions, (f.name for f in functions if any(instructions_of(f, (m.Choose,)))))

    @tracked_query
    def draws(self, name: str) -> bool:
        """True if a function, or one that it calls, draws something by chance that everybody hears."""
        return name in self._drawing

    @cached_property
    def _drawing(self) -> frozenset[str]:
        drawn = ((f.name, pc) for f in self.program.functions for pc, _ in instructions_of(f, (m.Chance,)))
        everybody_hears = {name for name, pc in drawn if self.chance_heard_by(name, pc) is None}
        return with_callers(self.program.functions, everybody_hears)

    @tracked_query
    def chance_heard_by(self, name: str, pc: int) -> frozenset[int] | None:
        """The slots with players who certainly hear what chance has given at an instruction; None: everybody does."""
        return None if self._public_answers.which(name, pc) else self._public_answers.owners(name, pc)

    @cached_property
    def _public_answers(self) -> PublicAnswers:
        return public_answers(self.program)

    @tracked_query
    def visibility(self) -> DeclaredVisibility:
        """The declarations of who sees what."""
        return self.game.ask(_visibility)

    @tracked_query
    def declared(self) -> Hashable:
        """The declarations on which it depends what instructions write."""
        return self.effects.declared

    @cached_property
    def effects(self) -> EffectAnalysis:
        """The reads and writes of the program."""
        return EffectAnalysis.of(self.program)

    @cached_property
    def inside(self) -> frozenset[str]:
        """The zones of which effects and procedures ask whether a piece lies there."""
        return frozenset().union(*(names_in_part(f).inside for f in self.program.functions))

    @cached_property
    def read_by_rules(self) -> tuple[frozenset[str], frozenset[str]]:
        """The fields and zones that are read anywhere, also to know who sees something."""
        audiences = [d.audiences for d in self.program.fields] + [d.audiences for d in self.program.zones]
        seen_by = [names_in(a.by) for several in audiences for a in several if a.by is not None]
        return self._read([*map(names_in_part, self.program.functions), *seen_by])

    def _read(self, first: Iterable[ReferencedNames]) -> tuple[frozenset[str], frozenset[str]]:
        """The fields and zones that are read, through queries and areas, too."""
        held = list(first)
        seen: set[str] = set()
        for spoken in held:  # which grows meanwhile
            for name in spoken.asks - seen:
                seen.add(name)
                if name in self._queries:
                    held.append(names_in_part(self._queries[name]))
                elif name in self._areas:
                    held.append(names_in(self._areas[name]))
        return frozenset().union(*(s.fields for s in held)), frozenset().union(*(s.zones for s in held))


def _visibility(game: Configuration) -> DeclaredVisibility:
    return visibility_of(game.program)
