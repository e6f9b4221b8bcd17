"""Lint rules about statements that change the state: assignments, and moves of several pieces."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import Edit, Fix, Span
from rulewright.findings.text.analyses.control_flow import flow_of
from rulewright.findings.text.analyses.declaration_nodes import blocks_of, nodes_of, statements_that
from rulewright.findings.text.analyses.flow_questions import due, due_at_once, is_ever_written, is_spoken, reads, writes
from rulewright.findings.text.analyses.mentions import mentions, rooted
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.findings.text.context import Finding, lint_declarations
from rulewright.foundation.memo import memoized_by_node, tracked_query
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("CTL118", ast.FieldDecl)
def field_never_set(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A field that keeps the value with which the game begins."""
    for field in nodes_of(decl, ast.FieldDecl):
        if is_spoken(index, field.name) and not is_ever_written(index, field.name):
            hint = "what never changes is a `param`, or printed in a table"
            yield Finding(f"no rule ever sets `{field.name}`", field.span, hint=hint)


_Steps = frozenset[str]
"""The labels of the steps around something."""


class _Uses(NamedTuple):
    """The places where an effect or procedure sets fields and asks for them."""

    set: frozenset[tuple[str, _Steps]]
    """The fields that it sets, and in which steps."""
    reads: frozenset[tuple[str, _Steps, _Steps]]
    """The words in it, in which steps, and the fields that are set where they stand."""


@lint_declarations("CTL122", ast.FieldDecl)
def lifetime_mismatch(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A field that lasts as long as a block, but is set or read only outside of it."""
    for field in nodes_of(decl, ast.FieldDecl):
        for kind in _only_outside(index, field.name, field.lasting) if field.lasting is not None else ():
            message = f"`{field.name}` lasts as long as `{field.lasting}`, but it is {kind} only outside of it"
            yield Finding(message, field.span)


@tracked_query
def _only_outside(index: RuleIndex, field: str, block: str) -> tuple[str, ...]:
    """The words for all that is done with a field, and always outside of a block: ``set``, ``asked``."""
    flow = index.game.ask(flow_of)
    if field in flow.watched:
        return ()
    calls = {decl.name: _uses(decl) for decl in index.game.rules.all(ast.Callable)}
    begun = [block] if block in flow.calls else []
    begun += [word for decl in index.decls for word in _named_in_steps(decl).get(block, ()) if word in flow.calls]
    within = flow.reached(begun)
    settings = [(name, steps) for name, uses in calls.items() for one, steps in uses.set if one == field]
    questions = [
        (name, steps)
        for name, uses in calls.items()
        for word, steps, targets in uses.reads
        if field not in targets and (word == field or field in flow.read_through(word))
    ]
    return tuple(
        kind
        for kind, found in (("set", settings), ("asked", questions))
        if found and not any(name in within or block in steps for name, steps in found)
    )


@memoized_by_node
def _uses(decl: ast.Callable) -> _Uses:
    around: dict[int, set[str]] = {}
    for step in nodes_of(decl, ast.Step):
        for node in nodes(step.body):
            around.setdefault(id(node), set()).add(step.label)
    settings: set[tuple[str, _Steps]] = set()
    targets: dict[int, set[str]] = {}
    for statement in nodes_of(decl, *statements_that("sets")):
        for target in statement.held(statement.sets):
            settings.add((rooted(target), frozenset(around.get(id(target), ()))))
            for node in nodes(target):
                targets.setdefault(id(node), set()).add(rooted(target))
    words = [node for node in nodes(decl.body) if isinstance(node, ast.Name)]
    reads = ((n.name, frozenset(around.get(id(n), ())), frozenset(targets.get(id(n), ()))) for n in words)
    return _Uses(frozenset(settings), frozenset(reads))


@memoized_by_node
def _named_in_steps(decl: ast.Clause) -> dict[str, tuple[str, ...]]:
    """The words in the steps of a declaration, by the labels of these."""
    found: dict[str, tuple[str, ...]] = {}
    for step in nodes_of(decl, ast.Step):
        found[step.label] = (*found.get(step.label, ()), *mentions(step.body).names)
    return found


@lint_declarations("CTL128", ast.Assign)
def non_atomic_move(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Two assignments, one of which empties a field that an end or a consequence looks at in between."""
    if isinstance(decl, ast.Callable) and decl.word == "effect":
        return
    for block in blocks_of(decl):
        for one, other in pairwise(block):
            if not isinstance(one, ast.Assign) or not isinstance(other, ast.Assign) or one.target == other.target:
                continue
            name = rooted(one.target)
            if name == rooted(other.target) and _empties(one) != _empties(other) and name in due_at_once(index):
                message = f"an end or a consequence looks at `{name}` between this and the next statement"
                hint = f"set both in one statement, or write `move {name} from a to b`"
                if name in _read_by(other, index):
                    hint += f"; the next one reads `{name}`: in one statement that is `{name}` as it was before both"
                    yield Finding(message, one.span, hint=hint)
                else:
                    yield Finding(message, one.span, hint=hint, fix=_joined(one, other))


def _empties(s: ast.Assign) -> bool:
    return s.op == "=" and isinstance(s.target, ast.Index) and isinstance(s.value, ast.NoneValue)


def _read_by(s: ast.Assign, index: RuleIndex) -> frozenset[str]:
    """The words on which the value and place of an assignment depend: its value and its keys."""
    keys: list[ast.Node] = []
    target = s.target
    while isinstance(target, (ast.Index, ast.Dot)):
        keys += target.index if isinstance(target, ast.Index) else ()
        target = target.operand
    return reads(index, (s.value, *keys))


def _joined(one: ast.Assign, other: ast.Assign) -> Fix | None:
    """The two as one statement, if nothing stands between them but the end of a line."""
    end, begin = one.span, other.span
    between = Span(end.file, end.end_line, end.end_column, begin.line, begin.column)
    if one.op != "=" or other.op != "=" or one.trivia != ast.NO_TRIVIA or other.trivia.comments or other.trivia.gap:
        return None
    return Fix("set both in one statement", (Edit(between, ", "),), safe=False)


_FAR = 30
"""The number of statements below that are searched for another assignment."""
_SIMPLE = ast.StateChange | ast.Let | ast.Show


@lint_declarations("CTL106", ast.Assign)
def dead_store(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A field that is set and set again before it could have been read."""
    asks = not (isinstance(decl, ast.Callable) and decl.word == "effect")
    for block in blocks_of(decl):
        for at, s in enumerate(block):
            if not (isinstance(s, ast.Assign) and s.op == "=") or index.acts(s.value):
                continue
            name = rooted(s.target)
            if asks and name in due(index):
                continue  # a consequence looks at it in between
            again = _again(s, block[at + 1 : at + 1 + _FAR], index)
            if again is not None:
                message = f"`{print_expr(s.target)}` is set again on line {again.span.line} before anything reads it"
                yield Finding(message, s.span)


def _again(first: ast.Assign, rest: tuple[ast.Stmt, ...], index: RuleIndex) -> ast.Assign | None:
    name = rooted(first.target)
    keys = reads(index, first.target) - {name, f"local {name}"}
    for s in rest:
        if not isinstance(s, _SIMPLE) or index.acts(s):
            return None
        if isinstance(s, ast.Assign):
            read = reads(index, s.value) | (reads(index, s.target) - {name, f"local {name}"})
            if s.op != "=" and rooted(s.target) == name:
                return None
        else:
            read = reads(index, s)
        if read & {name, f"local {name}"}:
            return None
        if isinstance(s, ast.Assign) and s.target == first.target:
            return s
        if writes(index, s) & keys:
            return None
    return None


_HINT = "let a player choose them, `draw` them at random, or say by `{x in S where …}` which are meant"


@lint_declarations("VAR415", ast.Assign)
def counted_twice(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Amounts behind ``+=`` or ``-=`` that already are the sum or difference with the field itself."""
    for s in nodes_of(decl, ast.Assign):
        if s.op == "=" or not _sums_up(s.value, s.target):
            continue
        target, value = print_expr(s.target), print_expr(s.value)
        meant = f"`{target} {s.op} {value}` counts `{target}` twice"
        if s.op == "-=" and isinstance(s.value, ast.Binary) and (s.value.op, s.value.left) == ("-", s.target):
            meant = f"`{target} {s.op} {value}` comes to `{target} = {print_expr(s.value.right)}`"
        yield Finding(meant, s.span, hint=f"write the amount alone, or the whole statement: `{target} = {value}`")


def _sums_up(e: object, target: ast.Expr) -> bool:
    """True if an amount is a sum or difference with the target, or chooses among such ones."""
    match e:
        case ast.Binary("+" | "-", left, right):
            return target in (left, right) or _sums_up(left, target) or _sums_up(right, target)
        case ast.IfElse(then, _, otherwise):
            return _sums_up(then, target) or _sums_up(otherwise, target)
        case ast.Aggregate(element=ast.SetOf(items), binds=()):
            return any(_sums_up(item, target) for item in items)
        case _:
            return False


@lint_declarations("CTL131", ast.Move)
def arbitrary_selection(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Moves of some pieces of a whole zone in which others than these may lie."""
    for move in nodes_of(decl, ast.Move):
        if move.amount is None or not isinstance(move.what, ast.Name | ast.Index | ast.TypeName):
            continue
        named = move.what.operand if isinstance(move.what, ast.Index) else move.what
        if isinstance(named, ast.Name) and index.zone_order(named.name) in (None, "stack", "row"):
            continue
        kinds = index.type_of(move.what).kinds
        if kinds and _differ(index, kinds) and not (isinstance(named, ast.Name) and _sorted(index, named.name)):
            message = f"the pieces of {' and '.join(kinds)} differ, and nobody decides which of them are moved"
            yield Finding(message, move.what.span, _HINT)


@tracked_query
def _sorted(index: RuleIndex, zone: str) -> bool:
    """True if pieces begin sorted by the keys of a zone, alike under each of them: each colour in its stock."""
    program = index.game.program
    there = {(at, program.alike[piece]) for piece, at in enumerate(program.begins) if at[0] == zone and at[1]}
    return bool(there) and len(there) == len({at for at, _ in there})


@tracked_query
def _differ(index: RuleIndex, kinds: tuple[str, ...]) -> bool:
    """True if some pieces of these kinds are not alike."""
    program = index.game.program
    members = 0
    for kind in program.kinds:
        if kind.name in kinds:
            members |= kind.members
    return len({alike for piece, alike in enumerate(program.alike) if members >> piece & 1}) > 1
