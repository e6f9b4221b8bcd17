"""``dataclass`` with slots, whose methods are compiled when they are first used.

The standard decorator compiles six methods for each class when its module is imported. There are some four hundred
classes of nodes and records, and a command uses few methods of few of them. The decorator here finds the fields with
the standard one and leaves the methods to their first caller; they do the same as the standard ones.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

Class = type[Any]


class _Uncompiled:
    """Stands for a method in a class, and puts the method in its own place when that is looked up."""

    __slots__ = ("_compile", "_name", "_owner")

    def __init__(self, owner: Class, name: str, compile_for: Callable[[Class], Callable[..., Any]]) -> None:
        self._owner, self._name, self._compile = owner, name, compile_for

    def __get__(self, instance: object, kind: type | None = None) -> Any:
        method: Any = self._compile(self._owner)
        method.__name__, method.__qualname__ = self._name, f"{self._owner.__qualname__}.{self._name}"
        method.__module__ = self._owner.__module__
        setattr(self._owner, self._name, method)
        return method.__get__(instance, kind)


def lazy_dataclass(
    *, frozen: bool = False, slots: bool, eq: bool = True, kw_only: bool = False, weakref_slot: bool = False
) -> Callable[[Class], Class]:
    """The classes of `dataclasses.dataclass` for the same arguments; slots are required."""

    def decorate(given: Class) -> Class:
        own = vars(given)
        hashed = own.get("__hash__") is not None
        made: Any = dataclasses.dataclass(
            init=False, repr=False, eq=False, slots=slots, kw_only=kw_only, weakref_slot=weakref_slot
        )(given)
        if "__init__" not in own:
            made.__init__ = _Uncompiled(made, "__init__", _init)
        if "__repr__" not in own:
            made.__repr__ = _Uncompiled(made, "__repr__", _repr)
        if eq:
            if "__eq__" not in own:
                made.__eq__ = _Uncompiled(made, "__eq__", _eq)
            if not hashed:
                made.__hash__ = _Uncompiled(made, "__hash__", _hash) if frozen else None
        if frozen:
            _freeze(made)
        decorated: Class = made
        return decorated

    return decorate


def _freeze(made: Any) -> None:
    """No field can be set or deleted any more; pickles and copies are filled past that."""
    names = frozenset(made.__dataclass_fields__)

    def __setattr__(self: object, name: str, value: object) -> None:
        if type(self) is made or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(made, self).__setattr__(name, value)

    def __delattr__(self: object, name: str) -> None:
        if type(self) is made or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(made, self).__delattr__(name)

    made.__setattr__, made.__delattr__ = __setattr__, __delattr__
    for name, method in (("__getstate__", _get_state), ("__setstate__", _set_state)):
        if name not in vars(made):
            setattr(made, name, method)


def _get_state(self: Any) -> list[object]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[object]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


def _compiled(head: str, body: list[str], names: dict[str, Any]) -> Callable[..., Any]:
    lines = "\n ".join(body or ["pass"])
    exec(f"def method({head}):\n {lines}", names)
    method: Callable[..., Any] = names["method"]
    return method


_UNGIVEN = object()


def _init(made: Class) -> Callable[..., Any]:
    """Fills the slots through their descriptors, which are quicker than ``object.__setattr__``."""
    names: dict[str, Any] = {"_UNGIVEN": _UNGIVEN}
    plain, by_name, body = ["self"], list[str](), list[str]()
    annotations: dict[str, Any] = {}
    for number, field in enumerate(dataclasses.fields(made)):
        name, value = field.name, field.name
        names[f"_set{number}"] = getattr(made, name).__set__
        default = ""
        if field.default is not dataclasses.MISSING:
            names[f"_default{number}"] = field.default
            default = f"=_default{number}"
        elif field.default_factory is not dataclasses.MISSING:
            names[f"_make{number}"] = field.default_factory
            default = "=_UNGIVEN"
            value = f"_make{number}() if {name} is _UNGIVEN else {name}"
        (by_name if field.kw_only else plain).append(name + default)
        annotations[name] = field.type
        body.append(f"_set{number}(self, {value})")
    if hasattr(made, "__post_init__"):
        body.append("self.__post_init__()")
    method = _compiled(", ".join([*plain, *(["*", *by_name] if by_name else [])]), body, names)
    method.__annotations__ = {**annotations, "return": None}
    return method


def _repr(made: Class) -> Callable[..., Any]:
    shown = ", ".join(f"{field.name}={{self.{field.name}!r}}" for field in dataclasses.fields(made) if field.repr)
    names: dict[str, Any] = {}
    method = _compiled("self", [f"return f'{{self.__class__.__qualname__}}({shown})'"], names)
    from reprlib import recursive_repr

    return recursive_repr()(method)


def _compared(made: Class, whose: str) -> str:
    return "(" + "".join(f"{whose}.{field.name}, " for field in dataclasses.fields(made) if field.compare) + ")"


def _eq(made: Class) -> Callable[..., Any]:
    body = [
        "if other.__class__ is self.__class__:",
        f" return {_compared(made, 'self')} == {_compared(made, 'other')}",
        "return NotImplemented",
    ]
    return _compiled("self, other", body, {})


def _hash(made: Class) -> Callable[..., Any]:
    return _compiled("self", [f"return hash({_compared(made, 'self')})"], {})


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = lazy_dataclass

__all__ = ["dataclass", "lazy_dataclass"]
