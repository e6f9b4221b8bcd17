"""``possible(procedure(args))``: whether its restrictions pass and its first choice has an answer.

The same question decides whether an option of an ``either`` is offered.
"""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import NO, YES, all_of, let_in, not_refused
from rulewright.compiler.lowering.statements.procedure_calls import procedure_called
from rulewright.compiler.lowering.statements.restrictions import RestrictionLowerer
from rulewright.compiler.symbols.symbols import Binding, Scope
from rulewright.ir import model as m
from rulewright.syntax import ast

Prospect = tuple[m.Expr, m.Expr]
"""Of the beginning of a body: whether it is possible, and whether it is passed without a choice or change, so
that what follows counts too."""


class PossibilityLowerer:
    """Asks a body for its first choice, without running it."""

    def __init__(self, expressions: ExpressionLowerer, restrictions: RestrictionLowerer) -> None:
        self.context, self.expressions, self.restrictions = expressions.context, expressions, restrictions
        self.world = expressions.world

    def of_body(self, body: tuple[ast.Stmt, ...], scope: Scope, owner: str) -> m.Expr:
        """A condition; constant 1 if nothing refuses it."""
        return self._body(body, scope, owner)[0]

    def _body(self, body: tuple[ast.Stmt, ...], scope: Scope, owner: str) -> Prospect:
        if not body:
            return YES, YES
        first, rest = body[0], body[1:]
        if isinstance(first, ast.Let) and procedure_called(self.world, first.value) is None:
            typed = self.expressions.lower(first.value, scope)
            var, binding = self.context.variable(first.name, typed.type)
            inner, goes_on = self._body(rest, scope.inner(**{first.name: binding}), owner)
            return let_in(var, typed.ir, inner), let_in(var, typed.ir, goes_on)
        here, on = self._opening(first, rest, scope, owner)
        if on == NO:
            return here, NO
        then, further = self._body(rest, scope, owner)
        if on == YES:
            return all_of(here, then), further
        return all_of(here, YES if then == YES else m.Or((m.Not(on), then))), all_of(on, further)

    def _opening(self, first: ast.Stmt, rest: tuple[ast.Stmt, ...], scope: Scope, owner: str) -> Prospect:
        match first:
            case ast.Forbid() | ast.Obey():
                return all_of(*(not_refused(r) for r in self.restrictions.lower((first,), scope, owner))), YES
            case ast.Let(value=done) | ast.Assign(value=done) | ast.CallStatement(call=done):
                call = procedure_called(self.world, done, bare=isinstance(first, ast.CallStatement))
                return (self._called(call, scope) if call is not None else YES), NO
            case ast.Step(body=inner):
                return self._body(inner, scope.inner(), owner)
            case ast.Choose():
                return self._choice(first, rest, scope, owner), NO
            case ast.Either(options=options, otherwise=None):
                ways = [
                    all_of(
                        *(not_refused(r) for r in self.restrictions.lower(o.restrictions, scope, owner)),
                        self.of_body(o.body, scope.inner(), owner),
                    )
                    for o in options
                ]
                return (YES if YES in ways else m.Or(tuple(ways))), NO
            case ast.If(branches=branches, otherwise=otherwise):
                below, narrowing = [scope], self.expressions.operators.narrowing
                for branch in branches:
                    below.append(narrowing.where(branch.condition, below[-1], False, pure=False))
                made = self._body(otherwise, below.pop().inner(), owner)
                for branch, at in reversed([*zip(branches, below, strict=True)]):
                    if (call := procedure_called(self.world, branch.condition)) is not None:
                        made = self._called(call, at), NO
                        continue
                    then = self._body(branch.body, narrowing.where(branch.condition, at, pure=False).inner(), owner)
                    made = _either_way(self.expressions.truth(branch.condition, at), then, made)
                return made
            case ast.Match(subject=subject, arms=arms, otherwise=last):
                below, narrowing = [scope], self.expressions.operators.narrowing
                for arm in arms:
                    below.append(narrowing.arm(subject, arm, below[-1], False))
                rest_of_all = below.pop().inner()
                made = self._body(last.body, rest_of_all, owner) if last is not None else (YES, YES)
                for arm, at in reversed([*zip(arms, below, strict=True)]):
                    then = self._body(arm.body, narrowing.arm(subject, arm, at).inner(), owner)
                    made = _either_way(self.expressions.is_one_of(subject, arm.values, at), then, made)
                return made
            case ast.Repeats(many=many, body=inner):
                if many.mode in ("any number", "up to") or first.anyway:
                    return YES, NO
                return self.of_body(inner, scope.inner(), owner), NO
            case ast.DoNothing():
                return YES, YES
            case ast.Either() | ast.Each() | ast.Repeat():
                return YES, NO
            case _ if isinstance(first, ast.LineStatement):
                return YES, NO
            case _:
                assert_never(first)

    def _called(self, call: ast.Call, scope: Scope) -> m.Expr:
        assert isinstance(call.operand, ast.Name)
        name = call.operand.name
        signature = self.world.possible_signature(name, call.span)
        if signature is None:
            return YES
        args = self.expressions.arguments(name, signature, call, scope)
        return YES if self.world.queries.certain(name) else m.CallQuery(f"possible {name}", args)

    def leads_on(self, choice: ast.Choose, rest: tuple[ast.Stmt, ...], inner: Scope, owner: str) -> m.Expr:
        """The condition that what follows an answer is possible; `rest` are the statements behind the choice."""
        if not choice.leading:
            return YES
        follows = rest if choice.then is None else choice.then
        found = self.of_body(follows, inner, owner)
        if found == YES or choice.many is not None:
            several = choice.many is not None
            message = (
                "several answers do not lead on" if several else "whatever is answered here, what follows is possible"
            )
            hint = "each is picked by itself" if several else _no_lead(follows[0] if follows else None)
            self.context.error("CHO313", message, choice.span, hint=hint)
        return found

    def _choice(self, choice: ast.Choose, rest: tuple[ast.Stmt, ...], scope: Scope, owner: str) -> m.Expr:
        if choice.optional or choice.otherwise is not None:
            return YES
        many = choice.many
        if many is not None and many.mode in ("up to", "any number", "as many as possible"):
            return YES
        if isinstance(choice.who, ast.Name) and choice.who.name == "chance" and scope.find("chance") is None:
            return YES
        bound, inner = self.expressions.bind(ast.Bind(choice.name, choice.kind, choice.source, span=choice.span), scope)
        if choice.as_name is not None:
            none_yet = Binding(m.Const(0), bound.type.as_set())
            inner = inner.inner(**{choice.as_name: none_yet})
        where = [self.expressions.truth(choice.where, inner)] if choice.where is not None else []
        refusals = [not_refused(r) for r in self.restrictions.lower(choice.restrictions, inner, owner)]
        tested = all_of(*where, *refusals, self.leads_on(choice, rest, inner, owner))
        test = None if tested == YES else tested
        binds = (m.Bound(bound.var, bound.source, bound.is_list),)
        least = self._least(many, scope)
        if least == m.Const(1):
            return m.Fold("some", binds, test, None)
        return m.Cmp("ge", m.Fold("count", binds, test, None), least)

    def _least(self, many: ast.Many | None, scope: Scope) -> m.Expr:
        """The least number of members with which a choice is possible."""
        if many is None:
            return m.Const(1)
        given = many.low if many.mode == "between" or many.high is None else many.high
        return self.expressions.number(given, scope) if given is not None else m.Const(1)


def _no_lead(following: ast.Stmt | None) -> str:
    """The fix for a `leading on` that excludes nothing."""
    if isinstance(following, ast.Choose | ast.Either):
        if isinstance(following, ast.Choose) and following.optional:
            return "the next question can be passed: leave `leading on` out, or write `chooses` there"
        if following.otherwise is not None:
            return "the next question has an `else`: write that below this question, or leave `leading on` out"
    return "leave `leading on` out, or write the choice that depends on this one behind it"


def _either_way(condition: m.Expr, then: Prospect, otherwise: Prospect) -> Prospect:
    def one(a: m.Expr, b: m.Expr) -> m.Expr:
        same = a == b
        return a if same else m.IfElse(condition, a, b)

    return one(then[0], otherwise[0]), one(then[1], otherwise[1])
