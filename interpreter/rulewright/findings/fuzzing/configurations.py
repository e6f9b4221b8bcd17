"""The games of a ruleset that are played: its numbers of players, its variants, its options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from rulewright.compiler import OptionValue, Sources, player_counts
from rulewright.diagnostics import RulesetError
from rulewright.findings.fuzzing.failures import Setting
from rulewright.play.game import Game
from rulewright.play.loading import load
from rulewright.syntax import ast, print_expr

FEW = 8
"""So many numbers a parameter may take for each of them to be tried."""


def settings(
    source: Sources,
    players: int | None,
    variants: Sequence[str],
    options: Mapping[str, OptionValue],
    everything: bool,
) -> list[Setting]:
    """The settings to be played, the plain game first; without `players` every number of them.

    With `everything` each published variant is laid over them, each two of them, and each value of each parameter that
    has named values or is a truth.
    """
    counts = player_counts(source.rules) if players is None else (players,)
    given = tuple(sorted((name, _word(value)) for name, value in options.items()))
    plain = [Setting(count, tuple(variants), given) for count in counts]
    if not everything:
        return plain
    titles = [title for title in source.variants if title not in variants]
    chains = [(title,) for title in titles] + list(combinations(titles, 2))
    values = [(name, value) for name, value in _values(source) if name not in options]
    found = list(plain)
    for count in counts:
        found += [Setting(count, (*variants, *chain), given) for chain in chains]
        found += [Setting(count, tuple(variants), tuple(sorted((*given, value)))) for value in values]
    return found


def _word(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _values(source: Sources) -> list[tuple[str, str]]:
    """Every parameter with each of its values that is not the one it has anyway, as far as they are few and named."""
    found = []
    for decl in source.rules.decls.values():
        if isinstance(decl, ast.Parameter):
            found += [(decl.name, value) for value in other_values(decl)]
    return found


def other_values(decl: ast.Parameter) -> list[str]:
    """The declared values of a parameter that it does not have by itself: names, truths, or a few numbers."""
    values: tuple[str, ...] = ()
    match decl.type:
        case ast.ChoiceType(names):
            values = names
        case ast.NamedType("Bool"):
            values = ("true", "false")
        case ast.RangeType(low, high) if high is not None and high - low < FEW:
            values = tuple(str(number) for number in range(low, high + 1))
    usual = print_expr(decl.value) if not decl.by_count else None
    return [value for value in values if value != usual]


def playable(source: Sources, setting: Setting) -> Game | None:
    """The game of a setting; None if its parts do not go together, which the checker has reported already."""
    try:
        return load(source.ruleset, setting.players, setting.variants, dict(setting.options))
    except RulesetError:
        return None
