"""Lint rules about values and types: ranges, arguments, members, results."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.lowering.lowering_context import a_type
from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import Edit, Fix, Span
from rulewright.findings.text.analyses.declaration_nodes import nodes_of
from rulewright.findings.text.analyses.flow_questions import callers_look, looks_at, reads
from rulewright.findings.text.analyses.mentions import rooted
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.findings.text.analyses.text_fixes import instead
from rulewright.findings.text.context import Finding, lint_declarations
from rulewright.findings.text.subject import Configuration
from rulewright.foundation.memo import memoized_by_node, tracked_query
from rulewright.ir import model as m
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("TYP235", ast.Range)
def empty_range(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Ranges from more to less."""
    for node in nodes_of(decl, ast.Range):
        low, high = node.low, node.high
        least, most = _least(low, index), _most(high, index)
        if least is not None and most is not None and least > most:
            turned = ast.Range(high, low, node.listed)
            exact = isinstance(low, ast.Number) and isinstance(high, ast.Number)
            fix = instead(node, turned) if exact else None
            message = f"no number is from {print_expr(low)} to {print_expr(high)}"
            yield Finding(message, node.span, hint="the lower end stands first", fix=fix)


def _least(expr: ast.Expr, index: RuleIndex) -> int | None:
    value, bounds = index.value_of(expr), index.bounds_of(expr)
    return value if value is not None else bounds[0] if bounds is not None else None


def _most(expr: ast.Expr, index: RuleIndex) -> int | None:
    value, bounds = index.value_of(expr), index.bounds_of(expr)
    return value if value is not None else bounds[1] if bounds is not None else None


@lint_declarations("TYP244", ast.Aggregate, ast.Call)
def end_of_stack(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """The first or last piece of a stack, of which each reader thinks another one."""
    for node in nodes_of(decl, ast.Aggregate, ast.Call):
        match node:
            case ast.Aggregate("first", pile, ()) if pile is not None and index.is_stack(pile):
                keyword, word, place, other = "first", "top", "on top", ("bottom", "lies below all others")
            case ast.Aggregate("last", pile, ()) if pile is not None and index.is_stack(pile):
                keyword, word, place, other = "last", "bottom", "at the bottom", ("top", "was laid last")
            case _:
                continue
        if index.decl_named(word) is not None:
            continue  # these rules use the word in a sense of their own
        named, span = print_expr(pile), node.span
        start = Span(span.file, span.line, span.column, span.line, span.column + len(keyword))
        yield Finding(
            f"`{keyword}({named})` of a stack is the piece that lies {place}",
            span,
            hint=f"say so: `{word}({named})`; or `{other[0]}({named})`, if the one is meant that {other[1]}",
            fix=Fix(f"write `{word}`", (Edit(start, word),), safe=False),
        )


@lint_declarations("TYP236", ast.Call)
def exchanged_arguments(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Two arguments that are called like each other's parameters."""
    owner = name_of(decl)
    calls = [n for n in nodes_of(decl, ast.Call) if isinstance(n.operand, ast.Name)]
    for call in calls:
        name = call.operand.name  # type: ignore[union-attr]
        params = index.params_of(name)
        words = [a.name if isinstance(a, ast.Name) else "" for a in call.args]
        own = [p.name for p in params]
        if name == owner or len(words) != len(own):
            continue  # a procedure that strikes back calls itself the other way round
        for i, word in enumerate(words):
            for j in range(i + 1, len(words)):
                turned = word == own[j] and words[j] == own[i] and word != words[j]
                if turned and params[i].type == params[j].type and not _also_straight(calls, name, own):
                    message = f"`{name}` takes `{own[i]}` before `{own[j]}`; here they are the other way round"
                    yield Finding(message, call.span)


def _also_straight(calls: list[ast.Call], name: str, own: list[str]) -> bool:
    """True if the same rules call it with its arguments in order, too."""
    return any(
        c.operand == ast.Name(name) and [a.name if isinstance(a, ast.Name) else "" for a in c.args] == own
        for c in calls
    )


@lint_declarations("TYP234", ast.SetOf)
def duplicate_member(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Find sets whose braces name a member twice."""
    for node in nodes_of(decl, ast.SetOf):
        for late, item in enumerate(node.items):
            if item in node.items[:late]:
                once = ast.SetOf(tuple(dict.fromkeys(node.items)))
                message = f"`{print_expr(item)}` occurs twice in this set"
                yield Finding(message, item.span, hint="a set holds it once", fix=instead(node, once))


@lint_declarations("TYP204", ast.Binary)
def redundant_none_test(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Values that are compared with none and never are none."""
    for node in nodes_of(decl, ast.Binary):
        operand, hint = node.left, "leave `or else` out"
        if node.op in ("is", "is not") and ast.NoneValue in (type(node.left), type(node.right)):
            operand = node.right if isinstance(node.left, ast.NoneValue) else node.left
            hint = "if it may be, its type is `… or none`"
        elif node.op != "or else":
            continue
        found = index.type_in(decl, operand)
        if not found.optional and not found.is_collection and found.kind not in ("any", "none"):
            yield Finding(f"this is never none: it is {a_type(found)}", operand.span, hint=hint)


@lint_declarations("TYP237", ast.CallStatement)
def discarded_result(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A procedure has a result, and a call ignores it."""
    for statement in nodes_of(decl, ast.CallStatement):
        named = statement.call.operand if isinstance(statement.call, ast.Call) else statement.call
        if isinstance(named, ast.Name) and index.result_of(named.name) is not None and not _is_used(index, named.name):
            hint = f"let got = {named.name}(…)"
            yield Finding(f"nobody uses what `{named.name}` gives back", statement.span, hint=hint)


@tracked_query
def _is_used(index: RuleIndex, name: str) -> bool:
    """True if something is called where its result is used."""
    return name in index.game.ask(_used)


def _used(game: Configuration) -> frozenset[str]:
    return frozenset().union(*map(_used_in, game.rules.decls.values()))


@memoized_by_node
def _used_in(decl: ast.Clause) -> frozenset[str]:
    """All that a declaration calls where it uses the result."""
    done: set[int] = set()
    used: set[str] = set()
    for node in nodes_of(decl, ast.CallStatement, ast.Call):
        if isinstance(node, ast.CallStatement):
            done.add(id(node.call))
        elif isinstance(node, ast.Call) and isinstance(node.operand, ast.Name) and id(node) not in done:
            used.add(node.operand.name)
    return frozenset(used)


_Doing = ast.Callable | ast.Consequence | ast.End | ast.Reaction
"""The declarations in which something can be assigned."""


@lint_declarations("TYP238", ast.Assign)
def unguarded_subtraction(decl: _Doing, index: RuleIndex) -> Iterator[Finding]:
    """A subtraction from a number with a lowest value, without a test of how much is there."""
    for s in nodes_of(decl, ast.Assign):
        if s.op != "-=":
            continue
        name = rooted(s.target)
        type = index.field_type(name)
        if type is None or type.kind != "int" or type.low == -m.INT_MAX:
            continue
        if looks_at(decl, name, index) or name in reads(index, s.value) or callers_look(index, decl.name, name):
            continue
        if _is_bounded(decl, s.value, s.span, name, index, frozenset()):
            continue
        if s.value == ast.Number(1) and _is_over_before(index, name, type.low, _single_round(decl, s, index)):
            continue
        message = f"`{print_expr(s.target)}` may fall below {type.low}: nothing here checks how much is left"
        yield Finding(message, s.span, hint="`forbid`, `if`, or take only `min({…})` of it")


def _is_bounded(decl: ast.Decl, amount: ast.Expr, at: Span, field: str, index: RuleIndex, seen: frozenset[str]) -> bool:
    """True if an amount is no more than a field holds: an answer whose options the field bounds, or what holds one."""
    match amount:
        case ast.Number(0) | ast.NoneValue() | ast.SetOf(()):
            return True
        case ast.Binary("or else", left, right) | ast.IfElse(then=left, otherwise=right):
            return all(_is_bounded(decl, part, at, field, index, seen) for part in (left, right))
        case ast.Divide(part, ast.Number(number)) | ast.Binary("-", part, ast.Number(number)) if number > 0:
            return _is_bounded(decl, part, at, field, index, seen)
        case ast.Aggregate("max" | "min" as kind, ast.SetOf(parts) | ast.ListOf(parts), ()):
            several = any if kind == "min" else all
            return several(_is_bounded(decl, part, at, field, index, seen) for part in parts)
        case ast.Aggregate("max" | "min", part) if part is not None:
            return _is_bounded(decl, part, at, field, index, seen)
        case ast.Name(name) if any(one.name == name for one in _given(decl)):
            given = [one for one in _given(decl) if one.name == name]
            last = max(given, key=lambda one: (one.span.line <= at.line, one.span.line))
            if isinstance(last, ast.Let):
                return _is_bounded(decl, last.value, at, field, index, seen) and (
                    not last.changes or all(_keeps(decl, one, field, index, seen) for one in _changes(decl, name))
                )
            return _bounds(decl, last, field, index)
        case ast.Name(name) if isinstance(decl, ast.Callable) and name in (names := [p.name for p in decl.params]):
            return f"{decl.name}.{name}" not in seen and _is_handed(
                index, decl.name, names.index(name), field, seen | {f"{decl.name}.{name}"}
            )
        case ast.Call(ast.Name(name)) if name not in seen:
            return _is_returned(index, name, field, seen | {name})
        case _:
            name = rooted(amount)
            return bool(name) and name not in seen and _is_kept(index, name, field, seen | {name})


def _bounds(decl: ast.Decl, choice: ast.Choose, field: str, index: RuleIndex) -> bool:
    """True if the options of a question follow from a field, or from what was worked out from it before."""
    offered = (choice.source, choice.where, choice.restrictions)
    worked_out = {one.name: one.value for one in nodes_of(decl, ast.Let)}
    named = {node.name for part in offered for node in nodes(part) if isinstance(node, ast.Name)} & worked_out.keys()
    return any(field in reads(index, part) for part in (offered, *(worked_out[name] for name in sorted(named))))


def _changes(decl: ast.Decl, name: str) -> list[ast.Assign | ast.Update]:
    """The statements, and parts of statements, in which something of a name is set."""
    changes: list[ast.Assign | ast.Update] = [*nodes_of(decl, ast.Assign), *nodes_of(decl, ast.Update)]
    return [one for one in changes if rooted(one.target) == name]


def _given(decl: ast.Clause) -> Iterator[ast.Choose | ast.Let]:
    """The answers in a declaration, and what is worked out there."""
    yield from nodes_of(decl, ast.Choose)
    yield from nodes_of(decl, ast.Let)


@tracked_query
def _is_handed(index: RuleIndex, callee: str, number: int, field: str, seen: frozenset[str]) -> bool:
    """True if whatever is handed to a rule in one place is no more than a field holds."""
    handed = [
        (decl, call)
        for decl in index.game.rules.decls.values()
        for call in nodes_of(decl, ast.Call)
        if call.operand == ast.Name(callee) and number < len(call.args)
    ]
    return bool(handed) and all(
        _is_bounded(decl, call.args[number], call.span, field, index, seen) for decl, call in handed
    )


@tracked_query
def _is_returned(index: RuleIndex, name: str, field: str, seen: frozenset[str]) -> bool:
    """True if whatever a procedure or query gives back is no more than a field holds."""
    match index.game.rules.decls.get(name):
        case ast.Query(value=value, cases=cases) as decl:
            given: list[ast.Expr] = [value] if value is not None else [one.value for one in cases]
        case ast.Callable() as decl:
            given = [one.value for one in nodes_of(decl, ast.Return) if one.value is not None]
        case _:
            return False
    return bool(given) and all(_is_bounded(decl, one, one.span, field, index, seen) for one in given)


@tracked_query
def _is_kept(index: RuleIndex, name: str, field: str, seen: frozenset[str]) -> bool:
    """True if whatever another field gets is no more than a field holds when it gets it."""
    given = [(decl, one) for decl in index.game.rules.decls.values() for one in _changes(decl, name)]
    return bool(given) and all(_keeps(decl, one, field, index, seen) for decl, one in given)


def _keeps(decl: ast.Decl, one: ast.Assign | ast.Update, field: str, index: RuleIndex, seen: frozenset[str]) -> bool:
    """True if what is set is no more than a field holds afterwards, if it was not before."""
    if isinstance(one, ast.Assign) and one.op != "=":
        return one.op == "-="
    return _is_bounded(decl, one.value, one.span, field, index, seen)


def _single_round(decl: _Doing, subtraction: ast.Assign, index: RuleIndex) -> str | None:
    """The procedure in which a number is lowered, if each time it runs that happens once to each, and nowhere else."""
    target = subtraction.target
    keys = target.index if isinstance(target, ast.Index) else ()
    loops = [loop for loop in nodes_of(decl, ast.Each, ast.Repeat, ast.Repeats) if subtraction in nodes(loop)]
    if any(not isinstance(loop, ast.Each) or ast.Name(loop.bind.name) not in keys for loop in loops):
        return None
    return decl.name if _is_lowered_once(index, rooted(target)) else None


@tracked_query
def _is_lowered_once(index: RuleIndex, field: str) -> bool:
    """True if one statement of all rules lowers a number."""
    changes = [one for decl in index.game.rules.decls.values() for one in _changes(decl, field)]
    return sum(isinstance(one, ast.Assign) and one.op == "-=" for one in changes) == 1


@tracked_query
def _is_over_before(index: RuleIndex, field: str, low: int, single: str | None) -> bool:
    """True if the game ends, or something follows, as soon as a field has come to its lowest value, or behind the
    procedure that lowers it once."""
    due = [d for d in index.game.rules.decls.values() if isinstance(d, ast.End | ast.Consequence)]
    return any(
        _says_lowest(one, field, low)
        for decl in due
        if isinstance(decl, ast.Consequence) or decl.after in (None, single)
        for one in nodes(decl.when)
    )


def _says_lowest(e: object, field: str, low: int) -> bool:
    match e:
        case ast.Binary("is" | "<=", left, ast.Number(number)):
            return rooted(left) == field and number == low
        case ast.Binary("<", left, ast.Number(number)):
            return rooted(left) == field and number == low + 1
        case _:
            return False
