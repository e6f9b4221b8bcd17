"""An index from the statements of the rulebook to the clauses of the rules that cite them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass

from rulewright.compiler import named_variants, sources
from rulewright.data.ruleset import Ruleset
from rulewright.syntax.ast import Clause, Variant

RULES = frozenset({"Callable", "Query", "Value", "Limits", "Reaction", "Consequence", "End", "Property", "Invariant"})
"""Declarations that say what is so or what is done, and so should come from the rulebook."""

EXAMPLES = frozenset({"Scenario"})


@dataclass(frozen=True, slots=True, order=True)
class Citation:
    """One clause that cites one statement."""

    statement: str
    file: str
    line: int
    rule: str
    """The declaration it stands in; for an example, its title."""
    example: bool
    same_as: str = ""
    """The equal statement of the extended ruleset's rulebook, and that it cites."""


@dataclass(frozen=True, slots=True, order=True)
class Uncited:
    """A rule in which nothing is cited."""

    file: str
    line: int
    rule: str
    word: str


@dataclass(frozen=True, slots=True)
class CitationIndex:
    """All citations of a ruleset."""

    citations: tuple[Citation, ...]
    """Of declarations and changes, each line once for each statement."""
    uncited: tuple[Uncited, ...]
    """The rules in which nothing is cited."""


def citation_index(ruleset: Ruleset, variants: Collection[str] = ()) -> CitationIndex:
    """Index all citations of the rules in force in a ruleset, those of the rulesets it extends included.

    If variants are named, others count for nothing; RulesetError if there is none of such a title.
    """
    source = sources(ruleset)
    meant = named_variants(source, variants)
    rules = [rule for rule in source.rules.everything() if not variants or _in_force(rule, meant)]
    return CitationIndex(tuple(_citations(rules)), tuple(sorted(_uncited(rules))))


def _in_force(rule: Clause, variants: Sequence[Clause]) -> bool:
    return not isinstance(rule, Variant) or rule in variants


def _citations(rules: Iterable[Clause]) -> Iterator[Citation]:
    """All citations of declarations and changes, each line once for each statement."""
    seen: set[tuple[str, str, int]] = set()
    for decl in rules:
        example = type(decl).__name__ in EXAMPLES
        name = name_of(decl)
        for clause in _clauses(decl):
            for statement in clause.trivia.cites:
                # What a change has rewritten stands, and cites, on the line of the change.
                place = (statement, clause.span.file, clause.span.line)
                if place not in seen:
                    seen.add(place)
                    yield Citation(*place, name, example)


def _uncited(rules: Iterable[Clause]) -> Iterator[Uncited]:
    """The rules in which nothing is cited."""
    for decl in rules:
        kind = type(decl).__name__
        if kind in RULES and not any(clause.trivia.cites for clause in _clauses(decl)):
            word = getattr(decl, "word", kind.lower())
            yield Uncited(decl.span.file, decl.span.line, name_of(decl), word)


def name_of(decl: object) -> str:
    """The name of a declaration, or of the declaration that a change is about."""
    for attribute in ("name", "title", "path", "word"):
        if (name := getattr(decl, attribute, None)) is not None:
            return str(name)
    if (changed := getattr(decl, "decl", None)) is not None:
        return name_of(changed)
    counts = getattr(decl, "counts", None)
    if counts:
        return f"with {' or '.join(map(str, counts))} players"
    return type(decl).__name__.lower()


def _clauses(node: object) -> Iterator[Clause]:
    """The node and everything in it that stands on a line of its own."""
    if isinstance(node, tuple):
        for part in node:
            yield from _clauses(part)
    elif is_dataclass(node):
        if isinstance(node, Clause):
            yield node
        for one in fields(node):
            if one.name not in ("span", "trivia"):
                yield from _clauses(getattr(node, one.name))
