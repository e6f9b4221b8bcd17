"""The shape of a function: its code without the numbers in it, and without the way in which they are compared.

Games of one ruleset differ in numbers above all, for parameters are constants of a program, and many an edit changes
only a number or an operator. What an analysis of flow finds out does not depend on them, so it is the same for all
games whose functions have the same shapes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar, assert_never

from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.hash_consing import Constant, Operation, structural_digest
from rulewright.ir.walk import nodes


@memoized_by_node
def shape(function: m.Function) -> bytes:
    """A digest of name, sorts of slots and code.

    Of the constants only 0 and none count, of operators whether they raise or lower. Analyses ask whether two
    expressions are equal only of those that say who decides, and of the keys of fields, within one function: in these
    all operators count, and of constants which are the same.
    """
    compared = {id(node) for part in _compared(function) for node in nodes(part)}
    numbers: dict[object, int] = {}

    def of_constant(constant: Constant) -> object:
        value = constant.value if isinstance(constant, m.Const) else constant.values
        if value in (0, m.NONE):
            return value
        return numbers.setdefault(value, len(numbers) + 1) if id(constant) in compared else ""

    def of_operator(e: Operation) -> object:
        return e.op if id(e) in compared else isinstance(e, m.Arith) and e.op in ("add", "sub")

    slots = tuple(slot.ty.universe for slot in function.slots)
    return structural_digest(
        function.name, function.params, slots, function.code, constant=of_constant, operation=of_operator
    )


def everyone(program: m.Program) -> m.Const:
    """The set of all players of a game, as its rules say it."""
    seats = next((universe.size for universe in program.universes if universe.name == "Player"), 0)
    return m.Const((1 << seats) - 1)


@memoized_by_node
def shapes(program: m.Program) -> dict[str, bytes]:
    """The shapes of the functions of a game by name. Where something is shown to all of its players counts, too: that
    is another number in each game, and is not to be taken for some of them."""
    found, players = {}, everyone(program)
    for function in program.functions:
        to_all = tuple(pc for pc, to in _shows(function) if to == players)
        found[function.name] = structural_digest(shape(function), to_all) if to_all else shape(function)
    return found


@memoized_by_node
def _shows(function: m.Function) -> tuple[tuple[int, m.Expr], ...]:
    """The instructions that show something, and to whom."""
    return tuple((pc, i.to) for pc, i in enumerate(function.code) if isinstance(i, m.Show))


@memoized_by_node
def shape_with_keys(function: m.Function) -> bytes:
    """A digest that also covers where something goes: keys of zones, and what is handed over."""
    return structural_digest(shape(function), tuple(map(_keys, function.code)), tuple(_compared(function)))


def _keys(i: m.Instr) -> object:
    match i:
        case m.Move() | m.SwapItems():
            return i.index
        case m.Show():
            return i.to
        case m.Call():
            return i.args
        case (
            m.SetField() | m.Reset() | m.Flip() | m.Merge() | m.Eliminate() | m.SetLocal() | m.Append() | m.Jump()
            | m.JumpUnless() | m.Return() | m.FinishWin() | m.FinishRank() | m.Fail() | m.Choose() | m.Chance()
            | m.Tell() | m.Fired() | m.Observe() | m.Turn()
        ):  # fmt: skip
            return ""
        case _:
            assert_never(i)


def _compared(function: m.Function) -> Iterator[object]:
    for node in nodes(function.code):
        if isinstance(node, m.Choose):
            yield node.who
        elif isinstance(node, m.FieldGet | m.SetField):
            yield node.index


T = TypeVar("T")

KEPT = 64
"""The number of sorts of games of which a result is kept, the most recent ones."""


class ShapeCache(Generic[T]):
    """Results by all that decides upon them."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, kind: Hashable, find: Callable[[], T]) -> T:
        """The result for a sort of games, found once."""
        if kind in self._kept:
            self._kept.move_to_end(kind)
            return self._kept[kind]
        found = self._kept[kind] = find()
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found
