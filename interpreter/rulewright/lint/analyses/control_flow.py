"""Calls, reads and changes of the rules, and the places where they go no further.

Reads and changes are told by words: the name of a field or zone, ``local x`` of a name that a rule gives, ``players``
(who is in the game), ``regions`` (what has merged), ``where`` (any piece moved) and ``side`` (any piece turned).
Both may be too many, never too few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from rulewright.compiler.driver import MAIN
from rulewright.compiler.tree_walk import nodes
from rulewright.lint.analyses.declaration_nodes import blocks_of
from rulewright.lint.analyses.mentions import Mentions, in_body, mentions
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Configuration
from rulewright.node_memo import memoized_by_node
from rulewright.syntax import ast

_WHERE = ("place", "holder", "on_board", "in_game", "slot")
_LOOPS = (ast.Repeat, ast.Repeats, ast.Each)


class FlowAnalysis:
    """The flow of one game."""

    def __init__(self, game: Configuration) -> None:
        self.index = game.ask(RuleIndex)
        self.world = self.index.world
        rules = game.rules
        self.calls: dict[str, ast.Callable] = {d.name: d for d in rules.all(ast.Callable)}
        self.queries: dict[str, ast.Query | ast.Value] = dict(self.world.query_decls)
        self.limits = {d.name: d for d in rules.all(ast.Limits)}
        self.reacting: list[ast.Consequence | ast.End | ast.Reaction] = [
            *rules.all(ast.Consequence),
            *rules.all(ast.End),
            *rules.all(ast.Reaction),
        ]
        self._named: dict[str, list[str]] = {}
        self._words: dict[str, frozenset[str]] = {}
        self._reads: dict[str, frozenset[str]] = {}
        self._writes: dict[str, frozenset[str]] = {}

    # ------------------------------------------------------------------------------------------- calls

    def named(self, node: object) -> list[str]:
        """Effects and procedures that are named in a node, also to ask whether they are possible."""
        return self._named_in(mentions(node))

    def _named_in(self, spoken: Mentions) -> list[str]:
        return [w for w in spoken.names if w in self.calls]

    def named_by(self, name: str) -> list[str]:
        """Everything that an effect or procedure names."""
        if name not in self._named:
            self._named[name] = self.named(self.calls[name])
        return self._named[name]

    @cached_property
    def callers(self) -> dict[str, list[str]]:
        """By which other effects and procedures each is named."""
        found: dict[str, list[str]] = {name: [] for name in self.calls}
        for name in self.calls:
            for called in self.named_by(name):
                if called != name:
                    found[called].append(name)
        return found

    def reached(self, names: Iterable[str]) -> dict[str, None]:
        """These effects and procedures with all that they call."""
        found: dict[str, None] = {}
        todo = list(names)
        while todo:
            name = todo.pop()
            if name not in found and name in self.calls:
                found[name] = None
                todo.extend(self.named_by(name))
        return found

    @cached_property
    def run(self) -> dict[str, None]:
        """All that can be run in a game."""
        roots = [MAIN, self.index.game.compiler.ruleset.manifest.move]
        for decl in self.index.decls:
            if isinstance(decl, ast.Reaction):
                # That it waits for something does not do it.
                roots += self.named(decl.where) + self._named_in(in_body(decl))
            elif not isinstance(decl, ast.Callable):
                roots += self.named(decl)
        for scenario in self.index.game.rules.scenarios:
            roots += self.named(tuple(line.call for line in scenario.lines if isinstance(line, ast.SStart)))
        return self.reached(roots)

    # ------------------------------------------------------------------------------- reads and changes

    def reads(self, node: object) -> frozenset[str]:
        """Everything that a node depends on, queries, limits and areas that it asks included."""
        return self.read_in(mentions(node))

    def read_in(self, spoken: Mentions) -> frozenset[str]:
        """The reads where these words stand."""
        return self._besides(spoken).union(*(self._word(name) for name in spoken.names))

    def _besides(self, spoken: Mentions) -> frozenset[str]:
        """The reads besides the words."""
        merged = any(self.world.is_merged(name) for name in spoken.types)
        return spoken.reads | {"regions"} if merged else spoken.reads

    def _word(self, name: str) -> frozenset[str]:
        if name not in self._words:
            self._words[name] = self._plain(name) if self._stands_for(name) is None else self._asked(name)
        return self._words[name]

    def _plain(self, name: str) -> frozenset[str]:
        """Everything that a word reads that stands for no rule."""
        if name in self.world.fields or name in self.world.zones:
            return frozenset({name, "regions"})
        if name in _WHERE:
            return frozenset({"where", "regions"})
        if name in ("region", "places", "ahead"):
            return frozenset({"regions"})
        return frozenset({name if name in ("players", "side") else f"local {name}"})

    def _stands_for(self, name: str) -> tuple[str, object] | None:
        """The query, limits, area, effect or procedure that a word stands for, and what is to be read there."""
        if name in self.world.fields or name in self.world.zones:
            return None
        if name in _WHERE or name in ("region", "places", "ahead", "players", "side"):
            return None
        if (area := self.world.asked_as(name)) is not None and area in self.world.areas:
            return f"area {area}", self.world.areas[area].where
        for held in (self.queries, self.limits, self.calls):
            if name in held:
                return name, held[name]
        return None

    def _asked(self, name: str) -> frozenset[str]:
        """The reads by the rule that a word stands for, and by all that it asks; names inside rules do not count."""
        first = self._stands_for(name)
        assert first is not None
        if first[0] not in self._reads:
            found: set[str] = set()
            bodies = dict([first])
            todo = [first]
            while todo:
                _, body = todo.pop()
                spoken = mentions(body)
                found |= self._besides(spoken)
                for word in spoken.names:
                    rule = self._stands_for(word)
                    if rule is None:
                        found |= self._plain(word)
                    elif rule[0] in self._reads:
                        found |= self._reads[rule[0]]
                    elif rule[0] not in bodies:
                        bodies[rule[0]] = rule[1]
                        todo.append(rule)
            self._reads[first[0]] = frozenset(t for t in found if not t.startswith("local "))
        return self._reads[first[0]]

    def writes(self, node: object) -> frozenset[str]:
        """The changes that may be made by statements, calls included."""
        spoken = mentions(node)
        found = self._changed(spoken)
        for name in spoken.names:
            if name in self.calls and name != "eliminate":
                found |= self.written_by(name)
        return frozenset(found)

    def written_by(self, name: str) -> frozenset[str]:
        """The changes that an effect or procedure may make."""
        if name not in self._writes:
            self._writes[name] = self.written_by_all((name,))
        return self._writes[name]

    def written_by_all(self, names: Iterable[str]) -> frozenset[str]:
        """The changes that may be made by several effects and procedures."""
        found: set[str] = set()
        for name in self.reached(names):
            found |= self._changed(mentions(self.calls[name]))
            found |= self._forgotten(name)
        return frozenset(w for w in found if not w.startswith("local "))

    def _changed(self, spoken: Mentions) -> set[str]:
        """The changes where these words stand, without what is called there."""
        found = set(spoken.writes)
        if spoken.turns:
            found.update(self.world.zones)
        for label in spoken.steps:
            found |= self._forgotten(label)
        return found

    def _forgotten(self, block: str) -> frozenset[str]:
        return self._lasting.get(block, frozenset())

    @cached_property
    def _lasting(self) -> dict[str, frozenset[str]]:
        """The fields that last as long as each block."""
        found: dict[str, set[str]] = {}
        for name, field in self.world.fields.items():
            if field.lasting is not None:
                found.setdefault(field.lasting, set()).add(name)
        return {block: frozenset(names) for block, names in found.items()}

    @cached_property
    def follows(self) -> frozenset[str]:
        """Everything that consequences may change."""
        bodies = [in_body(d) for d in self.reacting]
        called = [name for body in bodies for name in body.names if name != "eliminate"]
        return self.written_by_all(called).union(*(self._changed(body) for body in bodies))

    @cached_property
    def ever_written(self) -> frozenset[str]:
        """Everything that any rule may change."""
        return self.follows | self.written_by_all(self.calls)

    @cached_property
    def written_when_run(self) -> frozenset[str]:
        """The changes that may be made by the rules that can be run."""
        return self.follows | self.written_by_all(self.run)

    @cached_property
    def due(self) -> frozenset[str]:
        """The reads to know whether a consequence follows or the game ends."""
        return frozenset().union(*(self.reads(d.when) for d in self.reacting if not isinstance(d, ast.Reaction)))

    # ------------------------------------------------------------------------------------------- ways

    def finishes(self, node: object) -> bool:
        """True if the game may end in a node, or in something it calls."""
        return self._finishes_in(mentions(node))

    def _finishes_in(self, spoken: Mentions) -> bool:
        return spoken.finishes or self._any_finishes(self.reached(self._named_in(spoken)))

    def _any_finishes(self, names: Iterable[str]) -> bool:
        return any(mentions(self.calls[name]).finishes for name in names)

    @cached_property
    def has_ending(self) -> bool:
        """True if any rule that is ever run ends the game with a result."""
        return self._any_finishes(self.run) or any(self._finishes_in(in_body(d)) for d in self.reacting)

    def left(self, s: ast.Stmt) -> bool:
        """True if what stands behind a statement is never reached."""
        return _left(s, self.never_returns)

    def never_returns(self, name: str) -> bool:
        """True if a word stands for an effect or procedure that never comes back to who called it."""
        return name in self._going

    @cached_property
    def _going(self) -> frozenset[str]:
        """The effects and procedures that never come back; in circles those of which that is certain."""
        found = {name for name, decl in self.calls.items() if _leaves_alone(decl)}
        todo = sorted(found)
        while todo:
            for name in self.callers[todo.pop()]:
                if name not in found and _leaves(self.calls[name], found.__contains__):
                    found.add(name)
                    todo.append(name)
        return frozenset(found)


Never = Callable[[str], bool]
"""Of which words what is called never comes back."""


def _leaves(decl: ast.Callable, never: Never) -> bool:
    """True if an effect or procedure never comes back to who called it."""
    return not _returns_early(decl) and _left_by(decl.body, never)


@memoized_by_node
def _leaves_alone(decl: ast.Callable) -> bool:
    """The same, if all that it calls does come back."""
    return _leaves(decl, lambda name: False)


@memoized_by_node
def _returns_early(decl: ast.Callable) -> bool:
    return any(isinstance(s, ast.Return | ast.Forbid | ast.Obey) for block in blocks_of(decl) for s in block)


def _left_by(body: Iterable[ast.Stmt], never: Never) -> bool:
    """True if a block never comes to its end."""
    return any(_left(s, never) for s in body)


def _left(s: ast.Stmt, never: Never) -> bool:
    """True if what stands behind a statement is never reached."""
    match s:
        case ast.Win() | ast.RankAll() | ast.Return() | ast.Stop():
            return True
        case ast.CallStatement(call=asked) | ast.Let(value=asked) | ast.Assign(value=asked):
            named = asked.operand if isinstance(asked, ast.Call) else asked
            if named is asked and not isinstance(s, ast.CallStatement):
                return False
            return isinstance(named, ast.Name) and never(named.name)
        case ast.If(branches=branches, otherwise=otherwise):
            return _left_by(otherwise, never) and all(_left_by(b.body, never) for b in branches)
        case ast.Match(arms=arms, otherwise=last):
            return all(_left_by(a.body, never) for a in (*arms, *((last,) if last is not None else ())))
        case ast.Choose(then=then, otherwise=otherwise_):
            if not (s.optional or otherwise_ is not None):
                return _left_by(then or (), never)
            return _left_by(then or (), never) and _left_by(otherwise_ or (), never)
        case ast.Either(options=options, otherwise=otherwise_):
            ways = [o.body for o in options] + ([otherwise_] if otherwise_ is not None else [])
            return all(_left_by(w, never) for w in ways)
        case ast.Step(label=label, body=body):
            return _left_by(body, never) and not any(isinstance(n, ast.Stop) and n.label == label for n in nodes(body))
        case ast.Repeat(mode="forever", at_most=None):
            return not any(_stops(inner, s.label, False) for inner in s.body)
    return False


def _stops(s: ast.Node, label: str | None, nested: bool) -> bool:
    """True if a statement in a repetition leaves just this one."""
    if isinstance(s, ast.Stop):
        return s.label == label if s.label is not None else not nested
    nested = nested or isinstance(s, _LOOPS)
    return any(_stops(i, label, nested) for i in _inner(s))


def _inner(s: ast.Node) -> Iterator[ast.Node]:
    """The mentions in a statement, blocks and their heads."""
    for part in ("body", "then", "otherwise", "branches", "arms", "options"):
        held = getattr(s, part, None)
        for one in held if isinstance(held, tuple) else (held,):
            if isinstance(one, ast.Node):
                yield one
