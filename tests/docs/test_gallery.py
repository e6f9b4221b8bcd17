"""The gallery: each experiment can be read, and its page is small, and says what the experiment asks and how often."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest

import rulewright_lab as lab

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"
EXPERIMENTS = sorted(GALLERY.glob("*.toml"))
MOST_BYTES = 300_000


def test_there_is_one_for_each_game() -> None:
    names = {one.stem for one in EXPERIMENTS}
    assert names == {"baron", "carolus-magnus", "domaine", "kings-and-things", "loewenherz"}
    assert names == {one.stem for one in GALLERY.glob("*.html")}


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_the_page_is_that_of_the_experiment(path: Path) -> None:
    meant = lab.experiments.read_experiment(path)
    page = path.with_suffix(".html")
    text = unescape(page.read_text("utf-8"))
    assert page.stat().st_size <= MOST_BYTES
    assert f"<h1>{meant.about}</h1>" in text
    assert f"rulewright experiment docs/gallery/{path.name}" in text
    assert f"{meant.games} games" in text
    assert all(f": {arm.name}</th>" in text for arm in meant.arms)
    assert meant.about in (GALLERY / "README.md").read_text("utf-8")
