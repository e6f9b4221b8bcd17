"""Lint rules about printed properties and constants."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.foundation.bit_sets import bits_of
from rulewright.foundation.memo import traced_by_node
from rulewright.ir import model as m
from rulewright.ir.evaluation import NotConstant, number
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.static_evaluation import PrintedFacts, StaticEvaluator
from rulewright.lint.analyses.uses import words_of
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Configuration, Subject
from rulewright.syntax import ast

_SMALL = range(3)
"""Numbers that stand for themselves: none, one, two."""

_BESIDE = {">": 1, "<": -1}
"""Comparisons that are measured against the next number: `> 2` is `>= 3`."""

_COMPARED = ("is", "is not", "<", "<=", ">", ">=")
_MIRRORED = {"<": ">", ">": "<"}
_EVERYWHERE = frozenset({"players", "everyone", "Player"})


@lint("PRP606")
def duplicated_constant(subject: Subject) -> Iterator[Finding]:
    """An assertion that no variant can keep which sets the parameter, or changes the table."""
    decls = subject.source.rules.decls
    parameters = {name: values for name, decl in decls.items() if (values := _values(decl))}
    sizes = _sizes(subject)
    for name, decl in decls.items():
        if not isinstance(decl, ast.Invariant | ast.Property):
            continue
        spoken = words_of(decl)
        for held, limit in _limits(decl):
            if limit in _SMALL:
                continue
            found = [f"size({kind})" for kind, found in sizes.items() if kind in spoken and limit in found]
            found += [p for p, values in parameters.items() if limit in values and _related(p, spoken, decls)]
            if found:
                others = " and ".join(f"`{one}`" for one in found)
                message = (
                    f"`{name}` has the number {held.value}, and {others} {'is' if len(found) == 1 else 'are'} {limit}"
                )
                yield Finding(message, held.span, "name it, so that it also holds in a variant that changes it")


def _values(decl: ast.Decl) -> frozenset[int]:
    """The numbers that a parameter has, with any number of players."""
    if not isinstance(decl, ast.Parameter):
        return frozenset()
    held = (decl.value, *(one.value for one in decl.by_count))
    return frozenset(value.value for value in held if isinstance(value, ast.Number))


def _sizes(subject: Subject) -> dict[str, set[int]]:
    """The size of each kind of piece, enum and set of places, in all games without variants."""
    found: dict[str, set[int]] = {}
    for game in subject.games:
        if game.variants:
            continue
        for kind in game.program.kinds:
            found.setdefault(kind.name, set()).add(kind.members.bit_count())
        for universe in game.program.universes:
            if universe.sort in ("enum", "place", "edge", "merged"):
                found.setdefault(universe.name, set()).add(len(universe.keys))
    return found


def _limits(decl: ast.Decl) -> Iterator[tuple[ast.Number, int]]:
    """The numbers that something is compared with, each with the least or most that is meant by it."""
    for node in nodes_of(decl, ast.Binary):
        if node.op in _COMPARED:
            for bound, measured, op in (
                (node.right, node.left, node.op),
                (node.left, node.right, _MIRRORED.get(node.op, node.op)),
            ):
                if isinstance(bound, ast.Number) and not isinstance(measured, ast.Number):
                    yield bound, bound.value + _BESIDE.get(op, 0)


def _related(parameter: str, spoken: frozenset[str], decls: dict[str, ast.Decl]) -> bool:
    """True if a rule that reads the parameter speaks of something that the assertion speaks of, too."""
    shared = spoken - _EVERYWHERE
    return parameter not in spoken and any(
        parameter in words_of(decl) and words_of(decl) & shared
        for decl in decls.values()
        if not isinstance(decl, ast.Invariant | ast.Property | ast.Parameter)
    )


@lint("PRP605")
def invariant_contradicts_table(subject: Subject) -> Iterator[Finding]:
    """An invariant about what is printed, with which the tables do not agree."""
    wrong: dict[str, tuple[Finding, list[int]]] = {}
    for game in subject.games:
        if not game.variants:
            for finding in _wrong(game):
                wrong.setdefault(finding.message, (finding, []))[1].append(game.players)
    for finding, counts in wrong.values():
        many = " and ".join(map(str, counts)) if len(counts) < 3 else f"{counts[0]} to {counts[-1]}"
        yield Finding(f"{finding.message} with {many} players", finding.span, notes=finding.notes)


def _wrong(game: Configuration) -> Iterator[Finding]:
    index = game.ask(PrintedFacts)
    for assertion in game.program.assertions:
        if assertion.word == "invariant" and _contradicted(assertion, index):
            span = game.rules.decls[assertion.name].span
            yield Finding(f"the tables contradict this: `{assertion.name}` does not hold", span)


@traced_by_node
def _contradicted(invariant: m.Assertion, index: PrintedFacts) -> bool:
    """True if an invariant speaks only of what is printed, and does not hold."""
    printed = StaticEvaluator(index.printed())
    try:
        every = [{}] if invariant.var is None or invariant.source is None else [
            {invariant.var: i} for i in bits_of(number(printed.value(invariant.source, {})))
        ]  # fmt: skip
        return not all(number(printed.value(invariant.condition, env)) for env in every)
    except (NotConstant, KeyError):
        return False
