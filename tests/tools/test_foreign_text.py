"""Other people's words: whatever a title, a key or a log entry holds, it cannot do anything to who reads it."""

from __future__ import annotations

import gc
import json
import re
import unicodedata
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.table import Table
from rich.text import Text

import rulewright as rw
from rulewright_tools import console
from rulewright_tools.commands.test import Ran, junit, show
from rulewright_tools.render.colours import Palette
from rulewright_tools.render.picture import Holder, Item, MapStyle, Picture, Pile, Spot
from rulewright_tools.render.svg import sheet
from rulewright_tools.render.theme import palette_of
from rulewright_tools.reports.pages.fuzz_page import fuzz_page
from rulewright_tools.reports.pages.trace_page import trace_page
from sampling import sample

from .conftest import Run, edit

NASTY = ["\x1b[2J", "\x1b]0;x\x07", "\x9b31m", "\u202e", "[/]", "[bold]", ":heart:", "]]>", "&#27;", "<b>", "\ufffe"]
PARTS = st.sampled_from(NASTY) | st.text(max_size=4) | st.text("\x00\x85\u2028\r\n\t", max_size=2)
WORDS = st.lists(PARTS | st.text("\ud800\udfff", max_size=2)).map("".join)


def raw(text: str, *, allowed: str = "\n") -> str:
    """Characters of a text that a terminal would obey, or that XML cannot hold."""
    bidirectional = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufffe\uffff"
    return "".join(
        letter
        for letter in text
        if letter not in allowed
        and (unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") or letter in bidirectional)
    )


@given(WORDS)
def test_printable(text: str) -> None:
    assert raw(rw.characters.printable(text), allowed="") == ""
    assert raw(rw.characters.printable(text, lines=True).replace("\r\n", "\n"), allowed="\n\t") == ""
    assert rw.characters.printable(rw.characters.printable(text)) == rw.characters.printable(text)
    if not raw(text, allowed=""):
        assert rw.characters.printable(text) == text


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Callable[[], str]:
    """The text printed since the last call."""

    def ask() -> str:
        captured = capsys.readouterr()
        return captured.out + captured.err

    return ask


@given(WORDS)
@settings(max_examples=sample(25, 60))
def test_the_terminal(text: str) -> None:
    """All ways to a terminal: plain text, styled text, tables, bars, lines on stderr, JSON."""
    for make in (lambda: text, lambda: Text(text, style="bold"), lambda: _table(text)):
        terminal = console.out()
        with terminal.capture() as capture:
            terminal.print(make())
        assert raw(capture.get()) == ""
    assert raw(console.json_text({text: [text]})) == ""
    without = re.sub("[\ud800-\udfff]", "", text)  # halves of a character may meet, and are one then
    assert json.loads(console.json_text({without: [without]})) == {without: [without]}


def _table(text: str) -> Table:
    table = Table(title="table")
    table.add_column("column")
    table.add_row(text)
    return table


def test_lines_and_documents(told: Callable[[], str]) -> None:
    console.print_note("one\x1b[2J\u202e")
    console.put("two\x1b[2J\u202e")
    console.show_diagnostics([rw.Diagnostic("DAT012", "three\x1b", rw.Span("a\x1bb"), hint="\x07", notes=("\x9b",))])
    assert raw(told()) == ""


@given(WORDS.filter(lambda text: not raw(text, allowed="") and text.strip() == text and text))
@settings(max_examples=sample(25, 60))
def test_nothing_is_markup(text: str) -> None:
    terminal = console.out()
    with terminal.capture() as capture:
        terminal.print(text)
    assert capture.get() == text + "\n"


def drawing(text: str) -> Picture:
    spots = (
        Spot(text, 0, 0, (Item(text, 2), Item(text, 1, back=True)), (text,), text, text),
        Spot("b", 1000, 0, (Item("b", 1),), (), "b", text, tint=text),
    )
    holder = Holder(text, (Pile(text, (Item(text, 3),), 1),), ((text, text),))
    return Picture(text, "graph", MapStyle(), spots, ((0, 1),), (holder,), holder, turn=text)


@pytest.fixture(scope="module")
def palette() -> Palette:
    return palette_of(rw.load("tic-tac-toe"))


def test_pictures(palette: Palette) -> None:
    @given(st.lists(PARTS).map("".join))  # no file of a ruleset can hold half a character
    @settings(max_examples=sample(25, 60))
    def check(text: str) -> None:
        drawn = sheet.draw(drawing(text), palette)
        assert raw(drawn.replace("\r\n", "\n"), allowed="\n\t") == ""
        ElementTree.fromstring(drawn)

    check()


def result(text: str) -> rw.scenarios.ScenarioResult:
    failure = rw.scenarios.Failure(text, rw.Span(text, 1), text, text, text, text, (text, text))
    return rw.scenarios.ScenarioResult(text, (text,), rw.Span(text, 1), failure)


@given(WORDS)
@settings(max_examples=sample(25, 60))
def test_junit(text: str) -> None:
    written = junit([Ran(text, (result(text), result("fine")))])
    assert raw(written) == ""
    root = ElementTree.fromstring(written)
    assert [case.get("name") for case in root.iter("testcase")] == [rw.characters.printable(text), "fine"]


def test_failures(told: Callable[[], str]) -> None:
    show([Ran("[/]", (result("[/]\x1b[2J"),))])
    said = told()
    assert raw(said) == ""
    assert said.startswith("[/]: 1 scenario, 1 failed")
    assert 'FAILED "[/]␛[2J"' in said


class Tags(HTMLParser):
    """The elements of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[str, ...]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, tuple(name for name, _ in attrs)))


def trace_report(text: str) -> dict[str, object]:
    place = {"rule": text, "file": text, "line": 1, "same_as": text}
    statement = {"id": text, "section": text or "a", "statement": text, "status": "covered", "note": text + "."}
    return {
        "title": text,
        "percent": 1.0,
        "covered": 1,
        "applicable": 1,
        "statements": [{**statement, "rules": [place], "scenarios": [place]}],
        "unknown": [{"id": text, **place}],
        "uncited_rules": [{"word": text, **place}],
    }


def fuzz_report(text: str) -> dict[str, object]:
    story = {"scenario": text, "told": text, "why_no_scenario": text, "log": [text]}
    return {
        "title": text,
        "pairs": [{"rules": ["a", f"b{text}"], "turns": 1}],
        "apart": [{"rules": ["a", f"c{text}"], "why": f"why {text}"}],
        "rules": [{"rule": "a", "turns": 1}, {"rule": f"b{text}", "turns": 1}],
        "games": 1,
        "answers": 1,
        "decisions": 1,
        "settings": [text],
        "seed": 1,
        "found": [story],
    }


@given(WORDS)
@settings(max_examples=sample(25, 60))
def test_pages(text: str) -> None:
    for page, report in ((trace_page, trace_report), (fuzz_page, fuzz_report)):
        written = page(report(text))
        assert raw(written.replace("\r\n", "\n"), allowed="\n\t") == ""
        assert Tags(written).found == Tags(page(report("plain"))).found


# --------------------------------------------------------------------------------------- whole commands

MARKUP = "Pond [/] [bold]:heart:[/bold] [link=x]"
COMMANDS = (
    ["simulate", "--games", "1"],
    ["play", "--seats", "random"],
    ["test"],
    ["trace"],
    ["compare"],
    [
        "mutate",
        "--limit",
        "1",
        "--games",
        "0",
    ],
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_markup_in_a_title(run: Run, pond: Path, command: list[str]) -> None:
    edit(pond / "ruleset.json", '"title": "Pond"', f'"title": "{MARKUP}"')
    more = [":Deep pond"] if command[0] == "compare" else []
    if command[0] == "mutate":
        gc.freeze()  # so that what other tests have left is not looked through
    outcome = run(command[0], pond, *more, *command[1:])
    assert outcome.code in (0, 1), outcome.all
    if command[0] not in ("test", "play"):
        assert MARKUP in outcome.all


@pytest.mark.parametrize(
    ("name", "old", "new", "code", "column"),
    [
        ("ruleset.json", '"title": "Pond"', r'"title": "Pond\u001b[2J"', "DAT009", 12),
        ("ruleset.json", '"title": "Pond"', r'"title": "Pond\nError: 1"', "DAT009", 12),
        ("ruleset.json", '"title": "Pond"', '"title": "Pond\u202edraob"', "DAT009", 12),
        ("ruleset.json", '"name": "pond"', r'"name": "pond\n"', "DAT009", 11),
        ("ruleset.json", '"labels": {"grey', r'"labels": {"\u009bgrey', "DAT009", 16),
        ("pieces.json", '"colour": "gold"', r'"colour": "gold\u0007"', "DAT009", 16),
        ("game.rules", 'named "{colour} pebble"', 'named "{colour} \x9bpebble"', "SYN010", 21),
        ("game.rules", "param pebbles", "# left \u202e right\nparam pebbles", "SYN010", 8),
        ("scenarios/turns.rules", 'scenario "', 'scenario "\u2066', "SYN010", 11),
        ("variants/deep-pond.rules", 'variant "', 'variant "\x7f', "SYN010", 10),
    ],
)
def test_refused_where_it_is_read(run: Run, pond: Path, name: str, old: str, new: str, code: str, column: int) -> None:
    text = (pond / name).read_text("utf-8")
    assert old in text
    (pond / name).write_text(text.replace(old, new, 1), "utf-8")
    outcome = run("check", pond)
    assert outcome.code == 1
    assert f"error[{code}]" in outcome.out
    line = text[: text.index(old)].count("\n") + 1
    assert f"{name}:{line}:{column}" in outcome.out
    for other in (outcome, *(run(command, pond) for command in ("play", "test", "trace"))):
        assert raw(other.all) == ""


def test_refused_in_a_table_of_cells(run: Run, pond: Path) -> None:
    edit(pond / "game.rules", "pieces.json#pebbles", "pieces.csv")
    (pond / "pieces.csv").write_text('colour,worth,count,note\ngrey,1,18,"two\nlines"\n"go\x1bld",3,6,\n', "utf-8")
    outcome = run("check", pond)
    assert "error[DAT009]" in outcome.out
    assert "pieces.csv:4:1" in outcome.out
    assert raw(outcome.all) == ""


def test_remarks_may_have_lines(run: Run, pond: Path) -> None:
    edit(pond / "ruleset.json", '"about": "', r'"about": "First.\n\n')
    edit(pond / "rulebook.json", '"statement": "', r'"statement": "First.\n')
    assert run("check", pond).code == 0


def test_a_save_of_a_stranger(run: Run, pond: Path) -> None:
    save = pond.parent / "game.json"
    run("play", pond, "--seats", "human,first", "--seed", "3", stdin=f"1\n1\nsave {save}\nquit\n")
    data = json.loads(save.read_text("utf-8"))

    def spoil(value: object) -> object:
        if isinstance(value, dict):
            return {key: spoil(item) for key, item in value.items()}
        if isinstance(value, list):
            return [spoil(item) for item in value]
        return f"{value}\x1b[2J\n\u202e" if isinstance(value, str) else value

    for key in data:
        save.write_text(json.dumps({**data, key: spoil(data[key])}), "utf-8")
        outcome = run("play", pond, save, "--seats", "human,first", stdin="log\nquit\n")
        assert raw(outcome.all) == ""
