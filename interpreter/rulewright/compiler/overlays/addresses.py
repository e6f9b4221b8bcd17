"""Addresses of the clauses inside a declaration: ``declaration.label``, and ``declaration.move_2`` without a label.

What has no label is called by its word and a number: ``move_2`` is the second ``move`` of the declaration that has no
label, in the order written. The numbers are those of the rules beneath an overlay, so that a change does not depend on
those before it; the clause is then found again where it stands now. Restrictions inside options have a longer address,
too: ``declaration.option.label``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeVar

from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import Span
from rulewright.foundation.memo import memoized_by_node
from rulewright.foundation.tree_fields import node_fields
from rulewright.syntax import ast

N = TypeVar("N", bound=ast.Node)
D = TypeVar("D", bound=ast.Clause)

Edit = Callable[[ast.Clause], "tuple[ast.Clause, ...] | None"]
"""Given a clause, what stands in its place: nothing, itself changed, several; None leaves it and looks inside."""


def label_of(clause: ast.Node) -> str | None:
    """The label a clause brings, if any."""
    match clause:
        case ast.Choose(name=name, as_name=as_name):
            return as_name or name
        case ast.Forbid(label=label) | ast.Unless(label=label) | ast.Modifier(label=label):
            return label
        case ast.Option(label=label) | ast.Step(label=label):
            return label
        case ast.Either(label=label) | ast.Repeat(label=label) | ast.Repeats(label=label):
            return label
        case _:
            return None


def _find_names(kind: type) -> tuple[str, ...]:
    return node_fields(kind)[::-1]


_names: Callable[[type], tuple[str, ...]] = cache(_find_names)
"""The fields of a kind of node in which clauses can stand."""


def _parts(clause: ast.Node) -> Iterator[ast.Clause]:
    for name in _names(type(clause)):
        held = getattr(clause, name)
        if isinstance(held, ast.Branch):
            yield from _parts(held)
        elif isinstance(held, ast.Clause):
            yield held
        elif isinstance(held, tuple):
            for item in held:
                if isinstance(item, ast.Branch):
                    yield from _parts(item)
                elif isinstance(item, ast.Clause):
                    yield item


def walk(clause: ast.Node) -> Iterator[ast.Clause]:
    """All clauses inside a clause, in the order written."""
    todo = list(_parts(clause))[::-1]
    while todo:
        part = todo.pop()
        yield part
        todo.extend(list(_parts(part))[::-1])


def _in_options(clause: ast.Node, around: tuple[str, ...] = ()) -> Iterator[tuple[ast.Forbid | ast.Unless, str]]:
    """All restrictions and exceptions inside the options of a clause, with the whole of their labels: that of each
    option around them, and their own."""
    for part in _parts(clause):
        if around and isinstance(part, ast.Forbid | ast.Unless):
            yield part, ".".join((*around, part.label.rpartition(".")[2]))
        yield from _in_options(part, (*around, part.label) if isinstance(part, ast.Option) else around)


@memoized_by_node
def _shared(decl: ast.Clause) -> frozenset[str]:
    """Labels of restrictions in options that something else in the declaration has, too."""
    inside = {clause.label for clause, _ in _in_options(decl)}
    counts = Counter(label_of(clause) for clause in walk(decl)) if inside else {}
    return frozenset(label for label in inside if counts[label] > 1)


def told_apart(decl: D, before: ast.Decl | None = None) -> D:
    """The declaration with the whole of such labels: ``spend.poor`` beside ``build.poor``. Those that it had `before`
    keep theirs."""
    if not (shared := _shared(decl)):
        return decl
    kept = set() if before is None else {id(clause.span) for clause in walk(before)}
    whole = {id(c): new for c, new in _in_options(decl) if c.label in shared and id(c.span) not in kept}

    def edit(clause: ast.Clause) -> tuple[ast.Clause, ...] | None:
        if not isinstance(clause, ast.Forbid):
            return None
        unless = tuple(replace(one, label=whole.get(id(one), one.label)) for one in clause.unless)
        return (replace(clause, label=whole.get(id(clause), clause.label), unless=unless),)

    return rewrite(decl, edit)


def label_at(decl: ast.Clause, address: str) -> str:
    """The label that an address in a declaration means; `address` where it is none with the names of options."""
    if "." in address and address not in labels(decl):
        found = {c.label for c, whole in _in_options(decl) if f".{whole}".endswith(f".{address}")}
        if len(found) == 1:
            return found.pop()
    return address


def labels(decl: ast.Node) -> dict[str, ast.Clause]:
    """Every labelled clause of a declaration; the first of its label."""
    found: dict[str, ast.Clause] = {}
    for clause in walk(decl):
        label = label_of(clause)
        if label is not None:
            found.setdefault(label, clause)
    return found


def rewrite(node: N, edit: Edit) -> N:
    """A copy of `node` with its clauses edited, outermost first."""
    changed: dict[str, object] = {}
    for name in _names(type(node)):
        held = getattr(node, name)
        if isinstance(held, tuple) and any(isinstance(i, (ast.Clause, ast.Branch)) for i in held):
            made: list[object] = []
            for item in held:
                made.extend(_edited(item, edit))
            if tuple(made) != held or any(a is not b for a, b in zip(made, held, strict=False)):
                changed[name] = tuple(made)
        elif isinstance(held, ast.Clause):
            one = _edited(held, edit)
            if one and one[0] is not held:
                changed[name] = one[0]
            elif not one:
                changed[name] = None
    return replace(node, **changed) if changed else node  # type: ignore[arg-type]


def _edited(item: object, edit: Edit) -> tuple[object, ...]:
    if isinstance(item, ast.Branch):
        return (rewrite(item, edit),)
    if isinstance(item, ast.Clause):
        instead = edit(item)
        return (rewrite(item, edit),) if instead is None else instead
    return (item,)


_WORDS: dict[type, str] = {
    ast.Arm: "arm", ast.Assign: "assign", ast.AssignAll: "assign", ast.DoNothing: "nothing", ast.MoveHeld: "move",
    ast.CallStatement: "call", ast.Case: "case", ast.Draw: "draw",
    ast.Each: "each", ast.Either: "either", ast.Flip: "flip", ast.If: "if", ast.Let: "let", ast.Match: "match",
    ast.Merge: "merge", ast.Move: "move", ast.Obey: "obey", ast.Proceed: "proceed", ast.RankAll: "ranking",
    ast.Repeat: "repeat", ast.Repeats: "repeats", ast.Return: "return", ast.Roll: "roll", ast.Show: "show",
    ast.Shuffle: "shuffle", ast.Stop: "stop", ast.Tell: "tells", ast.Win: "winner",
    ast.NobodyWins: "nobody", ast.DrawnGame: "a_draw", ast.PayAll: "paying", ast.Reward: "reward",
}  # fmt: skip


@memoized_by_node
def _numbered(decl: ast.Clause) -> dict[str, tuple[type, object]]:
    """The addresses of clauses without a label: what each is, and its span, which is unlike all others."""
    counts: dict[str, int] = {}
    known = labels(decl)
    found: dict[str, tuple[type, object]] = {}
    for clause in walk(decl):
        word = _WORDS.get(type(clause))
        if word is not None and label_of(clause) is None:
            counts[word] = counts.get(word, 0) + 1
            if (address := f"{word}_{counts[word]}") not in known:
                found[address] = type(clause), clause.span
    return found


def addresses(decl: ast.Clause, beneath: ast.Clause | None = None) -> dict[str, ast.Clause]:
    """The clauses of a declaration by their addresses in it: labels, and words with numbers; in the order written.
    `beneath` is what it was before an overlay, whose numbers hold; what the overlay brought has none."""
    numbered = _numbered(decl if beneath is None else beneath)
    known = {(kind, id(span)): address for address, (kind, span) in numbered.items()}
    found: dict[str, ast.Clause] = {}
    for clause in walk(decl):
        address = label_of(clause) or known.get((type(clause), id(clause.span)))
        if address is not None:
            found.setdefault(address, clause)
    return found


def addressed(decl: ast.Clause, address: str, beneath: ast.Clause | None) -> Callable[[ast.Clause], bool]:
    """A test for the clauses that an address means in a declaration; `beneath` is what it was before an overlay."""
    if (address := label_at(decl, address)) in labels(decl):
        return lambda clause: label_of(clause) == address
    kind, span = _numbered(decl if beneath is None else beneath).get(address, (None, None))
    if kind is None:
        return lambda clause: False
    return lambda clause: type(clause) is kind and clause.span is span


def is_statement(decl: ast.Decl, meant: Callable[[ast.Clause], bool]) -> bool:
    """True if what is meant stands where statements stand, and not among restrictions, options or modifiers."""
    blocks = (getattr(n, part, None) for n in nodes(decl) for part in ("body", "then", "otherwise"))
    return any(isinstance(c, ast.Clause) and meant(c) for b in blocks if isinstance(b, tuple) for c in b)


_VALUES: dict[type[ast.Clause], str] = {
    ast.Forbid: "condition", ast.Unless: "condition", ast.Modifier: "value", ast.Case: "value", ast.Choose: "source",
    ast.Repeat: "value", ast.Return: "value", ast.Assign: "value", ast.Let: "value", ast.Match: "subject",
    ast.Win: "who", ast.RankAll: "by", ast.PayAll: "value", ast.Reward: "value",
}  # fmt: skip
"""The field of a clause that ``replace label: e`` puts another expression into."""


def value_of(clause: ast.Clause) -> ast.Expr | tuple[ast.Expr, ...] | None:
    """The part that ``replace label: e`` takes the place of: a condition, amount, set or value; perhaps None."""
    match clause:
        case ast.If(branches=(branch,)):
            return branch.condition
        case ast.Each(bind=bind):
            return bind.source
        case _:
            name = _VALUES.get(type(clause))
            return getattr(clause, name) if name is not None else None


def is_value(subject: ast.Expr, value: ast.Expr) -> ast.Binary | ast.IsA:
    """The condition that the subject of a ``match`` is a value of an arm: a capitalised word is a kind."""
    if isinstance(value, ast.TypeName):
        return ast.IsA(subject, value.name, False, span=value.span)
    return ast.Binary("is", subject, value, span=value.span)


Instead = ast.Expr | ast.Many | ast.Modifier | ast.Case
"""The parts that can take the place of those of a clause."""


def with_value(clause: ast.Clause, value: Instead) -> ast.Clause | None:
    """The clause with another condition, amount, set or value; None if it has none to replace."""
    match clause, value:
        case ast.Modifier(), ast.Modifier(op=op, value=amount, condition=when):
            return replace(clause, op=op, value=amount, condition=when or clause.condition)
        case ast.Modifier(), ast.Case(ast.Unary("-", amount), when):
            return replace(clause, op="-", value=amount, condition=when)
        case ast.Modifier(), ast.Unary("-", amount):
            return replace(clause, op="-", value=amount)
        case ((ast.Modifier() | ast.Case(condition=ast.Node())), ast.Case(amount, when)):
            return replace(clause, value=amount, condition=when)
        case _, (ast.Modifier() | ast.Case()):
            return None
        case ((ast.Choose() | ast.Repeats()), ast.Many()):
            return replace(clause, many=value)
        case _, ast.Many():
            return None
        case ast.If(branches=(branch,)), _:
            return replace(clause, branches=(replace(branch, condition=value),))
        case ast.Each(bind=bind), _:
            return replace(clause, bind=replace(bind, source=value))
        case ast.RankAll(), _:
            return replace(clause, by=(value,))
        case _ if value_of(clause) is not None:
            return replace(clause, **{_VALUES[type(clause)]: value})  # type: ignore[arg-type]
        case _:
            return None


def with_entry(value: ast.Expr, keys: Sequence[str], key: str, given: ast.Expr, span: Span) -> ast.Expr | None:
    """The values for some keys, another one for one of them; None if they are written in another way. In a list they
    have the order of `keys`."""
    match value:
        case ast.ListOf(items) if key in keys and len(items) == len(keys):
            return replace(value, items=tuple(given if k == key else old for k, old in zip(keys, items, strict=True)))
        case ast.SetOf(items) if all(isinstance(item, ast.Entry) for item in items):
            entry = ast.Entry(ast.Name(key, span=span), given, span=span)
            known = [item.key for item in items if isinstance(item, ast.Entry)]
            made = tuple(entry if k == entry.key else old for k, old in zip(known, items, strict=True))
            return replace(value, items=made if entry.key in known else (*made, entry))
        case _:
            return None


def extended(
    decl: ast.Decl, meant: Callable[[ast.Clause], bool] | None, clauses: tuple[ast.Clause, ...]
) -> ast.Decl | None:
    """The declaration, or the clause of it that is meant, with more clauses; None if it cannot have such ones."""
    restrictions = tuple(c for c in clauses if isinstance(c, (ast.Forbid, ast.Obey)))
    exceptions = tuple(c for c in clauses if isinstance(c, ast.Unless))
    modifiers = tuple(c for c in clauses if isinstance(c, ast.Modifier))
    cases = tuple(c for c in clauses if isinstance(c, ast.Case))
    options = tuple(c for c in clauses if isinstance(c, ast.Option))
    arms = tuple(c for c in clauses if isinstance(c, ast.MoreArms))
    if meant is not None:
        done = False

        def edit(clause: ast.Clause) -> tuple[ast.Clause, ...] | None:
            nonlocal done
            if not meant(clause):
                return None
            if isinstance(clause, (ast.Choose, ast.Option)) and len(restrictions) == len(clauses):
                done = True
                return (replace(clause, restrictions=clause.restrictions + restrictions),)
            if isinstance(clause, ast.Either) and len(options) == len(clauses):
                done = True
                return (replace(clause, options=(*clause.options, *options)),)
            if isinstance(clause, ast.Match) and len(arms) == len(clauses):
                done = True
                return (replace(clause, arms=(*clause.arms, *(arm for more in arms for arm in more.arms))),)
            if isinstance(clause, ast.Forbid) and len(exceptions) == len(clauses):
                done = True
                return (replace(clause, unless=(*clause.unless, *exceptions)),)
            return None

        made = rewrite(decl, edit)
        return made if done else None
    match decl:
        case ast.Value() if len(modifiers) == len(clauses):
            return replace(decl, modifiers=decl.modifiers + modifiers)
        case ast.Limits() if len(restrictions) == len(clauses):
            return replace(decl, restrictions=decl.restrictions + restrictions)
        case ast.Query(value=None) if len(cases) == len(clauses):
            at = next((n for n, line in enumerate(decl.lines) if isinstance(line, ast.Case)), len(decl.lines))
            return replace(decl, lines=(*decl.lines[:at], *cases, *decl.lines[at:]))
        case ast.Callable() if len(restrictions) == len(clauses):
            return replace(decl, body=restrictions + decl.body)
        case ast.Callable() if len(arms) == len(clauses):
            found = [clause for clause in walk(decl) if isinstance(clause, ast.Match)]
            return extended(decl, lambda clause: clause is found[0], clauses) if found else None
    return None
