"""The tables of docs/language.md hold every word of the language, and each of their examples is checked in its place.

An example names what `SETTING` declares, or what another row of the page declares. All of them together are one
ruleset, except for those that say what the whole game or its map is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.compiler.symbols.static_types import BUILTINS, STATEMENTS
from rulewright.findings.text import linter
from rulewright.syntax import keywords, parse
from rulewright.syntax.tables.parse_tables import words

PAGE = Path(__file__).parents[2] / "docs" / "language.md"
ROW = re.compile(r"^\| (?P<words>\[.+?\)|`.+?`) \| (?P<examples>.*?) ?\| (?P<means>.+) \|$", re.MULTILINE)
CODE = re.compile(r"`([^`]+)`")

HEADER = "game harbour\nplayers 2 to 4\n"
SETTING = """
param price = 2
param cost: 0..[Family] = {red: 1}
param seating: {apart, together} = apart
enum Family: red, blue
enum Wind: calm, breeze, gale
die D6: 1 to 6
party Side: teams
place Cell
edge Border
map Board: grid 3 by 3 of Cell, edges Border
place Hill
map Round: ring of 12 Hill
piece Card from "cards.json"
    family: Family
    worth: 1..9
    named "{family} {worth}"
    back shows "{family}"
    begins in deck
piece Figure
    owner: Player or none
    begins in stock[owner]
piece Knight is a Figure from "knights.json"
    sides rested, tired
    named "{owner} knight"
zone deck: stack of Card, count seen by everyone
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone display: row of Card, faced, count seen by everyone
zone discard: stack of Card, faced, count seen by everyone
zone stock[Player]: set of Figure, seen by everyone
zone on[Cell]: set of Figure, at most 1, seen by everyone
field gold[Player]: 0.. = 3
field tired[Player]: Bool = false
field hurt[Player]: Bool = false
field man[Cell]: Player or none
field walled[Border]: Bool = false
field control[Family]: Player or none
field wind: Wind
field told: list of Int
query score(p: Player) -> Int = gold[p] + size(hand[p])
query leader(f: Family) -> Player or none = single(best(p in players by size(hand[p])))
query exposed(p: Player) -> Bool = no(x in Cell where man[x] is p)
effect shift(p: Player, a: Cell, b: Cell)
    man[b] = p, man[a] = none
procedure strike(victim: Player, amount: Int), open clockwise from victim
    gold[victim] -= amount
procedure raid(victim: Player), open clockwise from victim
    gold[victim] = 0
reaction parry before strike(victim, amount)
    do nothing
procedure turn(p: Player)
    p chooses card from hand[p]
        forbid too_dear: card.worth > gold[p] + 1
    move card to discard
    step trade
        p rolls 3 D6 as faces
        if sum(n for n in faces) is 8 then finish with winner p
procedure play
    repeat 3 times
        each p in players
            turn(p)
    finish with winner players
"""
FILES = {
    "cards.json": {"rows": [{"family": "red", "worth": n, "count": 5} for n in (3, 5)]},
    "knights.json": {"rows": [{"owner": 1, "count": 2}, {"owner": 2, "count": 2}]},
    "ships.json": {"rows": [{"owner": 1}]},
    "goods.json": {"rows": [{"name": "fish"}, {"name": "salt"}]},
    "island.json": {"shape": "hexes", "radius": 2},
    "country.json": {"shape": "graph", "places": [{"name": "up"}, {"name": "down"}], "edges": [["up", "down"]]},
}
NAMES = "p: Player, q: Player, c: Card, k: Figure, a: Cell, b: Cell, h: Hill, e: Border, f: Family, n: Int"
"""Parameters of which the examples of expressions and statements speak."""

BELOW = {
    "consequence": "control[f] = leader(f)",
    "end": "finish with winner p",
    "scenario": "players anna, bert",
    "variant": "set price = 3",
    "match": "calm, breeze: stop\n            otherwise: stop",
    "repeat until": "gold[p] += 1",
    "repeat while": "gold[p] += 1",
    "each r in players at": "r chooses guess from {1 .. 6}\n            told += guess",
    "in": "forbid odd: card.worth is 3",
}
"""The lines below an example that begins so; other heads get `do nothing`."""

ALONE = "{x}"
HEAD = "{x}\n    {below}"
QUERY = f"query row_{{n}}({NAMES}) = {{x}}"
LET = f"query row_{{n}}({NAMES}) -> Int\n    {{x}}\n    3"
CASE = f"query row_{{n}}({NAMES}) -> Int\n    {{x}}\n    3 otherwise"
PROPERTY = "property row_{n} always for p in players: gold[p] >= {x}"
MODIFIER = "value row_{n}(p: Player) -> 0..99 = gold[p]\n    {x}"
PIECE = 'piece Row{n} is a Figure from "knights.json"\n    {x}'
STATEMENT = f"procedure row_{{n}}({NAMES})\n    repeat 3 times\n        {{x}}"
BLOCK = f"{STATEMENT}\n            {{below}}"
RESTRICTION = "procedure row_{n}(p: Player)\n    p chooses card from hand[p]\n        {x}"
FOLLOWED = f"{STATEMENT}\n        p chooses target from Cell where target in home.neighbours and man[target] is none"
PASSED = f"{STATEMENT}\n        else\n            gold[p] -= 1"
REACTION = "reaction row_{n} instead of raid(victim)\n    {x}"
VARIANT = 'variant "Row {n}" of harbour\n    {x}'
CHANGE = f"{VARIANT}\n        {{below}}"
PLACES = {
    "Declarations": (ALONE, HEAD),
    "Maps": (ALONE,),
    "Pieces and zones": (ALONE, PIECE),
    "Expressions": (QUERY,),
    "Queries and values": (ALONE, QUERY, LET, CASE, MODIFIER),
    "Procedures and statements": (HEAD, STATEMENT, BLOCK),
    "Choices": (RESTRICTION, STATEMENT, BLOCK),
    "Events and checks": (ALONE, HEAD, REACTION),
    "Variants": (VARIANT, CHANGE, HEAD),
}
"""Places in which the examples of a heading can stand; the first in which one can be read is its own."""

UNUSUAL = {"old(": (ALONE, PROPERTY), "leading on": (FOLLOWED,), "asked anyway": (PASSED,)}
"""Places of those that contain this."""


@dataclass(frozen=True)
class Row:
    """A row of a table: its words, its examples, and what it says they mean."""

    heading: str
    words: tuple[str, ...]
    link: str
    examples: tuple[str, ...]


def rows() -> Iterator[Row]:
    for section in re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        heading, _, body = section.partition("\n")
        for row in ROW.finditer(body):
            link = re.search(r"\]\((.+)\)", row["words"])
            named = tuple(CODE.findall(row["words"]))
            examples = tuple(text.replace("\\|", "|") for text in CODE.findall(row["examples"]))
            yield Row(heading, named, link[1] if link else "", examples)


ROWS = list(rows())
EXAMPLES = [(row.heading, example) for row in ROWS for example in row.examples]


def placed(heading: str, example: str, number: int) -> str:
    """The declaration in which an example stands."""
    below = next((text for start, text in BELOW.items() if example.startswith(f"{start} ")), "do nothing")
    places = next((places for sign, places in UNUSUAL.items() if sign in example), PLACES[heading])
    texts = [place.format(x=example, n=number, below=below) for place in places]
    texts = [text for text in texts if below != "do nothing" and below in text] or texts
    return next((text for text in texts if not parse(text, "example").diagnostics), texts[0])


def errors(folder: Path, text: str) -> list[str]:
    """The errors of a ruleset, each with its line."""
    (folder / "ruleset.json").write_text('{"name": "harbour", "title": "Harbour", "rules": ["game.rules"]}')
    (folder / "game.rules").write_text(text, encoding="utf-8")
    for name, data in FILES.items():
        (folder / name).write_text(json.dumps(data))
    # The linter finds much in rules that only show something: more than is told.
    lints = {"LIM003", *(rule.code for rule in linter.all_rules())}
    lines = text.split("\n")
    found = rw.check(rw.open_ruleset(folder))
    return [f"{lines[d.span.line - 1]}: {d.message} ({d.code})" for d in found if d.code not in lints]


def test_examples_check(tmp_path: Path) -> None:
    """All that one game can hold."""
    texts = [
        placed(heading, example, number)
        for number, (heading, example) in enumerate(EXAMPLES)
        if heading != "Scenarios" and not re.match("game|players|map Town|place City|edge Road", example)
    ]
    assert errors(tmp_path, "\n".join([HEADER + SETTING, *texts, ""])) == []


@pytest.mark.parametrize("example", [x for _, x in EXAMPLES if re.match("game|players", x)])
def test_heads_check(example: str, tmp_path: Path) -> None:
    """The name of a game, and its players."""
    word = example.split()[0]
    header = [example, *(line for line in HEADER.split("\n") if line.split()[:1] != [word])]
    assert errors(tmp_path, "\n".join(header) + SETTING) == []


@pytest.mark.parametrize("example", [x for _, x in EXAMPLES if x.startswith("map Town")])
def test_maps_check(example: str, tmp_path: Path) -> None:
    text = "place City\nedge Road\n" if "edges Road" in example else "place City\n"
    text += "place Cell\nmap Board: grid 3 by 3 of Cell\n" if "Board" in example else ""
    text += "procedure play\n    finish with winner players\n"
    assert errors(tmp_path, f"{HEADER}{text}{example}\n") == []


def test_the_lines_of_a_scenario_hold(tmp_path: Path) -> None:
    """All of them, in their order, are one scenario; what anna answers only if she may ends another."""
    drawn = '\n        "a . b"\n        "a . b"\n        ". . ."'
    lines = [x + drawn * x.startswith("draw") for heading, x in EXAMPLES if heading == "Scenarios"]
    (may,) = (n for n, line in enumerate(lines) if " may: " in line)
    first = [lines[0], "players anna, bert, cleo", *lines[1:may], *lines[may + 1 :]]
    second = ['scenario "a try"', "players anna, bert, cleo", *lines[1 : may - 1], lines[may]]
    text = "\n".join(["\n    ".join(first), "\n    ".join(second), ""])
    assert errors(tmp_path, HEADER + SETTING + text) == []
    for plan in rw.scenarios.plans(rw.open_ruleset(tmp_path)):
        result = rw.scenarios.run_scenario(plan)
        assert result.passed, result.failure


def test_each_row_has_an_example_of_its_words() -> None:
    """Clauses of several lines stand in the block above the table."""
    sections = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    blocks = {
        section.partition("\n")[0]: "".join(re.findall(r"^```rules.*?^```$", section, re.MULTILINE | re.DOTALL))
        for section in sections
    }
    lost = [
        (word, row.examples)
        for row in ROWS
        for word in row.words
        if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", " ".join((*row.examples, blocks[row.heading])))
    ]
    assert lost == []


def test_every_word_has_its_row() -> None:
    named = {word for row in ROWS for word in row.words}
    phrases = {text for text in words().values() if text.replace(" ", "").isalpha()}
    assert sorted(({*keywords(), *phrases, *BUILTINS, *STATEMENTS} | {"seen", "hidden", "out"}) - named) == []


def test_every_row_leads_to_its_chapter() -> None:
    """The links themselves are followed by test_links."""
    assert [row.words for row in ROWS if not re.fullmatch(r"language/[a-z-]+\.md(#[a-z-]+)?", row.link)] == []
