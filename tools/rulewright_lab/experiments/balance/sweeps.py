"""Sweeps: values of parameters, and the arms that are made of them.

All combinations (a full factorial design), or so many of them that each value comes about equally often: a Latin
hypercube (M. D. McKay, R. J. Beckman, W. J. Conover, *A comparison of three methods for selecting values of input
variables in the analysis of output from a computer code*, Technometrics 21, 1979), drawn by scipy.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

from rulewright.compiler import OptionValue
from rulewright_lab.agents.words import wrong

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


def told(setting: Setting) -> str:
    """A setting in words: ``goal = 9, start = 2``."""
    return ", ".join(f"{name} = {written(value)}" for name, value in setting.items())


def written(value: OptionValue) -> str:
    """A value as rules write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _too_many(arms: int) -> Exception:
    return wrong(f"a sweep of {arms} arms is too large: {MOST_ARMS} are possible", "take fewer values, or `samples`")
