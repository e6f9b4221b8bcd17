"""Restrictions, exceptions and modifiers that are left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulewright.fuzzing.mutation.mutation_sites import Site
from rulewright.fuzzing.mutation.operators.operator_api import Operator, Replacement, Words, blocks
from rulewright.syntax import ast


def without(kind: type[ast.Clause] | tuple[type[ast.Clause], ...]) -> Operator:
    """The operator that leaves out one clause of a kind."""

    def drop(place: Site, words: Words) -> Iterator[Replacement]:
        for name, held in blocks(place.node):
            for number, clause in enumerate(held):
                if isinstance(clause, kind):
                    rest: Any = (*held[:number], *held[number + 1 :])
                    yield Replacement(replace(place.node, **{name: rest}), before=(clause,))

    return drop


OPERATORS: dict[str, Operator] = {
    "drop-restriction": without(ast.Forbid),
    "drop-limits": without(ast.Obey),
    "drop-exception": without(ast.Unless),
    "drop-modifier": without(ast.Modifier),
}
