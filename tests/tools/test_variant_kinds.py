"""Kinds of variants that designers make of the shipped games, through the command line.

Each file of ``variant_kinds`` holds variants of one game, and scenarios that show what they do; each kind is one of
them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sampling import thorough

from .conftest import Run

FOLDER = Path(__file__).parent / "variant_kinds"
KINDS = {
    "carolus": (
        *("A number", "Another reading", "A set to choose from", "An order", "An option more", "An option less"),
        *("Another end", "Another tie-break", "A removal", "An exception", "A condition", "A board", "Fewer pieces"),
        *("A handicap", "Compensation", "A new phase"),
    ),
    "domaine": (
        *("A row", "A card less", "A card more", "The second player is paid", "An auction", "A draft"),
        *("Without a kind of deed", "A bonus", "Nobody is too poor", "Dearer forests"),
    ),
    "baron": (
        *("A list", "A bonus", "Something more is forbidden", "Many ponds", "A rich end", "A turn in another order"),
        "A die",
    ),
    "loewenherz": ("As in the other edition", "By numbers of players", "The old order"),
    "kings": ("A hero who reacts", "Stronger", "Richer"),
}
"""By file the titles of its variants."""
PLAYED = (
    *(("carolus", title) for title in ("A new phase", "A board")),
    ("domaine", "An auction"),
)
"""Those that change the course of the game most, of which one is played."""
PLAYED_TOO = (
    *(("carolus", title) for title in ("A set to choose from", "A handicap", "Another end")),
    ("domaine", "A draft"),
    *(("baron", title) for title in ("A die", "A turn in another order")),
    ("loewenherz", "The old order"),
)
"""Others that change it; what they do is shown by their scenarios every day."""


def test_each_kind_is_there() -> None:
    """And nothing else stands in the files."""
    written = {
        path.stem: tuple(
            line.split('"')[1] for line in path.read_text("utf-8").split("\n") if line.startswith("variant ")
        )
        for path in FOLDER.glob("*.rules")
    }
    assert {stem: sorted(titles) for stem, titles in written.items()} == {
        stem: sorted(titles) for stem, titles in KINDS.items()
    }
    assert sum(map(len, KINDS.values())) >= 36


CHECKED = ("carolus", *(pytest.param(stem, marks=thorough) for stem in ("loewenherz", "domaine", "baron")))
"""The one with most kinds every day; the largest game is left to the scenarios: a check of it takes longest."""


@pytest.mark.parametrize("stem", CHECKED)
def test_they_check(run: Run, stem: str) -> None:
    outcome = run("check", FOLDER / f"{stem}.rules", "--strict")
    assert outcome.out.startswith("1 ruleset checked, nothing found\n")


@pytest.mark.parametrize("stem", [pytest.param(s, marks=thorough) if s == "kings" else s for s in KINDS])
def test_their_scenarios_hold(run: Run, stem: str) -> None:
    """In the largest game nothing is done that is not done in another, or by a recipe of the cookbook."""
    outcome = run("test", FOLDER / f"{stem}.rules")
    assert (outcome.code, "all passed" in outcome.out) == (0, True), outcome.all


@pytest.mark.parametrize(("stem", "title"), [*PLAYED, *(pytest.param(*one, marks=thorough) for one in PLAYED_TOO)])
def test_one_is_played(run: Run, stem: str, title: str) -> None:
    words = ("--games", "1", "--players", "2", "--decisions", "2000", "--format", "json")
    outcome = run("simulate", FOLDER / f"{stem}.rules", "--variant", title, *words)
    assert outcome.code in (0, 1), outcome.all  # 1: one game says little
    assert outcome.json["games"] == 1


def test_several_files_are_laid_over_each_other(run: Run, tmp_path: Path) -> None:
    short = tmp_path / "short.rules"
    short.write_text('variant "Short" of baron\n    set last_turns = 1\n', encoding="utf-8")
    more = tmp_path / "more.rules"
    more.write_text('variant "More" of baron\n    set dungeon_at = -8\n', encoding="utf-8")
    told = run("compare", "baron", f":{short}:{more}").out
    assert "last_turns" in told
    assert "dungeon_at" in told
