"""The part of numpy that experiments need, in Python: numpy itself is C, and not to be had in a browser.

In an export this file is the module ``numpy``. Arrays have one or two dimensions and are lists of Python's numbers;
their games are some hundreds. Figures of reports are rounded to six digits, so it does not matter in which order
numbers are added up.
"""

from __future__ import annotations

import builtins
import math
import operator
import struct
from array import array as _plain
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from itertools import chain
from types import SimpleNamespace
from typing import Any

inf, nan = math.inf, math.nan


class dtype:
    """A type of numbers."""

    def __init__(self, text: str) -> None:
        self.str = text
        self.kind, self.itemsize = text[1], int(text[2:])

    def __call__(self, value: Any) -> Any:
        """A number of this type."""
        return _KINDS[self.kind](value)


_KINDS: dict[str, Callable[[Any], Any]] = {"b": bool, "i": int, "u": int, "f": float}
_CODES = {"|b1": "?", "|i1": "b", "<i2": "h", "<i4": "i", "<i8": "q", "<u4": "I", "<f8": "d"}
_TYPES = {text: dtype(text) for text in _CODES}
bool_, int32, int64, uint32, float64 = (_TYPES[text] for text in ("|b1", "<i4", "<i8", "<u4", "<f8"))
_NAMED: dict[Any, dtype] = {bool: bool_, int: int64, float: float64, "i1": _TYPES["|i1"], **_TYPES}
integer = int64


def _type(kind: Any) -> dtype:
    return kind if isinstance(kind, dtype) else _NAMED[kind]


def _joined(types: Iterable[dtype]) -> dtype:
    """The type of what comes of numbers of some types."""
    kinds = {one.kind for one in types}
    return float64 if "f" in kinds else int64 if kinds & {"i", "u"} else bool_


def _of_value(value: Any) -> dtype:
    return bool_ if isinstance(value, bool) else int64 if isinstance(value, int) else float64


def _divided(one: Any, other: Any) -> float:
    try:
        return float(one / other)
    except ZeroDivisionError:
        return nan if one == 0 or one != one else math.copysign(inf, one)


class ndarray:
    """An array: its rows one after the other, or a single row."""

    def __init__(self, flat: list[Any], shape: tuple[int, ...], kind: dtype) -> None:
        self.flat, self.shape, self.dtype = flat, shape, kind

    # ------------------------------------------------------------------------------------------ what is in it

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[row] for row in range(len(self))) if len(self.shape) == 2 else iter(self.flat)

    @property
    def size(self) -> int:
        """The number of all numbers."""
        return len(self.flat)

    @property
    def nbytes(self) -> int:
        """The number of their bytes."""
        return len(self.flat) * self.dtype.itemsize

    def rows(self) -> list[list[Any]]:
        """All rows; those of a single one are itself."""
        count, size = (1, self.shape[0]) if len(self.shape) == 1 else self.shape
        return [self.flat[row * size : (row + 1) * size] for row in range(count)]

    def tolist(self) -> list[Any]:
        """All numbers, row by row."""
        return list(self.flat) if len(self.shape) == 1 else self.rows()

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            return self._at(*key)
        if len(self.shape) == 1:
            if isinstance(key, int):
                return self.flat[key]
            found = _chosen(self.flat, key)
            return ndarray(found, (len(found),), self.dtype)
        rows = self.rows()
        if isinstance(key, int):
            return ndarray(rows[key], self.shape[1:], self.dtype)
        return _of_rows(_chosen(rows, key), self.shape[1], self.dtype)

    def _at(self, row: Any, column: Any) -> Any:
        if column is None:  # a column of its own
            return ndarray(list(self.flat), (self.shape[0], 1), self.dtype)
        if isinstance(row, int):
            return self[row][column]
        if isinstance(column, int):
            found = [one[column] for one in _chosen(self.rows(), row)]
            return ndarray(found, (len(found),), self.dtype)
        width = len(range(*column.indices(self.shape[1])))
        return _of_rows([one[column] for one in _chosen(self.rows(), row)], width, self.dtype)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, tuple):
            self.flat[key[0] * self.shape[1] + key[1]] = self.dtype(value)
        elif isinstance(key, ndarray):
            for number, wanted in enumerate(key.flat):
                if wanted:
                    self.flat[number] = self.dtype(value)
        else:
            self.flat[key] = self.dtype(value)

    @property
    def T(self) -> ndarray:
        """Rows as columns."""
        return ndarray(list(chain.from_iterable(zip(*self.rows(), strict=True))), self.shape[::-1], self.dtype)

    def reshape(self, rows: int, size: int) -> ndarray:
        """The array's numbers in rows of a size."""
        return ndarray(self.flat, (len(self.flat) // size if rows < 0 else rows, size), self.dtype)

    def copy(self) -> ndarray:
        """Another one with the same numbers."""
        return ndarray(list(self.flat), self.shape, self.dtype)

    def astype(self, kind: Any) -> ndarray:
        """The array's numbers in another type."""
        made = _type(kind)
        return ndarray([made(one) for one in self.flat], self.shape, made)

    def tobytes(self) -> bytes:
        """The bytes of all numbers."""
        return struct.pack(f"<{len(self.flat)}{_CODES[self.dtype.str]}", *self.flat)

    def view(self, kind: Any) -> ndarray:
        """The numbers that have the same bytes."""
        return frombuffer(self.tobytes(), kind)._shaped(self.shape)

    def _shaped(self, shape: tuple[int, ...]) -> ndarray:
        return ndarray(self.flat, shape, self.dtype)

    # ------------------------------------------------------------------------------------------ number by number

    def _with(self, other: Any, does: Callable[[Any, Any], Any], kind: dtype | None = None) -> ndarray:
        if not isinstance(other, ndarray):
            made = kind or _joined((self.dtype, _of_value(other)))
            return ndarray([made(does(one, other)) for one in self.flat], self.shape, made)
        made = kind or _joined((self.dtype, other.dtype))
        (one_side, other_side), shape = _spread(self, other)
        return ndarray([made(does(x, y)) for x, y in zip(one_side, other_side, strict=True)], shape, made)

    def __add__(self, other: Any) -> ndarray:
        return self._with(other, operator.add)

    __radd__ = __add__

    def __sub__(self, other: Any) -> ndarray:
        return self._with(other, operator.sub)

    def __rsub__(self, other: Any) -> ndarray:
        return self._with(other, lambda one, given: given - one)

    def __mul__(self, other: Any) -> ndarray:
        return self._with(other, operator.mul)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> ndarray:
        return self._with(other, _divided, float64)

    def __pow__(self, other: float) -> ndarray:
        return self._with(other, operator.pow)

    def __lshift__(self, other: int) -> ndarray:
        return self._with(other, operator.lshift)

    def __rshift__(self, other: int) -> ndarray:
        return self._with(other, operator.rshift)

    def __and__(self, other: Any) -> ndarray:
        return self._with(other, operator.and_)

    def __or__(self, other: Any) -> ndarray:
        return self._with(other, operator.or_)

    def __invert__(self) -> ndarray:
        return ndarray([not one for one in self.flat], self.shape, bool_)

    def __eq__(self, other: Any) -> ndarray:  # type: ignore[override]
        return self._with(other, operator.eq, bool_)

    def __ne__(self, other: Any) -> ndarray:  # type: ignore[override]
        return self._with(other, operator.ne, bool_)

    def __lt__(self, other: Any) -> ndarray:
        return self._with(other, operator.lt, bool_)

    def __gt__(self, other: Any) -> ndarray:
        return self._with(other, operator.gt, bool_)

    def __ge__(self, other: Any) -> ndarray:
        return self._with(other, operator.ge, bool_)

    __hash__ = None  # type: ignore[assignment]

    def clip(self, least: float | None = None, max: float | None = None) -> ndarray:
        """The numbers within bounds."""
        made = self if least is None else maximum(self, least)
        return made if max is None else minimum(made, max)

    # ------------------------------------------------------------------------------------------ all together

    def _over(self, axis: int | None, does: Callable[[list[Any]], Any], kind: dtype) -> Any:
        if axis is None or len(self.shape) == 1:
            return kind(does(self.flat))
        lists = self.rows() if axis == 1 else self.T.rows()
        return ndarray([kind(does(one)) for one in lists], (len(lists),), kind)

    def sum(self, axis: int | None = None) -> Any:
        """The sum."""
        return self._over(axis, sum, float64 if self.dtype.kind == "f" else int64)

    def all(self, axis: int | None = None) -> Any:
        """True if all are."""
        return self._over(axis, all, bool_)

    def any(self, axis: int | None = None) -> Any:
        """True if one is."""
        return self._over(axis, any, bool_)

    def min(self, axis: int | None = None) -> Any:
        """The least."""
        return self._over(axis, min, self.dtype)

    def max(self, axis: int | None = None) -> Any:
        """The greatest."""
        return self._over(axis, max, self.dtype)

    def argmax(self, axis: int | None = None) -> Any:
        """The place of the first of the greatest."""
        return self._over(axis, lambda one: one.index(max(one)) if one else 0, int64)

    def nonzero(self) -> tuple[ndarray]:
        """The places of all that are not 0."""
        return (flatnonzero(self),)


def _chosen(items: list[Any], key: Any) -> list[Any]:
    """Elements of a list: by a slice, by their indices, or by a mask."""
    if isinstance(key, slice):
        return items[key]
    if isinstance(key, ndarray) and key.dtype is bool_:
        return [one for one, wanted in zip(items, key.flat, strict=True) if wanted]
    return [items[place] for place in key]


def _of_rows(rows: Sequence[Sequence[Any]], width: int, kind: dtype) -> ndarray:
    return ndarray(list(chain.from_iterable(rows)), (len(rows), width), kind)


def _spread(*sides: ndarray) -> tuple[list[list[Any]], tuple[int, ...]]:
    """The numbers of some arrays, repeated where others have more rows or columns, and the shape of that."""
    if len({one.shape for one in sides}) == 1:
        return [one.flat for one in sides], sides[0].shape
    whole = [one.shape if len(one.shape) == 2 else (1, *one.shape) for one in sides]
    height, width = (max(shape[way] for shape in whole) if 0 not in {s[way] for s in whole} else 0 for way in (0, 1))
    flats = []
    for one in sides:
        rows = one.rows() * (height if len(one.rows()) == 1 else 1)
        flats.append([value for row in rows for value in (row * width if len(row) == 1 else row)])
    return flats, (height, width) if any(len(one.shape) == 2 for one in sides) else (width,)


def _as_array(value: Any) -> ndarray:
    return value if isinstance(value, ndarray) else ndarray([value], (1,), _of_value(value))


# ---------------------------------------------------------------------------------------------- arrays that are made


def full(shape: int | tuple[int, ...], value: Any, kind: Any = None) -> ndarray:
    """An array of one value."""
    sizes = (shape,) if isinstance(shape, int) else shape
    made = _of_value(value) if kind is None else _type(kind)
    return ndarray([made(value)] * math.prod(sizes), sizes, made)


def zeros(shape: int | tuple[int, ...], kind: Any = float) -> ndarray:
    """An array of 0."""
    return full(shape, 0, kind)


def ones(shape: int | tuple[int, ...], kind: Any = float) -> ndarray:
    """An array of 1."""
    return full(shape, 1, kind)


def array(values: Iterable[Any]) -> ndarray:
    """An array of some numbers."""
    found = list(values)
    made = _joined(map(_of_value, found)) if found else float64
    return ndarray([made(one) for one in found], (len(found),), made)


def fromiter(values: Iterable[Any], kind: Any, count: int) -> ndarray:
    """An array of so many numbers."""
    made = _type(kind)
    return ndarray([made(one) for one in values], (count,), made)


def frombuffer(raw: Any, kind: Any, count: int = -1, begin: int = 0) -> ndarray:
    """The numbers that some bytes are."""
    made = _type(kind)
    held = memoryview(raw).cast("B") if isinstance(raw, bytes | bytearray | memoryview | _plain) else raw
    size = (len(held) - begin) // made.itemsize if count < 0 else count
    found = list(struct.unpack_from(f"<{size}{_CODES[made.str]}", held, begin))
    return ndarray(found, (size,), made)


def ascontiguousarray(values: ndarray) -> ndarray:
    """The array itself: it lies as it lies."""
    return values


def stack(arrays: Sequence[ndarray]) -> ndarray:
    """Some arrays as rows."""
    return _of_rows([one.flat for one in arrays], len(arrays[0]), _joined(one.dtype for one in arrays))


def concatenate(arrays: Sequence[ndarray], axis: int = 0) -> ndarray:
    """Some arrays beside each other, row by row."""
    kind = _joined(one.dtype for one in arrays)
    if len(arrays[0].shape) == 1:
        found = list(chain.from_iterable(one.flat for one in arrays))
        return ndarray(found, (len(found),), kind)
    rows = [list(chain.from_iterable(parts)) for parts in zip(*(one.rows() for one in arrays), strict=True)]
    return _of_rows(rows, sum(one.shape[1] for one in arrays), kind)


hstack = concatenate

# ---------------------------------------------------------------------------------------------- functions of arrays


def where(known: ndarray, one: Any, other: Any) -> ndarray:
    """Elements of one array or the other, by a mask."""
    sides = known, _as_array(one), _as_array(other)
    kind = _joined(side.dtype for side in sides[1:])
    (which, first, second), shape = _spread(*sides)
    return ndarray([kind(x if w else y) for w, x, y in zip(which, first, second, strict=True)], shape, kind)


def minimum(one: ndarray, other: Any) -> ndarray:
    """The lesser of two."""
    return one._with(other, min)


def maximum(one: ndarray, other: Any) -> ndarray:
    """The greater of two."""
    return one._with(other, max)


def nan_to_num(values: ndarray) -> ndarray:
    """With 0 where nothing is known."""
    return ndarray([0.0 if one != one else one for one in values.flat], values.shape, values.dtype)


def trunc(values: ndarray) -> ndarray:
    """The whole parts."""
    return ndarray([float(math.trunc(one)) for one in values.flat], values.shape, values.dtype)


def round(values: ndarray, digits: int) -> ndarray:
    """To so many decimals."""
    return ndarray([builtins.round(one, digits) for one in values.flat], values.shape, values.dtype)


def take_along_axis(values: ndarray, places: ndarray, axis: int) -> ndarray:
    """Of each row the numbers at some places."""
    found = [[row[place] for place in those] for row, those in zip(values.rows(), places.rows(), strict=True)]
    return _of_rows(found, places.shape[1], values.dtype)


def unique(values: ndarray, return_counts: bool) -> tuple[ndarray, ndarray]:
    """The different numbers in order, and how often each is there."""
    found = Counter(values.flat)
    return array(sorted(found)), array(found[one] for one in sorted(found))


def bincount(values: ndarray, minlength: int = 0) -> ndarray:
    """The number of times that each whole number is there."""
    found = Counter(values.flat)
    size = max([minlength, *(one + 1 for one in found)])
    return ndarray([found[number] for number in range(size)], (size,), int64)


def count_nonzero(values: ndarray, axis: int) -> ndarray:
    """The number of those in each row that are not 0."""
    return (values != 0).sum(axis)  # type: ignore[no-any-return]


def flatnonzero(values: ndarray) -> ndarray:
    """The places of all that are not 0."""
    return array(place for place, one in enumerate(values.flat) if one).astype(int64)


def isin(values: ndarray, known: Iterable[Any]) -> ndarray:
    """True for those among some."""
    these = set(known)
    return ndarray([one in these for one in values.flat], values.shape, bool_)


def mean(values: ndarray) -> float:
    """The mean."""
    return float(values.sum() / len(values))


def iinfo(kind: Any) -> SimpleNamespace:
    """The bounds of a type of whole numbers."""
    bits = 8 * _type(kind).itemsize
    return SimpleNamespace(min=-(1 << (bits - 1)), max=(1 << (bits - 1)) - 1)


def errstate(**_: str) -> nullcontext[None]:
    """A context without effect: there are no warnings of divisions by 0 anyway."""
    return nullcontext()
