"""Statements that are left out, and neighbours that change places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, get_args

from rulewright.findings.mutation.mutation_sites import Site, nodes
from rulewright.findings.mutation.operators.operator_api import (
    Operator,
    Replacement,
    Words,
    blocks,
    gives,
    rests,
    used_in,
)
from rulewright.syntax import ast

STATEMENTS = tuple(kind for kind in get_args(ast.Stmt) if kind not in (ast.Let, ast.Tell, *get_args(ast.Restriction)))
"""Statements that do something: a `let` only names a value, `tells` tells of it, and restrictions have operators of
their own."""


def drop_statement(place: Site, words: Words) -> Iterator[Replacement]:
    """A statement left out, unless what follows uses a name that it gives.

    The only statement of a block stays: whatever the block belongs to can be left out itself.
    """
    for name, held in blocks(place.node):
        for stmt, rest in rests(held):
            if rest and isinstance(stmt, STATEMENTS) and not gives(stmt) & used_beside(place, stmt):
                yield Replacement(replace(place.node, **{name: rest}), before=(stmt,))


def swap_statements(place: Site, words: Words) -> Iterator[Replacement]:
    """Two neighbours the other way round, unless the second needs what the first gives a name."""
    for name, held in blocks(place.node):
        for number, (one, two) in enumerate(pairwise(held)):
            if not (_moves(one) and _moves(two)) or one == two or gives(one) & used_in(two):
                continue
            swapped: Any = (*held[:number], two, one, *held[number + 2 :])
            yield Replacement(replace(place.node, **{name: swapped}), before=(one, two), after=(two, one))


def move_statement(place: Site, words: Words) -> Iterator[Replacement]:
    """A statement moved to the beginning or to the end of its block, past more than one other."""
    for name, held in blocks(place.node):
        for number, stmt in enumerate(held):
            if not _moves(stmt):
                continue
            rest = (*held[:number], *held[number + 1 :])
            first = next((at for at, one in enumerate(held) if isinstance(one, _MOVABLE)), 0)
            if number > first + 1 and not used_in(stmt) & _given(held[first:number]):
                early: Any = (*rest[:first], stmt, *rest[first:])
                both = (held[first], stmt)
                yield Replacement(replace(place.node, **{name: early}), before=both, after=both[::-1])
            if number < len(held) - 2 and not gives(stmt) & _used(held[number + 1 :]):
                late: Any = (*rest, stmt)
                both = (stmt, held[-1])
                yield Replacement(replace(place.node, **{name: late}), before=both, after=both[::-1])


def other_block(place: Site, words: Words) -> Iterator[Replacement]:
    """The last statement of a block put behind what the block belongs to, and the statement behind that put at the end
    of the block: as if it were indented otherwise."""
    for name, held in blocks(place.node):
        for number, outer in enumerate(held):
            before, behind = held[:number], held[number + 1 :]
            inner = frozenset(given for node in nodes(outer) for given in gives(node))
            for block, within in _blocks_of(outer):
                last = block[-1]
                if len(block) > 1 and isinstance(last, STATEMENTS) and not used_in(last) & inner:
                    around: Any = (*before, within(block[:-1]), last, *behind)
                    yield Replacement(replace(place.node, **{name: around}), before=(last,), after=(outer, last))
                if behind and isinstance(behind[0], STATEMENTS):
                    more: Any = (*before, within((*block, behind[0])), *behind[1:])
                    yield Replacement(replace(place.node, **{name: more}), before=behind[:1], after=(outer, behind[0]))


Block = tuple[Any, ...]


def _blocks_of(outer: ast.Clause) -> Iterator[tuple[Block, Callable[[Block], ast.Clause]]]:
    """The blocks of a statement, each with what puts another one in its place."""
    match outer:
        case ast.If(branches=branches, otherwise=otherwise, one_line=False):
            for number, one in enumerate(branches):
                yield one.body, partial(_with_branch, outer, number)
            if otherwise:
                yield otherwise, lambda block: replace(outer, otherwise=block)
        case ast.Each(body=body) | ast.Repeat(body=body):
            yield body, lambda block: replace(outer, body=block)
        case ast.Choose(then=tuple(then)) if then:
            yield then, lambda block: replace(outer, then=block)
        case ast.Either(options=options):
            for number, option in enumerate(options):
                if option.body and not option.one_line:
                    yield option.body, partial(_with_option, outer, number)
        case _:
            pass  # it holds no statements


def _with_branch(outer: ast.If, number: int, block: Block) -> ast.If:
    held = outer.branches
    return replace(outer, branches=(*held[:number], replace(held[number], body=block), *held[number + 1 :]))


def _with_option(outer: ast.Either, number: int, block: Block) -> ast.Either:
    held = outer.options
    return replace(outer, options=(*held[:number], replace(held[number], body=block), *held[number + 1 :]))


def _given(several: Iterable[ast.Clause]) -> frozenset[str]:
    return frozenset(name for stmt in several for name in gives(stmt))


def _used(several: Iterable[ast.Clause]) -> frozenset[str]:
    return frozenset(name for stmt in several for name in used_in(stmt))


def swap_cases(place: Site, words: Words) -> Iterator[Replacement]:
    """Exchange the results of two neighbouring cases of a query or arms of a `match`."""
    match place.node:
        case ast.Query(lines=lines):
            for number, (one, two) in enumerate(pairwise(lines)):
                if isinstance(one, ast.Case) and isinstance(two, ast.Case) and one.value != two.value:
                    new = replace(one, value=two.value), replace(two, value=one.value)
                    whole = (*lines[:number], *new, *lines[number + 2 :])
                    yield Replacement(replace(place.node, lines=whole), before=(one, two), after=new)
        case ast.Match(arms=arms):
            for number, (first, second) in enumerate(pairwise(arms)):
                both = (
                    replace(first, body=second.body, one_line=second.one_line),
                    replace(second, body=first.body, one_line=first.one_line),
                )
                if first.body != second.body:
                    turned = (*arms[:number], *both, *arms[number + 2 :])
                    yield Replacement(replace(place.node, arms=turned), before=(first, second), after=both)
        case _:
            pass  # all else stays as it is


def drop_case(place: Site, words: Words) -> Iterator[Replacement]:
    """A case of a query, an arm of a `match` or an option left out; the last case of a query stays."""
    match place.node:
        case ast.Query(lines=lines):
            for line, left in list(rests(lines))[:-1]:
                if isinstance(line, ast.Case):
                    yield Replacement(replace(place.node, lines=left), before=(line,))
            return
        case ast.Match(arms=arms) if len(arms) > 1:
            name, held = "arms", tuple[ast.Clause, ...](arms)
        case ast.Either(options=options) if len(options) > 1:
            name, held = "options", options
        case _:
            return
    for clause, rest in rests(held):
        yield Replacement(replace(place.node, **{name: rest}), before=(clause,))


def swap_branches(place: Site, words: Words) -> Iterator[Replacement]:
    """Exchange what is done if a condition holds and if it does not."""
    match place.node:
        case ast.If(branches=branches, otherwise=otherwise):
            for number, (one, two) in enumerate(pairwise(branches)):
                both = replace(one, body=two.body), replace(two, body=one.body)
                whole = (*branches[:number], *both, *branches[number + 2 :])
                yield Replacement(replace(place.node, branches=whole), *_clauses_as_written(one.body, two.body))
            last = branches[-1]
            if otherwise:
                turned = (*branches[:-1], replace(last, body=otherwise))
                node = replace(place.node, branches=turned, otherwise=last.body)
                yield Replacement(node, *_clauses_as_written(last.body, otherwise))
        case ast.IfElse(then=then, otherwise=other):
            yield Replacement(replace(place.node, then=other, otherwise=then))
        case ast.Choose(then=tuple(then), otherwise=tuple(other)) if then and other:
            yield Replacement(replace(place.node, then=other, otherwise=then), *_clauses_as_written(then, other))


def _clauses_as_written(
    one: tuple[ast.Stmt, ...], two: tuple[ast.Stmt, ...]
) -> tuple[tuple[ast.Clause, ...], tuple[ast.Clause, ...]]:
    return (*one, *two), (*two, *one)


_MOVABLE = (*STATEMENTS, ast.Let)


def _moves(stmt: ast.Clause) -> bool:
    """True if it matters where a clause stands among its neighbours."""
    return isinstance(stmt, _MOVABLE)


def used_beside(place: Site, *several: ast.Clause) -> frozenset[str]:
    """The words in a declaration, some statements left out."""
    own = {id(node) for stmt in several for node in nodes(stmt)}
    words = (node for node in nodes(place.clauses[0]) if isinstance(node, ast.Name) and id(node) not in own)
    return frozenset(word.name for word in words)


OPERATORS: dict[str, Operator] = {
    "drop-statement": drop_statement,
    "swap-statements": swap_statements,
    "move-statement": move_statement,
    "other-block": other_block,
    "drop-case": drop_case,
    "swap-cases": swap_cases,
    "swap-branches": swap_branches,
}
