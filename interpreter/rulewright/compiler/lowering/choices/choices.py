"""Lowering of ``who chooses x from S`` and its kin."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.lowering.choices.chance_statements import ChanceLowerer
from rulewright.compiler.lowering.choices.choices_of_many import ChoiceOfManyLowerer
from rulewright.compiler.lowering.choices.possibility import PossibilityLowerer
from rulewright.compiler.lowering.expressions.coercions import NONE_VALUE
from rulewright.compiler.lowering.expressions.comprehensions import Bound
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import (
    YES,
    FunctionBuilder,
    Loop,
    all_of,
    any_of,
    offers,
    with_pass,
    with_word,
)
from rulewright.compiler.lowering.lowering_context import Interruptions, LowerBlock, LoweringContext
from rulewright.compiler.lowering.statements.restrictions import DeciderLowerer, RestrictionLowerer
from rulewright.compiler.symbols.constants import is_open
from rulewright.compiler.symbols.static_types import INT
from rulewright.compiler.symbols.symbols import Binding, Scope
from rulewright.diagnostics import Span
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.syntax import ast

ANYWAY = "`asked anyway` needs a question that may be passed over"
ELSE = "say in `else` what happens if nothing is possible"


def in_their_order(bound: Bound, context: LoweringContext) -> Bound:
    """A binder over the same candidates, as a list where these are out of a row or stack that hides faces."""
    if bound.is_list or bound.type.universe != "Piece":
        return bound
    listed = _listed(bound.source, context)
    return bound if listed is None else bound._replace(source=listed, is_list=True)


def _listed(e: m.Expr, context: LoweringContext) -> m.Expr | None:
    """The members of a set as a list in their order; none if they have none, or all see them."""
    match e:
        case m.ZoneGet(zone, index) if _hides_order(zone, context):
            return m.ZoneList(zone, index)
        case m.Filter(source, var, where, False) if (listed := _listed(source, context)) is not None:
            return m.Filter(listed, var, where, is_list=True)
        case m.SetOp("inter" | "minus", left, right) if (listed := _listed(left, context)) is not None:
            var = context.fresh("lying")
            among: m.Expr = m.Contains(right, m.Var(var))
            return m.Filter(listed, var, among if e.op == "inter" else m.Not(among), is_list=True)
    return None


def _hides_order(name: str, context: LoweringContext) -> bool:
    zone = context.world.zones[name]
    return zone.order in ("row", "stack") and not is_open(context.world, name)


@dataclass(frozen=True, slots=True)
class Way:
    """A word offered beside the options of a choice: ``stop`` of a repetition."""

    key: str
    guard: m.Expr
    to: int
    on_empty: int
    anyway: bool = False

    def beside(self, question: m.Choose) -> m.Choose:
        """A question with this word; with `anyway` also where nothing else is offered."""
        guard = any_of(self.guard, m.Not(offers(question))) if self.anyway else self.guard
        return replace(with_word(question, self.key, guard, self.to), on_empty=question.on_empty or self.on_empty)


class ChoiceLowerer:
    """Lowers choices, by players and by chance; those of many have a lowerer of their own."""

    def __init__(
        self,
        expressions: ExpressionLowerer,
        restrictions: RestrictionLowerer,
        deciders: DeciderLowerer,
        interruptions: Interruptions,
        chances: ChanceLowerer,
        many: ChoiceOfManyLowerer,
        possibility: PossibilityLowerer,
        lower_block: LowerBlock,
    ) -> None:
        self.context, self.expressions, self.restrictions = expressions.context, expressions, restrictions
        self.possibility = possibility
        self.deciders, self.interruptions, self.chances, self.many = deciders, interruptions, chances, many
        self.lower_block = lower_block

    def choose(
        self,
        s: ast.Choose,
        scope: Scope,
        code: FunctionBuilder,
        way: Way | None = None,
        rest: tuple[ast.Stmt, ...] = (),
    ) -> None:
        """``who chooses x from S`` and its kin; `rest` are the statements behind it."""
        self.context.needs_procedure(code, "ask", s.span)
        if isinstance(s.who, ast.Name) and s.who.name == "chance" and scope.find("chance") is None:
            self._by_chance(s, scope, code)
            return
        bound, inner = self.expressions.bind(ast.Bind(s.name, s.kind, s.source, span=s.span), scope)
        bound = in_their_order(bound, self.context)
        leads = self.possibility.leads_on(s, rest, inner, code.name)
        if s.anyway and s.optional:
            self.not_anyway(s.span, "`may choose` asks in any case")
        elif s.anyway and s.otherwise is None:
            self.not_anyway(s.span, ELSE)
        if s.many is not None:
            if s.anyway and s.many.mode in ("any number", "up to"):
                self.not_anyway(s.span, "`done` is offered in any case")
            self.many.choose(s, s.many, bound, inner, scope, code)
            return
        who, who_is = self.deciders.lower(s.who, scope)
        where = self.expressions.truth(s.where, inner) if s.where is not None else None
        if leads != YES:
            where = all_of(*(() if where is None else (where,)), leads)
        restrictions = self.restrictions.lower(s.restrictions, inner, code.name)
        refused, end = code.label(), code.label()
        leaves = s.optional or s.otherwise is not None
        extras: list[m.Extra] = []
        if s.optional:
            extras.append(m.Extra("pass", None, (), refused))
        on_empty: int | None = refused if leaves else None
        if not leaves and code.alone is not None and code.alone.first is s:
            on_empty = code.alone.passed
        vanishes = on_empty is None and way is None and self.interruptions.interrupted(who_is, code)
        type = bound.type.or_none() if leaves else bound.type
        slot = self.context.bind_slot(code, scope, s.name, type, unsure=vanishes)
        question = m.Choose(
            s.name, code.place(s.name), who, who_is, bound.type.options, bound.source, bound.is_list, bound.var, where,
            restrictions, tuple(extras), slot, on_empty, False, s.trivia.cites,
        )  # fmt: skip
        if s.anyway:
            question = with_pass(question, refused)
        self.interruptions.ask(question if way is None else way.beside(question), code, refused)
        self._after(s, slot, scope, code, refused, end, leaves or vanishes)
        if vanishes:
            code.doubt(slot)

    def not_anyway(self, at: Span, why: str) -> None:
        """Report `anyway` of a question that needs nothing of it, or has nothing to go on with."""
        self.context.error("CHO314", ANYWAY, at, hint=why)

    def _after(
        self, s: ast.Choose, slot: int, scope: Scope, code: FunctionBuilder, refused: int, end: int, leaves: bool
    ) -> None:
        if s.then is not None:
            inner = scope.inner()
            if leaves and (bound := scope.find(s.name)) is not None:
                inner.bind(s.name, Binding(bound.ir, bound.type.present(), bound.changes, bound.slot))
            self.lower_block(s.then, inner, code)
        if leaves:
            code.add(m.Jump(end))
            code.mark(refused)
            code.add(m.SetLocal(slot, NONE_VALUE))
            self.lower_block(s.otherwise or (), scope.inner(), code)
        else:
            code.mark(refused)
        code.mark(end)

    def _by_chance(self, s: ast.Choose, scope: Scope, code: FunctionBuilder) -> None:
        bound, inner = self.expressions.bind(ast.Bind(s.name, s.kind, s.source, span=s.span), scope)
        if s.optional or s.many is not None or s.restrictions or s.leading or s.anyway:
            self.context.error("CHN312", "chance chooses one thing, without restrictions", s.span, hint="use `where`")
        source = bound.source
        if s.where is not None:
            source = m.Filter(source, bound.var, self.expressions.truth(s.where, inner), bound.is_list)
        leaves = s.otherwise is not None
        slot = self.context.bind_slot(code, scope, s.name, bound.type.or_none() if leaves else bound.type)
        universe = bound.type.options
        self.chances.chance(code, s.name, universe, source, bound.is_list, slot)
        refused, end = code.label(), code.label()
        if leaves:
            code.add(m.JumpUnless(m.Cmp("ne", m.Local(slot), NONE_VALUE, nothing=True), refused))
        self._after(s, slot, scope, code, refused, end, leaves)


class LabelledOptionLowerer:
    """Lowers ``who chooses either``."""

    def __init__(
        self,
        expressions: ExpressionLowerer,
        restrictions: RestrictionLowerer,
        possibility: PossibilityLowerer,
        deciders: DeciderLowerer,
        interruptions: Interruptions,
        lower_block: LowerBlock,
    ) -> None:
        self.context, self.restrictions, self.possibility = expressions.context, restrictions, possibility
        self.deciders, self.interruptions, self.lower_block = deciders, interruptions, lower_block

    def choose(self, s: ast.Either, scope: Scope, code: FunctionBuilder, way: Way | None = None) -> None:
        """``who chooses either`` one of the labelled options; one that leads nowhere is not offered."""
        self.context.needs_procedure(code, "ask", s.span)
        who, who_is = self.deciders.lower(s.who, scope)
        label = s.label or "either"
        slot = code.slot(label, INT.or_none())
        end, refused = code.label(), code.label()
        starts = [code.label() for _ in s.options]
        extras = []
        for option, start in zip(s.options, starts, strict=True):
            guard = self.possibility.of_body(option.body, scope, code.name)
            restrictions = self.restrictions.lower(option.restrictions, scope, code.name)
            test = None if guard == YES else guard
            cites = option.trivia.cites
            extras.append(m.Extra(option.label, test, restrictions, start, cites, is_declared=True))
        on_empty: int | None = refused if s.otherwise is not None else None
        if s.anyway and s.otherwise is None:
            self.context.error("CHO314", ANYWAY, s.span, hint=ELSE)
        seen: dict[str, ast.Option] = {}
        for option in s.options:
            if option.label in seen:
                self.context.error("CHO302", f"two options are called `{option.label}`", option.span)
            seen[option.label] = option
        question = m.Choose(
            label, code.place(label), who, who_is, "", None, False, "", None, (), tuple(extras), slot,
            on_empty, False, s.trivia.cites,
        )  # fmt: skip
        if s.anyway:
            question = with_pass(question, refused)
        self.interruptions.ask(question if way is None else way.beside(question), code, refused)
        code.loops.append(Loop(s.label, True, end, len(code.blocks) - 1))
        for option, start in zip(s.options, starts, strict=True):
            code.mark(start)
            code.add(m.Fired(f"{code.name}.{option.label}"))
            self.lower_block(option.body, scope.inner(), code)
            code.add(m.Jump(end))
        code.loops.pop()
        code.mark(refused)
        self.lower_block(s.otherwise or (), scope.inner(), code)
        code.mark(end)
