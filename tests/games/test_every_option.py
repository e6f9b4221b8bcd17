"""Every value of every option of the shipped games is played with all invariants and properties, and every variant with
every number of players.

Options that decide different things are tried together, so that a few games show each of their values: in the first
each option has the first value that it does not have by itself, in the second the second one, and so on; others are
drawn at random. ``make torture`` plays each value alone, too, and each two variants.
"""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from shipped_games import LONG

import rulewright as rw
from rulewright.compiler import Sources, player_counts, sources
from rulewright.findings.fuzzing.configurations import other_values, playable, settings
from rulewright.findings.fuzzing.failures import Setting
from rulewright.syntax import ast
from sampling import THOROUGH, sample, thorough

NAMES = [ruleset.name for ruleset in rw.rulesets.shipped_rulesets()]
GAMES = sample(2, 60)
MIXED = sample(0, 30)


@cache
def rules(name: str) -> Sources:
    """The rules of a shipped game."""
    return sources(rw.open_ruleset(name))


def values(name: str) -> dict[str, list[str]]:
    """The values of each option that it does not have by itself."""
    decls = rules(name).rules.decls.values()
    return {d.name: found for d in decls if isinstance(d, ast.Parameter) and (found := other_values(d))}


def together(name: str) -> list[Setting]:
    """Settings in which each value of each option is met at least once, with each number of players."""
    options, made = values(name), []
    for count in player_counts(rules(name).rules):
        for number in range(max(map(len, options.values()), default=0)):
            chosen = {option: found[number % len(found)] for option, found in options.items()}
            made.append(Setting(count, (), tuple(sorted(chosen.items()))))
        for seed in range(MIXED):
            r = Random(f"{name} {count} {seed}")
            mixed = {option: r.choice(found) for option, found in options.items() if r.random() < 0.5}
            made.append(Setting(count, (), tuple(sorted(mixed.items()))))
    return made


def varied(name: str) -> list[Setting]:
    """Each variant alone; every day with one number of players, in turn, and else with each."""
    titles, counts = list(rules(name).variants), player_counts(rules(name).rules)
    if THOROUGH:
        return [Setting(count, (title,), ()) for title in titles for count in counts]
    return [Setting(counts[(number + 1) % len(counts)], (title,), ()) for number, title in enumerate(titles)]


def play(name: str, setting: Setting) -> None:
    """Some games of one setting: each comes to its end, and nothing is broken in it."""
    game = playable(rules(name), setting)
    assert game is not None, f"{name}, {setting}: cannot be played"
    for seed in range(1 if name in LONG else GAMES):
        played = game.playout(seed, check=True)
        assert not played.broken, f"{name}, {setting}, seed {seed}: {played.broken}"
        assert played.result is not None, f"{name}, {setting}, seed {seed}: not over"


@pytest.mark.parametrize("name", [name for name in NAMES if values(name)])
def test_every_value_of_every_option_is_met(name: str) -> None:
    met = {pair for setting in together(name) for pair in setting.options}
    assert met == {(option, value) for option, found in values(name).items() for value in found}


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name in NAMES for number in range(len(together(name)))]
)
def test_every_value_of_every_option(name: str, number: int) -> None:
    play(name, together(name)[number])


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("name", "number"), [(name, number) for name in NAMES for number in range(len(varied(name)))])
def test_every_variant(name: str, number: int) -> None:
    play(name, varied(name)[number])


@thorough
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", NAMES)
def test_each_value_alone_and_each_two_variants(name: str) -> None:
    source = rules(name)
    for setting in settings(source, None, (), {}, everything=True):
        if len(setting.variants) < 2 or playable(source, setting) is not None:  # two may exclude each other
            play(name, setting)
