"""Answers in scenarios: what is answered, offered and refused, and expectations that cannot fail whatever the rules
do."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from rulewright.compiler.driver import Compiler
from rulewright.compiler.overlays.addresses import label_at
from rulewright.compiler.scenarios.outcomes import Outcomes
from rulewright.compiler.symbols.static_types import BOOL, Type
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import Scope, Typed
from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import Report, Span
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir import scenario_plan as steps
from rulewright.syntax import ast, print_expr

CODE = "PRP607"


def check_says_something(
    expr: ast.Expr, seats: Collection[str], scope: Scope, world: SymbolTable, report: Report
) -> None:
    """Report a condition, or a value to be known by a player, in which nothing of the rules occurs."""
    if not any(_is_of_rules(node, seats, scope, world) for node in nodes(expr)):
        message = "nothing of the game is named here, so this is the same whatever the rules do"
        report.error(CODE, message, expr.span, hint="name a field, a zone or a query")


def check_something_is_refused(answer: ast.Answer, several: bool, report: Report) -> None:
    """Report a refusal of nothing. Where `several` are chosen it means that one may not leave off."""
    if isinstance(answer.value, ast.SetOf) and not answer.value.items and not several:
        report.error(CODE, "nothing is refused here, so this always holds", answer.span)


@memoized_by_node
def picks_several(decl: ast.Clause) -> frozenset[str]:
    """The names of a declaration's choices that pick one after the other."""
    choices = (node for node in nodes(decl) if isinstance(node, ast.Choose))
    return frozenset(choice.as_name or choice.name for choice in choices if choice.many is not None)


def _is_of_rules(node: ast.Node, seats: Collection[str], scope: Scope, world: SymbolTable) -> bool:
    """True of a node through which an expression can depend on rules, tables, maps or parameters."""
    match node:
        case ast.Name(name):
            bound = scope.find(name)
            if bound is not None:
                return name not in seats
            return name not in ("true", "false") and not world.enum_values(name, "")
        case (
            ast.Number()
            | ast.BoolLiteral()
            | ast.NoneValue()
            | ast.Divide()
            | ast.IsEmpty()
            | ast.SetOf()
            | ast.ListOf()
            | ast.Range()
            | ast.Unary()
            | ast.Binary()
        ):
            return False
        case _:
            return True


class Replies:
    """Plans the answers of one scenario after another."""

    def __init__(self, compiler: Compiler, report: Report, outcomes: Outcomes) -> None:
        self._lower, self._context, self._coercions = (
            compiler.expressions,
            compiler.context,
            compiler.expressions.coercions,
        )
        self._choices, self._rules = compiler.choices, compiler.rules
        self._report, self._outcomes = report, outcomes
        self._scope = Scope()

    def begin(self, scope: Scope) -> None:
        """A scenario begins, with this scope."""
        self._scope = scope

    def _type_of(self, label: str) -> Type | None:
        for choice in self._choices.get(label, ()):
            if choice.universe in ("Int", "Bool"):
                return Type("int") if choice.universe == "Int" else BOOL
            if choice.universe:
                return self._context.world.option_type(choice.universe)
        return None

    @cached_property
    def several(self) -> frozenset[str]:
        """The names of choices that pick one after the other."""
        return frozenset().union(*(picks_several(decl) for decl in self._rules.decls.values()))

    def reply(self, answer: ast.Answer, refused: bool = False) -> steps.Reply | None:
        """An answer that a player gives, or (`refused`) would like to give."""
        label, value = answer.name, answer.value
        if value is None:
            if not any(e.key == label for c in self._all() for e in c.extras):
                known = [e.key for c in self._all() for e in c.extras]
                self._report.error(
                    "REF011", f"no choice has an option `{label}`", answer.span, hint=did_you_mean(label, known)
                )
                return None
            return steps.Reply("", label)
        if label not in self._choices:
            hint = did_you_mean(label, self._choices)
            self._report.error("REF011", f"there is no choice with the name `{label}`", answer.span, hint=hint)
            return None
        if isinstance(value, ast.Name):
            words = {e.key for c in self._choices[label] for e in c.extras}
            is_word = value.name in words or (refused and value.name in steps.WORDS)
            if is_word and self._scope.find(value.name) is None:
                return steps.Reply(label, value.name)
        if isinstance(value, ast.StringLiteral):
            return steps.Reply(label, self._outcomes.known_key(value, (c.universe for c in self._choices[label])))
        wanted = self._type_of(label)
        typed, several = self._lower.lower(value, self._scope, wanted), label in self.several
        keys = self._piece_keys(value)
        if keys is not None:
            return steps.Reply(label, None, typed.ir, typed.type.run_time(), keys, several=several)
        fitted = self._fitted(typed, wanted, value)
        items = fitted.ir.items if isinstance(value, ast.SetOf) and isinstance(fitted.ir, m.MakeSet) else ()
        return steps.Reply(label, None, fitted.ir, fitted.type.run_time(), (), items, several)

    def _all(self) -> list[m.Choose]:
        return [c for choices in self._choices.values() for c in choices]

    @staticmethod
    def _piece_keys(value: ast.Expr) -> tuple[str, ...] | None:
        if isinstance(value, ast.SetOf) and value.items and all(isinstance(i, ast.StringLiteral) for i in value.items):
            return tuple(i.text for i in value.items if isinstance(i, ast.StringLiteral))
        return None

    def _fitted(self, value: Typed, wanted: Type | None, written: ast.Expr) -> Typed:
        if wanted is None or value.type.kind in ("any", "none"):
            return value
        if value.type.is_collection and not value.type.unit:
            made = self._coercions.fits(value, wanted.as_set())
            if made is None and value.type.universe:
                self._context.mismatch(str(wanted), value.type, written.span, "the answer")
            alike = made is None or value.type.universe == wanted.as_set().universe
            return value if alike or made is None else Typed(made, wanted.as_set())
        ir = self._coercions.fits(value, wanted.or_none())
        if ir is None:
            self._context.mismatch(str(wanted), value.type, written.span, "the answer")
            return value
        return Typed(ir, wanted)

    def offered(self, who: str, seat: int, name: str, value: ast.Expr, at: Span) -> steps.Step:
        """The options that a seat is offered."""
        text = f"offered {who}: {name} = {self._outcomes.source_text(value)}"
        if name not in self._choices:
            hint = did_you_mean(name, self._choices)
            self._report.error("REF011", f"there is no choice with the name `{name}`", at, hint=hint)
            return steps.Offered(at, text, seat, name)
        keys = self._piece_keys(value)
        words = {e.key for c in self._choices[name] for e in c.extras}
        items = value.items if isinstance(value, ast.SetOf) else ()
        if any(isinstance(i, ast.Name) and i.name in words for i in items):
            found = [self._option(i, name, words) for i in items]
            keys = tuple(key for key in found if key is not None)
        if keys is not None:
            for item in items:
                if isinstance(item, ast.StringLiteral):
                    self._outcomes.known_key(item, (c.universe for c in self._choices[name]))
            return steps.Offered(at, text, seat, name, keys=keys)
        wanted = self._type_of(name)
        typed = self._lower.collection(value, self._scope, wanted.as_set() if wanted is not None else None)
        if wanted is not None:
            made = self._coercions.coerce(typed, wanted.as_set(), value.span, "the offered value")
            typed = typed if typed.type.universe == wanted.as_set().universe else Typed(made, wanted.as_set())
        return steps.Offered(at, text, seat, name, typed.ir, typed.type.run_time())

    def _option(self, item: ast.Expr, name: str, words: set[str]) -> str | None:
        """The key of an option that stands beside words such as ``pass``."""
        if isinstance(item, ast.StringLiteral):
            return item.text
        if isinstance(item, ast.Name) and item.name in words:
            return item.name
        wanted = self._type_of(name)
        if wanted is None:
            hint = did_you_mean(item.name, words) if isinstance(item, ast.Name) else ""
            self._report.error("REF011", f"`{name}` has no option `{print_expr(item)}`", item.span, hint=hint)
            return None
        return self._outcomes.fate_key(item, wanted.options)

    def known_reason(self, because: ast.Path) -> str:
        """The restriction that a scenario names; reports one that no choice has."""
        known = {r.label for c in self._all() for r in c.restrictions}
        known |= {r.label for c in self._all() for e in c.extras for r in e.restrictions}
        name = because.parts[0]
        decl = self._rules.decls.get(name)
        label = str(because) if decl is None else f"{name}.{label_at(decl, because.address)}"
        if label not in known:
            hint = did_you_mean(label, known)
            self._report.error("REF013", f"no choice has a restriction `{because}`", because.span, hint=hint)
        return label
