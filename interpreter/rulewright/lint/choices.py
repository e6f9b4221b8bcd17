"""Choices that are none, and restrictions that do not restrict."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Severity
from rulewright.lint.index import Index, in_all_games
from rulewright.lint.subject import Finding, Lint, Subject, lint
from rulewright.lint.truth import Truths, operands, opposite
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_MOST = 40
"""So many restrictions of one choice are compared with each other."""


def _choices(index: Index) -> Iterator[ast.Choose]:
    for node in index.all_nodes():
        if isinstance(node, ast.Choose):
            yield node


def _never_both(one: ast.Expr, other: ast.Expr, truths: Truths) -> bool:
    """Whether two conditions exclude each other, though each of them may hold."""
    first, second = list(operands(one, "and")), list(operands(other, "and"))
    if truths.truth(one) is not None or truths.truth(other) is not None:
        return False
    return bool(truths.never([*first, *second]))


def _follows(one: ast.Expr, other: ast.Expr, truths: Truths) -> bool:
    """Whether the second condition holds whenever the first does, though it does not always."""
    if one == other:
        return True
    if truths.truth(one) is not None or truths.truth(other) is not None:
        return False
    return all(any(truths.implies(a, b) for a in operands(one, "and")) for b in operands(other, "and"))


# ------------------------------------------------------------------------------------------- nothing left


@lint("CHO301", "choice-without-answer")
def no_answer(subject: Subject) -> Iterator[Finding]:
    """Choices from which nothing can ever be chosen."""
    return in_all_games(subject, _no_answer)


def _no_answer(index: Index) -> Iterator[Finding]:
    truths = Truths(index)
    for choice in _choices(index):
        if isinstance(choice.source, (ast.SetOf, ast.ListOf)) and not choice.source.items:
            yield Finding(f"there is nothing from which `{choice.name}` can be chosen", choice.source.span)
        refusals = [r for r in choice.restrictions[:_MOST] if isinstance(r, ast.Forbid) and not r.unless]
        for late, refusal in enumerate(refusals):
            if choice.where is not None and _follows(choice.where, refusal.condition, truths):
                yield Finding(f"`{refusal.label}` refuses all that `where` lets through", refusal.span)
            for other in refusals[:late]:
                parts = [*operands(other.condition, "or"), *operands(refusal.condition, "or")]
                if all(truths.truth(p) is None for p in parts) and truths.always(parts):
                    said = f"`{other.label}` and `{refusal.label}` together refuse everything"
                    yield Finding(said, refusal.span)


@lint("CHO304", "single-option", Severity.INFO)
def single_option(subject: Subject) -> Iterator[Finding]:
    """Questions that have one answer."""
    return in_all_games(subject, _single)


def _single(index: Index) -> Iterator[Finding]:
    for node in index.all_nodes():
        match node:
            case ast.Choose(who=who, optional=False, source=source) if who != ast.Name("chance"):
                if _one_member(source, index):
                    said = f"there is only one answer: {print_expr(source)}"
                    yield Finding(said, source.span, hint=f"let {node.name} = …, or `may choose`")
            case ast.Either(options=(only,)):
                hint = "ask `may choose`, or just do it"
                yield Finding(f"`{only.label}` is the only option", node.span, hint=hint)


def _one_member(source: ast.Expr, index: Index) -> bool:
    match source:
        case ast.SetOf((_,)) | ast.ListOf((_,)):
            return True
        case ast.Range(low, high):
            return low == high or (index.value_of(low) is not None and index.value_of(low) == index.value_of(high))
    return False


# ----------------------------------------------------------------------------------------- restrictions


@lint("CHO307", "idle-exception")
def idle_exception(subject: Subject) -> Iterator[Finding]:
    """Exceptions that never help, or always."""
    return in_all_games(subject, _idle_exception)


def _idle_exception(index: Index) -> Iterator[Finding]:
    truths = Truths(index)
    for node in index.all_nodes():
        if not isinstance(node, ast.Forbid):
            continue
        for late, exception in enumerate(node.unless):
            if _follows(node.condition, exception.condition, truths):
                said = f"`{node.label}` never refuses: `{exception.label}` excepts all that it forbids"
                yield Finding(said, exception.span)
            elif _never_both(node.condition, exception.condition, truths):
                said = f"`{exception.label}` excepts nothing that `{node.label}` forbids"
                yield Finding(said, exception.span)
            for other in node.unless[:late]:
                if _follows(exception.condition, other.condition, truths):
                    yield Finding(f"`{exception.label}` adds nothing to `{other.label}`", exception.span)


@lint("CHO308", "idle-restriction")
def idle_restriction(subject: Subject) -> Iterator[Finding]:
    """Restrictions that refuse only what is refused already."""
    return in_all_games(subject, _idle_restriction)


def _idle_restriction(index: Index) -> Iterator[Finding]:
    truths = Truths(index)
    for node in index.all_nodes():
        restrictions = (getattr(node, "restrictions", None) or ())[:_MOST]
        where = node.where if isinstance(node, ast.Choose) else None
        for late, one in enumerate(restrictions):
            before = restrictions[:late]
            if isinstance(one, ast.Obey):
                if any(isinstance(o, ast.Obey) and o.call == one.call for o in before):
                    yield Finding(f"`{print_expr(one.call)}` is obeyed twice", one.span)
                continue
            twin = next((o for o in before if isinstance(o, ast.Forbid) and _covered(one, o, truths)), None)
            if twin is not None:
                said = f"`{one.label}` refuses nothing that `{twin.label}` does not refuse"
                yield Finding(said, one.span)
            if where is not None and (
                _never_both(where, one.condition, truths) or opposite(one.condition) in operands(where, "and")
            ):
                yield Finding(f"`{one.label}` refuses only what `where` leaves out", one.span)


def _covered(one: ast.Forbid, other: ast.Forbid, truths: Truths) -> bool:
    """Whether all that the first restriction refuses is refused by the second."""
    same = set(other.unless) <= set(one.unless) if other.unless else True
    return same and _follows(one.condition, other.condition, truths)


# ---------------------------------------------------------------------------------------------- amounts


@lint("CHO309", "impossible-amount")
def impossible_amount(subject: Subject) -> Iterator[Finding]:
    """Amounts that leave nothing to choose or do, or more than there is; positions before the first."""
    return in_all_games(subject, _amounts)


def _amounts(index: Index) -> Iterator[Finding]:
    for node in index.all_nodes():
        match node:
            case ast.Many(low=low, high=high):
                least = index.value_of(low) if low is not None else None
                most = index.value_of(high) if high is not None else None
                if least is not None and most is not None and least > most:
                    yield Finding(f"{least} to {most} is no amount: the lower end stands first", node.span)
                elif _is_nothing(high if high is not None else low, index):
                    yield Finding("this asks for nothing", node.span)
            case ast.Repeat(mode="times", value=often) if _is_nothing(often, index):
                yield Finding("this is never done", node.span)
            case ast.Repeat(at_most=often) if _is_nothing(often, index):
                yield Finding("this is never done", node.span)
            case ast.Move(amount=amount) if _is_nothing(amount, index):
                yield Finding("this moves nothing", node.span)
            case ast.Draw(amount=amount) if _is_nothing(amount, index):
                yield Finding("this draws nothing", node.span)
            case ast.Roll(amount=amount) if _is_nothing(amount, index):
                yield Finding("this rolls no die", node.span)
            case ast.Index(index=(at,)) if _is_below(at, 0, index):
                yield Finding("positions are counted from 0: there is nothing here", node.span)
        if isinstance(node, ast.Choose) and node.many is not None:
            yield from _too_many(node, node.many, index)


def _is_nothing(amount: ast.Expr | None, index: Index) -> bool:
    """Whether an amount is never above 0."""
    return amount is not None and _is_below(amount, 1, index)


def _is_below(expr: ast.Expr, limit: int, index: Index) -> bool:
    bounds = index.bounds_of(expr)
    return bounds is not None and bounds[1] < limit


def _too_many(choice: ast.Choose, many: ast.Many, index: Index) -> Iterator[Finding]:
    given = many.high if many.high is not None else many.low
    wanted = index.value_of(given) if given is not None else None
    there = _members(choice.source, index)
    if wanted is not None and there is not None and wanted > there:
        yield Finding(f"{wanted} are chosen, but there are only {there}", many.span)


def _members(source: ast.Expr, index: Index) -> int | None:
    match source:
        case ast.SetOf(items):
            return len(set(items))
        case ast.Range(low, high):
            first, last = index.value_of(low), index.value_of(high)
            return max(last - first + 1, 0) if first is not None and last is not None else None
        case ast.TypeName(name) if index.world.is_enum(name):
            return index.world.size(name)
    return None


RULES: tuple[Lint, ...] = (no_answer, single_option, idle_exception, idle_restriction, impossible_amount)
