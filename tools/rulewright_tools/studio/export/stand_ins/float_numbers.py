"""The functions on floating-point numbers that Hypothesis needs, in Python: its own are Rust, and not to be had in a
browser.

In an export this file is the module ``hypothesis._native``, with all that is below it. The fuzzer draws whole numbers
only; so these functions are there to be imported, and need not be fast.
"""

from __future__ import annotations

import math
import struct
import sys
from types import ModuleType

__version__ = "0"  # the archive does not know which version it was made of

_FORMATS = {16: ("!H", "!e"), 32: ("!I", "!f"), 64: ("!Q", "!d")}
_SMALLEST = {16: 2.0**-14, 32: 2.0**-126, 64: 2.0**-1022}


def float_of(x: float, width: int) -> float:
    """The number of so many bits that is nearest."""
    form = _FORMATS[width][1]
    return float(struct.unpack(form, struct.pack(form, float(x)))[0])


def is_negative(x: float) -> bool:
    """True if it has a minus sign, as -0.0 has."""
    return math.copysign(1.0, x) < 0


def float_to_int(value: float, width: int = 64) -> int:
    """The bits of a number."""
    whole, real = _FORMATS[width]
    return int(struct.unpack(whole, struct.pack(real, value))[0])


def int_to_float(value: int, width: int = 64) -> float:
    """The number of some bits."""
    whole, real = _FORMATS[width]
    return float(struct.unpack(real, struct.pack(whole, value))[0])


def count_between_floats(x: float, y: float, width: int = 64) -> int:
    """The number of numbers from `x` to `y`."""
    if is_negative(x):
        if is_negative(y):
            return float_to_int(x, width) - float_to_int(y, width) + 1
        return count_between_floats(x, -0.0, width) + count_between_floats(0.0, y, width)
    return float_to_int(y, width) - float_to_int(x, width) + 1


def next_up(value: float, width: int = 64) -> float:
    """The number after a value."""
    if math.isnan(value) or value == math.inf:
        return value
    if value == 0.0:
        return 0.0 if is_negative(value) else int_to_float(1, width)
    return int_to_float(float_to_int(value, width) + (1 if value > 0 else -1), width)


def next_down(value: float, width: int = 64) -> float:
    """The number before a value."""
    return -next_up(-value, width)


def width_smallest_normals(width: int) -> float:
    """The smallest number above 0 of so many bits that has all digits."""
    return _SMALLEST[width]


def next_down_normal(value: float, width: int, *, allow_subnormal: bool) -> float:
    """The number before a value, perhaps only of those that have all digits."""
    value = next_down(value, width)
    if not allow_subnormal and 0 < abs(value) < _SMALLEST[width]:
        return 0.0 if value > 0 else -_SMALLEST[width]
    return value


def next_up_normal(value: float, width: int, *, allow_subnormal: bool) -> float:
    """The number after a value, perhaps only of those that have all digits."""
    return -next_down_normal(-value, width, allow_subnormal=allow_subnormal)


def cathetus(h: float, a: float) -> float:
    """The length of the other side of a right triangle with the hypotenuse `h`."""
    if math.isnan(h) or math.isnan(a) or abs(h) < abs(a):
        return math.nan
    if math.isinf(h):
        return math.nan if math.isinf(a) else math.inf
    h, a = abs(h), abs(a)
    return (
        math.sqrt(h - a) * math.sqrt(h + a)
        if h + a < math.inf
        else 2 * math.sqrt(h / 2 - a / 2) * math.sqrt(h / 2 + a / 2)
    )


def _register(package: str) -> None:
    """Be the modules below the package, too: imports of them find them there."""
    floats = (
        count_between_floats,
        float_of,
        float_to_int,
        int_to_float,
        is_negative,
        next_down,
        next_down_normal,
        next_up,
        next_up_normal,
        width_smallest_normals,
    )
    for name, offered in (("internal", ()), ("internal.cathetus", (cathetus,)), ("internal.floats", floats)):
        module = sys.modules[f"{package}.{name}"] = ModuleType(f"{package}.{name}")
        for one in offered:
            setattr(module, one.__name__, one)


if __name__ == "hypothesis._native":
    _register(__name__)
