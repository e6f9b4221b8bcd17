"""The choices before a game begins: the number of players, variants, parameters."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.compiler import player_counts, sources
from rulewright.data.ruleset import Ruleset
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@dataclass(frozen=True, slots=True)
class SetupParameter:
    """A parameter that a game may be given another value of."""

    name: str
    value: str
    """The default value, as the rules write it."""
    values: tuple[str, ...] = ()
    """All values that it may have; none: any that the rules can make use of, such as a number."""


@dataclass(frozen=True, slots=True)
class SetupChoices:
    """The choices that a ruleset leaves to those who begin a game."""

    players: tuple[int, ...]
    """The numbers of players; none if the rules do not say it in a way that can be read."""
    seats: dict[int, tuple[str, ...]]
    """For each number of players the names of the seats, as far as the manifest gives them."""
    variants: tuple[str, ...]
    """The titles of all variants, in the order in which they are laid over each other."""
    parameters: tuple[SetupParameter, ...]


def setup_choices(ruleset: Ruleset) -> SetupChoices:
    """The choices of a ruleset that has been opened; as much as can be read, if there are errors in it."""
    rules = sources(ruleset.without_scenarios).rules
    counts = tuple(player_counts(rules))
    return SetupChoices(
        counts,
        {count: names for count in counts if (names := ruleset.manifest.seat_names(count))},
        tuple(variant.title for variant in rules.variants),
        tuple(_parameter(decl) for decl in rules.all(ast.Parameter) if decl.key is None),
    )


def _parameter(decl: ast.Parameter) -> SetupParameter:
    values = decl.type.values if isinstance(decl.type, ast.ChoiceType) else ()
    return SetupParameter(decl.name, print_expr(decl.value), values)


__all__ = ["SetupChoices", "SetupParameter", "setup_choices"]
