"""The mistakes that `bench_mistakes.py` makes: that they are well made, and that the checker finds them.

Only some of them are checked here; docs/reference/mistakes.md has the figures of a whole run.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from mistakes import report
from mistakes.book import misspelt
from mistakes.kinds import KINDS
from mistakes.running import SAMPLE, Injected, book_of, check_all, inject, mistakes_in, rulesets

import rulewright as rw
from sampling import THOROUGH, sample, thorough

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "mistakes.md"
SMALL = ("sample", "tic-tac-toe", "connect-four", "breakthrough")
MEDIUM = ("carolus-magnus",)
"""Of the others: those that take long to check have their turn in ``make torture``."""
WANTED = 0.95


def test_the_sample_is_in_order() -> None:
    ruleset = rw.open_ruleset(SAMPLE)
    assert [str(d.message) for d in rw.check(ruleset)] == []
    for plan in rw.scenarios.plans(ruleset):
        assert rw.scenarios.run_scenario(plan).failure is None


def test_every_kind_finds_places() -> None:
    """Large rulesets are read only for kinds that have no place in smaller ones."""
    small = [SAMPLE, *(folder for folder in rw.shipped_rulesets() if folder.name in SMALL)]
    large = [folder for folder in rw.shipped_rulesets() if folder.name not in SMALL]
    folders = [*small, *sorted(large, key=lambda folder: folder.name not in MEDIUM)]
    assert [name for name in KINDS if not any(mistakes_in(folder, name) for folder in folders)] == []


@thorough
def test_every_mistake_changes_something_where_it_is_expected() -> None:
    for book in map(book_of, (*rw.shipped_rulesets(), SAMPLE)):
        texts = {name: file.text for name, file in book.files.items()}
        for name in KINDS:
            for mistake in mistakes_in(book.folder, name):
                changed = book.apply(mistake)
                where = f"{book.name}, {name}: {mistake.before} -> {mistake.after}"
                assert all(book.files[file].text != text for file, text in changed.items()), where
                assert mistake.before != mistake.after, where
                assert mistake.places, where
                for place in mistake.places:
                    text = changed[place.file] if place.file in changed else texts.get(place.file, "")
                    assert 0 <= place.line <= text.count("\n") + 1, where


def test_the_same_seed_makes_the_same_mistakes() -> None:
    folders = [SAMPLE]
    assert inject(folders, each=2, seed=3) == inject(folders, each=2, seed=3)
    assert inject(folders, each=2, seed=3) != inject(folders, each=2, seed=4)


@thorough
def test_a_kind_is_spread_over_the_rulesets() -> None:
    made = inject(rulesets(), ["misspelt query"], each=8)
    by_ruleset = Counter(one.ruleset.name for one in made)
    assert len(made) == 8
    assert set(by_ruleset) >= {"carolus-magnus", "domaine", "sample"}
    assert by_ruleset["domaine"] == 1


@pytest.mark.parametrize("word", ["p", "to", "discs", "aaaa", "hand_size"])
def test_a_misspelt_word_is_another_word(word: str) -> None:
    assert misspelt(word, ()) != word
    assert misspelt(word, [misspelt(word, ())]) not in (word, misspelt(word, ()))


def test_mistakes_are_found_on_their_lines() -> None:
    everything = [*rw.shipped_rulesets(), SAMPLE]
    small = inject([f for f in everything if f.name in SMALL], each=1)
    kinds = [] if THOROUGH else [kind for kind in KINDS if kind not in {one.kind for one in small}]
    large = inject([f for f in everything if f.name not in SMALL and (THOROUGH or f.name in MEDIUM)], kinds, each=1)
    quick = [one for one in small if one.ruleset != SAMPLE]
    rich = [one for one in small if one.ruleset == SAMPLE]
    outcomes = check_all(_every(sample(2, 1), quick) + _every(sample(4, 1), rich) + _every(sample(3, 4), large), jobs=1)
    assert report.crashes(outcomes) == []
    total = report.rows(outcomes)[-1]
    assert total.findable >= 40
    assert total.right >= WANTED * total.findable, "\n".join(report.missed(outcomes))


def _every(step: int, made: list[Injected]) -> list[Injected]:
    return [one for one in made if one.mistake.findable][::step]


def test_the_page_shows_all_kinds() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert report.kinds_on(page) == list(KINDS), "run: python tests/benchmarks/bench_mistakes.py --markdown"


def test_the_table_is_put_between_its_marks() -> None:
    page = f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n"
    assert report.between_marks(page, "| new |\n") == f"before\n{report.BEGIN}\n| new |\n{report.END}\nafter\n"
    with pytest.raises(ValueError, match="the page has no"):
        report.between_marks("no marks", "")
