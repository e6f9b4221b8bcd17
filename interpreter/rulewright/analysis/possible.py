"""``possible(procedure(args))``: whether its restrictions pass and its first choice has an answer.

The same question decides whether an option of an ``either`` is offered.
"""

from __future__ import annotations

from rulewright.analysis.expressions import Expressions
from rulewright.analysis.scope import Binding, Scope
from rulewright.analysis.world import World
from rulewright.diagnostics import Report
from rulewright.program import model as m
from rulewright.syntax import ast

YES = m.Const(1)


class Possibility(Expressions):
    """Asks a body for its first choice, without running it."""

    def __init__(self, world: World, report: Report) -> None:
        super().__init__(world, report)
        self.limits: dict[str, ast.Limits] = {}
        self._obeying: list[str] = []

    def possibility(self, body: tuple[ast.Stmt, ...], scope: Scope, owner: str) -> m.Expr:
        """A condition; constant 1 if nothing can be said against it."""
        if not body:
            return YES
        first, rest = body[0], body[1:]
        match first:
            case ast.Forbid() | ast.Obey():
                made = [self.not_refused(r) for r in self.restrictions((first,), scope, owner)]
                return _and(*made, self.possibility(rest, scope, owner))
            case ast.Let(name=name, value=value):
                typed = self.lower(value, scope)
                var, binding = self.variable(name, typed.type)
                inner = self.possibility(rest, scope.inner(**{name: binding}), owner)
                return YES if inner == YES else m.LetIn(var, typed.ir, inner)
            case ast.Step(body=inner_body):
                return self.possibility((*inner_body, *rest), scope, owner)
            case ast.Choose():
                return self._choice(first, scope, owner)
            case ast.Either(options=options, otherwise=None):
                any_of = [
                    _and(
                        *(self.not_refused(r) for r in self.restrictions(o.restrictions, scope, owner)),
                        self.possibility(o.body, scope, owner),
                    )
                    for o in options
                ]
                return YES if YES in any_of else m.Or(tuple(any_of))
            case ast.Do(call=ast.Call(operand=ast.Name(name=name)) as call) if name in self.world.calls:
                signature = self.world.possible_signature(name, call.span)
                if signature is None:
                    return YES
                return m.Ask(f"possible {name}", self.arguments(name, signature, call, scope))
            case ast.If(branches=branches, otherwise=otherwise):
                made_if = self.possibility(otherwise or rest, scope, owner)
                for branch in reversed(branches):
                    then = self.possibility(branch.body, scope, owner)
                    if then != made_if:
                        made_if = m.IfElse(self.truth(branch.condition, scope), then, made_if)
                return made_if
            case ast.Match(subject=subject, arms=arms, otherwise=last):
                made_match = self.possibility(last.body if last else (), scope, owner)
                for arm in reversed(arms):
                    then = self.possibility(arm.body, scope, owner)
                    made_match = m.IfElse(self.matches(subject, arm, scope), then, made_match)
                return made_match
            case ast.Repeats(many=many, body=inner_body):
                least = many.low if many.mode != "up to" else None
                if many.mode in ("any number", "up to") or (least is None and many.high is None):
                    return YES
                return self.possibility(inner_body, scope, owner)
            case _:
                return YES

    def _choice(self, choice: ast.Choose, scope: Scope, owner: str) -> m.Expr:
        if choice.optional or choice.otherwise is not None:
            return YES
        if choice.many is not None and choice.many.mode in ("up to", "any number", "as many as possible"):
            return YES
        bound, inner = self.bind(ast.Bind(choice.name, choice.kind, choice.source, span=choice.span), scope)
        if choice.as_name is not None:
            none_yet = Binding(m.Const(0), bound.type.as_set())
            inner = inner.inner(**{choice.as_name: none_yet})
        where = [self.truth(choice.where, inner)] if choice.where is not None else []
        refusals = [self.not_refused(r) for r in self.restrictions(choice.restrictions, inner, owner)]
        test = _and(*where, *refusals)
        return m.Fold("some", (m.Bound(bound.var, bound.source, bound.is_list),), None if test == YES else test, None)

    def matches(self, subject: ast.Expr, arm: ast.Arm, scope: Scope) -> m.Expr:
        """Whether the subject of a ``match`` is one of an arm's values."""
        return _or(*(self.binary(ast.Binary("is", subject, v, span=v.span), scope, None).ir for v in arm.values))

    # ---------------------------------------------------------------------------------- restrictions

    def restrictions(self, written: tuple[ast.Restriction, ...], scope: Scope, owner: str) -> tuple[m.Restriction, ...]:
        """Restrictions with their addresses; those that are obeyed keep the name of their list."""
        made: list[m.Restriction] = []
        for restriction in written:
            if isinstance(restriction, ast.Forbid):
                made.append(
                    m.Restriction(
                        f"{owner}.{restriction.label}",
                        self.truth(restriction.condition, scope),
                        tuple(
                            m.Exception_(u.label, self.truth(u.condition, scope), u.trivia.cites)
                            for u in restriction.unless
                        ),
                        restriction.trivia.cites,
                    )
                )
            else:
                made.extend(self._obeyed(restriction, scope))
        return tuple(made)

    def _obeyed(self, obey: ast.Obey, scope: Scope) -> list[m.Restriction]:
        call = obey.call
        if not (isinstance(call, ast.Call) and isinstance(call.operand, ast.Name)):
            self.report.error("TYP220", "`obey` names limits: `obey knight_place(s, p)`", obey.span)
            return []
        name = call.operand.name
        limits = self.limits.get(name)
        if limits is None:
            self.unknown("limits", name, list(self.limits), call.operand.span)
            return []
        if name in self._obeying:
            return []  # a circle, which the compiler reports
        types = tuple((p.name, self.world.resolve(p.type)) for p in limits.params)
        args = self.arguments(name, types, call, scope)
        inner = Scope()
        names: list[str] = []
        for (param, type), _ in zip(types, args, strict=True):
            var, binding = self.variable(param, type)
            names.append(var)
            inner.bind(param, binding)
        self._obeying.append(name)
        found = self.restrictions(limits.restrictions, inner, name)
        self._obeying.pop()

        def bound(condition: m.Expr) -> m.Expr:
            for var, arg in reversed(list(zip(names, args, strict=True))):
                condition = m.LetIn(var, arg, condition)
            return condition

        return [
            m.Restriction(
                r.label,
                bound(r.condition),
                tuple(m.Exception_(u.label, bound(u.condition), u.cites) for u in r.unless),
                r.cites,
            )
            for r in found
        ]

    @staticmethod
    def not_refused(restriction: m.Restriction) -> m.Expr:
        """That a restriction does not refuse."""
        return m.Or((m.Not(restriction.condition), *(u.condition for u in restriction.unless)))


def _and(*items: m.Expr) -> m.Expr:
    kept = tuple(i for i in items if i != YES)
    return YES if not kept else kept[0] if len(kept) == 1 else m.And(kept)


def _or(*items: m.Expr) -> m.Expr:
    return items[0] if len(items) == 1 else m.Or(items)


__all__ = ["YES", "Possibility"]
