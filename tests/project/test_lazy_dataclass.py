"""Classes with methods that are compiled later are like those of the standard decorator."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Hashable
from dataclasses import field
from typing import Any
from weakref import ref

import pytest

import rulewright.ir.model as m
from rulewright.foundation.lazy_dataclass import _Uncompiled, dataclass, lazy_dataclass
from rulewright.syntax import ast

made: list[list[int]] = []


def numbers() -> list[int]:
    made.append([])
    return made[-1]


def classes(decorate: Any) -> tuple[type[Any], type[Any], type[Any]]:
    """A class, one that adds to it, and one that can be changed."""

    @decorate(frozen=True, slots=True, kw_only=True, weakref_slot=True)
    class Node:
        """A node."""

        span: int = field(default=0, compare=False, repr=False)

    @decorate(frozen=True, slots=True)
    class Sum(Node):
        """A sum."""

        left: object
        right: object = 2
        many: list[int] = field(default_factory=numbers)

        def __post_init__(self) -> None:
            if self.left is None:
                raise ValueError("nothing on the left")

    @decorate(slots=True)
    class Tally:
        """Counts."""

        name: str
        of: dict[str, int] = field(default_factory=dict)

    return Node, Sum, Tally


STANDARD = classes(dataclasses.dataclass)
LAZY = classes(lazy_dataclass)


def outcome(ask: Any, of: tuple[type[Any], ...]) -> Any:
    try:
        return ask(*of)
    except Exception as error:
        return type(error).__name__, str(error) if isinstance(error, AttributeError | ValueError) else ""


def renamed(tally: Any) -> str:
    tally.name = "b"
    return str(tally)


ASKED = {
    "text": lambda node, total, tally: (repr(node(span=3)), repr(total(1, [2])), repr(tally("a"))),
    "itself inside": lambda node, total, tally: (held := tally("a"), held.of.update(a=held), repr(held))[2],
    "equal": lambda node, total, tally: [
        one == other
        for one in (total(1), total(1, span=5), total(1, 3), node(), tally("a"), 1)
        for other in (total(1), total(1, span=5), total(1, 3), node(), tally("a"), 1)
    ],
    "hash": lambda node, total, tally: hash(total(1, many=(2,))),
    "hash ignores": lambda node, total, tally: hash(node(span=1)) == hash(node(span=2)),
    "hash of a list": lambda node, total, tally: hash(total(1)),
    "no hash": lambda node, total, tally: hash(tally("a")),
    "hashable": lambda node, total, tally: [isinstance(one, Hashable) for one in (node(), total(1), tally("a"))],
    "factory": lambda node, total, tally: total(1).many is total(1).many,
    "by name only": lambda node, total, tally: node(1),
    "too few": lambda node, total, tally: total(),
    "unknown": lambda node, total, tally: total(1, other=2),
    "after": lambda node, total, tally: total(None),
    "set": lambda node, total, tally: setattr(total(1), "left", 2),
    "set inherited": lambda node, total, tally: setattr(total(1), "span", 2),
    "delete": lambda node, total, tally: delattr(total(1), "left"),
    "change": lambda node, total, tally: renamed(tally("a")),
    "fields": lambda node, total, tally: [(f.name, f.type, f.compare, f.kw_only) for f in dataclasses.fields(total)],
    "replace": lambda node, total, tally: repr(dataclasses.replace(total(1, many=[7]), left=4)),
    "as dict": lambda node, total, tally: dataclasses.asdict(total(tally("a"))),
    "signature": lambda node, total, tally: [
        (p.name, p.kind, p.annotation) for p in inspect.signature(total).parameters.values()
    ],
    "match": lambda node, total, tally: (node.__match_args__, total.__match_args__),
    "copy": lambda node, total, tally: repr(copy.deepcopy(total(1, [2], span=3))) + str(copy.copy(node(span=9)).span),
    "slots": lambda node, total, tally: hasattr(total(1), "__dict__"),
    "weak": lambda node, total, tally: ref(one := total(1))() is one,
    "names": lambda node, total, tally: [total.__init__.__qualname__, total.__init__.__module__, total.__doc__],
    "below": lambda node, total, tally: repr(type("Below", (total,), {})(1)),
    "set below": lambda node, total, tally: setattr(type("Below", (total,), {})(1), "left", 2),
}


@pytest.mark.parametrize("asked", ASKED)
def test_the_answer_is_that_of_the_standard_decorator(asked: str) -> None:
    ask = ASKED[asked]
    assert outcome(ask, LAZY) == outcome(ask, STANDARD)
    fresh = classes(lazy_dataclass)  # none of whose methods has been looked up
    assert outcome(ask, fresh) == outcome(ask, STANDARD)


def test_nothing_is_added_to_a_frozen_instance() -> None:
    """The standard decorator of some versions of Python fails here with a TypeError, because of the slots."""
    _, total, _ = classes(lazy_dataclass)
    with pytest.raises(dataclasses.FrozenInstanceError):
        total(1).new = 2
    below = type("Below", (total,), {})(1)
    below.new = 2
    assert below.new == 2


def test_methods_are_compiled_when_they_are_used() -> None:
    _, total, _ = classes(lazy_dataclass)
    names = ("__init__", "__repr__", "__eq__", "__hash__")
    assert [type(vars(total)[name]) for name in names] == [_Uncompiled] * 4
    assert total(1) == total(1)
    assert [type(vars(total)[name]) is _Uncompiled for name in names] == [False, True, False, True]


def test_what_a_class_says_itself_stays() -> None:
    @dataclass(frozen=True, slots=True)
    class Own:
        name: str

        def __hash__(self) -> int:
            return 5

        def __repr__(self) -> str:
            return "own"

    @dataclass(frozen=True, slots=True, eq=False)
    class Single:
        name: str

    assert (hash(Own("a")), repr(Own("a")), Own("a") == Own("a")) == (5, "own", True)
    assert Single("a") != Single("a")


@pytest.mark.parametrize("node", [ast.Path(("a", "b")), m.Const(5), ast.Name("x")], ids=["path", "const", "name"])
def test_nodes_are_pickled(node: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(node, protocol))
        assert (again, repr(again), hash(again)) == (node, repr(node), hash(node))
