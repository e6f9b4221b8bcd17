"""Reactions: to which events they belong, in which order, and in what of the rules a block is going on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations

from rulewright.compiler.declaration_facts import steps
from rulewright.compiler.signatures import Block, reaction_block, signature
from rulewright.compiler.symbols.static_types import INT, Type, entity
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import MAIN
from rulewright.compiler.tree_walk import named_in, nodes
from rulewright.diagnostics import Report
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.foundation.reachability import reachable
from rulewright.syntax import ast


class PrecedenceGraph:
    """An edge from each name to those that come right behind it; what comes before what is whatever is reached."""

    def __init__(self) -> None:
        self._behind: dict[str, list[str]] = {}

    def before(self, a: str, b: str) -> bool:
        """True if `a` comes before `b`, directly or through others."""
        return a != b and bool(self._way(a, b))

    def add(self, a: str, b: str) -> list[str]:
        """Let `a` come before `b`. If that would close a cycle nothing is added, and the cycle is given instead, the
        shortest there is, from `a` on."""
        if way := self._way(b, a):
            return [a, *way[:-1]]
        self._behind.setdefault(a, []).append(b)
        return []

    def _way(self, start: str, end: str) -> list[str]:
        """The shortest way from one to another, both included; empty if there is none."""
        came_from: dict[str, str] = {start: start}
        todo = deque([start])
        while todo and end not in came_from:
            here = todo.popleft()
            for following in self._behind.get(here, ()):
                if following not in came_from:
                    came_from[following] = here
                    todo.append(following)
        if end not in came_from:
            return []
        way = [end]
        while way[-1] != start:
            way.append(came_from[way[-1]])
        return way[::-1]


def ordered(declared: Sequence[ast.Precedence], report: Report) -> PrecedenceGraph:
    """The graph of some declarations; what contradicts those before it is reported and left out."""
    graph = PrecedenceGraph()
    for order in declared:
        reported = False
        for a, b in zip(order.names, order.names[1:], strict=False):
            cycle = graph.add(a, b)
            if cycle and not reported:
                reported = True
                report.error("TRG304", _cycle_message(cycle), order.span, hint="leave out one of these orders")
    return graph


def _cycle_message(cycle: Sequence[str]) -> str:
    """```one` comes before `two`, `two` before `three`, `three` before `one```."""
    if len(cycle) == 1:
        return f"`{cycle[0]}` comes before itself"
    steps = [f"`{a}` before `{b}`" for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True)]
    return ", ".join([steps[0].replace(" before ", " comes before ", 1), *steps[1:]])


ROLLS = "rolls"
"""The event that is no procedure: a player has rolled a die, and has seen it."""

AFTER, BEFORE, INSTEAD, DURING = "after", "before", "instead of", "during"


@dataclass(frozen=True, slots=True)
class Reacting:
    """A reaction with what is known of its event."""

    decl: ast.Reaction
    event: str
    params: tuple[tuple[str, Type], ...]
    """Of the event, under the reaction's own names."""
    result: Type | None
    """The type of the value that is returned instead of the event's result."""

    @property
    def name(self) -> str:
        """The name of the reaction."""
        return self.decl.name

    @property
    def changes(self) -> bool:
        """True if a parameter of the event is changed."""
        names = {name for name, _ in self.params}
        return not _set_by(self.decl).isdisjoint(names)


@memoized_by_node
def _set_by(decl: ast.Reaction) -> frozenset[str]:
    """The words that stand for what a reaction sets."""
    found = (target for n in nodes(decl.body) for target in n.held(n.sets))
    return frozenset(target.name for target in found if isinstance(target, ast.Name))


class Events:
    """All reactions by the moment and the event that they wait for."""

    def __init__(
        self,
        reactions: list[ast.Reaction],
        precedence: list[ast.Precedence],
        settling: Iterable[ast.Consequence | ast.End],
        world: SymbolTable,
        report: Report,
    ) -> None:
        self.world, self.report = world, report
        self._settling = frozenset(word for decl in settling for word in named_in(decl))
        self.calls = {name: info.decl for name, info in world.calls.items()}
        self._names = frozenset(self.calls)
        self._asking = frozenset(name for name, decl in self.calls.items() if decl.word != "effect")
        """Procedures whose questions may be interrupted; reactions are not."""
        self._order = ordered(precedence, report)
        self.found: dict[tuple[str, str], list[Reacting]] = {}
        """By moments and events."""
        self._going_on: dict[str, frozenset[str]] = {}
        self._elsewhere: dict[str, frozenset[str]] = {}
        names = {r.name for r in reactions}
        for order in precedence:
            for name in order.names:
                if name not in names:
                    hint = did_you_mean(name, names)
                    report.error("TRG303", f"unknown reaction `{name}`", order.span, hint=hint)
        for decl in reactions:
            made = self._reacting(decl)
            if made is not None:
                self.found.setdefault((decl.moment, made.event), []).append(made)
        self.found = {key: self._in_order(found) for key, found in self.found.items()}
        self._check_order()

    def all(self) -> Iterable[Reacting]:
        """All reactions to what there is."""
        return (r for found in self.found.values() for r in found)

    def reacting(self, decl: ast.Reaction) -> Reacting:
        """A reaction to what there is, with what is known of its event."""
        return next(one for one in self.all() if one.decl is decl)

    def renew(self, decl: ast.Reaction) -> None:
        """Take another reaction of the same name to the same event."""
        for key, found in self.found.items():
            if any(one.name == decl.name for one in found):
                self.found[key] = [replace(one, decl=decl) if one.name == decl.name else one for one in found]

    def reach(self) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
        """For each block during which players may react, what goes on in it, and what of that goes on elsewhere too, as
        the procedures are now."""
        self._going_on.clear()
        self._elsewhere.clear()
        self.__dict__.pop("_calls_of", None)
        return {
            block: (self._part_of(block), self.elsewhere(block)) for moment, block in self.found if moment == DURING
        }

    def of(self, moment: str, event: str) -> list[Reacting]:
        """The reactions to an event at a moment: in the order of ``precedence``, else as declared."""
        return self.found.get((moment, event), [])

    def precedes(self, a: Reacting, b: Reacting) -> bool:
        """True if ``precedence`` puts `a` before `b`."""
        return self._order.before(a.name, b.name)

    def during(self, function: str, blocks: Iterable[str]) -> list[tuple[Reacting, str | None]]:
        """Reactions that may be used at a question of a function, inside these blocks; with the block that must be
        tested for going on, as the function is called from elsewhere too."""
        inside = set(blocks)
        return [
            (reacting, block if block not in inside and function in self.elsewhere(block) else None)
            for (moment, block), found in self.found.items()
            if moment == DURING and (block == MAIN or block in inside or function in self._part_of(block))
            for reacting in found
        ]

    def interrupted(self, function: str) -> bool:
        """True if something may be done at some question of a function."""
        return bool(self.during(function, [function, *(s.label for s in steps(self.calls[function]))]))

    # -------------------------------------------------------------------------------------------- events

    def _reacting(self, decl: ast.Reaction) -> Reacting | None:
        name, args = _called(decl.event)
        info = self.world.calls.get(name)
        types: tuple[Type, ...] = ()
        if (decl.each or decl.chooser) is not None and (decl.by is not None or decl.moment == DURING):
            word = "`for`" if decl.each is not None else "`order chosen by`"
            message = f"{word} is for a reaction that happens by itself, and a player decides about this one"
            self.report.error("TRG310", message, decl.span, hint="what they need for it stands behind `with`")
        if decl.moment == DURING:
            known = [*self.calls, *(s.label for call in self.calls.values() for s in steps(call))]
            if name not in known:
                self._unknown("procedure or step", name, known, decl)
                return None
            types = tuple(t for _, t in info.params) if info is not None and args else ()
            if args:
                self.report.error("TRG309", f"a reaction during `{name}` takes no arguments from it", decl.event.span)
        elif name == ROLLS and info is None:
            if decl.moment != AFTER:
                message = "players can react to a roll only after it"
                self.report.error("TRG308", message, decl.event.span, hint=f"`reaction {decl.name} after rolls(p, n)`")
            types = (entity("Player"), INT)
        elif info is None:
            self._unknown("procedure", name, [*self.calls, ROLLS], decl)
            return None
        else:
            if info.decl.open is None and decl.by is not None:
                hint = f"declare it `procedure {name}(…), open clockwise from …`"
                self.report.error("TRG308", f"`{name}` is not open to reactions", decl.event.span, hint=hint)
            types = tuple(t for _, t in info.params)
        if args and len(args) != len(types):
            message = f"`{name}` has {len(types)} parameters, not {len(args)}"
            self.report.error("TYP215", message, decl.event.span)
        names = [f"{i}. of {name}" for i in range(1, 1 + len(types))]
        for i, arg in enumerate(args[: len(types)]):
            if isinstance(arg, ast.Name):
                names[i] = arg.name
            else:
                self.report.error("TRG309", "a reaction names the event's parameters", arg.span)
        result = info.result if info is not None and decl.moment == INSTEAD else None
        return Reacting(decl, name, tuple(zip(names, types, strict=True)), result)

    def _unknown(self, what: str, name: str, known: list[str], decl: ast.Reaction) -> None:
        self.report.error("TRG303", f"unknown {what} `{name}`", decl.event.span, hint=did_you_mean(name, known))

    # --------------------------------------------------------------------------------------------- order

    def _in_order(self, found: list[Reacting]) -> list[Reacting]:
        """The first declared of those that nothing has to come before, time after time (Kahn 1962)."""
        waiting, made = list(found), []
        while waiting:
            free = [a for a in waiting if not any(self._order.before(b.name, a.name) for b in waiting if b is not a)]
            made.append(free[0] if free else waiting[0])
            waiting.remove(made[-1])
        return made

    def _check_order(self) -> None:
        """Two that replace the same thing by themselves need an order.

        Each advice is taken as followed by those behind it, so that all of them together make no cycle.
        """
        for (moment, name), found in self.found.items():
            chosen = [r for r in found if r.decl.chooser is not None]
            for a, b in ((a, b) for a in chosen for b in found if b.decl.chooser is None and self.precedes(a, b)):
                message = (
                    f"`{a.name}` comes before `{b.name}`, but its order is chosen: it comes behind those in an order"
                )
                self.report.error("TRG304", message, a.decl.span, hint=f"let the order of `{b.name}` be chosen as well")
            if moment != INSTEAD:
                continue
            rivals = [r for r in found if r.decl.by is None and r.decl.chooser is None]
            for a, b in combinations(rivals, 2):
                if self._order.before(a.name, b.name) or self._order.before(b.name, a.name):
                    continue
                first, second = sorted((a, b), key=lambda r: (r.decl.span.file, r.decl.span.line))
                message = f"`{first.name}` and `{second.name}` both replace `{name}`, in no defined order"
                hint = f"add `precedence {first.name}, {second.name}`"
                self.report.error("TRG304", message, second.decl.span, hint=hint)
                self._order.add(first.name, second.name)

    # -------------------------------------------------------------------------------------- what goes on

    def elsewhere(self, block: str) -> frozenset[str]:
        """The procedures that are called while a block goes on, and when it does not. The game itself always goes on,
        also where a scenario begins in its middle."""
        if block == MAIN:
            return frozenset()
        if block not in self._elsewhere:
            called = dict(self._calls_of)
            for name in self._owners(block):
                outside = next(step.outside for step in signature(self.calls[name]).steps if step.label == block)
                called[name] = self._called(name, outside)
            for (moment, other), found in self.found.items():
                if moment == DURING and other != block:
                    for name in self._asking & self._part_of(other) | self._hosts(other):
                        called[name] |= {r.name for r in found}
            called[block] = frozenset(r.name for r in self.of(INSTEAD, block))
            begins = {MAIN, *self._settling} & called.keys()
            running = frozenset(reachable(begins, called.__getitem__))
            self._elsewhere[block] = self._part_of(block) & running
        return self._elsewhere[block]

    def _hosts(self, block: str) -> frozenset[str]:
        """The procedures whose own questions stand in a block."""
        return frozenset({block} & self._names or self._owners(block))

    def _owners(self, step: str) -> list[str]:
        """The procedures that have a step of this label."""
        return self._owners_of.get(step, [])

    @cached_property
    def _owners_of(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, decl in self.calls.items():
            for label in dict.fromkeys(step.label for step in signature(decl).steps):
                found.setdefault(label, []).append(name)
        return found

    def _part_of(self, block: str) -> frozenset[str]:
        """The procedures that are called, by rules and reactions, while a block goes on."""
        if not self._going_on:
            self._going_on = self._parts()
        return self._going_on[block]

    def _parts(self) -> dict[str, frozenset[str]]:
        """For each block during which players may react, what is called while it goes on: also by a reaction during
        another block that is going on at the same time, and so on."""
        blocks = {block: {r.name for r in found} for (moment, block), found in self.found.items() if moment == DURING}
        hosts = {block: self._hosts(block) for block in blocks}
        begins = {block: {*self._begins(block), *reactions} for block, reactions in blocks.items()}
        called = {name: set(names) for name, names in self._calls_of.items()}
        parts: dict[str, frozenset[str]] = {}
        grown = True
        while grown:
            grown, parts = False, {block: frozenset(reachable(begins[block], called.__getitem__)) for block in blocks}
            for block, reactions in blocks.items():
                inside = self._asking & parts[block] | hosts[block]
                callers = [called[name] for name in inside]
                callers += [begins[other] for other in blocks if hosts[other] & inside]
                for caller in callers:
                    grown |= not reactions <= caller
                    caller |= reactions
        return parts

    def _begins(self, block: str) -> frozenset[str]:
        """Names of what a block itself calls."""
        signatures = [signature(self.calls[name]) for name in self._owners(block)]
        inside = [step.inside for found in signatures for step in found.steps if step.label == block]
        return self._calls_of.get(block, frozenset()).union(*(self._called("", one) for one in inside))

    @cached_property
    def _calls_of(self) -> dict[str, frozenset[str]]:
        """Names of all that each procedure and reaction calls."""
        called = {name: self._called(decl.name, signature(decl).body) for name, decl in self.calls.items()}
        return called | {r.name: self._called(r.name, reaction_block(r.decl)) for r in self.all()}

    def _called(self, name: str, block: Block) -> frozenset[str]:
        events = {name, ROLLS} if block.rolls else {name}
        reactions = (self.of(moment, event) for event in events for moment in (AFTER, BEFORE, INSTEAD))
        return (block.names & self._names).union(r.name for found in reactions for r in found)


def _called(event: ast.Expr) -> tuple[str, tuple[ast.Expr, ...]]:
    """The name of an event, and what it is given."""
    if isinstance(event, ast.Call):
        return _called(event.operand)[0], event.args
    return (event.name if isinstance(event, ast.Name) else ""), ()
