"""Page of an experiment: its structure, its sentences, the same bytes from any process, and nothing from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rulewright_tools.app import app
from sampling import thorough

for library in ("scipy", "altair", "vl_convert"):
    pytest.importorskip(library)

HARDER = """
variant "Hard times" of baron
    set prices = [0, 2, 4]
"""


class Page(HTMLParser):
    """Elements of a page with their text, checked to be closed in order."""

    VOID = frozenset({"meta", "path", "line", "rect", "circle"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.attributes: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes.append((tag, dict(attrs)))
        self.texts.setdefault(tag, []).append("")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in dict.fromkeys(self.open):
            self.texts[tag][-1] += data


def written(tmp_path: Path, *words: str) -> tuple[str, str]:
    """The page of an experiment, and what the terminal says."""
    target = tmp_path / "out.html"
    done = CliRunner().invoke(app, ["experiment", *words, "--output", str(target)])
    assert done.exit_code == 0, done.stderr
    return target.read_text("utf-8"), done.stdout


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    tmp_path = tmp_path_factory.mktemp("compared")
    variant = tmp_path / "hard-times.rules"
    variant.write_text(HARDER, "utf-8")
    return written(tmp_path, "baron:3", f"{variant}:3", "--games", "24")


@thorough
def test_the_page_says_what_the_terminal_says(compared: tuple[str, str]) -> None:
    text, told = compared
    page = Page(text)
    sentences = told.rstrip().rpartition("\n\n")[2].splitlines()
    assert [one for one in page.texts["p"] if one in sentences] == sentences
    assert "param prices = [0, 1, 3]" in page.texts["del"]
    assert "param prices = [0, 2, 4]" in page.texts["ins"]
    for name in ("decisions", "wins(seat 1)", "points(seat 3)"):
        assert name in page.texts["th"]


def test_the_page_shows_boards_and_rules(compared: tuple[str, str]) -> None:
    text, _ = compared
    page = Page(text)
    assert page.texts["h2"] == [
        "What was compared",
        "Differences",
        "How single games differ",
        "On the board",
        "Rules",
        "How to repeat it",
    ]
    assert text.count("Something stands there at the end") >= 2
    assert "Cannot be used with these parameters: offer_foundings." in page.texts["p"]
    pictures = len(re.findall('<svg (?!viewBox="0 0 100 8")', text))
    assert len(page.texts["details"]) >= pictures - text.count("Intervals of differences")  # the great table has those


def test_the_page_needs_nothing_else(compared: tuple[str, str]) -> None:
    """Nothing is loaded, no script runs, every picture has a name and own ids."""
    text, _ = compared
    page = Page(text)
    assert not re.search(r"<script|<link|<img|@import|url\((?!#)", text)
    assert not [
        value
        for _, given in page.attributes
        for key, value in given.items()
        if key in ("src", "href") and not str(value).startswith("#")
    ]
    pictures = [given for tag, given in page.attributes if tag == "svg"]
    assert pictures
    assert all("aria-hidden" in given or (given["role"] == "img" and given["aria-label"]) for given in pictures)
    ids = [given["id"] for _, given in page.attributes if "id" in given]
    assert len(ids) == len(set(ids))


def test_the_same_bytes(tmp_path: Path) -> None:
    words = ("connect-four", ":rows=5", "--games", "40", "--measure", "decisions", "--measure", "wins")
    one, _ = written(tmp_path, *words)
    other, _ = written(tmp_path, *words, "--jobs", "2", "--engine", "python")
    assert other.replace(" --engine python", "") == one


def test_the_command_is_that_which_was_given(tmp_path: Path) -> None:
    variant = tmp_path / "hard times.rules"
    variant.write_text(HARDER, "utf-8")
    text, _ = written(
        tmp_path, "baron:2", f"{variant}:2", "--games", "10", "-m", "decisions", "-m", "ties", "--seed", "3"
    )
    command = (
        f"rulewright experiment baron:2 &#x27;{variant}:2&#x27; --games 10 --seed 3 --measure decisions --measure ties"
    )
    assert command in text
    assert "3 to 12" in text
