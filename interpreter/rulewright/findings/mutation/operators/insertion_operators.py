"""Operators that put in what may have been forgotten: a part of the base, a payment, the end of a memory, a secret."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from typing import Any, get_args

from rulewright.compiler.overlays.addresses import label_of
from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.findings.mutation.mutation_sites import Site, nodes
from rulewright.findings.mutation.operators.operator_api import Operator, Replacement, Words, blocks
from rulewright.syntax import ast

MOST = 2
"""So many procedures are tried in turn for how long a field remembers."""


def restore(place: Site, words: Words) -> Iterator[Replacement]:
    """A clause of the base's declaration that the one in its place does not have."""
    match place.node:
        case ast.ReplaceDeclOp(decl=new) as node:
            old = words.bases.get(name_of(new) or "")
            if type(old) is type(new):
                for altered, clause in _restored(new, old):
                    yield Replacement(replace(node, decl=altered), before=(node,), after=(node, clause))
        case _:
            pass  # all else stays as it is


def _restored(new: Any, old: Any) -> Iterator[tuple[Any, ast.Clause]]:
    """A node with one clause more that the other has, and this clause."""
    for f in fields(new):
        held, earlier = getattr(new, f.name), getattr(old, f.name)
        if not (_are_clauses(held) and _are_clauses(earlier)):
            continue
        at = 0
        for clause in earlier:
            twin = next((number for number, one in enumerate(held) if _is_twin(one, clause)), None)
            if twin is None:
                yield replace(new, **{f.name: (*held[:at], clause, *held[at:])}), clause
                continue
            at = twin + 1
            if held[twin] != clause:
                for inner, added in _restored(held[twin], clause):
                    yield replace(new, **{f.name: (*held[:twin], inner, *held[twin + 1 :])}), added


def _are_clauses(held: object) -> bool:
    return isinstance(held, tuple) and bool(held) and all(isinstance(one, ast.Clause) for one in held)


def _is_twin(one: ast.Clause, other: ast.Clause) -> bool:
    """True of equal clauses, and of two of one label."""
    label = label_of(one)
    return one == other or (label is not None and type(one) is type(other) and label == label_of(other))


def pay(place: Site, words: Words) -> Iterator[Replacement]:
    """The payment of what a restriction demands, where nothing is paid."""
    match place.node:
        case ast.Option(restrictions=restrictions, body=body) as option:
            for forbid, paid in _unpaid(option, restrictions):
                yield Replacement(replace(option, body=(paid, *body)), before=(forbid,), after=(forbid, paid))
        case ast.Choose(restrictions=restrictions, then=tuple(then)) as choice:
            for forbid, paid in _unpaid(choice, restrictions):
                yield Replacement(replace(choice, then=(paid, *then)), before=(forbid,), after=(forbid, paid))
        case _:
            pass  # all else stays as it is


def _unpaid(node: ast.Node, restrictions: Iterable[ast.Clause]) -> Iterator[tuple[ast.Clause, ast.Assign]]:
    """Restrictions that demand an amount of which nothing is taken away below, with what would take it."""
    for one in restrictions:
        match one:
            case ast.Forbid(condition=ast.Binary(op="<", left=ast.Index() | ast.Name() as left, right=right)):
                if all(part.target != left for part in nodes(node) if isinstance(part, ast.Assign)):
                    yield one, ast.Assign(left, "-=", right, span=one.span)
            case _:
                pass  # nothing that could be paid is demanded


def forget(place: Site, words: Words) -> Iterator[Replacement]:
    """A field that forgets itself at the end of a procedure, or of another one."""
    match place.node:
        case ast.FieldDecl(lasting=lasting) as node:
            for name in [name for name in words.lasting if name != lasting][:MOST]:
                yield Replacement(replace(node, lasting=name))
        case _:
            pass  # all else stays as it is


def hide(place: Site, words: Words) -> Iterator[Replacement]:
    """Only the player whose own it is sees what everyone does; of pieces all see how many there are."""
    match place.node:
        case (ast.FieldDecl(index=index, audiences=audiences) | ast.Zone(index=index, audiences=audiences)) as node:
            at = next((number for number, part in enumerate(index) if part.type == "Player"), None)
            is_zone = isinstance(node, ast.Zone)
            if at is None or not all(one.by == ast.Name("everyone") for one in audiences):
                return
            if index[at].name is None and not is_zone:
                return  # such a field is seen by everyone
            part = index[at] if index[at].name is not None else replace(index[at], name="p")
            seen = [
                ast.Audience("face" if is_zone else None, ast.Name(part.name or "", span=node.span), span=node.span)
            ]
            if is_zone:
                seen.append(ast.Audience("count", ast.Name("everyone", span=node.span), span=node.span))
            yield Replacement(replace(node, index=(*index[:at], part, *index[at + 1 :]), audiences=tuple(seen)))
        case _:
            pass  # all else stays as it is


def reset(place: Site, words: Words) -> Iterator[Replacement]:
    """A count that begins anew, where nothing sets it back: at the end of a block that does not count."""
    for name, held in blocks(place.node):
        if not isinstance(held[-1], get_args(ast.Stmt)) or name == "restrictions":
            continue
        set_there = {part.target for one in held for part in nodes(one) if isinstance(part, ast.Assign)}
        for target, value in words.counts:
            if target not in set_there:
                anew = ast.Assign(target, "=", value, span=held[-1].span)
                changed: Any = (*held, anew)
                yield Replacement(replace(place.node, **{name: changed}), before=held[-1:], after=(held[-1], anew))


OPERATORS: dict[str, Operator] = {
    "restore": restore,
    "pay": pay,
    "forget": forget,
    "hide": hide,
    "reset": reset,
}
