"""Spans that move with their declarations, and facts that have looked at lines."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulewright as rw
from rulewright.diagnostics import Diagnostic, Edit, Fix, Span
from rulewright.diagnostics.anchored_spans import AnchoredSpan, fixed
from rulewright.findings.check import check
from rulewright.foundation.line_anchors import Anchor, unmoved, watched
from rulewright.foundation.memo import memoized_by_node
from rulewright.syntax import EditedFiles

numbers = st.integers(0, 5)
places = st.tuples(numbers, numbers, numbers, numbers)


@given(numbers, places, places)
def test_a_moving_span_is_like_a_fixed_one(line: int, one: tuple[int, ...], other: tuple[int, ...]) -> None:
    def moving(at: tuple[int, ...], anchor: Anchor) -> AnchoredSpan:
        return AnchoredSpan("f", anchor, at[0], at[1], at[2], at[3])

    def standing(at: tuple[int, ...]) -> Span:
        return Span("f", line + at[0], at[1], line + at[2], at[3])

    anchor = Anchor(0)
    a, b, elsewhere = moving(one, anchor), moving(other, anchor), moving(other, Anchor(line))
    anchor.move(line)
    x, y = standing(one), standing(other)
    for second in (b, elsewhere, y):
        assert (a == second, a < second, a <= second, a > second, a >= second) == (x == y, x < y, x <= y, x > y, x >= y)
        assert (second == a, second < a) == (y == x, y < x)
        assert a.to(second) == x.to(y)
    assert hash(a) == hash(x)
    assert (a.line, a.end_line, a.fixed()) == (x.line, x.end_line, x)
    for copied in (copy.copy(a), copy.deepcopy(a), pickle.loads(pickle.dumps(a))):
        assert type(copied) is Span
        assert copied == x


def test_what_is_handed_out_stays_where_it_is() -> None:
    anchor = Anchor(3)
    span = AnchoredSpan("f", anchor, 1, 1, 1, 5)
    moving = Diagnostic("REF001", "x", span, fix=Fix("y", (Edit(span, "z"),)))
    kept = fixed(moving)
    anchor.move(9)
    assert kept.span == Span("f", 4, 1, 4, 5)
    assert kept.fix is not None
    assert kept.fix.edits[0].span == kept.span
    assert moving.span.line == 10
    assert fixed(kept) is kept


def test_a_fact_that_has_looked_at_a_line_is_found_again() -> None:
    asked: list[str] = []

    @memoized_by_node
    def name(node: object) -> str:
        asked.append("name")
        return node.name  # type: ignore[attr-defined, no-any-return]

    @memoized_by_node
    def line(node: object) -> int:
        asked.append("line")
        return node.span.line  # type: ignore[attr-defined, no-any-return]

    @memoized_by_node
    def both(node: object) -> tuple[str, int]:
        asked.append("both")
        return name(node), line(node)

    files, text = EditedFiles(), "# x\n\nfield a: 0..3 = 0\nfield b: 0..3 = 0\n"
    decl = files.parse(text, "f").file.decls[1]
    assert both(decl) == ("b", 4)
    assert both(decl) == ("b", 4)
    files.parse("field c: 0..1 = 0\n" + text, "f")
    assert both(decl) == ("b", 5)
    assert asked == ["both", "name", "line", "both", "line"]
    (found, seen), again = watched(both, decl), watched(both, decl)
    assert (found, unmoved(seen)) == (("b", 5), True)
    assert again == (found, seen)
    files.parse(text, "f")
    assert not unmoved(seen)


RULES = """game lines
players 2
enum Face: up, down
field score: 0..9 = 0
field scores: 0..9 = 0

procedure play
    score = 1
    score = 2
    scores = score
    let score_now = scores
    repeat 3 times
        each p in players
            p chooses n from Face
            if n is up then scores += 1
    finish with winner players
    scores = 3

query top(n: 0..9) -> 0..9 = n + 1

procedure never
    finish with winner players
"""


@pytest.mark.parametrize("above", ["# a comment\n", "\n\n", "param many = 3\n"])
def test_lines_in_messages_are_those_of_now(tmp_path: Path, above: str) -> None:
    """Messages, notes and fixes that name lines are the same as if nothing had been known before."""
    folder = tmp_path / "lines"
    folder.mkdir()
    manifest = '{"name": "lines", "title": "Lines", "rules": ["lines.rules"]}'
    (folder / "ruleset.json").write_text(manifest, "utf-8")
    (folder / "lines.rules").write_text(RULES, "utf-8")
    work = rw.Workspace(tmp_path)
    within = RULES.replace("    score = 1\n", "\n    score = 1\n")
    for text in (RULES, above + RULES, within, RULES.replace("game lines\n", "game lines\n\n"), RULES):
        work.open(folder / "lines.rules", text)
        warm = work.check(folder)
        with work.reading():
            assert warm == check(rw.open_ruleset(folder))
        lines = text.split("\n")
        again = next(f.message for f in warm if f.code == "CTL106")
        assert f"on line {lines.index('    score = 2') + 1} " in again
        over = next(f.message for f in warm if f.code == "CTL117")
        assert f"on line {lines.index('    finish with winner players') + 1}" in over
        alike = next(f.notes[0] for f in warm if f.code == "REF019")
        assert alike.endswith(f":{lines.index('field score: 0..9 = 0') + 1}")
