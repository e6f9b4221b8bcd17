"""Values that are not what their words promise: sums that add nothing, members said twice, arguments exchanged."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Edit, Fix
from rulewright.lint.index import Index, in_all_games
from rulewright.lint.subject import Finding, Lint, Subject, lint
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import level_of, print_expr

# -------------------------------------------------------------------------------------------- nothing done


@lint("TYP233", "nothing-changes")
def nothing_changes(subject: Subject) -> Iterator[Finding]:
    """Sums, products and assignments that leave everything as it is."""
    return in_all_games(subject, _nothing)


def _nothing(index: Index) -> Iterator[Finding]:
    for node in index.all_nodes():
        match node:
            case ast.Assign(target=target, op="=", value=value) if target == value:
                yield Finding(f"`{print_expr(target)}` is set to itself", node.span)
            case ast.Assign(op="+=" | "-=", value=ast.Number(0) | ast.SetOf(())):
                yield Finding("this changes nothing", node.span)
            case ast.Modifier(op="+" | "-", value=ast.Number(0)) | ast.Modifier(op="times", value=ast.Number(1)):
                yield Finding(f"the modifier `{node.label}` changes nothing", node.span)
            case ast.Unary("not", ast.Unary("not", inner)):
                yield Finding("two `not` say nothing", node.span, fix=instead(node, inner))
            case ast.Binary() | ast.Divide():
                same = _unchanged(node)
                if same is not None:
                    said = f"this is nothing but `{print_expr(same)}`"
                    yield Finding(said, node.span, fix=instead(node, same))


def _unchanged(node: ast.Binary | ast.Divide) -> ast.Expr | None:
    """What a sum or product is equal to, if one side tells nothing."""
    match node:
        case ast.Binary("+" | "-", left, ast.Number(0)) | ast.Binary("*", left, ast.Number(1)):
            return left
        case ast.Binary("+", ast.Number(0), right) | ast.Binary("*", ast.Number(1), right):
            return right
        case ast.Binary("*", ast.Number(0), _) | ast.Binary("*", _, ast.Number(0)):
            return ast.Number(0)
        case ast.Binary("+" | "except", left, ast.SetOf(())):
            return left
        case ast.Binary("+", ast.SetOf(()), right):
            return right
        case ast.Binary("-", left, right) if left == right:
            return ast.Number(0)
        case ast.Binary("except", left, right) if left == right:
            return ast.SetOf(())
        case ast.Divide(left, ast.Number(1)):
            return left
    return None


def instead(node: ast.Expr, other: ast.Expr) -> Fix | None:
    """Write another expression, if this one stands on one line, just as it would be printed."""
    span = node.span
    if span.line != span.end_line or span.end_column - span.column != len(print_expr(node)):
        return None
    text = print_expr(other)
    if level_of(other) < level_of(node):
        text = f"({text})"
    return Fix(f"write `{text}`", (Edit(span, text),), safe=False)


# ---------------------------------------------------------------------------------------- sets and ranges


@lint("TYP234", "member-twice")
def member_twice(subject: Subject) -> Iterator[Finding]:
    """A set in whose braces something stands twice."""
    return in_all_games(subject, _members)


def _members(index: Index) -> Iterator[Finding]:
    for node in index.all_nodes():
        if not isinstance(node, ast.SetOf):
            continue
        for late, item in enumerate(node.items):
            if item in node.items[:late]:
                once = ast.SetOf(tuple(dict.fromkeys(node.items)))
                said = f"`{print_expr(item)}` stands twice in this set"
                yield Finding(said, item.span, hint="a set holds it once", fix=instead(node, once))


@lint("TYP235", "empty-range")
def empty_range(subject: Subject) -> Iterator[Finding]:
    """Ranges from more to less."""
    return in_all_games(subject, _ranges)


def _ranges(index: Index) -> Iterator[Finding]:
    for node in index.all_nodes():
        match node:
            case ast.Range(low, high):
                least, most = _least(low, index), _most(high, index)
                if least is not None and most is not None and least > most:
                    turned = ast.Range(high, low)
                    exact = isinstance(low, ast.Number) and isinstance(high, ast.Number)
                    fix = instead(node, turned) if exact else None
                    said = f"no number is from {print_expr(low)} to {print_expr(high)}"
                    yield Finding(said, node.span, hint="the lower end stands first", fix=fix)


def _least(expr: ast.Expr, index: Index) -> int | None:
    value, bounds = index.value_of(expr), index.bounds_of(expr)
    return value if value is not None else bounds[0] if bounds is not None else None


def _most(expr: ast.Expr, index: Index) -> int | None:
    value, bounds = index.value_of(expr), index.bounds_of(expr)
    return value if value is not None else bounds[1] if bounds is not None else None


# ------------------------------------------------------------------------------------------ calls


@lint("TYP236", "exchanged-arguments")
def exchanged(subject: Subject) -> Iterator[Finding]:
    """Two arguments that are called like each other's parameters."""
    return in_all_games(subject, _exchanged)


def _exchanged(index: Index) -> Iterator[Finding]:
    takes = _parameters(index)
    for owner, inside in index.nodes.items():
        calls = [n for n in inside if isinstance(n, ast.Call) and isinstance(n.operand, ast.Name)]
        for call in calls:
            name = call.operand.name  # type: ignore[union-attr]
            params = takes.get(name, ())
            words = [a.name if isinstance(a, ast.Name) else "" for a in call.args]
            own = [p.name for p in params]
            if name == owner or len(words) != len(own):
                continue  # who strikes back calls himself the other way round
            for i, word in enumerate(words):
                for j in range(i + 1, len(words)):
                    turned = word == own[j] and words[j] == own[i] and word != words[j]
                    if turned and params[i].type == params[j].type and not _also_straight(calls, name, own):
                        said = f"`{name}` takes `{own[i]}` before `{own[j]}`; here they stand the other way round"
                        yield Finding(said, call.span)


def _also_straight(calls: list[ast.Call], name: str, own: list[str]) -> bool:
    """Whether the same rules call it with its arguments in order, too."""
    return any(
        c.operand == ast.Name(name) and [a.name if isinstance(a, ast.Name) else "" for a in c.args] == own
        for c in calls
    )


def _parameters(index: Index) -> dict[str, tuple[ast.Param, ...]]:
    """The parameters of all that can be called."""
    found: dict[str, tuple[ast.Param, ...]] = {}
    for decl in index.decls:
        if isinstance(decl, (ast.Callable, ast.Query, ast.Value, ast.Limits)):
            found[decl.name] = decl.params
    return found


@lint("TYP237", "result-thrown-away")
def thrown_away(subject: Subject) -> Iterator[Finding]:
    """A procedure gives something back, and nobody takes it."""
    return in_all_games(subject, _thrown_away)


def _thrown_away(index: Index) -> Iterator[Finding]:
    statements: dict[str, list[ast.CallStatement]] = {}
    asked: set[str] = set()
    done: set[int] = set()
    for node in index.all_nodes():
        if isinstance(node, ast.CallStatement):
            named = node.call.operand if isinstance(node.call, ast.Call) else node.call
            if isinstance(named, ast.Name):
                statements.setdefault(named.name, []).append(node)
                done.add(id(node.call))
        elif isinstance(node, ast.Call) and isinstance(node.operand, ast.Name) and id(node) not in done:
            asked.add(node.operand.name)
    for name, calls in statements.items():
        info = index.world.calls.get(name)
        if info is not None and info.result is not None and name not in asked:
            for call in calls:
                yield Finding(f"nobody uses what `{name}` gives back", call.span, hint=f"let got = {name}(…)")


RULES: tuple[Lint, ...] = (nothing_changes, member_twice, empty_range, exchanged, thrown_away)
