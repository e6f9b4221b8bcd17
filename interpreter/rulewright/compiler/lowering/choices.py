"""Lowering of what asks: choices of one and of many, ``either``, ``repeats`` and simultaneous choices."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from rulewright.compiler.lowering.chance_statements import Chances
from rulewright.compiler.lowering.coercions import NONE_VALUE, _a
from rulewright.compiler.lowering.comprehensions import Bound
from rulewright.compiler.lowering.function_builder import FunctionBuilder, Loop
from rulewright.compiler.lowering.possibility import YES, both
from rulewright.compiler.reactions.reasking import passed_over
from rulewright.compiler.symbols.scope import Binding, Scope
from rulewright.compiler.symbols.static_types import INT
from rulewright.compiler.tree_walk import named_in
from rulewright.ir import model as m
from rulewright.syntax import ast


@dataclass(frozen=True, slots=True)
class Way:
    """A word offered beside the options of a choice: ``stop`` of a repetition."""

    key: str
    guard: m.Expr
    to: int
    on_empty: int


class Choices(Chances):
    """Statements that suspend."""

    def choose(
        self, s: ast.Choose, scope: Scope, code: FunctionBuilder, way: Way | None = None, secret: bool = False
    ) -> None:
        """``who chooses x from S`` and its kin."""
        self.needs_procedure(code, "ask", s.span)
        if isinstance(s.who, ast.Name) and s.who.name == "chance" and scope.find("chance") is None:
            self._by_chance(s, scope, code)
            return
        bound, inner = self.bind(ast.Bind(s.name, s.kind, s.source, span=s.span), scope)
        if s.many is not None:
            self._many(s, s.many, bound, inner, scope, code)
            return
        who, who_is = self.who(s.who, scope)
        where = self.truth(s.where, inner) if s.where is not None else None
        restrictions = self.restrictions(s.restrictions, inner, code.name)
        refused, end = code.label(), code.label()
        leaves = s.optional or s.otherwise is not None
        extras: list[m.Extra] = []
        if s.optional:
            extras.append(m.Extra("pass", None, (), refused))
        on_empty: int | None = refused if leaves else None
        if way is not None:
            extras.append(m.Extra(way.key, None if way.guard == YES else way.guard, (), way.to))
            on_empty = on_empty or way.on_empty
        vanishes = on_empty is None and not secret and self.interrupted(who_is, code)
        type = bound.type.or_none() if leaves else bound.type
        slot = self.bind_slot(code, scope, s.name, type, unsure=vanishes)
        self.question(
            m.Choose(
                s.name,
                code.place(s.name),
                who,
                who_is,
                "Int" if bound.type.kind == "int" else bound.type.universe,
                bound.source,
                bound.is_list,
                bound.var,
                where,
                restrictions,
                tuple(extras),
                slot,
                on_empty,
                secret,
                s.trivia.cites,
            ),
            code,
            refused,
        )
        self._after(s, slot, scope, code, refused, end, leaves or vanishes)
        if vanishes:
            code.doubt(slot)

    def _after(
        self, s: ast.Choose, slot: int, scope: Scope, code: FunctionBuilder, refused: int, end: int, leaves: bool
    ) -> None:
        if s.then is not None:
            inner = scope.inner()
            if leaves and (bound := scope.find(s.name)) is not None:
                inner.bind(s.name, Binding(bound.ir, bound.type.present(), bound.changes, bound.slot))
            self.block(s.then, inner, code)
        if leaves:
            code.add(m.Jump(end))
            code.mark(refused)
            code.add(m.SetLocal(slot, NONE_VALUE))
            self.block(s.otherwise or (), scope.inner(), code)
        else:
            code.mark(refused)
        code.mark(end)

    def _by_chance(self, s: ast.Choose, scope: Scope, code: FunctionBuilder) -> None:
        bound, inner = self.bind(ast.Bind(s.name, s.kind, s.source, span=s.span), scope)
        if s.optional or s.many is not None or s.restrictions:
            self.report.error("CHN312", "chance chooses one thing, without restrictions", s.span, hint="use `where`")
        source = bound.source
        if s.where is not None:
            source = m.Filter(source, bound.var, self.truth(s.where, inner), bound.is_list)
        leaves = s.otherwise is not None
        slot = self.bind_slot(code, scope, s.name, bound.type.or_none() if leaves else bound.type)
        universe = "Int" if bound.type.kind == "int" else bound.type.universe
        self.chance(code, s.name, universe, source, bound.is_list, slot)
        refused, end = code.label(), code.label()
        if leaves:
            code.add(m.JumpUnless(m.Cmp("ne", m.Local(slot), NONE_VALUE, nothing=True), refused))
        self._after(s, slot, scope, code, refused, end, leaves)

    # ------------------------------------------------------------------------------------ choice of many

    def _many(
        self, s: ast.Choose, many: ast.Many, bound: Bound, inner: Scope, scope: Scope, code: FunctionBuilder
    ) -> None:
        """Picks one after the other; ``done`` ends them when there are enough."""
        label = s.as_name or s.name
        who, who_is = self.who(s.who, scope)
        low, high = self.amounts(many, scope, code)
        type = bound.type.as_set()
        taken = code.slot(label, type)
        seen = Binding(m.Local(taken), type, slot=taken)
        inside = inner.inner(**{s.as_name: seen}) if s.as_name is not None else inner
        where: m.Expr = m.Not(m.Contains(m.Local(taken), m.Var(bound.var)))
        # What was picked, without what is no longer there to be picked from.
        still: m.Expr = m.SetOp("inter", m.Local(taken), m.ToSet(bound.source) if bound.is_list else bound.source)
        if s.where is not None:
            limit = self.truth(s.where, inside)
            where = m.And((where, limit))
            if s.as_name not in named_in(s.where):  # else it was right when it was picked
                still = m.Filter(still, bound.var, limit)
        restrictions = self.restrictions(s.restrictions, inside, code.name)
        one = code.slot(s.name, bound.type.or_none())
        again, end, refused, out = code.label(), code.label(), code.label(), code.label()
        chosen = m.Size(m.Local(taken))
        leaves = s.optional or s.otherwise is not None
        strict = many.mode in ("exactly", "between") and not leaves
        code.add(m.SetLocal(taken, m.Const(0)))
        needed, afresh = low, [m.SetLocal(taken, still)]
        vanishes = strict and self.interrupted(who_is, code)
        if vanishes:
            needed = code.slot("needed", INT)
            code.add(m.SetLocal(needed, m.Local(low)))
            afresh.append(m.SetLocal(needed, m.Const(0)))
        code.mark(again)
        if high is not None:
            code.add(m.JumpUnless(m.Cmp("lt", chosen, m.Local(high)), end))
        extras = [m.Extra("done", m.Cmp("ge", chosen, m.Local(low)), (), end)]
        if many.mode in ("exactly", "as many as possible"):
            extras = []
        if s.optional:
            extras.append(m.Extra("pass", m.Cmp("eq", chosen, m.Const(0)), (), refused))
        short = code.label()
        self.question(
            m.Choose(
                label,
                code.place(label),
                who,
                who_is,
                "Int" if bound.type.kind == "int" else bound.type.universe,
                bound.source,
                bound.is_list,
                bound.var,
                where,
                restrictions,
                tuple(extras),
                one,
                short,
                False,
                s.trivia.cites,
            ),
            code,
            short,
            tuple(afresh),
        )
        code.add(
            m.SetLocal(taken, m.SetOp("union", m.Local(taken), m.MakeSet((m.Local(one),)))),
            m.Jump(again),
        )
        code.mark(short)
        if leaves:
            code.add(m.JumpUnless(m.Cmp("lt", chosen, m.Local(low)), end), m.Jump(refused))
        elif strict:
            code.add(
                m.JumpUnless(m.Cmp("lt", chosen, m.Local(needed)), end),
                m.Fail(f"`{code.name}.{label}` must choose more than there are"),
            )
        code.mark(end)
        scope.bind(label, seen)
        there = m.Or((m.Cmp("ge", m.Local(needed), m.Local(low)), m.Cmp("gt", chosen, m.Const(0))))
        if vanishes:
            code.add(m.JumpUnless(there, refused))
        if s.then is not None:
            self.block(s.then, scope.inner(), code)
        if vanishes:
            code.doubt(taken, there)
        if leaves:
            code.add(m.Jump(out))
            code.mark(refused)
            code.add(m.SetLocal(taken, m.Const(0)))
            self.block(s.otherwise or (), scope.inner(), code)
        else:
            code.mark(refused)
        code.mark(out)

    def amounts(self, many: ast.Many, scope: Scope, code: FunctionBuilder) -> tuple[int, int | None]:
        """Slots with the least and the most of a number of times; None: no bound."""
        low, high = code.slot("least", INT), code.slot("most", INT)
        given = many.high if many.high is not None else many.low
        match many.mode:
            case "exactly" | "as many as possible" if given is not None:
                code.add(m.SetLocal(low, self.number(given, scope)), m.SetLocal(high, m.Local(low)))
            case "up to" if given is not None:
                code.add(m.SetLocal(low, m.Const(0)), m.SetLocal(high, self.number(given, scope)))
            case "between" if many.low is not None and many.high is not None:
                code.add(m.SetLocal(low, self.number(many.low, scope)), m.SetLocal(high, self.number(many.high, scope)))
            case _:
                code.add(m.SetLocal(low, m.Const(0)))
                return low, None
        return low, high

    # ---------------------------------------------------------------------------------- either, repeats

    def either(self, s: ast.Either, scope: Scope, code: FunctionBuilder, way: Way | None = None) -> None:
        """``who chooses either`` one of the labelled options; one that leads nowhere is not offered."""
        self.needs_procedure(code, "ask", s.span)
        who, who_is = self.who(s.who, scope)
        label = s.label or "either"
        slot = code.slot(label, INT.or_none())
        end, refused = code.label(), code.label()
        starts = [code.label() for _ in s.options]
        extras = []
        for option, start in zip(s.options, starts, strict=True):
            guard = self.possibility(option.body, scope, code.name)
            restrictions = self.restrictions(option.restrictions, scope, code.name)
            extras.append(
                m.Extra(option.label, None if guard == YES else guard, restrictions, start, option.trivia.cites)
            )
        on_empty: int | None = refused if s.otherwise is not None else None
        if way is not None:
            extras.append(m.Extra(way.key, None if way.guard == YES else way.guard, (), way.to))
            on_empty = on_empty or way.on_empty
        seen: dict[str, ast.Option] = {}
        for option in s.options:
            if option.label in seen:
                self.report.error("CHO302", f"two options are called `{option.label}`", option.span)
            seen[option.label] = option
        self.question(
            m.Choose(
                label, code.place(label), who, who_is, "", None, False, "", None, (), tuple(extras), slot,
                on_empty, False, s.trivia.cites,
            ),
            code,
            refused,
        )  # fmt: skip
        code.loops.append(Loop(s.label, True, end, len(code.blocks) - 1))
        for option, start in zip(s.options, starts, strict=True):
            code.mark(start)
            code.add(m.Fired(f"{code.name}.{option.label}"))
            self.block(option.body, scope.inner(), code)
            code.add(m.Jump(end))
        code.loops.pop()
        code.mark(refused)
        self.block(s.otherwise or (), scope.inner(), code)
        code.mark(end)

    def repeats(self, s: ast.Repeats, scope: Scope, code: FunctionBuilder) -> None:
        """``who repeats many times``: the word ``stop`` is offered with the first choice of the body."""
        self.needs_procedure(code, "ask", s.span)
        low, high = self.amounts(s.many, scope, code)
        count = code.slot("times", INT)
        again, end = code.label(), code.label()
        code.add(m.SetLocal(count, m.Const(0)))
        code.mark(again)
        if high is not None:
            code.add(m.JumpUnless(m.Cmp("lt", m.Local(count), m.Local(high)), end))
        enough = m.Cmp("ge", m.Local(count), m.Local(low))
        code.loops.append(Loop(s.label, False, end, len(code.blocks)))
        inner = scope.inner()
        body = s.body
        first = body[0] if body else None
        if isinstance(first, ast.Choose) and first.many is None and not first.optional and first.otherwise is None:
            self.choose(first, inner, code, Way("stop", enough, end, end))
            body = body[1:]
        elif isinstance(first, ast.Either) and first.otherwise is None:
            self.either(first, inner, code, Way("stop", enough, end, end))
            body = body[1:]
        else:
            self._again_or_stop(s, body, inner, code, enough, end)
        self.block(body, inner, code)
        code.add(m.SetLocal(count, m.Arith("add", m.Local(count), m.Const(1))), m.Jump(again))
        code.loops.pop()
        code.mark(end)

    def _again_or_stop(
        self, s: ast.Repeats, body: tuple[ast.Stmt, ...], scope: Scope, code: FunctionBuilder, enough: m.Expr, end: int
    ) -> None:
        who, who_is = self.who(s.who, scope)
        possible = self.possibility(body, scope, code.name)
        if interrupted := self.interrupted(who_is, code):
            possible = both(possible, m.Contains(m.Alive("Player"), who))  # they may have left
        if possible != YES:
            code.add(m.JumpUnless(possible, end))
        go = code.label()
        code.add(m.JumpUnless(enough, go))
        label = s.label or "repeats"
        again = possible if interrupted else None
        extras = (m.Extra("again", again, (), go), m.Extra("stop", None, (), end))
        slot = code.slot(label, INT.or_none())
        self.question(
            m.Choose(
                label, code.place(label), who, who_is, "", None, False, "", None, (), extras, slot, None, False,
                s.trivia.cites,
            ),
            code,
            end,
        )  # fmt: skip
        code.mark(go)

    # -------------------------------------------------------------------------------------- at once

    def at_once(self, s: ast.Each, bound: Bound, scope: Scope, code: FunctionBuilder) -> None:
        """All choose in secret first; then, one after the other, what they have chosen is carried out."""
        leading = list(takewhile(lambda one: isinstance(one, ast.Choose), s.body))
        choices = [c for c in leading if isinstance(c, ast.Choose)]
        for choice in choices:
            if choice.many is not None or choice.then or choice.otherwise:
                self.report.error(
                    "CHO306", "a simultaneous choice is of one thing, without `then` and `else`", choice.span
                )
                return
        if not choices:
            self.report.error("CHO306", "`at once` begins with what is chosen", s.span)
            return
        capacity = max(bound.capacity if bound.is_list else self.world.most_members(bound.type), 1)
        source = bound.source if bound.is_list else m.ToList(bound.source)
        if s.where is not None:
            inside = scope.inner(**{s.bind.name: Binding(self.read(m.Var(bound.var), bound.type), bound.type)})
            source = m.Filter(source, bound.var, self.truth(s.where, inside), is_list=True)
        members = code.slot(f"{s.bind.name} at once", bound.type.as_list(capacity))
        at = code.slot("at", INT)
        one = code.slot(s.bind.name, bound.type)
        code.add(m.SetLocal(members, source))
        empty = len(code.items)
        code.add(*(m.SetLocal(members, m.ListConst(())) for _ in choices))
        inner = scope.inner(**{s.bind.name: Binding(self.read(m.Local(one), bound.type), bound.type, slot=one)})

        again, end = self._in_turn(code, members, at, one)
        kept: list[tuple[int, int]] = []
        for choice in choices:
            self.choose(choice, inner, code, secret=True)
            answer = inner.names[choice.name]
            assert answer.slot is not None
            kept.append((answer.slot, code.slot(f"{choice.name} at once", answer.type.as_list(capacity))))
            # Its type is known only now.
            code.items[empty + len(kept) - 1] = m.SetLocal(kept[-1][1], m.ListConst(()))
            code.add(m.Append(kept[-1][1], m.Local(answer.slot)))
        self._next(code, at, again, end)

        again, end = self._in_turn(code, members, at, one)
        for slot, answers in kept:
            code.add(m.SetLocal(slot, m.Item(m.Local(answers), m.Local(at))))
        code.loops.append(Loop(None, False, end, len(code.blocks)))
        self.block(s.body[len(choices) :], inner, code)
        code.loops.pop()
        self._next(code, at, again, end)

    @staticmethod
    def _in_turn(code: FunctionBuilder, members: int, at: int, one: int) -> tuple[int, int]:
        """The head of a loop over a list in a slot: the labels of its beginning and its end."""
        again, end = code.label(), code.label()
        code.add(m.SetLocal(at, m.Const(0)))
        code.mark(again)
        code.add(
            m.JumpUnless(m.Cmp("lt", m.Local(at), m.Size(m.Local(members), is_list=True)), end),
            m.SetLocal(one, m.Item(m.Local(members), m.Local(at))),
        )
        return again, end

    @staticmethod
    def _next(code: FunctionBuilder, at: int, again: int, end: int) -> None:
        code.add(m.SetLocal(at, m.Arith("add", m.Local(at), m.Const(1))), m.Jump(again))
        code.mark(end)

    def interrupted(self, who_is: str, code: FunctionBuilder) -> bool:
        """Whether something may be done here while a question is open."""
        return False

    def question(self, i: m.Choose, code: FunctionBuilder, gone: int, afresh: tuple[m.Instr, ...] = ()) -> None:
        """Ask. After an interruption `afresh` is done and the question asked again; if nothing is left of it and it has
        no `on_empty`, `gone` follows."""
        code.add(i)

    def block(self, body: tuple[ast.Stmt, ...], scope: Scope, code: FunctionBuilder) -> None:
        """Lower statements one after the other."""
        for statement in body:
            if not code.unsure:
                self.statement(statement, scope, code)
                continue
            at, before, known = len(code.items), dict(code.unsure), set(scope.names)
            code.mark(code.label())
            self.statement(statement, scope, code)
            passed_over(code, at, before, scope, known)


__all__ = ["Choices", "Way", "_a"]
