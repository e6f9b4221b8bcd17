"""Facts about nodes are kept with what they were found from: right after each change, and found again only then."""

from __future__ import annotations

import gc
from collections.abc import Callable
from weakref import ref

from hypothesis import given
from hypothesis import strategies as st

from rulewright.foundation.memo import FORMS, Context, question_of_node, traced_by_node, tracked_query


class Node:
    """A node that names some cells of a sheet."""

    def __init__(self, *cells: str) -> None:
        self.cells = cells


class Sheet(Context):
    """Cells with numbers, and a node for each of them."""

    def __init__(self, cells: dict[str, int], nodes: dict[str, Node] | None = None) -> None:
        super().__init__()
        self._cells, self._nodes = cells, nodes or {}

    @tracked_query
    def cell(self, name: str) -> int | None:
        return self._cells.get(name)

    @tracked_query
    def is_large(self, name: str) -> bool:
        return (self.cell(name) or 0) > 5

    @tracked_query
    def node(self, name: str) -> Node | None:
        return self._nodes.get(name)

    @question_of_node
    def width(self, node: Node) -> int:
        return len(node.cells) + (self.cell("a") or 0)


def counted(find: Callable[[Node, Sheet], object]) -> tuple[Callable[[Node, Sheet], object], list[Node]]:
    asked: list[Node] = []

    def counting(node: Node, sheet: Sheet) -> object:
        asked.append(node)
        return find(node, sheet)

    return traced_by_node(counting), asked


def large(node: Node, sheet: Sheet) -> object:
    """The first large cell with all before it, so that what is asked depends on what was answered."""
    found = []
    for name in node.cells:
        found.append((name, sheet.cell(name) if name < "c" else sheet.is_large(name)))
        if sheet.is_large(name):
            break
    return found


SHEETS = st.dictionaries(st.sampled_from("abcde"), st.integers(0, 9))


@given(st.lists(SHEETS, min_size=1, max_size=20), st.lists(st.sampled_from("abcde"), max_size=5))
def test_what_is_remembered_is_what_would_be_found(sheets: list[dict[str, int]], cells: list[str]) -> None:
    fact, _ = counted(large)
    node = Node(*cells)
    for cells_now in sheets:
        assert fact(node, Sheet(cells_now)) == large(node, Sheet(cells_now))


def test_only_another_answer_counts() -> None:
    fact, asked = counted(large)
    node = Node("c", "d")
    for d in (7, 8, 9):  # it was only asked whether they are large
        fact(node, Sheet({"c": d - 6, "d": d}))
    assert len(asked) == 1
    fact(node, Sheet({"c": 6, "d": 7}))
    assert len(asked) == 2
    fact(node, Sheet({"c": 1, "d": 7}))  # as it was before
    assert len(asked) == 2


def test_what_a_fact_asks_of_another_counts_for_both() -> None:
    inner, _ = counted(lambda node, sheet: sheet.cell("a"))
    part = Node()
    outer, asked = counted(lambda node, sheet: (inner(part, sheet), sheet.width(part)))
    node = Node()
    inner(part, Sheet({"a": 1}))  # so that it is known already when it is asked first
    assert outer(node, Sheet({"a": 1})) == (1, 1)
    assert outer(node, Sheet({"a": 2})) == (2, 2)
    assert outer(node, Sheet({"a": 2, "b": 1})) == (2, 2)
    assert len(asked) == 2


def test_a_question_that_fails_leaves_nothing_behind() -> None:
    fact, asked = counted(lambda node, sheet: 1 // (sheet.cell("a") or 0))
    node, sheet = Node(), Sheet({})
    for _ in range(2):
        try:
            fact(node, sheet)
        except ZeroDivisionError:
            assert sheet.trace is None
    assert len(asked) == 2
    assert fact(node, Sheet({"a": 1})) == 1


def test_nothing_is_kept_of_nodes_that_are_gone() -> None:
    @traced_by_node
    def fact(node: Node, sheet: Sheet) -> bool:
        return sheet.node("x") is not node

    first, second = Node(), Node()
    # Each has looked at the other one.
    fact(first, Sheet({}, {"x": second}))
    fact(second, Sheet({}, {"x": first}))
    gone = ref(first), ref(second)
    del first, second
    gc.collect(1)  # they are young; to look through all that the other tests keep would take a second
    assert [one() for one in gone] == [None, None]


def test_a_node_that_is_another_one_is_another_answer() -> None:
    fact, asked = counted(lambda node, sheet: len(found.cells) if (found := sheet.node("x")) is not None else 0)
    node = Node()
    assert fact(node, Sheet({}, {"x": Node("a")})) == 1
    assert fact(node, Sheet({}, {"x": Node("a", "b")})) == 2
    assert len(asked) == 2


def test_few_answers_are_kept() -> None:
    fact, asked = counted(lambda node, sheet: sheet.cell("a"))
    node = Node()
    for number in range(3 * FORMS):
        fact(node, Sheet({"a": number}))
    made = len(asked)
    for number in reversed(range(2 * FORMS, 3 * FORMS)):
        fact(node, Sheet({"a": number}))
    assert len(asked) == made
    fact(node, Sheet({"a": 0}))
    assert len(asked) == made + 1
