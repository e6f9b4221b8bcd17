"""The functions of a game, with a check of the consequences wherever one may be concerned."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from rulewright.compiler.lowering.expressions.comprehensions import Bound
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import SETTLE, FunctionBuilder, LocalEffects
from rulewright.compiler.symbols.constants import is_open, is_seen
from rulewright.compiler.symbols.static_types import INT, Type
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import MAIN, Scope
from rulewright.compiler.tree_walk import words
from rulewright.diagnostics import Report
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import successors
from rulewright.ir.dataflow.effects import NOTHING, EffectAnalysis, Tokens
from rulewright.ir.reads import Read, all_reads
from rulewright.syntax import ast

Following = tuple[str, m.Expr, m.Expr]
"""A consequence or immediate end: its name, its match (a member or none), and what the match reads."""

KEPT = 64
_settled: OrderedDict[Hashable, tuple[tuple[Following, ...], m.Function]] = OrderedDict()
"""The functions made last, with the matches whose identities name them."""


class Linker:
    """Puts the code of a game together: functions that look at consequences where these are concerned."""

    def __init__(
        self,
        codes: Mapping[str, FunctionBuilder],
        cites: Mapping[str, tuple[str, ...]],
        settling: Sequence[Following],
        depend: EffectAnalysis,
    ) -> None:
        self.codes, self.cites, self.settling, self.depend = codes, cites, settling, depend
        self.does = {name: code.summary(depend) for name, code in codes.items()}
        self._effects = _written(tuple((name, self.does[name].whole) for name, code in codes.items() if not code.asks))
        self._reads = [depend.reads(r) for _, _, r in settling]
        self._known: dict[Tokens, int] = {}
        self._everything = _written(tuple((name, done.whole) for name, done in self.does.items()))
        self._wakes = [self._concerned(self._everything[n]) | 1 << i for i, (n, _, _) in enumerate(settling)]
        self.made: dict[str, m.Function] = {}
        """The functions of the procedures and of all else that is run, as they are now."""
        self._opening = 0

    def functions(self) -> tuple[m.Function, ...]:
        """All functions, the one that looks at consequences first."""
        made = [_settle_shared(self.settling, self._wakes)] if self.settling else []
        self.made = {name: self._function(code, self.cites[name]) for name, code in self.codes.items()}
        self._opening = self._unseen_at_first()
        if MAIN in self.codes:
            self.made[MAIN] = self._function(self.codes[MAIN], self.cites[MAIN])
        return (*made, *self.made.values())

    def relinked(self, code: FunctionBuilder, cites: tuple[str, ...]) -> m.Function | None:
        """The function whose code this is now; None if it does something else to the game, so that others change."""
        done = code.summary(self.depend)
        if done.whole != self.does[code.name].whole:
            return None
        self.does[code.name] = done
        function = self.made[code.name] = self._function(code, cites)
        return function if self._unseen_at_first() == self._opening else None

    def _function(self, code: FunctionBuilder, cites: tuple[str, ...]) -> m.Function:
        pending = [self._concerned(self._all_written(done)) for done in self.does[code.name].settled]
        return code.assemble(pending, cites, self._opening if code.name == MAIN else 0)

    def _unseen_at_first(self) -> int:
        """The consequences, as a bit set, that nothing concerns before the first question that a player decides.

        They may hold from the beginning, so they are looked at when play begins. The others are looked at after what
        concerns them, when the set-up has come so far.
        """
        if not self.settling or MAIN not in self.made:
            return 0
        return (1 << len(self.settling)) - 1 & ~self._concerned(_Opening(self.made, self).written)

    def followed_by(self, concerned: int) -> Tokens:
        """All that consequences may change, and those that look on then."""
        found, seen = NOTHING, 0
        while rest := concerned & ~seen:
            number = rest.bit_length() - 1
            seen |= 1 << number
            concerned |= self._wakes[number]
            found |= self._everything[self.settling[number][0]]
        return found

    def _concerned(self, tokens: Tokens) -> int:
        """The consequences that look on when these things change, as a bit set."""
        if tokens not in self._known:
            self._known[tokens] = sum(1 << i for i, r in enumerate(self._reads) if not r.isdisjoint(tokens))
        return self._known[tokens]

    def _all_written(self, done: LocalEffects) -> Tokens:
        return done.written.union(*(self._effects.get(name, NOTHING) for name in done.called))


class _Opening:
    """All that may change before the first question that a player decides."""

    def __init__(self, functions: Mapping[str, m.Function], linker: Linker) -> None:
        self.functions, self.linker = functions, linker
        self.written: Tokens = NOTHING
        self._over: dict[str, bool] = {}
        """Of each function that is begun: whether it may be over without a question."""
        self._runs(MAIN)

    def _runs(self, name: str) -> bool:
        if name in self._over:
            return self._over[name]
        self._over[name] = True  # where it calls itself
        code = self.functions[name].code
        found: set[int] = set()
        waiting = [0]
        over = False
        while waiting:
            pc = waiting.pop()
            if pc in found:
                continue
            found.add(pc)
            if pc >= len(code) or isinstance(code[pc], m.Return):
                over = True
            elif pc >= 0 and self._passes(i := code[pc]):
                waiting.extend(successors(i, pc))
            elif pc >= 0 and isinstance(i, m.Choose) and i.on_empty is not None:
                waiting.append(i.on_empty)  # no question
        self._over[name] = over
        return over

    def _passes(self, i: m.Instr) -> bool:
        """True if the rules go on after an instruction without a question."""
        match i:
            case m.Choose():
                return False
            case m.Call(function, (m.Const(concerned),)) if function == SETTLE:
                self.written |= self.linker.followed_by(concerned)
                return True
            case m.Call(function):
                return self._runs(function)
            case _:
                self.written |= self.linker.depend.writes(i)
                return True


@lru_cache(KEPT)
def _written(functions: tuple[tuple[str, LocalEffects], ...]) -> Mapping[str, Tokens]:
    """For each function what it may change, calls of those functions included that are given.

    Procedures settle by themselves, so for a look at what follows the effects alone are given. Games whose functions
    have the same effects share the answer.
    """
    does = dict(functions)
    found = {name: done.written for name, done in does.items()}
    callers: dict[str, list[str]] = {name: [] for name in does}
    for name, done in does.items():
        for other in done.called & does.keys():
            callers[other].append(name)
    todo = list(does)
    while todo:
        name = todo.pop()
        for caller in callers[name]:
            if not found[name] <= found[caller]:
                found[caller] |= found[name]
                todo.append(caller)
    return found


def _settle_shared(settling: Sequence[Following], wakes: Sequence[int]) -> m.Function:
    """One function object for all games with the same consequences, so that facts about it are shared."""
    key = tuple((name, id(match), wake) for (name, match, _), wake in zip(settling, wakes, strict=True))
    if key not in _settled:
        if len(_settled) >= KEPT:
            _settled.popitem(last=False)
        _settled[key] = tuple(settling), _settle(settling, wakes)
    return _settled[key][1]


def _settle(settling: Sequence[Following], wakes: Sequence[int]) -> m.Function:
    """Looks at the consequences that are concerned, first declared first, until none holds any more."""
    pending = Type("set", "Int", low=0, high=len(wakes) - 1)
    code = FunctionBuilder(SETTLE, "system", False)
    waiting = code.slot("pending", pending)
    code.params = 1
    start = code.label()
    code.mark(start)
    for number, (name, match, _) in enumerate(settling):
        one = code.slot(name, INT.or_none())
        quiet, skip = code.label(), code.label()
        me = m.Const(1 << number)
        code.add(
            m.JumpUnless(m.Contains(m.Local(waiting), m.Const(number)), skip),
            m.SetLocal(one, match),
            m.JumpUnless(m.Cmp("ne", m.Local(one), m.Const(m.NONE), nothing=True), quiet),
            m.Call(name, (m.Local(one),), None, name),
            m.SetLocal(waiting, m.SetOp("union", m.Local(waiting), m.Const(wakes[number]))),
            m.Jump(start),
        )
        code.mark(quiet)
        code.add(m.SetLocal(waiting, m.SetOp("minus", m.Local(waiting), me)))
        code.mark(skip)
    code.add(m.Return(None))
    return code.assemble((), ())


Matched = tuple[m.Expr, m.Expr, tuple[tuple[str, Type], ...]]
"""The first member for which something is due, or none; what that reads; the parameters of what is then done."""


class MatchLowerer:
    """Finds the first members, in order, for which a condition holds.

    A match is one member: that of the first binder for which there are members of the others. What is then done looks
    for these itself, one after the other, before anything else.
    """

    def __init__(self, expressions: ExpressionLowerer) -> None:
        self.expressions = expressions

    def matched(self, decl: ast.Consequence | ast.End) -> Matched:
        """The match of a declaration; 0 or none if it is about nothing in particular."""
        if not decl.binds:
            condition = self.expressions.truth(decl.when, Scope())
            return m.IfElse(condition, m.Const(0), m.Const(m.NONE)), condition, (("", INT),)
        first, found, is_list = self._due(decl, decl.binds, Scope())
        return m.First(found, is_list), found, ((decl.binds[0].name, first.type),)

    def others(self, decl: ast.Consequence | ast.End) -> Callable[[Scope, FunctionBuilder], None] | None:
        """The beginning of its body: the members of the other binders; None if there is only one."""
        if len(decl.binds) < 2:
            return None

        def look(scope: Scope, code: FunctionBuilder) -> None:
            context = self.expressions.context
            for number, bind in enumerate(decl.binds[1:], 1):
                with context.reporting_to(Report()):  # reported already where it is matched
                    one, found, is_list = self._due(decl, decl.binds[number:], scope)
                slot = context.bind_slot(code, scope, bind.name, one.type)
                code.add(m.SetLocal(slot, m.First(found, is_list)))

        return look

    def _due(
        self, decl: ast.Consequence | ast.End, binds: Sequence[ast.Bind], scope: Scope
    ) -> tuple[Bound, m.Expr, bool]:
        """The first of some binders, and in order its members for which the condition holds with some of the others."""
        bounds: list[Bound] = []
        for bind in binds:
            bound, scope = self.expressions.bind(bind, scope)
            bounds.append(bound)
        holds = self.expressions.truth(decl.when, scope)
        by = decl.by if isinstance(decl, ast.Consequence) else None
        key = self.expressions.order(by, scope) if by is not None else None
        first, inner = bounds[0], tuple(m.Bound(b.var, b.source, b.is_list) for b in bounds[1:])
        if inner:
            key = m.Fold("min", inner, holds, key) if key is not None else None
            holds = m.Fold("some", inner, holds, None)
        found: m.Expr = m.Filter(first.source, first.var, holds, first.is_list)
        if key is None:
            return first, found, first.is_list
        return first, m.Sort(found, first.var, key, is_list=first.is_list), True


def conjuncts(e: ast.Expr) -> Iterator[ast.Expr]:
    """The conditions that are joined by ``and``."""
    if isinstance(e, ast.Binary) and e.op == "and":
        yield from conjuncts(e.left)
        yield from conjuncts(e.right)
    else:
        yield e


def open_parts(
    parts: Iterable[ast.Expr], means: ast.Bind | None, scope: Scope, expressions: ExpressionLowerer
) -> Iterator[m.Expr]:
    """The conditions among some that read only what all players see: not for the means of who reacts, and no query."""
    for part in parts:
        if means is not None and means.name in words(part):
            continue
        condition = expressions.truth(part, scope)
        if all(_all_see(read, expressions.world) for read in all_reads(condition)):
            yield condition


def _all_see(read: Read, world: SymbolTable) -> bool:
    """True if all players see what is read; what others read for it is not looked at."""
    match read.aspect:
        case "field":
            return read.name not in world.fields or is_open(world, read.name)
        case "pieces" | "order" | "contents":
            return is_open(world, read.name)
        case "map":  # whether anything lies in a place
            place = world.graphs[read.name].place
            return all(is_seen(world, name) for name, zone in world.zones.items() if place in zone.index)
        case "members" | "merged":
            return True
        case _:
            return False
