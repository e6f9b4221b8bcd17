"""Calls, reads and changes of the rules, and the places where they go no further.

Reads and changes are told by words: the name of a field or zone, ``local x`` of a name that a rule gives, ``players``
(who is in the game), ``regions`` (what has merged), ``where`` (any piece moved) and ``side`` (any piece turned).
Both may be too many, never too few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.compiler.driver import MAIN
from rulewright.compiler.tree_walk import nodes
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Configuration
from rulewright.syntax import ast

_FINISH = ast.Win | ast.RankAll
_WHERE = ("place", "holder", "on_board", "in_game", "slot")
_LOOPS = (ast.Repeat, ast.Repeats, ast.Each)


def blocks(inside: Iterable[ast.Node]) -> Iterator[tuple[ast.Stmt, ...]]:
    """All lists of statements that some nodes hold."""
    for n in inside:
        for part in ("body", "then", "otherwise"):
            held = getattr(n, part, None)
            if isinstance(held, tuple) and held:
                yield held


def rooted(target: ast.Expr) -> str:
    """The word with which something that can be set begins."""
    while isinstance(target, (ast.Index, ast.Dot)):
        target = target.operand
    return target.name if isinstance(target, ast.Name) else ""


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
        self.named_by = {name: self.named(decl) for name, decl in self.calls.items()}
        """Names that each effect and procedure mentions."""
        self._run: dict[str, None] | None = None
        self._follows: frozenset[str] | None = None
        self._reads: dict[str, frozenset[str]] = {}
        self._writes: dict[str, frozenset[str]] = {}
        self._returns: dict[str, bool] = {}

    # ------------------------------------------------------------------------------------------- calls

    def named(self, node: object) -> list[str]:
        """Effects and procedures that are named in a node, also to ask whether they are possible."""
        words = (n.name for n in nodes(node) if isinstance(n, ast.Name))
        return [w for w in dict.fromkeys(words) if w in self.calls]

    def reached(self, names: Iterable[str]) -> dict[str, None]:
        """These effects and procedures with all that they call."""
        found: dict[str, None] = {}
        todo = list(names)
        while todo:
            name = todo.pop()
            if name not in found and name in self.calls:
                found[name] = None
                todo.extend(self.named_by[name])
        return found

    def run(self) -> dict[str, None]:
        """All that can be run in a game."""
        if self._run is None:
            self._run = self.reached(self._roots())
        return self._run

    def _roots(self) -> list[str]:
        roots = [MAIN, self.index.game.compiler.ruleset.manifest.move]
        for decl in self.index.decls:
            if isinstance(decl, ast.Reaction):
                roots += self.named((decl.where, decl.body))  # that it waits for something does not do it
            elif not isinstance(decl, ast.Callable):
                roots += self.named(decl)
        for scenario in self.index.game.rules.scenarios:
            roots += self.named(tuple(line.call for line in scenario.lines if isinstance(line, ast.SStart)))
        return roots

    # ------------------------------------------------------------------------------- reads and changes

    def reads(self, node: object) -> frozenset[str]:
        """The reads of a node, those of the queries, limits and areas that it asks included."""
        found: set[str] = set()
        for n in nodes(node):
            match n:
                case ast.Name(name):
                    found |= self._word(name)
                case ast.TypeName(name) if self.world.is_merged(name):
                    found.add("regions")
                case ast.Dot(name="neighbours"):
                    found.add("regions")
                case ast.Unary("clockwise from"):
                    found.add("players")
        return frozenset(found)

    def _word(self, name: str) -> frozenset[str]:
        if name in self.world.fields or name in self.world.zones:
            return frozenset({name, "regions"})
        if name in _WHERE:
            return frozenset({"where", "regions"})
        if name in ("region", "places", "ahead"):
            return frozenset({"regions"})
        if name in ("players", "side"):
            return frozenset({name})
        if (area := self.world.asked_as(name)) is not None and area in self.world.areas:
            return self._asked(f"area {area}", self.world.areas[area].where)
        for held in (self.queries, self.limits, self.calls):
            if name in held:
                return self._asked(name, held[name])
        return frozenset({f"local {name}"})

    def _asked(self, name: str, body: object) -> frozenset[str]:
        if name not in self._reads:
            self._reads[name] = frozenset()  # a cycle reads nothing more
            self._reads[name] = frozenset(t for t in self.reads(body) if not t.startswith("local "))
        return self._reads[name]

    def writes(self, node: object) -> frozenset[str]:
        """The changes that statements may make, calls included."""
        return self._changed(nodes(node))

    def _changed(self, inside: Iterable[ast.Node]) -> frozenset[str]:
        found: set[str] = set()
        for n in inside:
            found.update(n.writes)
            if "side" in n.writes:
                found.update(self.world.zones)
            for name in map(rooted, n.held(n.sets)):
                found |= {name, f"local {name}"}
            match n:
                case ast.Name("eliminate"):
                    found.add("players")
                case ast.Name(name) if name in self.calls:
                    found |= self.written_by(name)
                case ast.Step(label):
                    found |= self._forgotten(label)
            if isinstance(n, ast.Clause):
                named = (n, n.bind) if isinstance(n, ast.Each) else (n,)
                found |= {f"local {word}" for part in named for word in part.held(part.gives)}
        return frozenset(found)

    def written_by(self, name: str) -> frozenset[str]:
        """The changes that an effect or procedure may make."""
        if name not in self._writes:
            found: set[str] = set()
            self._writes[name] = frozenset()
            for called in self.reached([name]):
                found |= {w for w in self._changed(self.index.nodes[called]) if not w.startswith("local ")}
                found |= self._forgotten(called)
            self._writes[name] = frozenset(found)
        return self._writes[name]

    def _forgotten(self, block: str) -> set[str]:
        return {n for n, f in self.world.fields.items() if f.lasting == block}

    def follows(self) -> frozenset[str]:
        """The changes that consequences may make."""
        if self._follows is None:
            self._follows = frozenset().union(*(self.writes(d.body) for d in self.reacting))
        return self._follows

    # ------------------------------------------------------------------------------------------- ways

    def finishes(self, node: object) -> bool:
        """True if the game may end in a node, or in something it calls."""
        inside = [*nodes(node), *(n for name in self.reached(self.named(node)) for n in nodes(self.calls[name].body))]
        return any(isinstance(n, _FINISH) for n in inside)

    def has_ending(self) -> bool:
        """True if any rule that is ever run ends the game with a result."""
        bodies = [*(self.calls[n].body for n in self.run()), *(d.body for d in self.reacting)]
        return any(self.finishes(body) for body in bodies)

    def leaves(self, body: tuple[ast.Stmt, ...]) -> bool:
        """True if a block never comes to its end."""
        return any(self.left(s) for s in body)

    def left(self, s: ast.Stmt) -> bool:
        """True if what follows a statement is never reached."""
        match s:
            case _ if isinstance(s, ast.Transfer):
                return True
            case ast.CallStatement(call=asked) | ast.Let(value=asked) | ast.Assign(value=asked):
                named = (
                    asked.operand
                    if isinstance(asked, ast.Call)
                    else asked
                    if isinstance(s, ast.CallStatement)
                    else None
                )
                return isinstance(named, ast.Name) and named.name in self.calls and not self.returns(named.name)
            case ast.If(branches=branches, otherwise=otherwise):
                return self.leaves(otherwise) and all(self.leaves(b.body) for b in branches)
            case ast.Match(arms=arms, otherwise=last):
                return all(self.leaves(a.body) for a in (*arms, *((last,) if last is not None else ())))
            case ast.Choose(then=then, otherwise=otherwise_):
                if not (s.optional or otherwise_ is not None):
                    return self.leaves(then or ())
                return self.leaves(then or ()) and self.leaves(otherwise_ or ())
            case ast.Either(options=options, otherwise=otherwise_):
                ways = [o.body for o in options] + ([otherwise_] if otherwise_ is not None else [])
                return all(self.leaves(w) for w in ways)
            case ast.Step(label=label, body=body):
                return self.leaves(body) and not any(isinstance(n, ast.Stop) and n.label == label for n in nodes(body))
            case ast.Repeat(mode="forever", at_most=None):
                return not any(self._stops(inner, s.label, False) for inner in s.body)
        return False

    def _stops(self, s: ast.Node, label: str | None, nested: bool) -> bool:
        """True if a statement in a repetition leaves just this one."""
        if isinstance(s, ast.Stop):
            return s.label == label if s.label is not None else not nested
        nested = nested or isinstance(s, _LOOPS)
        held = [getattr(s, part, None) for part in ("body", "then", "otherwise", "branches", "arms", "options")]
        inner = [i for h in held for i in (h if isinstance(h, tuple) else (h,)) if isinstance(i, ast.Node)]
        return any(self._stops(i, label, nested) for i in inner)

    def returns(self, name: str) -> bool:
        """True if an effect or procedure may come back to who called it."""
        if name not in self._returns:
            self._returns[name] = True
            body = self.calls[name].body
            early = any(
                isinstance(s, ast.Return | ast.Forbid | ast.Obey) for b in blocks(self.index.nodes[name]) for s in b
            )
            self._returns[name] = early or not self.leaves(body)
        return self._returns[name]
