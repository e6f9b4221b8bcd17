"""The report of a game: what its page says is what was found, in words that a publisher knows."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from typer.testing import CliRunner

import rulewright as rw
from rulewright_tools.app import app

for library in ("altair", "vl_convert", "choix", "scipy"):
    pytest.importorskip(library)

SMALL = ("--games", "12")


def reported(target: Path, *words: str) -> str:
    """The page of a command."""
    done = CliRunner().invoke(app, ["report", *words, "--output", str(target)])
    assert done.exit_code == 0, done.stderr
    return target.read_text("utf-8")


def visible(page: str) -> str:
    """The words that a reader sees, but those of the command to repeat it and of rules."""
    text = re.sub(r"<(style|title|pre|code)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", " ", text))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    return reported(tmp_path_factory.mktemp("report") / "a.html", "tic-tac-toe", *SMALL)


def test_the_page_says_what_a_game_is(small: str) -> None:
    text = visible(small)
    for heading in ("The game", "How long a game is", "Who wins from where"):
        assert heading in text
    assert re.search(r"about \d+ (to \d+ )?minutes", text)
    assert "the first player (x)" in text
    assert "In the middle of a game" in text
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", small)


def test_equal_seeds_give_equal_pages_with_any_number_of_workers(small: str, tmp_path: Path) -> None:
    assert reported(tmp_path / "b.html", "tic-tac-toe", *SMALL, "--jobs", "2") == small


@pytest.mark.parametrize("name", [path.name for path in rw.shipped_rulesets()])
def test_no_identifier_is_seen(name: str, tmp_path: Path) -> None:
    text = visible(reported(tmp_path / "a.html", name, "--games", "2", "--seats", "random"))
    assert re.findall(r"\S*\w_\w\S*", text) == []
