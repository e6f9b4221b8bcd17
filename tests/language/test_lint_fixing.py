"""Mending: what fixes do to files, and what they are kept from doing."""

from __future__ import annotations

from pathlib import Path

import pytest
from language_helpers import write

import rulewright as rw
from rulewright.findings import fixing
from rulewright.findings.check import respelt
from rulewright.findings.text import linter
from rulewright.findings.text.linter import Finding, Subject

HEAD = "game example\nplayers 2\n\n"
PLAY = "procedure play\n    finish with winner players\n"


def fixed(folder: Path, rules: str, *, unsafe: bool = False) -> tuple[str, rw.fixing.Fixed]:
    """The rules after mending."""
    made = rw.fix(rw.open_ruleset(write(folder, rules)), unsafe=unsafe)
    path = next(iter(made.texts), "")
    return (made.texts[path][1] if path else rules), made


def test_formatting(tmp_path: Path) -> None:
    text, made = fixed(tmp_path, HEAD + "query  twice( x:Int )->Int=x+x  # why\n\n" + PLAY)
    assert text == HEAD + "query twice(x: Int) -> Int = x + x  # why\n\n" + PLAY
    assert [d.code for d in made.applied] == ["STY701"]
    assert [d.code for d in made.remaining] == ["REF014"]


def test_syntax_is_mended_before_the_rest(tmp_path: Path) -> None:
    rules = HEAD + "query same(x: Int) -> Bool = x == 3\n\ninvariant  it: same(3)\n\n" + PLAY
    text, made = fixed(tmp_path, rules)
    assert text == HEAD + "query same(x: Int) -> Bool = x is 3\n\ninvariant it: same(3)\n\n" + PLAY
    assert [d.code for d in made.applied] == ["SYN001", "STY701"]
    assert made.remaining == ()


def test_several_mends_in_one_line(tmp_path: Path) -> None:
    text, made = fixed(tmp_path, HEAD + "invariant it: 3 == 3 and 4 != 5 and 5 == 5\n\n" + PLAY)
    assert "3 is 3 and 4 is not 5 and 5 is 5" in text
    assert not any(d.is_error for d in made.remaining)


def test_unneeded_suppressions_go(tmp_path: Path) -> None:
    rules = (
        HEAD
        + "# lint: ignore[REF014] long ago\n"
        + "query one -> Int = 1  # lint: ignore[REF014, REF015] kept  # and more\n"
        + "query two -> Int = 2  # lint: ignore[REF015] kept\n\n"
        + "invariant it: two() is 2\n\n"
        + PLAY
    )
    text, made = fixed(tmp_path, rules)
    assert "# lint: ignore[REF014] long ago" in text  # it holds for the line below
    assert "# lint: ignore[REF014] kept  # and more" in text
    assert "query two() -> Int = 2\n" in text
    assert "REF015" not in text
    assert made.remaining == ()


def test_misspelt_words_are_unsafe(tmp_path: Path) -> None:
    rules = HEAD + "field gold: 0.. = 0\n\ninvariant rich: glod >= 0\n\n" + PLAY
    text, made = fixed(tmp_path, rules)
    assert (text, made.texts, [d.code for d in made.remaining]) == (rules, {}, ["REF001"])
    text, made = fixed(tmp_path, rules, unsafe=True)
    assert "rich: gold >= 0\n" in text
    assert not any(d.is_error for d in made.remaining)


def test_a_word_that_stands_there_twice_is_left_alone(tmp_path: Path) -> None:
    ruleset = rw.open_ruleset(write(tmp_path, HEAD + "invariant rich: glod >= 0 and glod < old_glod\n" + PLAY))
    path = ruleset.files[0].path

    def offered(column: int, end: int) -> rw.fixing.Fix | None:
        span = rw.Span(path, 4, column, 4, end)
        return respelt([rw.Diagnostic("REF001", "unknown `glod`", span, hint="did you mean `gold`?")], ruleset)[0].fix

    assert offered(1, 42) is None
    assert offered(33, 42) is None
    once = offered(1, 30)
    assert once is not None
    assert once.edits == (rw.fixing.Edit(rw.Span(path, 4, 17, 4, 21), "gold"),)
    assert not once.safe


def test_unused_definitions_go_one_after_the_other(tmp_path: Path) -> None:
    rules = HEAD + "query top -> Int = below()\n\nquery below -> Int = max({1,\n        2})\n\n" + PLAY
    text, made = fixed(tmp_path, rules, unsafe=True)
    assert text == HEAD + PLAY
    assert made.remaining == ()


def test_only_what_is_wanted(tmp_path: Path) -> None:
    ruleset = rw.open_ruleset(write(tmp_path, HEAD + "invariant  it: 3 == 3\n\n" + PLAY))
    made = rw.fix(ruleset, wanted=lambda finding: finding.code.startswith("SYN"))
    assert [text for _, text in made.texts.values()] == [HEAD + "invariant  it: 3 is 3\n\n" + PLAY]


def test_nothing_is_written(tmp_path: Path) -> None:
    write(tmp_path, HEAD + "invariant  it: 3 == 3\n" + PLAY)
    before = (tmp_path / "game.rules").read_bytes()
    assert rw.fix(rw.open_ruleset(tmp_path)).texts
    assert (tmp_path / "game.rules").read_bytes() == before


def lying(text: str, *, safe: bool) -> linter.Lint:
    """A lint rule whose fix replaces the number 3 of the rules by something else."""

    def lie(subject: Subject) -> list[Finding]:
        source = subject.ruleset.files[0]
        line = next((n for n, line in enumerate(source.text.split("\n"), 1) if "3" in line), 0)
        column = source.text.split("\n")[line - 1].find("3") + 1
        where = rw.Span(source.path, line, column, line, column + 1)
        return (
            [Finding("a lie", where, fix=rw.fixing.Fix("replace", (rw.fixing.Edit(where, text),), safe))]
            if line
            else []
        )

    return linter.Lint("STY999", "liar", rw.Severity.WARNING, lie)


@pytest.mark.parametrize(
    ("text", "safe", "applied"),
    [
        ("4", True, False),  # says something else
        ("((", True, False),  # cannot be read
        ("gold", False, False),  # brings an error
        ("4", False, True),
    ],
)
def test_a_fix_must_keep_its_promise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, safe: bool, applied: bool
) -> None:
    monkeypatch.setattr(linter, "all_rules", lambda: (lying(text, safe=safe),))
    rules = HEAD + "invariant it: 1 < 3\n\n" + PLAY
    after, made = fixed(tmp_path, rules, unsafe=True)
    assert (after != rules) is applied
    assert bool(made.applied) is applied


def test_mending_comes_to_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Says the same, and could be applied forever.
    monkeypatch.setattr(linter, "all_rules", lambda: (lying("(3)", safe=True),))
    text, made = fixed(tmp_path, HEAD + "invariant it: 1 < 3\n\n" + PLAY)
    assert 1 <= len(made.applied) <= 25
    assert text.count("(") == len(made.applied)


def test_one_bad_fix_does_not_hinder_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = (*linter.all_rules(), lying("4", safe=True))
    monkeypatch.setattr(linter, "all_rules", lambda: rules)
    text, made = fixed(tmp_path, HEAD + "invariant  it: 1  < 3\n\n" + PLAY)
    assert "invariant it: 1 < 3\n" in text
    assert [d.code for d in made.applied] == ["STY701"]
    assert "STY999" in [d.code for d in made.remaining]


def test_edits_at_the_borders_of_a_text() -> None:
    def edit(line: int, column: int, end_line: int, end_column: int, text: str) -> rw.fixing.Edit:
        return rw.fixing.Edit(rw.Span("f", line, column, end_line, end_column), text)

    assert fixing.apply("ab\ncd", [edit(2, 1, 3, 1, "")]) == "ab\n"
    assert fixing.apply("ab\ncd\n", [edit(1, 1, 2, 1, ""), edit(2, 2, 2, 3, "x")]) == "cx\n"
    assert fixing.apply("", [edit(1, 1, 1, 1, "new")]) == "new"
    assert fixing.apply("äb", [edit(1, 2, 1, 3, "ü")]) == "äü"


def test_line_ends_and_marks_stay() -> None:
    assert rw.files.line_ends_of("a\r\nb\r\n", "c\nd\n") == "c\r\nd\r\n"
    assert rw.files.line_ends_of("a\nb\n", "c\n") == "c\n"
    assert rw.files.line_ends_of("\ufeffa\n", "c\n") == "\ufeffc\n"


def test_suppressions_survive_formatting(tmp_path: Path) -> None:
    rules = (
        HEAD
        + "# lint: ignore[REF014] kept\nquery one->Int=1\n\n"
        + "query  two->Int=2 # lint: ignore[REF014] kept\n\n"
        + "procedure play\n    # lint: ignore[REF017] kept\n    let  x=3\n    finish with winner players\n"
    )
    text, made = fixed(tmp_path, rules)
    assert text != rules
    assert text.count("lint: ignore") == 3
    assert made.remaining == ()


def test_what_is_beneath_is_not_told_again(tmp_path: Path) -> None:
    for folder in ("base", "upon"):
        (tmp_path / folder).mkdir()
    write(tmp_path / "base", HEAD + "param unused = 3\n\n" + PLAY)
    write(tmp_path / "upon", "# just this\nparam idle = 3\n", manifest={"extends": "../base"})
    assert [d.code for d in rw.check(rw.open_ruleset(tmp_path / "base"))] == ["REF014"]
    found = rw.check(rw.open_ruleset(tmp_path / "upon"))
    assert [d.message for d in found] == ["the parameter `idle` is never used"]


def test_changes_of_an_extending_ruleset_that_change_nothing(tmp_path: Path) -> None:
    for folder in ("base", "upon"):
        (tmp_path / folder).mkdir()
    write(tmp_path / "base", HEAD + "param goal = 3\n\ninvariant it: goal > 1\n\n" + PLAY)
    write(tmp_path / "upon", "# just this\nset goal = 3\n", manifest={"extends": "../base"})
    found = rw.check(rw.open_ruleset(tmp_path / "upon"))
    assert [(d.code, d.span.line) for d in found] == [("VAR410", 2)]
    write(tmp_path / "upon", "# just this\nset goal = 4\n", manifest={"extends": "../base"})
    assert rw.check(rw.open_ruleset(tmp_path / "upon")) == []


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ({"code": "REF014"}, "DAT010"),
        ({"code": "REF014", "reason": " "}, "DAT012"),
        ({"code": "REF", "reason": "x"}, "DAT012"),
    ],
)
def test_the_manifest_asks_for_reasons(tmp_path: Path, entry: dict[str, str], code: str) -> None:
    with pytest.raises(rw.RulesetError) as error:
        rw.open_ruleset(write(tmp_path, HEAD + PLAY, manifest={"ignore": [entry]}))
    assert [d.code for d in error.value.diagnostics] == [code]


def test_a_suppression_for_the_whole_ruleset(tmp_path: Path) -> None:
    manifest: dict[str, object] = {"ignore": [{"code": "REF014", "reason": "the other edition needs it"}]}
    assert rw.check(rw.open_ruleset(write(tmp_path, HEAD + PLAY + "\nparam idle = 3\n", manifest=manifest))) == []
