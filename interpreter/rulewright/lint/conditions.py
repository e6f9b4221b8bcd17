"""Conditions that tell nothing: always or never true, said twice, or never asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.diagnostics import Edit, Fix
from rulewright.ir import model as m
from rulewright.lint.index import Index, in_all_games
from rulewright.lint.subject import Finding, Lint, Subject, lint
from rulewright.lint.truth import Atom, Truths, operands
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_COMPARISONS = ("is", "is not", "<", "<=", ">", ">=")
_CONDITIONS: dict[type[ast.Node], tuple[str, ...]] = {
    ast.Branch: ("condition",),
    ast.IfElse: ("condition",),
    ast.Case: ("condition",),
    ast.Modifier: ("condition",),
    ast.Forbid: ("condition",),
    ast.Unless: ("condition",),
    ast.Consequence: ("when",),
    ast.End: ("when",),
    ast.Choose: ("where",),
    ast.Each: ("where",),
    ast.Reaction: ("where",),
    ast.Comprehension: ("where",),
    ast.Aggregate: ("where",),
    ast.Ranked: ("where",),
    ast.Every: ("where", "has"),
    ast.Invariant: ("condition",),
    ast.Property: ("condition",),
    ast.Witness: ("condition",),
}
"""Where conditions stand; `repeat while true` may say that it goes on for ever."""
_MOST_PARTS = 50
"""Longer chains are not compared part by part."""
_JUDGED = (ast.Binary, ast.IsA, ast.IsEmpty)


def _is_condition(node: ast.Node) -> bool:
    return isinstance(node, _JUDGED) and (
        not isinstance(node, ast.Binary) or node.op in (*_COMPARISONS, "in", "not in", "and", "or")
    )


# ------------------------------------------------------------------------------------------- always, never


@lint("TYP231", "constant-condition")
def constant_condition(subject: Subject) -> Iterator[Finding]:
    """Comparisons and chains that always or never hold."""
    return in_all_games(subject, _constant)


def _constant(index: Index) -> Iterator[Finding]:
    truths = Truths(index)
    links = _links(index)
    for node in index.all_nodes():
        if isinstance(node, ast.If):
            yield from _asked_above(node, truths)
        for part in _CONDITIONS.get(type(node), ()):
            if isinstance(condition := getattr(node, part), ast.BoolLiteral):
                yield Finding(f"this {'always' if condition.value else 'never'} holds", condition.span)
        if not _is_condition(node) or _about_none(node):
            continue  # what is never none is said while types are told
        if isinstance(node, ast.Binary) and node.op in ("and", "or"):
            if id(node) not in links:
                yield from _chain(node, truths)
        elif isinstance(node, ast.Binary) and node.op in _COMPARISONS and node.left == node.right:
            yield Finding(f"both sides of `{node.op}` are the same", node.span, hint="compare two different things")
        elif (holds := truths.truth(node)) is not None:  # type: ignore[arg-type]
            yield Finding(f"this {'always' if holds else 'never'} holds", node.span, hint=_reason(node, index))


def _links(index: Index) -> set[int]:
    """Chains that are only a part of a longer chain."""
    found = set()
    for node in index.all_nodes():
        if isinstance(node, ast.Binary) and node.op in ("and", "or"):
            found |= {
                id(part) for part in (node.left, node.right) if isinstance(part, ast.Binary) and part.op == node.op
            }
    return found


def _chain(node: ast.Binary, truths: Truths) -> Iterator[Finding]:
    parts = list(operands(node, node.op))
    if any(truths.truth(p) is not None for p in parts):
        return  # said of the part itself
    if node.op == "and" and (atoms := truths.never(parts)):
        yield Finding(f"{_both(atoms)} never hold together", node.span)
    elif node.op == "or" and (atoms := truths.always(parts)):
        yield Finding(f"one of {_both(atoms)} always holds", node.span)


def _both(atoms: Sequence[Atom]) -> str:
    words = [f"`{print_expr(a.written)}`" for a in atoms]
    return ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else words[0]


def _reason(node: ast.Node, index: Index) -> str:
    """What the two sides can be."""
    if not isinstance(node, ast.Binary):
        return ""
    for side in (node.left, node.right):
        bounds = index.bounds_of(side)
        if bounds is None or index.value_of(side) is not None:
            continue
        low, high = bounds
        if low == high:
            return f"`{print_expr(side)}` is {low}"
        if low > -m.INT_MAX:
            most = f"at least {low}" if high >= 100_000 else f"{low} to {high}"
            return f"`{print_expr(side)}` is {most}"
    return ""


def _asked_above(node: ast.If, truths: Truths) -> Iterator[Finding]:
    """An ``if`` that stands first in the branch of another one and asks the same again."""
    for branch in node.branches:
        inner = branch.body[0] if branch.body else None
        if not isinstance(inner, ast.If) or truths.index.acts(branch.condition):
            continue
        known = list(operands(branch.condition, "and"))
        again = inner.branches[0].condition
        asked = list(operands(again, "and"))
        if any(all(truths.truth(p) is None for p in (k, a)) and truths.implies(k, a) for k in known for a in asked):
            yield Finding("this always holds here: it is asked above", again.span)
        elif truths.never([*known, *asked]) and not truths.never(known) and not truths.never(asked):
            yield Finding("this never holds here: the opposite is asked above", again.span)


# ------------------------------------------------------------------------------------------------ said twice


@lint("TYP232", "said-twice")
def said_twice(subject: Subject) -> Iterator[Finding]:
    """Parts of a chain that add nothing to another one."""
    return in_all_games(subject, _twice)


def _twice(index: Index) -> Iterator[Finding]:
    truths = Truths(index)
    links = _links(index)
    for node in index.all_nodes():
        if not (isinstance(node, ast.Binary) and node.op in ("and", "or")) or id(node) in links:
            continue
        parts = list(operands(node, node.op))
        decided = truths.never if node.op == "and" else truths.always
        if len(parts) > _MOST_PARTS or index.acts(node) or decided(parts):
            continue
        for late, part in enumerate(parts):
            if part in parts[:late]:
                yield Finding(f"`{print_expr(part)}` stands twice", part.span, fix=_without(node, parts, late))
                continue
            for at, other in enumerate(parts):
                # Of two that stand in a chain of `and` the wider one adds nothing, in a chain of `or` the narrower.
                wide, narrow = (part, other) if node.op == "and" else (other, part)
                # That something is not none may be said for the reader's sake.
                if at != late and part != other and not _about_none(part) and truths.implies(narrow, wide):
                    if truths.implies(wide, narrow) and at > late:
                        continue
                    said = f"`{print_expr(part)}` adds nothing to `{print_expr(other)}`"
                    yield Finding(said, part.span, fix=_without(node, parts, late))
                    break


def _about_none(expr: ast.Node) -> bool:
    """``x is none``, ``x is not none``."""
    return isinstance(expr, ast.Binary) and (
        isinstance(expr.left, ast.NoneValue) or isinstance(expr.right, ast.NoneValue)
    )


def _without(node: ast.Binary, parts: list[ast.Expr], away: int) -> Fix | None:
    """The chain without one part, if it stands on one line and all its brackets are needed."""
    span = node.span
    if span.line != span.end_line or span.end_column - span.column != len(print_expr(node)):
        return None
    kept = [p for i, p in enumerate(parts) if i != away]
    chain = kept[0]
    for part in kept[1:]:
        chain = ast.Binary(node.op, chain, part)
    return Fix(f"leave out `{print_expr(parts[away])}`", (Edit(span, print_expr(chain)),), safe=False)


# ------------------------------------------------------------------------------------------- never reached


@lint("CTL115", "unreachable-branch")
def unreachable_branch(subject: Subject) -> Iterator[Finding]:
    """Branches, cases and arms that are never taken, as something above is taken before."""
    return in_all_games(subject, _unreachable)


def _unreachable(index: Index) -> Iterator[Finding]:
    truths = Truths(index)
    inner = {id(n.otherwise) for n in index.all_nodes() if isinstance(n, ast.IfElse)}
    for node in index.all_nodes():
        match node:
            case ast.If(branches=branches, otherwise=otherwise):
                conditions = [b.condition for b in branches]
                if not any(index.acts(c) for c in conditions):
                    yield from _in_turn(conditions, otherwise[0] if otherwise else None, "`else`", truths)
            case ast.Query(cases=cases) if cases:
                asked = [c.condition for c in cases if c.condition is not None]
                at = next((i for i, c in enumerate(cases) if c.condition is None), len(cases))
                for case in cases[at + 1 :]:
                    yield Finding("this is never reached: `otherwise` stands above", case.span)
                last = cases[at] if at == len(cases) - 1 else None
                yield from _in_turn(asked, last, "`otherwise`", truths)
            case ast.IfElse() if id(node) not in inner:
                conditions, rest = [], node
                while isinstance(rest, ast.IfElse):
                    conditions.append(rest.condition)
                    rest = rest.otherwise  # type: ignore[assignment]
                yield from _in_turn(conditions, rest, "what stands behind `else`", truths)
            case ast.Match(subject=subject, arms=arms, otherwise=ast.Arm() as rest_of_all):
                named = {index.value_of(v) for a in arms for v in a.values}
                type = index.type_of(subject)
                values = set(range(index.world.size(type.universe))) if index.world.is_enum(type.universe) else set()
                if values and named >= values and not type.optional:
                    yield Finding("`otherwise` is never reached: all values stand above", rest_of_all.span)


def _in_turn(conditions: list[ast.Expr], last: ast.Node | None, word: str, truths: Truths) -> Iterator[Finding]:
    """Conditions that are asked one after the other, until one holds; and what is left over."""
    above: set[ast.Expr] = set()
    for late, condition in enumerate(conditions):
        if condition in above:
            yield Finding("this is never reached: the same condition stands above", condition.span)
            continue
        above.add(condition)
        parts = list(operands(condition, "and"))
        for before in conditions[:late] if len(conditions) <= _MOST_PARTS else ():
            if any(truths.truth(p) is None and truths.implies(p, before) for p in parts):
                said = f"this is never reached: `{print_expr(before)}` stands above"
                yield Finding(said, condition.span)
                break
    if last is not None and len(conditions) > 1 and truths.always(conditions):
        yield Finding(f"{word} is never reached: one of the conditions above always holds", last.span)


# --------------------------------------------------------------------------------------------- all the same


@lint("CTL116", "equal-branches")
def equal_branches(subject: Subject) -> Iterator[Finding]:
    """A question that changes nothing: whatever the answer, the same is done."""
    return in_all_games(subject, _equal)


def _equal(index: Index) -> Iterator[Finding]:
    for node in index.all_nodes():
        match node:
            case ast.If(branches=branches, otherwise=otherwise) if otherwise:
                if all(b.body == otherwise for b in branches):
                    yield Finding("the same is done whether the condition holds or not", node.span)
            case ast.IfElse(then=then, otherwise=otherwise_) if then == otherwise_:
                yield Finding("this is the same whether the condition holds or not", node.span)
            case ast.Match(arms=arms) if len(arms) + (node.otherwise is not None) > 1:
                bodies = [a.body for a in (*arms, *((node.otherwise,) if node.otherwise is not None else ()))]
                if all(b == bodies[0] for b in bodies):
                    yield Finding("every arm does the same", node.span)
            case ast.Choose(then=then_, otherwise=rest) if then_ is not None and rest is not None and then_ == rest:
                yield Finding("the same is done with an answer and without", node.span)
            case ast.Either(options=options):
                for late, option in enumerate(options):
                    twin = next((o for o in options[:late] if o.body == option.body), None)
                    if twin is not None and option.body:
                        said = f"the options `{twin.label}` and `{option.label}` do the same"
                        yield Finding(said, option.span)


RULES: tuple[Lint, ...] = (constant_condition, said_twice, unreachable_branch, equal_branches)
