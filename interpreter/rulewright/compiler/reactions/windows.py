"""Windows, in which reactions happen: before and after an event, instead of it, and when dice were rolled.

A window calls the reactions that happen by themselves: those in a fixed order, then those whose order a player chooses.
Then it asks the players in their order which of theirs they use, until they pass. What a reaction makes of the event's
parameters, the event goes on with. Like any question it may be interrupted by what is offered during the blocks that
are going on; a player who could do nothing else gets no question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rulewright.compiler.lowering.choices.possibility import PossibilityLowerer
from rulewright.compiler.lowering.expressions.comprehensions import Bound
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import (
    NO,
    YES,
    FunctionBuilder,
    all_of,
    begin_iteration,
    end_iteration,
    offers,
)
from rulewright.compiler.lowering.statements.procedure_calls import procedure_called
from rulewright.compiler.reactions.consequences import conjuncts, open_parts
from rulewright.compiler.reactions.reaction_order import AFTER, BEFORE, INSTEAD, ROLLS, Events, Reacting
from rulewright.compiler.symbols.static_types import BOOL, INT, Type, entity
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import Binding, Scope
from rulewright.compiler.tree_walk import nodes
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.syntax import ast

WINDOW = "react"
"""The name of the choice in a window; the decision's name is ``event.react``."""

PLAYER = entity("Player")


class WindowLowerer:
    """Opens windows where others may react."""

    def __init__(self, expressions: ExpressionLowerer, possibility: PossibilityLowerer, events: Events) -> None:
        self.context, self.expressions, self.possibility = expressions.context, expressions, possibility
        self.world, self.events = expressions.world, events

    def opening(self, code: FunctionBuilder) -> None:
        """Before a procedure."""
        self._around(BEFORE, code)

    def closing(self, code: FunctionBuilder) -> None:
        """After a procedure."""
        self._around(AFTER, code)

    def _around(self, moment: str, code: FunctionBuilder) -> None:
        info = self.world.calls.get(code.name)
        if info is not None and code.word == info.decl.word and (found := self.events.of(moment, code.name)):
            self.window(found, list(range(code.params)), self.order(info.decl, code), code)

    def order(self, decl: ast.Callable, code: FunctionBuilder) -> m.Expr | None:
        """The players who may react, in their order."""
        if decl.open is None:
            return None
        scope = Scope()
        for slot, (name, type) in enumerate(self.world.calls[decl.name].params):
            scope.bind(name, Binding(self.context.read(m.Local(slot), type), type))
        players = self.expressions.collection(decl.open, scope)
        return players.ir if players.type.kind == "list" else m.ToList(players.ir)

    def window(
        self,
        found: list[Reacting],
        slots: list[int],
        order: m.Expr | None,
        code: FunctionBuilder,
        end: int | None = None,
        replaced: str | None = None,
        marks: Mapping[str, int] | None = None,
    ) -> None:
        """Let reactions happen to an event whose parameters are in `slots`. If they replace it, they go to `end`; then
        `code` stands before the procedure `replaced`, which is not going on yet, and has slots for `marks`."""
        alone = [r for r in found if r.decl.by is None]
        for lot in [*([r] for r in alone if r.decl.chooser is None), [r for r in alone if r.decl.chooser is not None]]:
            if lot:
                _Lot(self, lot, slots, dict(marks or {}), code).happen(order, end)
        offered = [r for r in found if r.decl.by is not None]
        if not offered or order is None:
            return
        self.context.needs_procedure(code, "let players react", offered[0].decl.span)
        players = code.slot("those who may react", entity("Player").as_list(self.world.player_count))
        at, one, answer = code.slot("at", INT), code.slot("reacting", PLAYER), code.slot(WINDOW, INT.or_none())
        code.add(m.SetLocal(players, order))
        following, over = begin_iteration(code, players, at, one)
        again, done = code.label(), code.label()
        code.mark(again)
        who = m.Local(one)
        starts = [code.label() for _ in offered]
        extras = [self.option(r, slots, who, to) for r, to in zip(offered, starts, strict=True)]
        meanwhile = self.meanwhile(code, replaced)
        begins = [code.label() for _ in meanwhile]
        extras += [self.interruption(*one, who, to) for one, to in zip(meanwhile, begins, strict=True)]
        anyway = any(r.decl.anyway for r in offered)
        if anyway:
            code.add(m.JumpUnless(self.might(offered, extras, slots, who), done))
        extras.append(m.Extra("pass", None, (), done, aside=not anyway))
        code.add(
            m.Choose(
                WINDOW, code.place(WINDOW), who, "player", "", None, False, "", None, (), tuple(extras), answer, done
            )
        )
        for reacting, start in zip(offered, starts, strict=True):
            code.mark(start)
            self.react(reacting, slots, (who, *map(m.Local, (marks or {}).values())), code)
            code.add(m.Jump(again if end is None else end))
        for (reacting, _), begin in zip(meanwhile, begins, strict=True):
            code.mark(begin)
            self.react(reacting, [], (who,), code)
            code.add(m.JumpUnless(m.Contains(m.Alive("Player"), who), done), m.Jump(again))
        code.mark(done)
        end_iteration(code, at, following, over)

    def marks(self, event: str) -> list[tuple[str, Type]]:
        """For each reaction that happens by itself instead of an event, the type of what is passed on of it: whether it
        has happened to this event, or for whom."""
        return [(r.name, self.mark(r)) for r in self.events.of(INSTEAD, event) if r.decl.by is None]

    def mark(self, reacting: Reacting) -> Type:
        """The type of what is known of a reaction that happens by itself."""
        return BOOL if reacting.decl.each is None else self.member(reacting).type.as_set()

    def member(self, reacting: Reacting) -> Bound:
        """The name that stands for each of those for whom a reaction happens."""
        assert reacting.decl.each is not None
        return self.expressions.bind(reacting.decl.each, self.seen(reacting, range(len(reacting.params)), None))[0]

    def chooser(self, expr: ast.Expr, scope: Scope) -> m.Expr:
        """The player who chooses the order."""
        value = self.expressions.coercions.item(self.expressions.lower(expr, scope, PLAYER))
        if value.type.kind != "any" and (value.type.kind != "entity" or value.type.universe != "Player"):
            self.context.mismatch("a player", value.type, expr.span, "the player who chooses the order")
        return value.ir

    def checked(self, reacting: Reacting) -> None:
        """Report what is wrong with the condition of a reaction that happens by itself, wherever that is."""
        decl, scope = reacting.decl, self.seen(reacting, range(len(reacting.params)), None)
        if decl.each is not None:
            scope = self.expressions.bind(decl.each, scope)[1]
        if decl.where is not None:
            self.expressions.truth(decl.where, scope)
        if decl.chooser is not None:
            self.chooser(decl.chooser, scope)

    def option(self, reacting: Reacting, slots: list[int], who: m.Expr, to: int, aside: bool = False) -> m.Extra:
        """A reaction as an option of a player: offered if they have what it takes, and its body leads somewhere."""
        decl = reacting.decl
        scope = self.seen(reacting, slots, who)
        binds: tuple[m.Bound, ...] = ()
        if decl.with_ is not None:
            bound, scope = self.expressions.bind(decl.with_, scope)
            binds = (m.Bound(bound.var, bound.source, bound.is_list),)
        tests = [self.expressions.truth(decl.where, scope)] if decl.where is not None else []
        test = all_of(*tests, self.possibility.of_body(decl.body, scope, decl.name))
        guard = m.Fold("some", binds, None if test == YES else test, None) if binds else test
        return m.Extra(decl.name, None if guard == YES else guard, (), to, decl.trivia.cites, aside, True)

    def might(self, offered: list[Reacting], extras: list[m.Extra], slots: list[int], who: m.Expr) -> m.Expr:
        """The condition for a question where reactions ask anyway: for all that all see, they could react."""
        ways = [m.Const(1) if extra.guard is None else extra.guard for extra in extras]
        for number, reacting in enumerate(offered):
            if reacting.decl.anyway:
                scope = self.seen(reacting, slots, who)
                where = reacting.decl.where
                parts = () if where is None else tuple(conjuncts(where))
                ways[number] = all_of(*open_parts(parts, reacting.decl.with_, scope, self.expressions))
        return m.Const(1) if YES in ways else m.Or(tuple(ways))

    def meanwhile(self, code: FunctionBuilder, replaced: str | None = None) -> list[tuple[Reacting, str | None]]:
        """Reactions during a block that may be used at a question here, with the block that must be tested for going
        on. What a reaction asks is not interrupted."""
        if code.word == "reaction":
            return []
        blocks = [block.label for block in code.blocks]
        return self.events.during(replaced or code.name, blocks if replaced is not None else [code.name, *blocks])

    def interruption(self, reacting: Reacting, block: str | None, who: m.Expr, to: int) -> m.Extra:
        """A reaction during a block as something that may be done before a question is answered."""
        made = self.option(reacting, [], who, to, aside=True)
        if block is None:
            return made
        guard = m.FieldGet(self.world.marks[block], ())
        return replace(made, guard=guard if made.guard is None else m.And((guard, made.guard)))

    def seen(self, reacting: Reacting, slots: list[int] | range, who: m.Expr | None) -> Scope:
        """The scope of a reaction's condition."""
        scope = Scope()
        for slot, (name, type) in zip(slots, reacting.params, strict=False):
            scope.bind(name, Binding(self.context.read(m.Local(slot), type), type))
        if who is not None and reacting.decl.by is not None:
            scope.bind(reacting.decl.by, Binding(self.context.read(who, PLAYER), PLAYER))
        return scope

    def react(self, reacting: Reacting, slots: list[int], more: tuple[m.Expr, ...], code: FunctionBuilder) -> None:
        """Call a reaction to an event whose parameters are in `slots`; `more` is given to it besides."""
        args = (*(m.Local(slot) for slot in slots[: len(reacting.params)]), *more)
        into = code.result_slot if reacting.result is not None else None
        shared = tuple(slots[: len(reacting.params)]) if reacting.changes else ()
        code.add(m.Call(reacting.name, args, into, code.place(reacting.name), shared))

    def face(self, die: Type) -> Type:
        """The type of a slot for a face: wider than the die if reactions change what was rolled."""
        changed = die.kind == "int" and any(r.changes for r in self.events.of(AFTER, ROLLS))
        return INT if changed else die

    def rolled(self, who: m.Expr, slot: int, type: Type, code: FunctionBuilder) -> None:
        """Open the windows after a roll: players may react to each of the dice, first who rolled, then clockwise."""
        found = self.events.of(AFTER, ROLLS)
        if not found or (type.element() if type.kind == "list" else type).kind != "int":
            return
        roller = code.slot("roller", PLAYER)
        code.add(m.SetLocal(roller, who))
        order = m.ClockwiseFrom(m.Local(roller))
        if type.kind != "list":
            self.window(found, [roller, slot], order, code)
            return
        made, at, one = code.slot("faces", type), code.slot("at", INT), code.slot("face", type.element())
        code.add(m.SetLocal(made, m.ListConst(())))
        again, end = begin_iteration(code, slot, at, one)
        self.window(found, [roller, one], order, code)
        code.add(m.Append(made, m.Local(one)))
        end_iteration(code, at, again, end)
        code.add(m.SetLocal(slot, m.Local(made)))


@dataclass(slots=True)
class _Lot:
    """Reactions to an event that happen by themselves, as long as one of them may, each once: a single one, or all
    whose order is chosen."""

    windows: WindowLowerer
    reactions: list[Reacting]
    slots: list[int]
    """Of the event's parameters."""
    marks: dict[str, int]
    """For reactions the slots of whether, or for whom, they have happened to this event."""
    code: FunctionBuilder
    who: m.Local | None = None
    """The player who chooses what is next; none if no player can."""

    def happen(self, order: m.Expr | None, end: int | None) -> None:
        """Let them happen; if one replaces the event, it goes to `end` with the marks.

        If there are several, the player who chooses the order chooses the next one. Of several such players those
        come first who come first in the `order` in which players may react. One who is out of the game chooses nothing:
        then the first reaction comes first.
        """
        code, chosen = self.code, self.reactions[0].decl.chooser is not None
        for reacting in self.reactions:
            if reacting.name not in self.marks and (chosen or reacting.decl.each is not None):
                mark = self.marks[reacting.name] = code.slot(
                    f"{reacting.name} has happened", self.windows.mark(reacting)
                )
                code.add(m.SetLocal(mark, NO if reacting.decl.each is None else m.MakeSet(())))
        again, starts = code.label(), [code.label() for _ in self.reactions]
        code.mark(again)
        if chosen:
            self._begin_choice(order, starts)
        for reacting, start in zip(self.reactions, starts, strict=True):
            following = code.label()
            if (condition := self._due(reacting, self.who)) != YES:
                code.add(m.JumpUnless(condition, following))
            code.mark(start)
            given = self._next(reacting)
            passed_on = self.marks.values() if end is not None else ()
            self.windows.react(reacting, self.slots, (*given, *map(m.Local, passed_on)), code)
            if end is not None:
                code.add(m.Jump(end))
            elif reacting.name in self.marks:
                code.add(m.Jump(again))
            code.mark(following)

    def _begin_choice(self, order: m.Expr | None, starts: list[int]) -> None:
        """Ask for one of several reactions, if that makes a difference."""
        code, context = self.code, self.windows.context
        context.needs_procedure(code, "let a player choose the order", self.reactions[0].decl.span)
        self.who, var = m.Local(code.slot("choosing the order", PLAYER.or_none())), context.fresh("chooser")
        theirs = m.Or(tuple(self._due(r, m.Var(var)) for r in self.reactions))
        players: m.Expr = m.ToList(m.Alive("Player"))
        players = players if order is None else m.Joined(order, players)
        code.add(m.SetLocal(self.who.slot, m.First(m.Filter(players, var, theirs, is_list=True), is_list=True)))
        if len(self.reactions) == 1:
            return
        due = [self._due(r, self.who) for r in self.reactions]
        number: m.Expr = m.IfElse(due[0], YES, NO)
        for one in due[1:]:
            number = m.Arith("add", number, m.IfElse(one, YES, NO))
        ways = zip(self.reactions, due, starts, strict=True)
        extras = tuple(m.Extra(r.name, one, (), start, r.decl.trivia.cites, is_declared=True) for r, one, start in ways)
        self._ask(number, WINDOW, "", None, extras, code.slot(WINDOW, INT.or_none()))

    def _next(self, reacting: Reacting) -> tuple[m.Expr, ...]:
        """Mark that a reaction happens now; of several members that for which it happens is chosen first, and given."""
        code, mark, each = self.code, self.marks.get(reacting.name), reacting.decl.each
        if mark is None or each is None:
            code.add(*(() if mark is None else (m.SetLocal(mark, YES),)))
            return ()
        bound, where = self._waiting(reacting, self.who)
        member, known = m.Local(code.slot(each.name, bound.type)), code.label()
        if self.who is not None:
            number = m.Fold("count", (m.Bound(bound.var, bound.source, bound.is_list),), where, None)
            self._ask(number, each.name, bound.type.options or "Int", (bound, where), (), member.slot, known)
        waiting = m.Filter(bound.source, bound.var, where, bound.is_list)
        code.add(m.SetLocal(member.slot, m.First(waiting, bound.is_list)))
        code.mark(known)
        code.add(m.SetLocal(mark, m.SetOp("union", m.Local(mark), m.MakeSet((member,)))))
        return (member,)

    def _ask(
        self,
        number: m.Expr,
        label: str,
        universe: str,
        members: tuple[Bound, m.Expr] | None,
        extras: tuple[m.Extra, ...],
        into: int,
        answered: int | None = None,
    ) -> None:
        """A question, if there are several answers and a player to ask; otherwise the code goes on."""
        assert self.who is not None
        code, on = self.code, self.code.label()
        bound, where = members if members is not None else (None, None)
        source, is_list, var = (bound.source, bound.is_list, bound.var) if bound is not None else (None, False, "")
        needed = m.And((m.Not(_nothing(self.who)), m.Cmp("gt", number, m.Const(1))))
        code.add(m.JumpUnless(needed, on))
        code.add(
            m.Choose(
                label, code.place(label), self.who, "player", universe, source, is_list, var, where, (), extras, into,
                on, code.alone is not None,
            )
        )  # fmt: skip
        if answered is not None:
            code.add(m.Jump(answered))
        code.mark(on)

    def _due(self, reacting: Reacting, who: m.Expr | None) -> m.Expr:
        """The condition under which a reaction happens, if it is for `who` to choose the order."""
        if reacting.decl.each is None:
            return self._ready(reacting, self.windows.seen(reacting, self.slots, None), who)
        bound, where = self._waiting(reacting, who)
        return m.Fold("some", (m.Bound(bound.var, bound.source, bound.is_list),), where, None)

    def _waiting(self, reacting: Reacting, who: m.Expr | None) -> tuple[Bound, m.Expr]:
        """The members for whom a reaction may happen, and the condition for those for whom it has not yet."""
        assert reacting.decl.each is not None
        scope = self.windows.seen(reacting, self.slots, None)
        bound, scope = self.windows.expressions.bind(reacting.decl.each, scope)
        fresh = m.Not(m.Contains(m.Local(self.marks[reacting.name]), m.Var(bound.var)))
        return bound, all_of(fresh, self._ready(reacting, scope, who))

    def _ready(self, reacting: Reacting, scope: Scope, who: m.Expr | None) -> m.Expr:
        """The condition of a reaction, of one member if it has some, while nothing that takes precedence may happen."""
        decl = reacting.decl
        tests: list[m.Expr] = []
        if decl.each is None and reacting.name in self.marks:
            tests.append(m.Not(m.Local(self.marks[reacting.name])))
        if decl.where is not None:
            tests.append(self.windows.expressions.truth(decl.where, scope))
        if decl.chooser is not None and who is not None:
            theirs = m.Cmp("eq", self.windows.chooser(decl.chooser, scope), who)
            tests.append(m.Or((_nothing(who), theirs)) if isinstance(who, m.Local) else theirs)
        earlier = [r for r in self.reactions if self.windows.events.precedes(r, reacting)]
        return all_of(*tests, *(m.Not(self._due(r, None)) for r in earlier))


def _nothing(value: m.Expr) -> m.Expr:
    return m.Cmp("eq", value, m.Const(m.NONE), nothing=True)


class InterruptionLowerer:
    """Asks questions, and offers beside their options what may be done first."""

    def __init__(self, world: SymbolTable, events: Events, windows: WindowLowerer) -> None:
        self.world, self.events, self.windows = world, events, windows
        self._giving: dict[str, bool] = {}

    def interrupted(self, who_is: str, code: FunctionBuilder) -> bool:
        """True if a question can be interrupted: not within a reaction, nor where several decide at once."""
        return who_is == "player" and code.alone is None and bool(self.windows.meanwhile(code))

    def ask(self, i: m.Choose, code: FunctionBuilder, gone: int, afresh: tuple[m.Instr, ...] = ()) -> None:
        """A question, with what may be done during it: after that the question comes again with what is left."""
        if code.alone is not None:
            i = replace(i, secret=True)
        if not self.interrupted(i.who_is, code):
            code.add(i)
            return
        found = self.windows.meanwhile(code)
        again, anew, on = code.label(), code.label(), code.label()
        starts = [code.label() for _ in found]
        extras = [self.windows.interruption(*one, i.who, to) for one, to in zip(found, starts, strict=True)]
        code.mark(again)
        code.add(replace(i, extras=(*i.extras, *extras)))
        code.add(m.Jump(on))
        for (reacting, _), start in zip(found, starts, strict=True):
            code.mark(start)
            self.windows.react(reacting, [], (i.who,), code)
            code.add(m.Jump(anew))
        code.mark(anew)
        code.add(*afresh)
        if i.on_empty is None:
            code.add(m.JumpUnless(all_of(m.Contains(m.Alive("Player"), i.who), offers(i)), gone))
        code.add(m.Jump(again))
        code.mark(on)

    def may_give_nothing(self, name: str) -> bool:
        """True if the answer that a procedure gives back may have vanished."""
        if name not in self._giving:
            self._giving[name] = False  # a cycle gives nothing more
            info = self.world.calls[name]
            promised = info.result is not None and info.result.kind in ("int", "entity") and not info.result.optional
            inside = list(nodes(info.decl.body)) if promised else []
            called = {procedure_called(self.world, n.value) for n in inside if isinstance(n, ast.Let)}
            chosen = any(isinstance(n, ast.Choose) and n.many is None for n in inside)
            self._giving[name] = (chosen and self.events.interrupted(name)) or any(
                self.may_give_nothing(call.operand.name)
                for call in called
                if call is not None and isinstance(call.operand, ast.Name)
            )
        return self._giving[name]

    def giving_nothing(self) -> list[str]:
        """The procedures whose answer may have vanished, as they are now."""
        self._giving.clear()
        return [name for name in self.world.calls if self.may_give_nothing(name)]
