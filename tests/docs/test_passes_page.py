"""The page of passes: every pass has its row, every pass over the program an example, which is what it does."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from node_text import read
from program_texts import program_of
from rulewright.engine import PASSES
from rulewright.ir import model as m
from rulewright.ir.text import expression_text
from rulewright.ir.transform.optimizer import Optimizer
from rulewright.ir.transform.passes import FIRST

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "internals" / "passes.md").read_text("utf-8")
EXAMPLES = {
    "tables": (
        "rim(c) = Cmp('lt', Size(NeighboursOf('Board', c)), 8)",
        "Filter(Alive('Cell'), 'd', Cmp('eq', CallQuery('rim', [d]), 1))",
    ),
    "inlining": (
        "own(c) = Cmp('eq', FieldGet('owner', [c]), 1)",
        "Filter(Alive('Cell'), 'd', CallQuery('own', [d]))",
    ),
    "emptiness": ("", "Cmp('gt', Size(Filter(Alive('Cell'), 'c', Cmp('eq', FieldGet('owner', [c]), 1))), 0)"),
    "floods": (
        "",
        "Fold('no', [Bound('c', ReachFrom('Board', $0, none, none, none))], "
        "Cmp('eq', FieldGet('owner', [c]), 1), none)",
    ),
    "rays": (
        "",
        "Size(Leading(Filter(MakeList(["
        + ", ".join(f"Towards('Board', $0, $1, {n})" for n in range(1, 8))
        + "]), 'step', Cmp('ne', step, -2147483648, true), true), 'c', Cmp('eq', FieldGet('owner', [c]), 1)), true)",
    ),
    "records": (
        "",
        "LetIn('known', FieldGet('stood', []), LetIn('now', Fingerprint(['owner'], []), Fold('count', [Bound('n', "
        "IntRange(1, Arith('div_down', Size(known, true), 4)))], And(["
        + ", ".join(
            f"Cmp('eq', Item(known, Arith('add', Arith('mul', Arith('sub', n, 1), 4), {at})), Item(now, {at}))"
            for at in range(4)
        )
        + "]), none)))",
    ),
    "unswitching": (
        "",
        "Filter(FieldGet('seen', []), 'c', And([Cmp('eq', FieldGet('owner', [$0]), 1), "
        "Cmp('eq', FieldGet('owner', [c]), 1)]))",
    ),
    "masks": (
        "",
        "Fold('count', [Bound('c', Alive('Cell'))], "
        "And([Cmp('eq', Attr('Cell.row', c), $0), Cmp('eq', FieldGet('owner', [c]), 1)]), none)",
    ),
    "repeats": (
        "",
        "And([Cmp('ne', Towards('Board', $0, $1, Size(NeighboursOf('Board', $0))), -2147483648, true), "
        "Cmp('eq', FieldGet('owner', [Towards('Board', $0, $1, Size(NeighboursOf('Board', $0)))]), 1)])",
    ),
}
"""For each pass over the program queries, and an expression that it changes."""


def test_each_pass_has_its_row_and_its_file() -> None:
    for one in PASSES:
        assert (ROOT / "interpreter" / "rulewright" / one.file).is_file()
        assert f"[`{one.name}`](../../interpreter/rulewright/{one.file})" in PAGE


def test_the_order_of_the_rows_is_that_of_the_passes() -> None:
    told = re.findall(r"^\| \[`([\w-]+)`\]", PAGE, re.MULTILINE)
    assert told[: len(FIRST)] == list(EXAMPLES) == [one.name for one in FIRST]
    assert sorted(told) == sorted(one.name for one in PASSES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_example_is_what_the_pass_does(name: str) -> None:
    queries, text = EXAMPLES[name]
    program, before = program_of(queries), read(text)
    place = m.Slot("c", m.Ty("entity", "Cell"))
    asked = tuple(replace(query, params=(place,)) for query in program.queries)
    record = m.Field("stood", (), (), m.Ty("list", capacity=400), 0, ())
    program = replace(program, queries=asked, fields=(*program.fields, record))
    told = "".join(f"{query.name}: {expression_text(query.body)}\n" for query in program.queries)
    after = Optimizer(program, {name}).rewritten("example", before)
    told += f"before: {expression_text(before)}\nafter: {expression_text(after)}\n"
    assert f"### `{name}`" in PAGE
    assert f"```ir\n{told}```" in PAGE.partition(f"### `{name}`")[2].partition("\n#")[0]
    assert Optimizer(program, ()).rewritten("example", before) is before
