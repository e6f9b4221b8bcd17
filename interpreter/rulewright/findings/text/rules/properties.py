"""Lint rules about printed properties and constants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rulewright.findings.text.analyses.declaration_nodes import nodes_of
from rulewright.findings.text.analyses.flow_questions import is_spoken
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.findings.text.analyses.uses import words_of
from rulewright.findings.text.context import Finding, lint
from rulewright.findings.text.subject import Configuration, Subject
from rulewright.foundation.bit_sets import bits_of
from rulewright.foundation.memo import Context, traced_by_node, tracked_query
from rulewright.ir import model as m
from rulewright.ir.evaluation import Environment, NotConstant, Value, known, number, over_members
from rulewright.syntax import ast


class Printed(NamedTuple):
    """All that is printed in a game, and does not change."""

    tables: tuple[m.Table, ...]
    kinds: tuple[m.KindSet, ...]
    universes: tuple[m.Universe, ...]
    """The universes that keep their members."""


class PrintedFacts(Context):
    """A game, for queries of printed attributes."""

    def __init__(self, game: Configuration) -> None:
        super().__init__()
        self._game = game

    @tracked_query
    def printed(self) -> Printed:
        """All of it."""
        program, index = self._game.program, self._game.ask(RuleIndex)
        changing = {g.name for g in program.merged} | ({"Player"} if is_spoken(index, "eliminate") else set())
        return Printed(program.tables, program.kinds, tuple(u for u in program.universes if u.name not in changing))


class StaticEvaluator:
    """Evaluates expressions over tables and kinds."""

    def __init__(self, printed: Printed) -> None:
        self.tables = {t.name: t for t in printed.tables}
        self.kinds = {k.name: k.members for k in printed.kinds}
        self.sizes = {u.name: len(u.keys) for u in printed.universes}

    def value(self, expr: m.Expr, env: Environment) -> Value:
        """The value of an expression; NotConstant if it depends on the game."""
        match expr:
            case m.Var(name) if name in env:
                return env[name]
            case m.Kind(name):
                return self.kinds[name]
            case m.Alive(universe) if universe in self.sizes:
                return (1 << self.sizes[universe]) - 1
            case m.LetIn(var):
                return self.value(expr.body, {**env, var: self.value(expr.value, env)})
            case _:
                found = over_members(expr, self.value, env)
        if found is None:
            found = known(expr, lambda part: self.value(part, env), self.tables)
        if found is None:
            raise NotConstant
        return found


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
