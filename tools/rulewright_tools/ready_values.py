"""Values of options that need no conversion: defaults, plain text, and plain whole numbers.

Typer converts all values through pydantic, which takes longer to import than most commands take to run, and is not to
be had in a browser. A value that is already of its type passes as it is, and so do the name of a format and digits that
are within the bounds of the option; all others, paths among them, go the usual way.
"""

from __future__ import annotations

import re
from enum import StrEnum
from types import UnionType
from typing import Any, Union, get_args, get_origin

from typer.core import TyperCommand

_DIGITS = re.compile(r"[0-9]{1,15}")


class ReadyCommand(TyperCommand):
    """A command whose parameters take values that are of their type already."""

    def get_params(self, ctx: Any) -> list[Any]:
        """All parameters, ``--help`` among them."""
        return pass_ready_values(super().get_params(ctx))


def pass_ready_values(params: list[Any]) -> list[Any]:
    """Let parameters take values that are of their type already."""
    for param in params:
        # Only newer releases of typer have it, and only they convert through pydantic.
        described = getattr(param, "type_descriptor", None)
        if described is not None and not isinstance(param.process_value, _Process):
            info = described.parameter_info
            param.process_value = _Process(param, described.annotation, info.min, info.max)
    return params


class _Process:
    """Stands for ``process_value`` of one parameter."""

    def __init__(self, param: Any, annotation: Any, least: float | None, most: float | None) -> None:
        self._usual = param.process_value
        self._param = param
        self._several = param.multiple or param.nargs == -1
        self._annotation = annotation
        self._least, self._most = least, most

    def __call__(self, ctx: Any, value: Any) -> Any:
        value = self._as_number(_as_member(value, self._annotation))
        if not self._is_ready(value):
            return self._usual(ctx, value)
        if self._several:
            value = () if value is None else list(value)
        callback = self._param.callback
        return value if callback is None else callback(ctx, self._param, value)

    def _as_number(self, value: Any) -> Any:
        """The number that digits stand for, if the option takes it; anything else as it is."""
        if type(value) is not str or not _DIGITS.fullmatch(value):
            return value
        kinds = _kinds(self._annotation)
        kind = int if int in kinds else float if float in kinds else None
        if kind is None or str in kinds:
            return value
        number = kind(value)
        low, high = self._least, self._most
        return number if (low is None or low <= number) and (high is None or number <= high) else value

    def _is_ready(self, value: Any) -> bool:
        if value is None:
            return not self._param.required
        if self._several:
            ready = self._annotation == list[str] and isinstance(value, (list, tuple)) and len(value) > 0
            return ready and all(isinstance(one, str) for one in value)
        return _is_ready(value, self._annotation)


def _as_member(value: Any, annotation: Any) -> Any:
    """The member of an enumeration of texts that a text stands for; anything else as it is."""
    if type(value) is str and isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return next((member for member in annotation if member.value == value), value)
    return value


def _kinds(annotation: Any) -> tuple[Any, ...]:
    """The types that a value may have."""
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)


def _is_ready(value: Any, annotation: Any) -> bool:
    if get_origin(annotation) in (Union, UnionType):
        return any(_is_ready(value, one) for one in get_args(annotation))
    # A truth is an int to Python, and a member of an enumeration of texts is a str.
    return isinstance(annotation, type) and type(value) is annotation
