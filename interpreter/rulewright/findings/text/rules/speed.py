"""Lint rules about rules that cost much time: what loops go through, how large that is, and an estimate of the work.

Work is counted in conditions that are looked at if nothing comes of any before the last. It is an estimate from above
for sets of known size; sets that are known in a game only, such as ``c.neighbours``, count as a single member.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from rulewright.compiler.tree_walk import named_in
from rulewright.diagnostics import Edit, Fix
from rulewright.findings.text.analyses.constant_conditions import operands
from rulewright.findings.text.analyses.declaration_nodes import blocks, blocks_of, nodes_of
from rulewright.findings.text.analyses.flow_questions import reads, writes
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.findings.text.context import Finding, lint_declarations
from rulewright.foundation.memo import tracked_query
from rulewright.foundation.tree_fields import node_fields
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

MANY = 20
"""Fewer members are gone through as quickly as anything else."""
MOST = 10**9
"""No work is estimated higher."""

Loop = ast.Comprehension | ast.Aggregate | ast.Ranked | ast.Every
LOOPS = (ast.Comprehension, ast.Aggregate, ast.Ranked, ast.Every)


def binds_of(loop: Loop) -> tuple[ast.Bind, ...]:
    """The sources of a loop; none of one that only names a set."""
    return (loop.bind,) if isinstance(loop, ast.Ranked | ast.Every) else loop.binds


def inner_of(loop: Loop) -> tuple[ast.Expr, ...]:
    """The expressions that are evaluated for each member."""
    match loop:
        case ast.Ranked():
            parts: Iterable[ast.Expr | None] = (loop.where, loop.by)
        case ast.Every():
            parts = (loop.where, loop.has)
        case _:
            parts = (loop.where, loop.element)
    return tuple(part for part in parts if part is not None)


def whole(index: RuleIndex, source: ast.Expr) -> int:
    """The size of a source that is all of a kind, such as ``Cell``; 0 of any other."""
    if not isinstance(source, ast.TypeName):
        return 0
    return index.size(index.type_of(source).universe) or _pieces(index, source.name)


def is_many(index: RuleIndex, source: ast.Expr) -> bool:
    """True unless a source is known to have few members."""
    size = whole(index, source) or index.size(index.type_of(source).universe)
    return size is None or size >= MANY


@tracked_query
def _pieces(index: RuleIndex, kind: str) -> int:
    """The number of pieces of a kind; 0 if there is no such kind."""
    held = index.world.kinds.get(kind)
    return held.members.bit_count() if held is not None else 0


def is_free(expr: ast.Node, *names: str) -> bool:
    """True of an expression that does not speak of some names."""
    return not set(named_in(expr)).intersection(names)


@tracked_query
def is_place(index: RuleIndex, universe: str) -> bool:
    """True of the places of a map."""
    return index.world.graph_of(universe) is not None


class WorkEstimate:
    """Estimates of the work of expressions in one game."""

    def __init__(self, index: RuleIndex) -> None:
        self._index = index
        self._known: dict[str, int] = {}

    def of(self, node: object) -> int:
        """The conditions that are looked at in a node, with the queries that it asks."""
        if isinstance(node, tuple):
            return min(MOST, sum(map(self.of, node)))
        if not isinstance(node, ast.Node):
            return 0
        if isinstance(node, LOOPS) and binds_of(node):
            return self._loop(node)
        held = sum(self.of(getattr(node, part)) for part in node_fields(type(node)))
        if isinstance(node, ast.Call) and isinstance(node.operand, ast.Name):
            held += self._query(node.operand.name)
        return min(MOST, held)

    def _loop(self, loop: Loop) -> int:
        work = 1 + sum(map(self.of, inner_of(loop)))
        for bind in reversed(binds_of(loop)):
            work = self.of(bind.source) + max(1, self._size(bind.source)) * (self.of(bind.where) + work)
        return min(MOST, work)

    def _size(self, source: ast.Expr) -> int:
        match source:
            case ast.SetOf(items) | ast.ListOf(items):
                return len(items)
            case ast.Range(low, high):
                first, last = self._index.value_of(low), self._index.value_of(high)
                return last - first + 1 if first is not None and last is not None else 1
            case _:
                return whole(self._index, source)

    def _query(self, name: str) -> int:
        if name not in self._known:
            self._known[name] = 0  # one that asks itself is counted once
            decl = self._index.decl_named(name)
            if isinstance(decl, ast.Query):
                self._known[name] = self.of((decl.value, decl.lines))
            elif isinstance(decl, ast.Value):
                self._known[name] = self.of((decl.value, decl.modifiers))
        return self._known[name]


@lint_declarations("PERF903", *LOOPS, ast.Each, ast.Choose)
def filter_instead_of_lookup(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A loop over all of a kind with a condition that selects a few."""
    for node in nodes_of(decl, *LOOPS, ast.Each, ast.Choose):
        for name, source, later, where in _sources(node):
            if whole(index, source) < MANY or where is None:
                continue
            for part in operands(where, "and"):
                few = _meant(index, part, name, later)
                if few is not None:
                    message = f"all of {print_expr(source)} are gone through, but `{print_expr(part)}` says which"
                    yield Finding(message, part.span, hint=f"write `{name} in {few}`")
                    break


def _sources(node: ast.Node) -> Iterator[tuple[str, ast.Expr, tuple[str, ...], ast.Expr | None]]:
    """The sources of a loop: the name of a member, the source, the names that come later, the condition."""
    match node:
        case ast.Choose():
            yield node.name, node.source, (), node.where
        case ast.Each():
            yield node.bind.name, node.bind.source, (), node.where
        case ast.Comprehension() | ast.Aggregate() | ast.Ranked() | ast.Every():
            names = [bind.name for bind in binds_of(node)]
            for number, bind in enumerate(binds_of(node)):
                yield bind.name, bind.source, tuple(names[number + 1 :]), node.where
                yield bind.name, bind.source, tuple(names[number + 1 :]), bind.where
        case _:
            pass  # no loop


def _meant(index: RuleIndex, part: ast.Expr, name: str, later: tuple[str, ...]) -> str | None:
    """The few that a condition leaves, as they are written; None if it leaves it open where they are."""
    match part:
        case ast.Binary(op="in", left=ast.Name(word), right=few) if word == name and is_free(few, name, *later):
            return print_expr(few) if not whole(index, few) else None
        case ast.Binary(op="in", left=a, right=ast.Dot(ast.Name(word), "neighbours")) if word == name:
            return f"{print_expr(a)}.neighbours" if is_free(a, name, *later) else None
        case ast.Binary(op="is", left=ast.Name(word), right=one) if word == name:
            return f"{{{print_expr(one)}}}" if is_free(one, name, *later) else None
        case ast.Binary(op="is", left=one, right=ast.Name(word)) if word == name:
            return f"{{{print_expr(one)}}}" if is_free(one, name, *later) else None
        case ast.Binary(op="is", left=ast.Call(ast.Name("distance"), (a, b)), right=ast.Number(1)):
            other = b if a == ast.Name(name) else a if b == ast.Name(name) else None
            if other is not None and is_free(other, name, *later):
                return f"{print_expr(other)}.neighbours"
        case _:
            pass  # no loop
    return None


_LEAST_TRIGGERED = 500
"""Less work is done as quickly as anything else."""


@lint_declarations("PERF902", ast.Callable)
def costly_condition(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Statements of one block after each of which a costly end or consequence is looked for."""
    if not isinstance(decl, ast.Callable) or decl.word == "effect":
        return
    for name, work, is_end in _costly(index):
        read = _reads_of(index, name)
        for block in blocks_of(decl):
            waking = [s for s in block if _is_one_statement(s, index) and not read.isdisjoint(writes(index, s))]
            if len(waking) > 1:
                message = f"`{name}` is looked for after {len(waking)} statements here"
                hint = (
                    f"each time with up to {work:,} conditions: make one effect of them, which counts as one statement"
                )
                hint += f", or look for `{name}` only `, after {decl.name}`" if is_end else ""
                yield Finding(message, waking[-1].span, hint=hint)


def _is_one_statement(s: ast.Stmt, index: RuleIndex) -> bool:
    """True unless ends and consequences are looked for in the middle of it, too."""
    if isinstance(s, ast.CallStatement) and isinstance(s.call, ast.Call) and isinstance(s.call.operand, ast.Name):
        called = index.decl_named(s.call.operand.name)
        return isinstance(called, ast.Callable) and called.word == "effect"
    return next(blocks((s,)), None) is None and not isinstance(s, ast.CallStatement | ast.Choose | ast.Let)


@tracked_query
def _costly(index: RuleIndex) -> tuple[tuple[str, int, bool], ...]:
    """Ends and consequences that are looked for at once and cost much: the name, the work, and whether it is an end."""
    estimate, found = WorkEstimate(index), []
    for decl in index.decls:
        if isinstance(decl, ast.Consequence) or (isinstance(decl, ast.End) and decl.after is None):
            work = estimate.of(decl.when) + estimate.of(decl.binds)
            if work >= _LEAST_TRIGGERED:
                found.append((decl.name, work, isinstance(decl, ast.End)))
    return tuple(found)


@tracked_query
def _reads_of(index: RuleIndex, name: str) -> frozenset[str]:
    rule = index.decl_named(name)
    return reads(index, (rule.binds, rule.when)) if isinstance(rule, ast.End | ast.Consequence) else frozenset()


_SOME = {(">", 0), (">=", 1), ("is not", 0)}
_NONE = {("is", 0), ("<", 1), ("<=", 0)}


@lint_declarations("PERF904", ast.Binary)
def count_instead_of_any(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A count of which only matters whether it is 0: the first that is found would answer."""
    for node in nodes_of(decl, ast.Binary):
        counted = _counted(node.left)
        if counted is None or not isinstance(node.right, ast.Number):
            continue
        bound = (node.op, node.right.value)
        kind: Literal["some", "no"] | None = "some" if bound in _SOME else "no" if bound in _NONE else None
        if kind is not None and any(is_many(index, bind.source) for bind in counted.binds):
            better = print_expr(ast.Aggregate(kind, None, counted.binds, counted.where, counted.leading))
            hint, fix = f"write `{better}`", _instead(node, better)
            message = "all are counted, although one of them is enough to know it"
            yield Finding(message, node.span, hint="" if fix is not None else hint, fix=fix)


def _counted(expr: ast.Expr) -> ast.Aggregate | ast.Comprehension | None:
    """The members that are counted: those of a source for which a condition holds."""
    match expr:
        case ast.Aggregate(kind="count", element=None, where=where, binds=binds) if binds and where is not None:
            return expr
        case ast.Call(ast.Name("size"), (ast.Comprehension(element=None, where=where) as held,)) if where is not None:
            return held
    return None


def _instead(node: ast.Expr, better: str) -> Fix | None:
    """The better form, if the other stands on one line as it is printed."""
    span = node.span
    if span.line != span.end_line or span.end_column - span.column != len(print_expr(node)):
        return None
    return Fix(f"write `{better}`", (Edit(span, better),), safe=False)


@lint_declarations("PERF905", ast.Ranked)
def sort_instead_of_best(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A list that is sorted although only its first is used."""
    for node in nodes_of(decl, ast.Aggregate, ast.Call, ast.Index):
        ranked = _first_of(node)
        if ranked is not None and is_many(index, ranked.bind.source):
            key = ranked.by.operand if isinstance(ranked.by, ast.Unary) and ranked.by.op == "-" else None
            best = ast.Ranked("best", ranked.bind, ranked.where, key if key is not None else ast.Unary("-", ranked.by))
            hint = f"write `first({print_expr(best)})`: of equal ones it is the first, too"
            yield Finding("all are sorted, though only the first is asked for", node.span, hint=hint)


def _first_of(node: ast.Node) -> ast.Ranked | None:
    match node:
        case ast.Aggregate(kind="first", element=ast.Ranked(kind="sorted") as ranked, binds=()):
            return ranked
        case ast.Call(ast.Name("first"), (ast.Ranked(kind="sorted") as ranked,)):
            return ranked
        case ast.Index(ast.Ranked(kind="sorted") as ranked, (ast.Number(0),)):
            return ranked
        case _:
            return None


_LEAST_SEARCHED = 500
"""Less work is done as quickly as anything else."""


@lint_declarations("PERF901", ast.End, ast.Consequence)
def whole_board_search(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """An end or consequence that looks for a witness among all places, though only what has changed can be a new one.

    That is semi-naive evaluation, as in Datalog: what did not hold before holds now because of something that is new.
    """
    work = WorkEstimate(index)
    for rule in nodes_of(decl, ast.End, ast.Consequence):
        assert isinstance(rule, ast.End | ast.Consequence)
        for loop, witness in _witnesses(index, rule.when):
            first = binds_of(loop)[0]
            universe = index.type_of(first.source).universe
            count, done = whole(index, first.source), work.of(loop)
            if count and is_place(index, universe) and done >= _LEAST_SEARCHED and not _begins_with_few(loop, work):
                message = f"`{rule.name}` goes through all of {universe} each time that it is looked for"
                cost = f"that are {count} places, and up to {done:,} conditions: "
                yield Finding(message, witness.span, hint=cost + _advice(index, loop, universe, first.name))


def _witnesses(index: RuleIndex, expr: ast.Expr, depth: int = 4) -> Iterator[tuple[Loop, ast.Expr]]:
    """The loops of which one member is enough, each with the expression that asks for it."""
    match expr:
        case ast.Binary(op="and" | "or", left=left, right=right):
            yield from _witnesses(index, left, depth)
            yield from _witnesses(index, right, depth)
        case ast.Binary(op=">" | ">=", left=ast.Aggregate(kind="count" | "max", binds=binds) as loop) if binds:
            yield loop, expr
        case ast.Aggregate(kind="some", binds=binds) if binds:
            yield expr, expr
        case ast.IsEmpty(ast.Comprehension() as loop, negated=True):
            yield loop, expr
        case ast.Call(ast.Name(name)) if depth:
            query = index.decl_named(name)
            if isinstance(query, ast.Query) and query.value is not None:
                for found, _ in _witnesses(index, query.value, depth - 1):
                    yield found, expr


def _begins_with_few(loop: Loop, work: WorkEstimate) -> bool:
    """True if a simple condition on the first member alone stands beside the others: it is tested before them."""
    first, *others = (bind.name for bind in binds_of(loop))
    parts = operands(loop.where, "and") if loop.where is not None else ()
    return any(not is_free(part, first) and is_free(part, *others) and not work.of(part) for part in parts)


def _advice(index: RuleIndex, loop: Loop, universe: str, name: str) -> str:
    advice = (
        f"begin with few (`{name} in {{x in {universe} where …}}`), or keep the place that was changed last in a field "
        "and look only at what goes through it: nothing else can have become true"
    )
    turned = any(
        index.type_of(bind.source).universe == "Direction" for bind in binds_of(loop) if whole(index, bind.source)
    )
    return f"{advice}; of two opposite directions one is enough for a line" if turned else advice
