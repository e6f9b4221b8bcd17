"""Messages about mistakes: one each, on its line, in words a designer knows."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType

import pytest
from syntax_helpers import HERE, lines_of, name_of

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.foundation.characters import UNSEEN
from rulewright.syntax import format_text, parse, parse_expression
from sampling import sample


def told(text: str, found: tuple[Diagnostic, ...]) -> str:
    """The findings as they are kept in the golden files."""
    lines = text.split("\n")
    said = []
    for d in found:
        said.append(f"{d.span.line}:{d.span.column}-{d.span.end_column} {d.code} {d.message}")
        said.append(f"    {lines[d.span.line - 1].strip()}")
        if d.hint:
            said.append(f"    hint: {d.hint}")
        if d.fix:
            said.append(f"    fix: {d.fix.message}{' (safe)' if d.fix.safe else ''}")
        said += [f"    note: {note}" for note in d.notes]
    return "\n".join(said) + "\n"


@pytest.mark.parametrize("path", sorted((HERE / "mistakes").glob("*.rules")), ids=name_of)
def test_mistakes(path: Path, golden: Callable[[Path, str], None]) -> None:
    text = path.read_text(encoding="utf-8")
    golden(path.with_suffix(".expected"), told(text, parse(text, path.name).diagnostics))


def test_a_phrase_that_is_cut_off() -> None:
    """A line that ends before the phrase does ended with an IndexError."""
    text = "game g\nplayers 2\nend done when 1 is 1\n    finish with w\ninner red\n"
    (found, *_) = parse(text).diagnostics
    assert (found.code, found.span.line) == ("SYN001", 4)


def test_three_mistakes_three_messages() -> None:
    text = (HERE / "mistakes" / "three.rules").read_text(encoding="utf-8")
    result = parse(text)
    assert lines_of(result.diagnostics) == [6, 9, 11]
    assert [type(d).__name__ for d in result.file.decls] == ["Game", "Players", "Callable", "Consequence"]


BLOCKS = {
    "enum": ('enum E from "e.json"', "cost: Int", "cost Int"),
    "piece": ("piece Knight", "worth: Int", "worth = Int"),
    "place": ("place Space", "terrain: T", "named x"),
    "query": ("query q -> Int", "3 otherwise", "3 othrwise when"),
    "value": ("value v = 3", "a: + 1", "a: plenty 1"),
    "limits": ("limits l", "forbid a: b", "forbid a b c"),
    "forbid": ("limits l\n    forbid a: b", "    unless c: d", "    unless c d e"),
    "procedure": ("procedure p", "stop", "stop it now"),
    "effect": ("effect e", "stop", "each x in"),
    "if": ("procedure p\n    if a", "    stop", "    flip x"),
    "else": ("procedure p\n    if a\n        stop\n    else", "    stop", "    let 3 = x"),
    "else if": ("procedure p\n    if a\n        stop\n    else if b", "    stop", "    show x p"),
    "match": ("procedure p\n    match x", "    a: stop", "    a, : stop"),
    "arm": ("procedure p\n    match x\n        a", "        stop", "        x ="),
    "each": ("procedure p\n    each x in s", "    stop", "    x + = 3"),
    "repeat": ("procedure p\n    repeat", "    stop", "    finish p"),
    "repeats": ("procedure p\n    p repeats 3 times", "    stop", "    p rols D6 as n"),
    "choice": ("procedure p\n    p chooses x from s", "    forbid a: b", "    forbid a: b is"),
    "then": ("procedure p\n    p chooses x from s\n    then", "    stop", "    merge x y"),
    "either": ("procedure p\n    p chooses either", "    option a: stop", "    option a stop"),
    "option": ("procedure p\n    p chooses either\n        option a", "        stop", "        draw 3 to x"),
    "step": ("procedure p\n    step s", "    stop", "    obey 3 4"),
    "reaction": ("reaction r after f(x)", "stop", "repeat 3 time\n        stop"),
    "consequence": ("consequence c when x", "stop", "return 3 4"),
    "end": ("end e when x", "finish with winner p", "finish with winers p"),
    "in": ("in combat", "a: + 1", "a: + "),
    "with": ("with 3 players", "set a = 3", "set a 3 b"),
    "variant": ('variant "V" of g', "remove a.b", "remove a b"),
    "insert": ('variant "V" of g\n    before a', "    stop", "    p chooses x of s"),
    "scenario": ('scenario "s"', "start play", "start play now"),
}


@pytest.mark.parametrize("kind", sorted(BLOCKS))
def test_a_mistake_in_each_kind_of_block(kind: str) -> None:
    head, good, bad = BLOCKS[kind]
    text = f"game g\n{head}\n    {good}\n    {bad}\n    {good}\nplayers 2\n"
    wrong = 3 + head.count("\n") + 1
    result = parse(text)
    assert lines_of(result.diagnostics) == [wrong]
    assert [type(d).__name__ for d in result.file.decls][::2] == ["Game", "Players"]
    text = text.replace(f"    {bad}\n", "")
    assert parse(text).diagnostics == ()


@pytest.mark.parametrize("kind", sorted(BLOCKS))
def test_a_block_without_anything_but_a_mistake(kind: str) -> None:
    head, _, bad = BLOCKS[kind]
    text = f"game g\n{head}\n    {bad}\nplayers 2\n"
    assert lines_of(parse(text).diagnostics) == [3 + head.count("\n")]


def test_safe_fixes_mend() -> None:
    for name in ("signs", "tabs"):
        text = (HERE / "mistakes" / f"{name}.rules").read_text(encoding="utf-8")
        found = [d for d in parse(text).diagnostics if d.fix is not None and d.fix.safe]
        assert found
        edits = sorted((e for d in found if d.fix for e in d.fix.edits), key=lambda e: e.span, reverse=True)
        lines = text.split("\n")
        for edit in edits:
            line = lines[edit.span.line - 1]
            lines[edit.span.line - 1] = line[: edit.span.column - 1] + edit.text + line[edit.span.end_column - 1 :]
        left = parse("\n".join(lines)).diagnostics
        mended = {d.span.line for d in found} - {d.span.line for d in left}
        assert mended == {d.span.line for d in found}


def test_messages_speak_no_jargon() -> None:
    """No names of tokens, no Python."""
    for path in (HERE / "mistakes").glob("*.expected"):
        for line in path.read_text(encoding="utf-8").split("\n"):
            assert not re.search(r"\b(Token|LPAR|RPAR|_NL|_INDENT|_DEDENT|ANON|None|Unexpected)\b", line), line


@pytest.mark.parametrize(
    "text, code",
    [
        ("a +", "SYN001"),
        ("a b", "SYN001"),
        ("", "SYN001"),
        ("(a", "SYN009"),
        ("a == b", "SYN001"),
        ("then", "SYN001"),
        ("x" + ".y" * 500, "SYN004"),
        ("(" * 10_000 + "a", "SYN004"),
        ('"a', "SYN006"),
        ("a" * 1_000_000, "SYN005"),
    ],
)
def test_bad_expressions(text: str, code: str) -> None:
    with pytest.raises(RulesetError) as caught:
        parse_expression(text)
    assert [d.code for d in caught.value.diagnostics] == [code]


def test_forms_of_earlier_versions_are_rewritten() -> None:
    """The printer writes the form of today, which is read without a warning."""
    text = (HERE / "mistakes" / "former.rules").read_text(encoding="utf-8").replace("shufle", "shuffle")
    assert {d.code for d in parse(text).diagnostics} == {"SYN012"}
    assert parse(format_text(text)).diagnostics == ()


def test_format_text_refuses_what_it_can_not_read() -> None:
    with pytest.raises(RulesetError) as caught:
        format_text("game x\nplayers\n", "here.rules")
    assert [(d.code, d.span.file, d.span.line) for d in caught.value.diagnostics] == [("SYN001", "here.rules", 2)]


EVIL = {
    "nothing": ("", 0),
    "blanks": (" " * 100_000, 0),
    "empty lines": ("\n" * 50_000, 0),
    "nul": ("game \0x\n\0\nplayers 2\0", 3),
    "carriage returns": ("game x\rplayers 2\r", 1),
    "windows": ("game x\r\nplayers 2\r\n", 0),
    "byte order mark": ("\ufeffgame x\n", 0),
    "surrogate": ("game \ud800\n", 1),
    "surrogate in a text": ('param handicap "\ud800" 0\n', 3),
    "escape in a text": ('param handicap "\x1b[2J" 0\n', 3),
    "too large": ("x" * 10_000_000, 1),
    "brackets": ("query q = " + "(" * 10_000 + "3" + ")" * 10_000, 1),
    "open brackets": ("query q = " + "[" * 10_000, 1),
    "closing brackets": (")" * 10_000, 1),
    "long sum": ("query q = " + "1 + " * 20_000 + "1", 1),
    "many nots": ("query q = " + "not " * 2_000 + "x", 1),
    "many dots": ("query q = x" + ".a" * 1_000, 1),
    "many conditions": ("query q = " + "a if b else " * 500 + "c", 1),
    "deep blocks": ("procedure p\n" + "".join(" " * (i + 1) + "repeat\n" for i in range(700)), 1),
    "quotes": ('"' * 20_000, 1),
    "letters": ("ö" * 20_000, 1),
    "tabs": ("\t\tx\n" * 10_000, 2),
    "long number": ("players " + "9" * 10_000, 1),
    "long name": ("game " + "a" * 100_000 + "A", 1),
    "prose": ("It was a dark night; and so on, they said!\n" * 3_000, 100),
    "stray lines": ("foo bar baz\n" * 10_000, 2),
    "mistakes": ("procedure p\n" + "    foo bar\n" * sample(800, 5_000), 101),
    "citations": ("@A-1 " * 10_000, 1),
    "comments": ("# x\n" * 20_000, 0),
}


@pytest.mark.parametrize("kind", sorted(EVIL))
@pytest.mark.timeout(30)
def test_evil_texts(kind: str) -> None:
    text, most = EVIL[kind]
    found = parse(text).diagnostics
    assert len(found) <= most
    assert bool(found) == bool(most)
    assert all(len(d.message) < 300 for d in found)
    assert not any(UNSEEN.search(d.message + d.hint) for d in found)


@pytest.mark.parametrize("text", ["@A-1\n", "# why\n  @A-1  @A-2\n\n"])
def test_a_citation_without_any_clause(text: str) -> None:
    """Formatting would lose it."""
    (found,) = parse(text).diagnostics
    assert (found.code, found.span.line) == ("SYN001", text.count("\n", 0, text.index("@")) + 1)
    assert "@A-1" in found.message
    with pytest.raises(RulesetError):
        format_text(text)


def _calls(work: Callable[[], object]) -> int:
    """The number of times that a function or generator is entered meanwhile."""
    count = 0

    def watch(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("sign", ["\ud800", "¬ ", "x == ", "1a ", "=! "])
def test_a_line_of_mistakes_takes_time_by_its_length(sign: str) -> None:
    """And not by the square of it."""
    parse("on x\n", "warm.rules")
    short, long = (_calls(partial(parse, f"on {sign * n}\n", "long.rules")) for n in (200, 800))
    assert long < 6 * short
