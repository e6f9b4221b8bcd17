"""``possible(procedure(args))``: whether its restrictions pass and its first choice has an answer.

The same question decides whether an option of an ``either`` is offered.
"""

from __future__ import annotations

from rulewright import limits
from rulewright.compiler.lowering.expression_lowering import Expressions
from rulewright.compiler.symbols.scope import Binding, Scope
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.diagnostics import Report
from rulewright.ir import model as m
from rulewright.syntax import ast

YES = m.Const(1)
NO = m.Const(0)

Prospect = tuple[m.Expr, m.Expr]
"""Of the beginning of a body: whether it is possible, and whether it is passed without a choice or change, so
that what follows counts too."""


class Possibility(Expressions):
    """Asks a body for its first choice, without running it."""

    def __init__(self, world: SymbolTable, report: Report) -> None:
        super().__init__(world, report)
        self.limits: dict[str, ast.Limits] = {}
        self._obeying: list[str] = []
        self._counted = 0
        """Restrictions that were lowered for one choice."""
        self._too_many = False

    def possibility(self, body: tuple[ast.Stmt, ...], scope: Scope, owner: str) -> m.Expr:
        """A condition; constant 1 if nothing can be said against it."""
        return self._body(body, scope, owner)[0]

    def _body(self, body: tuple[ast.Stmt, ...], scope: Scope, owner: str) -> Prospect:
        if not body:
            return YES, YES
        first, rest = body[0], body[1:]
        if isinstance(first, ast.Let) and self._call(first.value) is None:
            typed = self.lower(first.value, scope)
            var, binding = self.variable(first.name, typed.type)
            inner, goes_on = self._body(rest, scope.inner(**{first.name: binding}), owner)
            return _let(var, typed.ir, inner), _let(var, typed.ir, goes_on)
        here, on = self._opening(first, scope, owner)
        if on == NO:
            return here, NO
        then, further = self._body(rest, scope, owner)
        if on == YES:
            return both(here, then), further
        return both(here, YES if then == YES else m.Or((m.Not(on), then))), both(on, further)

    def _opening(self, first: ast.Stmt, scope: Scope, owner: str) -> Prospect:
        match first:
            case ast.Forbid() | ast.Obey():
                return both(*(self.not_refused(r) for r in self.restrictions((first,), scope, owner))), YES
            case ast.Let(value=done) | ast.Assign(value=done) | ast.CallStatement(call=done):
                call = self._call(done, bare=isinstance(first, ast.CallStatement))
                return (self._called(call, scope) if call is not None else YES), NO
            case ast.Step(body=inner):
                return self._body(inner, scope.inner(), owner)
            case ast.Choose():
                return self._choice(first, scope, owner), NO
            case ast.Either(options=options, otherwise=None):
                any_of = [
                    both(
                        *(self.not_refused(r) for r in self.restrictions(o.restrictions, scope, owner)),
                        self.possibility(o.body, scope.inner(), owner),
                    )
                    for o in options
                ]
                return (YES if YES in any_of else m.Or(tuple(any_of))), NO
            case ast.If(branches=branches, otherwise=otherwise):
                made = self._body(otherwise, scope.inner(), owner)
                for branch in reversed(branches):
                    if (call := self._call(branch.condition)) is not None:
                        made = self._called(call, scope), NO
                        continue
                    then = self._body(branch.body, scope.inner(), owner)
                    made = _either_way(self.truth(branch.condition, scope), then, made)
                return made
            case ast.Match(subject=subject, arms=arms, otherwise=last):
                made = self._body(last.body, scope.inner(), owner) if last is not None else (YES, YES)
                for arm in reversed(arms):
                    then = self._body(arm.body, scope.inner(), owner)
                    made = _either_way(self.matches(subject, arm, scope), then, made)
                return made
            case ast.Repeats(many=many, body=inner):
                if many.mode in ("any number", "up to"):
                    return YES, NO
                return self.possibility(inner, scope.inner(), owner), NO
            case _:
                return YES, NO

    def _call(self, expr: ast.Expr, bare: bool = False) -> ast.Call | None:
        """An expression as the call of an effect or procedure, if it is one."""
        if bare and isinstance(expr, ast.Name):
            expr = ast.Call(expr, (), span=expr.span)
        if isinstance(expr, ast.Call) and isinstance(expr.operand, ast.Name) and expr.operand.name in self.world.calls:
            return expr
        return None

    def _called(self, call: ast.Call, scope: Scope) -> m.Expr:
        assert isinstance(call.operand, ast.Name)
        name = call.operand.name
        signature = self.world.possible_signature(name, call.span)
        if signature is None:
            return YES
        args = self.arguments(name, signature, call, scope)
        return YES if self.world.queries.certain(name) else m.CallQuery(f"possible {name}", args)

    def _choice(self, choice: ast.Choose, scope: Scope, owner: str) -> m.Expr:
        if choice.optional or choice.otherwise is not None:
            return YES
        many = choice.many
        if many is not None and many.mode in ("up to", "any number", "as many as possible"):
            return YES
        if isinstance(choice.who, ast.Name) and choice.who.name == "chance" and scope.find("chance") is None:
            return YES
        bound, inner = self.bind(ast.Bind(choice.name, choice.kind, choice.source, span=choice.span), scope)
        if choice.as_name is not None:
            none_yet = Binding(m.Const(0), bound.type.as_set())
            inner = inner.inner(**{choice.as_name: none_yet})
        where = [self.truth(choice.where, inner)] if choice.where is not None else []
        refusals = [self.not_refused(r) for r in self.restrictions(choice.restrictions, inner, owner)]
        tested = both(*where, *refusals)
        test = None if tested == YES else tested
        binds = (m.Bound(bound.var, bound.source, bound.is_list),)
        least = self._least(many, scope)
        if least == m.Const(1):
            return m.Fold("some", binds, test, None)
        return m.Cmp("ge", m.Fold("count", binds, test, None), least)

    def _least(self, many: ast.Many | None, scope: Scope) -> m.Expr:
        """How many must be there for a choice to be possible."""
        if many is None:
            return m.Const(1)
        given = many.low if many.mode == "between" or many.high is None else many.high
        return self.number(given, scope) if given is not None else m.Const(1)

    def matches(self, subject: ast.Expr, arm: ast.Arm, scope: Scope) -> m.Expr:
        """Whether the subject of a ``match`` is one of an arm's values."""
        return _or(*(self.binary(ast.Binary("is", subject, v, span=v.span), scope, None).ir for v in arm.values))

    # ---------------------------------------------------------------------------------- restrictions

    def restrictions(self, written: tuple[ast.Restriction, ...], scope: Scope, owner: str) -> tuple[m.Restriction, ...]:
        """Restrictions with their addresses; those that are obeyed keep the name of their list."""
        made: list[m.Restriction] = []
        if not self._obeying:
            self._counted = 0
        for restriction in written:
            self._counted += 1
            if self._counted > limits.RESTRICTIONS:
                if not self._too_many:
                    self.report.error(
                        "CHO303", f"more than {limits.RESTRICTIONS} restrictions for one choice", restriction.span
                    )
                self._too_many = True
                return ()
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


def both(*items: m.Expr) -> m.Expr:
    """All of these conditions."""
    kept = tuple(i for i in items if i != YES)
    if NO in kept:
        return NO
    return YES if not kept else kept[0] if len(kept) == 1 else m.And(kept)


def _or(*items: m.Expr) -> m.Expr:
    return items[0] if len(items) == 1 else m.Or(items)


def _let(var: str, value: m.Expr, body: m.Expr) -> m.Expr:
    return body if isinstance(body, m.Const) else m.LetIn(var, value, body)


def _either_way(condition: m.Expr, then: Prospect, otherwise: Prospect) -> Prospect:
    def one(a: m.Expr, b: m.Expr) -> m.Expr:
        return a if a == b else m.IfElse(condition, a, b)

    return one(then[0], otherwise[0]), one(then[1], otherwise[1])


__all__ = ["YES", "Possibility", "both"]
