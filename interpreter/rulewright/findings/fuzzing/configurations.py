"""The games of a ruleset that are played: its numbers of players, its variants, its options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

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

    With `everything` there are more, so that any two of these meet in one of them: a number of players, a published
    variant that is played or not, a value of a parameter that has named values or is a truth. Such a covering array has
    few rows: most mistakes show when two things meet (D. Kuhn, R. Kacker, Y. Lei, *Practical combinatorial testing*,
    NIST Special Publication 800-142, 2010).
    """
    counts = player_counts(source.rules) if players is None else (players,)
    given = tuple(sorted((name, _word(value)) for name, value in options.items()))
    plain = [Setting(count, tuple(variants), given) for count in counts]
    if not everything:
        return plain
    titles = [title for title in source.variants if title not in variants]
    values: dict[str, list[str]] = {}
    for name, value in _values(source):
        if name not in options:
            values.setdefault(name, [""]).append(value)
    found = list(plain)
    for count, *row in _covering([list(counts), *([False, True] for _ in titles), *values.values()]):
        chosen = [title for title, played in zip(titles, row, strict=False) if played]
        named = [(name, value) for name, value in zip(values, row[len(titles) :], strict=True) if value]
        found.append(Setting(count, (*variants, *chosen), tuple(sorted((*given, *named)))))
    return list(dict.fromkeys(found))


def _covering(factors: list[list[Any]]) -> Iterable[list[Any]]:
    """Rows with a level of each factor, so that any two levels of two factors stand in one of them."""
    from allpairspy import AllPairs  # an extra

    several = [levels for levels in factors if len(levels) > 1]
    rows = AllPairs(several) if len(several) > 1 else ([level] for levels in several for level in levels)
    for row in rows:
        left = iter(row)
        yield [next(left) if len(levels) > 1 else levels[0] for levels in factors]


def weaker(setting: Setting, variants: Sequence[str]) -> list[Setting]:
    """The settings in place of one that cannot be played: each without one of the variants that were added to some."""
    added = [title for title in setting.variants if title not in variants]
    return [
        replace(setting, variants=tuple(other for other in setting.variants if other != title))
        for title in (added if len(added) > 1 else ())
    ]


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
