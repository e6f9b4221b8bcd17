"""Reactions: names, types and order are checked here. Playing them is a later step, and the façade says so."""

from __future__ import annotations

from rulewright.analysis.code import Code
from rulewright.analysis.labels import walk
from rulewright.analysis.scope import Binding, Scope
from rulewright.analysis.statements import Statements
from rulewright.analysis.types import ANY, INT, Type, entity
from rulewright.diagnostics import Report
from rulewright.program import model as m
from rulewright.spelling import did_you_mean
from rulewright.syntax import ast


class Reactions:
    """Checks each reaction as a body of its own, with the event's parameters and its holder in scope."""

    def __init__(self, lower: Statements, report: Report) -> None:
        self.lower, self.report = lower, report
        self.world = lower.world

    def check(self, reactions: list[ast.Reaction], precedence: list[ast.Precedence]) -> None:
        """Check all reactions and the order among them."""
        for reaction in reactions:
            self._reaction(reaction)
        names = {r.name for r in reactions}
        for order in precedence:
            for name in order.names:
                if name not in names:
                    self.report.error(
                        "TRG303", f"unknown reaction `{name}`", order.span, hint=did_you_mean(name, names)
                    )
        self._order(reactions, precedence)

    def _reaction(self, reaction: ast.Reaction) -> None:
        code = Code(reaction.name, "reaction", True, self._result(reaction))
        code.replaces = reaction.moment == "instead of"
        code.result_slot = code.slot("result", code.result or INT)
        code.exit = code.label()
        scope = Scope()
        if reaction.by is not None:
            self.lower.bind_slot(code, scope, reaction.by, entity("Player"))
        self._event(reaction, scope, code)
        if reaction.with_ is not None:
            bound, _ = self.lower.bind(reaction.with_, scope)
            slot = code.slot(reaction.with_.name, bound.type)
            ir = self.lower.read(m.Local(slot), bound.type)
            scope.bind(reaction.with_.name, Binding(ir, bound.type, slot=slot))
        if reaction.where is not None:
            self.lower.truth(reaction.where, scope)
        self.lower.block(reaction.body, scope, code)

    def _called(self, reaction: ast.Reaction) -> tuple[str, tuple[ast.Expr, ...]]:
        event = reaction.event
        if isinstance(event, ast.Call) and isinstance(event.operand, ast.Name):
            return event.operand.name, event.args
        if isinstance(event, ast.Name):
            return event.name, ()
        return "", ()

    def _result(self, reaction: ast.Reaction) -> Type | None:
        name, _ = self._called(reaction)
        info = self.world.calls.get(name)
        return info.result if info is not None and reaction.moment == "instead of" else None

    def _event(self, reaction: ast.Reaction, scope: Scope, code: Code) -> None:
        name, args = self._called(reaction)
        if name == "rolls":
            params: tuple[Type, ...] = (entity("Player"), INT)
        elif name in ("draw", "move"):
            params = tuple(ANY for _ in args)
        else:
            info = self.world.calls.get(name)
            if info is None:
                if reaction.moment == "during" and not args and self._is_step(name):
                    return
                known = [*self.world.calls, "rolls"]
                self.lower.unknown("procedure", name, known, reaction.event.span, "TRG303")
                return
            if reaction.moment != "during" and info.decl.open is None and reaction.by is not None:
                self.report.error(
                    "TRG308",
                    f"`{name}` is not open to reactions",
                    reaction.event.span,
                    hint=f"declare it `procedure {name}(…), open clockwise from …`",
                )
            params = tuple(t for _, t in info.params)
        if args and len(args) != len(params):
            self.report.error(
                "TYP215", f"`{name}` has {len(params)} parameters, here are {len(args)}", reaction.event.span
            )
            return
        for arg, type in zip(args, params, strict=False):
            if isinstance(arg, ast.Name):
                self.lower.bind_slot(code, scope, arg.name, type, changes=True)
            else:
                self.report.error("TRG309", "a reaction names the event's parameters", arg.span)

    def _is_step(self, name: str) -> bool:
        return any(
            isinstance(c, ast.Step) and c.label == name for call in self.world.calls.values() for c in walk(call.decl)
        )

    def _order(self, reactions: list[ast.Reaction], precedence: list[ast.Precedence]) -> None:
        """Two automatic reactions that replace the same thing need an order."""
        ordered = {(a, b) for p in precedence for i, a in enumerate(p.names) for b in p.names[i + 1 :]}
        instead: dict[str, list[ast.Reaction]] = {}
        for reaction in reactions:
            if reaction.moment == "instead of" and reaction.by is None:
                instead.setdefault(self._called(reaction)[0], []).append(reaction)
        for name, rivals in instead.items():
            for i, a in enumerate(rivals):
                for b in rivals[i + 1 :]:
                    if (a.name, b.name) not in ordered and (b.name, a.name) not in ordered:
                        self.report.error(
                            "TRG304",
                            f"`{a.name}` and `{b.name}` both replace `{name}`, in no order",
                            b.span,
                            hint=f"add `precedence {a.name}, {b.name}`",
                        )
