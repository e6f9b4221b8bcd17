"""Changed JSON: values and keys are left out, doubled, exchanged, and replaced by what nobody expects."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

STRANGE: tuple[Any, ...] = (
    *(None, True, False, "", " ", "x", "0", "1.5", "none", "chance", "a.rules", "../x.json", "/etc/passwd", "a#b", "."),
    *("\ud800", "a\x00b", "\x1b[31m", "\u202e", "[bold]x", "é" * 9, "ö", "a" * 61, "a" * 3000, "$(x)", "&<>\"'"),
    *(-1, 0, 1, 2, 3, 7, 31, 32, 33, 64, 65, 1024, 1025, 4097, 2**31 - 1, 2**31, -(2**31), 2**63, 2**64, 10**400),
    *(1.5, 1.0, -0.0, 1e400, float("nan"), [], {}, [1], [None], [[]], {"a": 1}, {"": []}, {"2": 1}, {"3": [1]}),
)


def changed(data: Any, rng: random.Random, most: int = 4) -> Any:
    """A copy with some changes anywhere."""
    copy = {"": json.loads(json.dumps(data))}
    for _ in range(rng.randint(1, most)):
        here, key = rng.choice(list(_places(copy)))
        _change(copy, here, key, rng)
    return copy.get("")


def pruned(data: Any, rng: random.Random, most: int = 3) -> Any:
    """The same with short lists, and few names where there are many; what is left keeps its order."""
    if isinstance(data, list):
        kept = data if len(data) <= most else [data[i] for i in sorted(rng.sample(range(len(data)), most))]
        return [pruned(one, rng) for one in kept]
    if isinstance(data, dict):
        keys = (
            list(data) if len(data) <= 4 * most else [list(data)[i] for i in sorted(rng.sample(range(len(data)), most))]
        )
        return {key: pruned(data[key], rng) for key in keys}
    return data


def text_of(data: Any, rng: random.Random) -> str:
    """Written as JSON, now and then so that it is none."""
    text = json.dumps(data, ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, 1, 4)))
    if rng.random() < 0.06:
        at = rng.randint(0, len(text))
        bad = (
            "",
            ",",
            "}",
            "]",
            '"',
            "/* x */",
            "NaN",
            "\\u12",
            "\\x",
            "'",
            "\x00",
            "{",
            "[" * 70,
            "[" * 5000,
            "1e999999",
        )
        text = text[:at] + rng.choice(bad) + text[at + rng.randint(0, 2) :]
    if rng.random() < 0.02:
        text = "\ufeff" + text
    return text


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Each place in a tree, in the order written; trees may be nested deeper than Python calls go."""
    waiting = [iter([(data, key) for key in _inside(data)])]
    while waiting:
        place = next(waiting[-1], None)
        if place is None:
            waiting.pop()
            continue
        yield place
        here, key = place
        if isinstance(here[key], dict | list):
            waiting.append(iter([(here[key], inner) for inner in _inside(here[key])]))


def _inside(data: Any) -> list[Any]:
    return list(data) if isinstance(data, dict) else list(range(len(data)))


def _change(data: Any, here: Any, key: Any, rng: random.Random) -> None:
    how = rng.randrange(14)
    value = here[key]
    if how == 0 and key != "":
        del here[key]
    elif how == 1 and isinstance(here, list):
        here[rng.randint(0, len(here)) : 0] = [json.loads(json.dumps(value))] * rng.choice((1, 1, 1, 2, 40))
    elif how == 1 and key != "":
        new = rng.choice((str(key) + "x", str(key)[:-1], "count", "rows", "3", str(key).upper(), *_keys(data)))
        here[new] = deepcopy(value) if rng.random() < 0.5 else here.pop(key)
    elif how == 2:
        here[key] = deepcopy(rng.choice(STRANGE))  # what is changed later must not be the one that others get
    elif how == 3:
        here[key] = rng.choice(([value], {"2": value}, [value, deepcopy(value)], str(value)))
    elif how < 8 and isinstance(value, int | str) and not isinstance(value, bool):
        here[key] = _near(value, rng)
    else:
        alike = [(there, other) for there, other in _places(data) if other != "" and type(there[other]) is type(value)]
        if alike:
            there, other = rng.choice(alike)
            here[key] = json.loads(json.dumps(there[other]))


def _keys(data: Any) -> list[str]:
    return [key for _, key in _places(data) if isinstance(key, str) and key]


def _near(value: int | str, rng: random.Random) -> int | str:
    if isinstance(value, int):
        return value + rng.choice((-2, -1, 1, 2, 100))
    if not value:
        return "a"
    at = rng.randrange(len(value))
    return rng.choice(
        (value[:at], value[:at] + value[at + 1 :], value + " ", value * 2, value.swapcase(), value[:at] + "é")
    )
