"""Sweeps: values of parameters, and the arms that are made of them.

All combinations (a full factorial design), or so many of them that each value comes about equally often: a Latin
hypercube (M. D. McKay, R. J. Beckman, W. J. Conover, *A comparison of three methods for selecting values of input
variables in the analysis of output from a computer code*, Technometrics 21, 1979), drawn by scipy.

Parameters with the values that they are to take: read from words, checked, and loaded as arms.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from rulewright import contents
from rulewright.compiler import OptionValue
from rulewright.diagnostics import Diagnostic, RulesetError, did_you_mean, listing
from rulewright_lab.agents.words import wrong
from rulewright_lab.experiments.arms import Arm

Swept = Mapping[str, tuple[OptionValue, ...]]
HOW = "write goal=8..12, goal=8..20 by 4, first=dealer|lot, or a name alone for all of its named values"


class Unloadable(NamedTuple):
    """A setting with which the rules do not load."""

    setting: Setting
    why: str


def read_swept(text: str) -> dict[str, str | list[OptionValue] | None]:
    """The parameters of ``goal=8..12,first=dealer|lot,short``, as they are written; None for all named values."""
    found: dict[str, str | list[OptionValue] | None] = {}
    for part in text.split(","):
        name, equals, values = (one.strip() for one in part.partition("="))
        if not name.isidentifier() or bool(equals) != bool(values):
            raise wrong(f"`{part.strip()}` is no parameter with its values", HOW)
        if name in found:
            raise wrong(f"`{name}` is named twice", "give all of its values at once")
        several = ".." not in values and bool(values)
        found[name] = [_value(one.strip()) for one in values.split("|")] if several else values or None
    return found


def _value(word: str) -> OptionValue:
    if word in ("true", "false"):
        return word == "true"
    return int(word) if word.lstrip("-").isdecimal() else word


def swept_of(arm: Arm, name: str, written: str | Sequence[OptionValue] | None) -> tuple[OptionValue, ...]:
    """The values of one parameter; RulesetError if the rules do not have it, or if one of them is none of its names."""
    if name not in arm.game.parameters:
        hint = did_you_mean(name, arm.game.parameters) or f"there is {listing(arm.game.parameters, 30)}"
        raise RulesetError(Diagnostic("VAR405", f"there is no parameter `{name}`", hint=hint))
    named = contents.named_values(arm.game.ruleset, name)
    if written is None:
        if not named:
            raise wrong(f"which values of `{name}`? They have no names", f"write {name}=8..12")
        return tuple(map(_value, named))
    values = values_of(name, written)
    for value in values if named else ():
        word = as_written(value)
        if word not in named:
            hint = did_you_mean(word, named) or f"there is {listing(named, 30)}"
            raise RulesetError(Diagnostic("VAR405", f"`{name}` cannot be `{word}`", hint=hint))
    return values


def swept_by(arm: Arm, text: str) -> Swept:
    """The parameters of an arm that a text names, with their values."""
    return {name: swept_of(arm, name, written) for name, written in read_swept(text).items()}


def loaded(arm: Arm, settings: Sequence[Setting]) -> tuple[dict[int, Arm], list[Unloadable]]:
    """The arm with each of some settings, by their number, and those with which the rules do not load.

    RulesetError if they load with none of them: then the request is wrong.
    """
    made: dict[int, Arm] = {}
    failed: list[Unloadable] = []
    first: RulesetError | None = None
    for number, setting in enumerate(settings):
        try:
            made[number] = arm.varied(describe(setting), setting)
        except RulesetError as error:
            first = first or error
            one = error.diagnostics[0]
            failed.append(Unloadable(setting, f"{one.code}: {one.message}"))
    if first is not None and not made:
        raise first
    return made, failed


MOST_ARMS = 500
"""So many arms are made at most."""
_RANGE = re.compile(r"\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*(?:by\s+(\d+)\s*)?")

Setting = Mapping[str, OptionValue]


def values_of(name: str, text: str | Sequence[OptionValue]) -> tuple[OptionValue, ...]:
    """The values of a parameter: ``8..12``, ``8..20 by 4``, or a list."""
    if not isinstance(text, str):
        return tuple(dict.fromkeys(text))
    found = _RANGE.fullmatch(text)
    low, high, step = (int(found[1]), int(found[2]), int(found[3] or 1)) if found else (0, -1, 1)
    if high < low or step < 1:
        raise wrong(f"`{name} = {text}` is no sweep", f"write {name} = 8..12, 8..20 by 4, or a list of values")
    if (high - low) // step >= MOST_ARMS:
        raise _too_many((high - low) // step + 1)
    return tuple(range(low, high + 1, step))


def full(swept: Mapping[str, Sequence[OptionValue]]) -> list[Setting]:
    """All combinations."""
    size = prod(map(len, swept.values()))
    if size > MOST_ARMS:
        raise _too_many(size)
    return [dict(zip(swept, chosen, strict=True)) for chosen in product(*swept.values())]


def latin_hypercube(swept: Mapping[str, Sequence[OptionValue]], samples: int, seed: int) -> list[Setting]:
    """So many combinations, fewer if some come twice."""
    from scipy.stats import qmc

    if samples > MOST_ARMS:
        raise _too_many(samples)
    drawn = qmc.LatinHypercube(d=len(swept), rng=seed).random(samples)
    picked = [tuple(int(u * len(values)) for u, values in zip(row, swept.values(), strict=True)) for row in drawn]
    return [
        {name: values[at] for (name, values), at in zip(swept.items(), chosen, strict=True)}
        for chosen in dict.fromkeys(picked)
    ]


def describe(setting: Setting) -> str:
    """A setting in words: ``goal = 9, start = 2``."""
    return ", ".join(f"{name} = {as_written(value)}" for name, value in setting.items())


def as_written(value: OptionValue) -> str:
    """A value as rules write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _too_many(arms: int) -> Exception:
    return wrong(f"a sweep of {arms} arms is too large: {MOST_ARMS} are possible", "take fewer values, or `samples`")
