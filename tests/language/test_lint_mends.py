"""The mends that lint rules about values and conditions offer, and what they leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from language_helpers import write

import rulewright as rw

HEAD = "field gold[Player]: 0.. = 3\nfield tired[Player]: Bool = false\n"


def query(type: str, value: str) -> str:
    return f"{HEAD}query f(p: Player, q: Player) -> {type} = {value}\n"


MENDS = [
    ("TYP232", "Bool", "tired[p] or gold[p] > 3 or tired[p]", "tired[p] or gold[p] > 3"),
    ("TYP232", "Bool", "gold[p] > 3 and gold[p] > 5", "gold[p] > 5"),
    ("TYP232", "Bool", "gold[p] > 3 and (tired[p] or p is q or tired[p])", "gold[p] > 3 and (tired[p] or p is q)"),
    ("TYP233", "Int", "gold[p] + 0", "gold[p]"),
    ("TYP233", "Int", "2 * gold[p] * 1 - 0", "2 * gold[p]"),
    ("TYP233", "Int", "(gold[p] - gold[q]) * 1 * 2", "(gold[p] - gold[q]) * 2"),
    ("TYP233", "Bool", "not not tired[p]", "tired[p]"),
    ("TYP234", "set of Int", "{1, 2, 1}", "{1, 2}"),
    ("TYP235", "set of Int", "{5 .. 1}", "{1 .. 5}"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "type", "wrong", "right"), MENDS, ids=lambda text: str(text))
def test_mend(code: str, type: str, wrong: str, right: str, tmp_path: Path) -> None:
    ruleset = rw.open_ruleset(write(tmp_path, query(type, wrong)))
    fixed = rw.fix(ruleset, unsafe=True, wanted=lambda d: d.code == code)
    assert [after for _, after in fixed.texts.values()] == [
        before.replace(f"= {wrong}\n", f"= {right}\n") for before, _ in fixed.texts.values()
    ]
    assert fixed.texts
    assert code not in [d.code for d in fixed.remaining]


def test_a_mend_that_changes_the_words_is_not_done_unasked(tmp_path: Path) -> None:
    code, type, wrong, _ = MENDS[0]
    ruleset = rw.open_ruleset(write(tmp_path, query(type, wrong)))
    assert rw.fix(ruleset, wanted=lambda d: d.code == code).texts == {}


@pytest.mark.parametrize("value", ["(gold[p] - gold[q]) + 0", "1 * (gold[p])"])
def test_needless_brackets_are_left_to_the_formatter(value: str, tmp_path: Path) -> None:
    """A finding, but no mend, where brackets stand that nobody needs."""
    ruleset = rw.open_ruleset(write(tmp_path, query("Int", value)))
    found = [d for d in rw.check(ruleset) if d.code == "TYP233"]
    assert len(found) == 1
    assert rw.fix(ruleset, unsafe=True, wanted=lambda d: d.code == "TYP233").texts == {}
