"""Every example of docs/language.md and its chapters is a ruleset that parses, checks and, with scenarios, plays.

How blocks belong together is said at the top of that page. The examples in its tables are in test_language_tables.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from random import Random
from typing import get_args

import pytest

import rulewright as rw
from closed_words import words_of
from rulewright.findings.text import linter
from rulewright.syntax import ast, keywords, parse, reserved_words

ROOT = Path(__file__).parents[2] / "docs"
PAGES = [ROOT / "language.md", *sorted((ROOT / "language").glob("*.md"))]
FENCE = re.compile(r"^```(?P<info>(?:rules|json)[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Example:
    """A small ruleset put together from the blocks of one name."""

    name: str
    line: int
    rules: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    base: Example | None = None
    """The one it extends."""

    @property
    def text(self) -> str:
        """All its rules, completed to a game."""
        text = "\n".join(self.rules)
        if self.base is not None:
            return text
        if not re.search(r"^game ", text, re.MULTILINE):
            text = "game example\n" + text
        if not re.search(r"^players ", text, re.MULTILINE):
            text = "players 2 to 4\n" + text
        if not re.search(r"^procedure play$", text, re.MULTILINE):
            text += "\nprocedure play\n    finish with winner players\n"
        return text

    def write(self, folder: Path) -> None:
        """Write it as a ruleset's folder."""
        manifest: dict[str, object] = {"name": "example", "title": self.name, "rules": ["game.rules"]}
        if self.base is not None:
            manifest["extends"] = "base"
            (folder / "base").mkdir()
            self.base.write(folder / "base")
        (folder / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
        (folder / "game.rules").write_text(self.text, encoding="utf-8")
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8")


def examples(path: Path) -> Iterator[Example]:
    """The rulesets of a page, in the order in which they begin."""
    page = path.read_text(encoding="utf-8")
    named: dict[str, Example] = {}
    for block in FENCE.finditer(page):
        line = page.count("\n", 0, block.start()) + 1
        kind, _, rest = block["info"].partition(" ")
        if kind == "json":
            name, _, file = rest.partition("/")
            named.setdefault(name, Example(f"{path.stem}:{name}", line)).files[file] = block["body"]
        else:
            base = named[rest.removeprefix("extending ")] if rest.startswith("extending ") else None
            name = f"line {line}" if base else rest.removeprefix("part of ") or f"line {line}"
            assert rest == "" or base or rest.startswith("part of "), f"{path.name}:{line}: `{rest}`"
            named.setdefault(name, Example(f"{path.stem}:{name}", line, base=base)).rules.append(block["body"])
    yield from named.values()


EXAMPLES = [example for page in PAGES for example in examples(page)]


def test_the_pages_have_examples() -> None:
    assert len(EXAMPLES) > 40
    assert all(example.rules for example in EXAMPLES)


def test_pages_are_short(subtests: pytest.Subtests) -> None:
    for page in PAGES:
        with subtests.test(page.as_posix()):
            assert len(page.read_text("utf-8").splitlines()) < (350 if page.stem == "language" else 250)


def test_example_parses(subtests: pytest.Subtests) -> None:
    for example in EXAMPLES:
        with subtests.test(example.name):
            for block in example.rules:
                assert parse(block, example.name).diagnostics == ()


def test_example_checks(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for number, example in enumerate(EXAMPLES):
        with subtests.test(example.name):
            folder = tmp_path / str(number)
            folder.mkdir()
            example.write(folder)
            # Examples show one thing each, so they declare what they do not use.
            lints = {rule.code for rule in linter.all_rules()}
            found = [d for d in rw.check(rw.open_ruleset(folder)) if d.code not in lints]
            assert [f"{d.span.line}: {d.message} ({d.code})" for d in found] == []


def test_example_plays(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for number, example in enumerate(EXAMPLES):
        with subtests.test(example.name):
            folder = tmp_path / str(number)
            folder.mkdir()
            example.write(folder)
            for plan in rw.scenarios.plans(rw.open_ruleset(folder)):
                result = rw.scenarios.run_scenario(plan)
                assert result.passed, f"{plan.title}: {result.failure}"


def test_all_words_are_listed() -> None:
    text = (ROOT / "language" / "lexical-structure.md").read_text("utf-8").partition("# Reserved words")[2]
    reserved, _, contextual = text.partition("These begin a clause")
    assert re.findall(r"`([a-z]+)`", reserved) == sorted(reserved_words())
    assert re.findall(r"`([a-z]+)`", contextual.partition("Words that mean")[0]) == sorted(
        keywords().keys() - reserved_words()
    )


def test_each_operator_is_in_the_table_of_operators(subtests: pytest.Subtests) -> None:
    for op in (*words_of(ast.Binary, "op"), *words_of(ast.Unary, "op")):
        with subtests.test(op):
            page = (ROOT / "language" / "expressions.md").read_text("utf-8")
            section = page.partition("## Operators")[2].partition("## Sets and counting")[0].replace("\\|", "\u2223")
            rows = re.findall(r"^\|([^|]+)\|", section, re.MULTILINE)
            written = [one.replace("\u2223", "|") for row in rows for one in re.findall(r"`([^`]+)`", row)]
            assert any(re.search(rf"(^|[ |]|\b){re.escape(op)}($|[ |]|\b)", one) for one in written)


def test_each_operator_stands_in_the_order_of_precedence() -> None:
    page = (ROOT / "language" / "expressions.md").read_text("utf-8")
    sentence = page.partition("From tight to loose: ")[2].partition(".\n")[0]
    levels = [set(re.findall("`([^`]+)`", level)) for level in sentence.split(";")]
    assert {*get_args(ast.TermOp), "/"} - {"|"} in levels
    assert set(get_args(ast.SumOp)) in levels


def _deadwood(hand: frozenset[str], melds: list[frozenset[str]]) -> int:
    """The least that is left over of a hand: each meld is taken or not."""
    fitting = [meld for meld in melds if meld <= hand]
    left = sum(min(int(card.split()[1]), 10) for card in hand)
    return min([left, *(_deadwood(hand - meld, fitting[n + 1 :]) for n, meld in enumerate(fitting))])


def test_deadwood_is_that_of_all_ways_to_meld(tmp_path: Path) -> None:
    """The recipe for dividing a hand, against all choices of melds, on hands from a whole pack."""
    example = next(e for e in EXAMPLES if e.name == "queries:gin")
    suits, ranks = ("spades", "clubs", "diamonds", "hearts"), range(1, 14)
    pack = [{"suit": suit, "rank": rank, "worth": min(rank, 10)} for suit in suits for rank in ranks]
    rules = [re.sub(r"(?ms)^scenario.*", "", rule) for rule in example.rules]
    Example("deadwood", 0, rules, {"cards.json": json.dumps({"rows": pack})}).write(tmp_path)
    state = rw.load(tmp_path, 4).start()
    runs = [[f"{suit} {n}" for n in range(a, b)] for suit in suits for a in ranks for b in range(a + 3, 15)]
    alike = [[f"{suit} {rank}" for suit in some] for n in (3, 4) for some in combinations(suits, n) for rank in ranks]
    melds, dice = [frozenset(meld) for meld in runs + alike], Random(7)
    for few, high in [(4, 13), (4, 8), (3, 9), (2, 9)] * 10:
        hand = dice.sample([f"{suit} {rank}" for suit in suits[:few] for rank in range(1, high + 1)], 10 + few % 2)
        assert state.ask("deadwood", tuple(hand)) == _deadwood(frozenset(hand), melds), hand
