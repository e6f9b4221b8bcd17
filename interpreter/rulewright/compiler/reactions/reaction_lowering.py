"""Lowering of reactions: the windows in which they happen, before and after an event, instead of it, and at questions.

Each reaction becomes a function of the event's parameters and of the one who reacts. A window calls those that happen
by themselves, then asks the players in their order which of theirs they use, until they pass. What a reaction makes of
the event's parameters, the event goes on with.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.lowering.control_flow import Statements
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.possibility import YES, both
from rulewright.compiler.reactions.reaction_order import AFTER, BEFORE, INSTEAD, ROLLS, Events, Reacting
from rulewright.compiler.reactions.reasking import still_offered
from rulewright.compiler.symbols.scope import Binding, Scope
from rulewright.compiler.symbols.static_types import INT, Type, entity
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import Report
from rulewright.ir import model as m
from rulewright.syntax import ast

WINDOW = "react"
"""What is chosen in a window; the decision's name is ``event.react``."""

PLAYER = entity("Player")


class ReactionLowering(Statements):
    """Lowers bodies, and opens windows where others may react."""

    events: Events

    def __init__(self, world: SymbolTable, report: Report) -> None:
        super().__init__(world, report)
        self._giving: dict[str, bool] = {}

    # ------------------------------------------------------------------------------------------ functions

    def reaction(self, reacting: Reacting) -> FunctionBuilder:
        """The function of a reaction; whoever reacts chooses what with first."""
        decl = reacting.decl
        info = self.world.calls.get(reacting.event)
        asks = decl.by is not None or info is None or info.decl.word != "effect"
        code = FunctionBuilder(decl.name, "reaction", asks, reacting.result)
        if decl.moment == INSTEAD:
            code.goes_on = (self._behind(reacting), len(reacting.params))
        params, body = reacting.params, decl.body
        if decl.by is not None:
            params += ((decl.by, PLAYER),)
        if decl.by is not None and decl.with_ is not None:
            means, who = decl.with_, ast.Name(decl.by, span=decl.span)
            choice = ast.Choose(
                who, False, None, means.name, means.kind, None, means.source, decl.where, (), None, None, span=decl.span
            )
            body = (choice, *body)
        self.function(code, params, body, changing=len(reacting.params))
        if decl.by is None and decl.where is not None:
            self.truth(decl.where, self._seen(reacting, range(len(reacting.params)), None))
        return code

    def replacing(self, name: str) -> list[FunctionBuilder]:
        """The functions that stand before a procedure which something may be done instead of: the first is called in
        its place, and each lets what comes behind it go on if nothing replaces the procedure."""
        found = self.events.of(INSTEAD, name)
        if not found:
            return []
        alone = [r for r in found if r.decl.by is None]
        names = [self._stage(name, i) for i in range(len(alone) + 1)]
        return [self._replaced(name, stage, alone[i:]) for i, stage in enumerate(names)]

    def entry(self, name: str) -> str:
        """What is called when rules call a procedure."""
        return self._stage(name, 0) if self.events.of(INSTEAD, name) else name

    @staticmethod
    def _stage(name: str, number: int) -> str:
        return f"{name} or instead" + (f" {number + 1}" if number else "")

    def _behind(self, reacting: Reacting) -> str:
        """What goes on when a reaction proceeds: those that come behind it may still replace the event."""
        alone = [r for r in self.events.of(INSTEAD, reacting.event) if r.decl.by is None]
        return self._stage(reacting.event, alone.index(reacting) + 1 if reacting in alone else len(alone))

    def _replaced(self, name: str, stage: str, alone: list[Reacting]) -> FunctionBuilder:
        info = self.world.calls[name]
        code = FunctionBuilder(stage, "system", info.decl.word != "effect", info.result)
        slots = [code.slot(param, type) for param, type in info.params]
        code.params = len(slots)
        code.result_slot = code.slot("result", info.result.or_none()) if info.result is not None else None
        end = code.label()
        by_choice = [r for r in self.events.of(INSTEAD, name) if r.decl.by is not None]
        self._window([*alone, *by_choice], slots, self._order(info.decl, code), code, end)
        code.add(m.Call(name, tuple(m.Local(s) for s in slots), code.result_slot, code.place(name)))
        code.mark(end)
        code.add(m.Return(m.Local(code.result_slot) if code.result_slot is not None else None))
        return code

    def proceed(self, s: ast.Proceed, code: FunctionBuilder) -> None:
        """``proceed``: what was replaced is done after all, with the parameters as they are now."""
        if code.goes_on is None:
            super().proceed(s, code)
            return
        name, count = code.goes_on
        args = tuple(m.Local(slot) for slot in range(count))
        code.add(m.Call(name, args, code.result_slot, code.place(name)))

    # -------------------------------------------------------------------------------------------- windows

    def opening(self, code: FunctionBuilder) -> None:
        """Before a procedure."""
        self._around(BEFORE, code)

    def closing(self, code: FunctionBuilder) -> None:
        """After a procedure."""
        self._around(AFTER, code)

    def _around(self, moment: str, code: FunctionBuilder) -> None:
        info = self.world.calls.get(code.name)
        if info is not None and code.word == info.decl.word and (found := self.events.of(moment, code.name)):
            self._window(found, list(range(code.params)), self._order(info.decl, code), code)

    def _order(self, decl: ast.Callable, code: FunctionBuilder) -> m.Expr | None:
        """The players who may react, in their order."""
        if decl.open is None:
            return None
        scope = Scope()
        for slot, (name, type) in enumerate(self.world.calls[decl.name].params):
            scope.bind(name, Binding(self.read(m.Local(slot), type), type))
        players = self.collection(decl.open, scope)
        return players.ir if players.type.kind == "list" else m.ToList(players.ir)

    def _window(
        self,
        found: list[Reacting],
        slots: list[int],
        order: m.Expr | None,
        code: FunctionBuilder,
        end: int | None = None,
    ) -> None:
        """Let reactions happen to an event whose parameters are in `slots`. If they replace it, they go to `end`."""
        for reacting in (r for r in found if r.decl.by is None):
            quiet = code.label()
            if reacting.decl.where is not None:
                scope = self._seen(reacting, slots, None)
                code.add(m.JumpUnless(self.truth(reacting.decl.where, scope), quiet))
            self._react(reacting, slots, None, code)
            if end is not None:
                code.add(m.Jump(end))
            code.mark(quiet)
        offered = [r for r in found if r.decl.by is not None]
        if not offered or order is None:
            return
        self.needs_procedure(code, "let players react", offered[0].decl.span)
        players = code.slot("those who may react", entity("Player").as_list(self.world.player_count))
        at, one, answer = code.slot("at", INT), code.slot("reacting", PLAYER), code.slot(WINDOW, INT.or_none())
        code.add(m.SetLocal(players, order))
        following, over = self._in_turn(code, players, at, one)
        again, done = code.label(), code.label()
        code.mark(again)
        who = m.Local(one)
        starts = [code.label() for _ in offered]
        extras = [self._option(r, slots, who, to) for r, to in zip(offered, starts, strict=True)]
        extras.append(m.Extra("pass", None, (), done, aside=True))
        code.add(
            m.Choose(
                WINDOW, code.place(WINDOW), who, "player", "", None, False, "", None, (), tuple(extras), answer, done
            )
        )
        for reacting, start in zip(offered, starts, strict=True):
            code.mark(start)
            self._react(reacting, slots, who, code)
            code.add(m.Jump(again if end is None else end))
        code.mark(done)
        self._next(code, at, following, over)

    def _option(self, reacting: Reacting, slots: list[int], who: m.Expr, to: int, aside: bool = False) -> m.Extra:
        """A reaction as an option of somebody: offered if they have what it takes, and its body leads somewhere."""
        decl = reacting.decl
        scope = self._seen(reacting, slots, who)
        binds: tuple[m.Bound, ...] = ()
        if decl.with_ is not None:
            bound, scope = self.bind(decl.with_, scope)
            binds = (m.Bound(bound.var, bound.source, bound.is_list),)
        tests = [self.truth(decl.where, scope)] if decl.where is not None else []
        test = both(*tests, self.possibility(decl.body, scope, decl.name))
        guard = m.Fold("some", binds, None if test == YES else test, None) if binds else test
        return m.Extra(decl.name, None if guard == YES else guard, (), to, decl.trivia.cites, aside)

    def _seen(self, reacting: Reacting, slots: list[int] | range, who: m.Expr | None) -> Scope:
        """What the condition of a reaction may speak of."""
        scope = Scope()
        for slot, (name, type) in zip(slots, reacting.params, strict=False):
            scope.bind(name, Binding(self.read(m.Local(slot), type), type))
        if who is not None and reacting.decl.by is not None:
            scope.bind(reacting.decl.by, Binding(self.read(who, PLAYER), PLAYER))
        return scope

    def _react(self, reacting: Reacting, slots: list[int], who: m.Expr | None, code: FunctionBuilder) -> None:
        args: tuple[m.Expr, ...] = tuple(m.Local(slot) for slot in slots[: len(reacting.params)])
        if who is not None:
            args += (who,)
        into = code.result_slot if reacting.result is not None else None
        shared = tuple(slots[: len(reacting.params)]) if reacting.changes else ()
        code.add(m.Call(reacting.name, args, into, code.place(reacting.name), shared))

    # ---------------------------------------------------------------------------------------------- rolls

    def face(self, die: Type) -> Type:
        """What a slot for a face may hold: more than the die shows, if reactions change what was rolled."""
        changed = die.kind == "int" and any(r.changes for r in self.events.of(AFTER, ROLLS))
        return INT if changed else die

    def rolled(self, who: m.Expr, slot: int, type: Type, code: FunctionBuilder) -> None:
        """Somebody has rolled: others may react to each of the dice, first they themselves, then clockwise."""
        found = self.events.of(AFTER, ROLLS)
        if not found or (type.element() if type.kind == "list" else type).kind != "int":
            return
        roller = code.slot("roller", PLAYER)
        code.add(m.SetLocal(roller, who))
        order = m.ClockwiseFrom(m.Local(roller))
        if type.kind != "list":
            self._window(found, [roller, slot], order, code)
            return
        made, at, one = code.slot("faces", type), code.slot("at", INT), code.slot("face", type.element())
        code.add(m.SetLocal(made, m.ListConst(())))
        again, end = self._in_turn(code, slot, at, one)
        self._window(found, [roller, one], order, code)
        code.add(m.Append(made, m.Local(one)))
        self._next(code, at, again, end)
        code.add(m.SetLocal(slot, m.Local(made)))

    # ------------------------------------------------------------------------------------------ questions

    def interrupted(self, who_is: str, code: FunctionBuilder) -> bool:
        """Nobody interrupts a reaction, and only who is asked alone may do something first."""
        return who_is == "player" and code.word != "reaction" and bool(self._during(code))

    def may_give_nothing(self, name: str) -> bool:
        """Whether the answer that a procedure gives back may have vanished."""
        if name not in self._giving:
            self._giving[name] = False  # a circle gives nothing more
            info = self.world.calls[name]
            promised = info.result is not None and info.result.kind in ("int", "entity") and not info.result.optional
            inside = list(nodes(info.decl.body)) if promised else []
            called = {self._call(n.value) for n in inside if isinstance(n, ast.Let)}
            chosen = any(isinstance(n, ast.Choose) and n.many is None for n in inside)
            self._giving[name] = (chosen and self.events.interrupted(name)) or any(
                self.may_give_nothing(call.operand.name)
                for call in called
                if call is not None and isinstance(call.operand, ast.Name)
            )
        return self._giving[name]

    def _during(self, code: FunctionBuilder) -> list[Reacting]:
        return self.events.during(code.name, (b.label for b in code.blocks))

    def question(self, i: m.Choose, code: FunctionBuilder, gone: int, afresh: tuple[m.Instr, ...] = ()) -> None:
        """A question, with what may be done during it: after that it is asked again with what is left."""
        if i.secret or not self.interrupted(i.who_is, code):
            super().question(i, code, gone)
            return
        found = self._during(code)
        again, anew, on = code.label(), code.label(), code.label()
        starts = [code.label() for _ in found]
        extras = [self._option(r, [], i.who, to, aside=True) for r, to in zip(found, starts, strict=True)]
        code.mark(again)
        super().question(replace(i, extras=(*i.extras, *extras)), code, gone)
        code.add(m.Jump(on))
        for reacting, start in zip(found, starts, strict=True):
            code.mark(start)
            self._react(reacting, [], i.who, code)
            code.add(m.Jump(anew))
        code.mark(anew)
        code.add(*afresh)
        if i.on_empty is None:
            code.add(m.JumpUnless(still_offered(i), gone))
        code.add(m.Jump(again))
        code.mark(on)


__all__ = ["WINDOW", "ReactionLowering"]
