"""``rulewright compare``: two small rulesets with every kind of difference, how sides are written, and bad input.

The reports of ``comparing/old`` and ``comparing/new`` stand in ``comparing/report.*``; ``--update-goldens`` writes
them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

import rulewright as rw

from .conftest import ROOT, SCHEMAS, Outcome, Run, edit
from .test_processes import finish, start

HERE = Path(__file__).parent / "comparing"
OLD, NEW = "tests/tools/comparing/old", "tests/tools/comparing/new"
SAME, DIFFERENT, COULD_NOT_RUN = 0, 1, 2


@pytest.fixture
def compare(run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """The command run at the top of the project, so that paths are shown as there."""
    monkeypatch.chdir(ROOT)
    return lambda *args: run("compare", *args)


@pytest.fixture
def market(tmp_path: Path) -> Path:
    """A copy of the old ruleset that a test may change."""
    return Path(shutil.copytree(HERE / "old", tmp_path / "market"))


# ---------------------------------------------------------------------------------------------- reports


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("report.txt", ["--all"]),
        ("whole.txt", ["--all", "--quote", "--players", 3]),
        ("report.md", ["--format", "markdown", "--quote"]),
        ("report.json", ["--format", "json", "--quote", "--all"]),
    ],
)
def test_golden(compare: Run, golden: Callable[[Path, str], None], name: str, options: list[object]) -> None:
    outcome = compare(OLD, NEW, *options)
    assert (outcome.code, outcome.err) == (DIFFERENT, "")
    golden(HERE / name, outcome.out)


def test_all_formats_tell_the_same(compare: Run) -> None:
    for options in ([], ["--all"]):
        text, markdown = compare(OLD, NEW, *options), compare(OLD, NEW, "--format", "markdown", *options)
        report = compare(OLD, NEW, "--format", "json", *options).json
        last = text.out.splitlines()[-1]
        assert markdown.out.splitlines()[-1] == last
        assert ("cited differently" in last) == bool(options)
        assert markdown.out.count("\n**`") == len(report["differences"])


def test_golden_pair_from_the_other_side() -> None:
    other = {"added": "removed", "removed": "added"}

    def told(old: str, new: str, mirrored: bool) -> list[tuple[object, ...]]:
        found = rw.compare(ROOT / old, ROOT / new)
        sides = [(d, [side and (side.text, side.below) for side in (d.old, d.new)]) for d in found.differences]
        # Where a clause has moved to depends on the side from which one looks; that it has moved does not.
        return sorted(
            (str(other.get(d.kind, d.kind) if mirrored else d.kind), d.declaration, d.word, str(texts), d.players)
            for d, texts in ((d, texts[::-1] if mirrored else texts) for d, texts in sides)
        )

    assert told(OLD, NEW, False) == told(NEW, OLD, True)


def test_golden_pair_has_every_kind(compare: Run) -> None:
    report = compare(OLD, NEW, "--format", "json", "--all").json
    assert {d["kind"] for d in report["differences"]} == {"added", "removed", "changed", "moved", "cited"}
    words = {d["word"] for d in report["differences"]}
    assert words >= {
        *("param", "enum", "die", "attribute", "row", "zone", "field", "step", "choice", "forbid", "unless", "option"),
        *("if", "assign", "move", "modifier", "case", "effect", "procedure", "when", "end", "consequence", "witness"),
        *("party", "named", "begins", "limits", "obey", "repetition", "precedence", "reaction"),
    }


@pytest.mark.parametrize(
    "sides",
    [(OLD, NEW), (OLD, OLD), ("carolus-magnus:2", ":3"), ("carolus-magnus", ":Short reign"), (OLD, "tic-tac-toe")],
)
def test_schema(compare: Run, sides: tuple[str, str]) -> None:
    schema = json.loads((SCHEMAS / "comparison.schema.json").read_text(encoding="utf-8"))
    for options in ([], ["--all", "--quote"]):
        outcome = compare(*sides, "--format", "json", *options)
        jsonschema.Draft202012Validator(schema).validate(outcome.json)
        assert outcome.code == (SAME if outcome.json["equal"] else DIFFERENT)


def test_citations_alone_are_no_difference(compare: Run, market: Path) -> None:
    edit(market / "game.rules", "is red       @M-3", "is red       @M-2")
    assert compare(OLD, market).code == SAME
    outcome = compare(OLD, market, "--all", "--quote")
    assert outcome.code == DIFFERENT
    assert "1 cited differently in 1 declaration" in outcome.out
    assert "@M-3 Red cards may be bought by anyone." in outcome.out
    assert str(market) in outcome.out  # two rulesets of one title are told apart


# ------------------------------------------------------------------------------------------------- sides


def addresses(old: str | rw.diff.Side, new: str | rw.diff.Side | None = None) -> list[str]:
    return [d.address for d in rw.compare(old, new).differences]


def test_a_variant() -> None:
    assert addresses("carolus-magnus", ":Short reign") == ["castles_to_win", "castles_to_win", "fewest_regions"]
    assert addresses("carolus-magnus:Short reign") == ["castles_to_win", "castles_to_win", "fewest_regions"]
    found = rw.compare("carolus-magnus", ":Short reign", players=3)
    assert [d.notes for d in found.differences] == [("8 → 6",), ("4 → 11",)]
    assert [d.players for d in rw.compare("carolus-magnus", ":Short reign").differences] == [(2, 4), (3,), ()]


def test_two_variants_and_options() -> None:
    side = rw.diff.Side("carolus-magnus", ("Short reign",), {"dice": 5}, 2)
    assert addresses("carolus-magnus:2", side) == addresses("carolus-magnus:2", ":dice=5:Short reign")
    assert addresses("carolus-magnus:Short reign:dice=5", side) == []
    assert addresses(side) == ["castles_to_win", "dice", "fewest_regions"]


def test_numbers_of_players() -> None:
    found = rw.compare("domaine:2", ":4")
    assert found.players == ((2, 4),)
    notes = {d.address: d.notes for d in found.differences}
    assert notes["goal"] == ("50 → 30",)
    assert notes["Color"] == ("drops neutral",)
    assert "players" in notes
    assert rw.compare("domaine:2", ":2").equal
    assert rw.compare("domaine", ":4").players == ((4, 4),)


def test_a_file_of_variants(tmp_path: Path) -> None:
    file = tmp_path / "quick.rules"
    file.write_text('variant "Quick" of carolus_magnus\n    set dice = 1\n    remove turn.refill\n', encoding="utf-8")
    assert addresses("carolus-magnus:3", f":{file}") == ["dice", "turn.refill"]


def test_what_a_ruleset_extends(tmp_path: Path, market: Path) -> None:
    folder = tmp_path / "winter"
    folder.mkdir()
    (folder / "ruleset.json").write_text(
        '{"name": "winter", "title": "Winter", "extends": "../market", "rules": ["game.rules"]}', encoding="utf-8"
    )
    (folder / "game.rules").write_text(
        "set goal = 8\nremove turn.red\nprocedure freeze\n    finish with winner players\n", encoding="utf-8"
    )
    assert addresses(str(folder)) == ["goal", "turn.red", "freeze"] == addresses(str(market), str(folder))


def test_titles_and_paths_with_colons(tmp_path: Path, market: Path) -> None:
    manifest = market / "ruleset.json"
    edit(manifest, '"rules": ["game.rules"]', '"rules": ["game.rules"], "variants": ["more.rules"]')
    (market / "more.rules").write_text(
        'variant "2" of market\n    set goal = 1\n\nvariant "2: late" of market\n    set goal = 2\n', encoding="utf-8"
    )
    odd = market.rename(tmp_path / "mar:ket")

    def goal(side: str) -> list[tuple[str, ...]]:
        return [d.notes for d in rw.compare(str(odd), side).differences]

    assert goal(f"{odd}:2") == [("10 → 1",)]
    assert goal(":2: late") == [("10 → 2",)]
    assert goal(":2: late:3") == [("10 → 2",)]
    assert rw.compare(str(odd), ":2: late:3").players == ((3, 3),)


def test_no_number_of_players_in_common(market: Path) -> None:
    edit(market / "game.rules", "players 2 to 3", "players 4")
    edit(market / "cards.json", '"3": 2', '"3": 2, "4": 2')
    found = rw.compare(ROOT / OLD, market)
    assert found.players == ((2, 4),)
    assert found.differences[0].address == "players"


# ------------------------------------------------------------------------------- what does and does not count


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("game.rules", "field tired[Player]: Bool\n", "field tired[Player]: Bool = false\n"),
        ("game.rules", "option sleep: tired[p] = true\n", "option sleep\n                tired[p] = true\n"),
        ("game.rules", "game market\n", "# a remark\n\ngame market\n"),
        ("cards.json", '"worth": 3, "count": 4}', '"worth": 3, "count": 1}, {"count": 3, "worth": 3, "colour": "red"}'),
        ("cards.json", '"worth": 3, "count": 4}', '"worth": 3, "count": 4}, {"colour": "blue", "count": 0}'),
        ("cards.json", '{"2": 1, "3": 2}', '{"3": 2, "2": 1}'),
        ("roads.json", '["north", "south"]', '["south", "north"]'),
        ("goods.json", '"price": 2, "fresh": true', '"fresh": true, "note": "smells", "price": 2'),
    ],
)  # fmt: skip
def test_says_the_same(compare: Run, market: Path, file: str, old: str, new: str) -> None:
    edit(market / file, old, new)
    outcome = compare(OLD, market, "--all")
    assert (outcome.code, outcome.err) == (SAME, "")
    assert "both say the same with 2 and 3 players" in outcome.out


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("goods.json", '"price": 2', '"price": 1', [("changed", 'Good["fish"]', ("price 2 → 1",), ())]),
        ("cards.json", '"2": 1', '"2": 9', [("changed", 'Card["blue 5"]', ("count 1 → 9",), (2,))]),
        ("cards.json", '"blue", "worth": 5', '"blue", "worth": 6',
         [("removed", 'Card["blue 5"]', (), (2,)), ("added", 'Card["blue 6"]', (), (2,)),
          ("removed", 'Card["blue 5"]', (), (3,)), ("added", 'Card["blue 6"]', (), (3,))]),
        ("roads.json", '"north", "harbour": true', '"north", "harbour": false',
         [("changed", 'Country["north"]', ("harbour true → false",), ())]),
        ("game.rules", "red, blue, green", "green, blue, red", [("changed", "Colour", ("in another order",), ())]),
        ("game.rules", "        tired[p] = false\n    step", "    step", [("removed", "turn.income", (), ())]),
        ("game.rules", "Bool\n    true when c.worth > 4", "Bool\n    let w = c.worth\n    true when w > 4",
         [("added", "dear", (), ()), ("changed", "dear", (), ())]),
        ("game.rules", "as deed\n", "as action\n",
         [("removed", "turn.deed", (), ()), ("added", "turn.action", (), ()),
          ("moved", "turn.sleep", ("now first in `p chooses either as action`",), ()),
          ("moved", "turn.work", ("now after `option sleep: tired[p] = true` in `p chooses either as action`",), ())]),
    ],
)  # fmt: skip
def test_tells_where(market: Path, file: str, old: str, new: str, told: list[object]) -> None:
    edit(market / file, old, new)
    found = rw.compare(ROOT / OLD, market).differences
    assert [(d.kind, d.address, d.notes, d.players) for d in found] == told


def test_blocks_for_a_number_of_players(market: Path) -> None:
    game = market / "game.rules"
    game.write_text(game.read_text("utf-8") + "\nwith 3 players\n    remove turn.too_many\n", encoding="utf-8")
    (found,) = rw.compare(ROOT / OLD, market).differences
    assert (found.kind, found.address, found.players) == ("removed", "turn.too_many", (3,))
    assert rw.compare(ROOT / OLD, market, players=2).equal


# --------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("sides", "told"),
    [
        (["no-such-game", "tic-tac-toe"], "no ruleset `no-such-game`"),
        (["tic-tac-toe", "tic-tac-to"], "did you mean `tic-tac-toe`?"),
        (["tic-tac-toe"], "extends no other ruleset"),
        (["carolus-magnus", ":Short rein"], "did you mean `Short reign`?"),
        (["carolus-magnus", ":nothing.rules"], "nothing.rules"),
        (["carolus-magnus", ":dise=2"], "did you mean `dice`?"),
        (["carolus-magnus", ":dice=(("], "not a value for `dice`"),
        (["carolus-magnus", ":7"], "not by 7"),
        (["carolus-magnus:2:3", ":3"], "gives the number of players twice"),
        (["carolus-magnus:", ":3"], "nothing after a colon"),
        (["carolus-magnus::2", ":3"], "nothing after a colon"),
        ([":3", "carolus-magnus"], "names no ruleset"),
        (["", "carolus-magnus"], "names no ruleset"),
        (["carolus-magnus:" + "9" * 5000, ":3"], "there is no variant"),
        (["carolus-magnus", "tic-tac-toe", "--players", "3"], "not by 3"),
        (["carolus-magnus", "tic-tac-toe", "--format", "xml"], "xml"),
    ],
)
def test_bad_sides(compare: Run, sides: list[str], told: str) -> None:
    outcome = compare(*sides)
    assert outcome.code == COULD_NOT_RUN
    assert told in outcome.err
    assert outcome.out == ""


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("game.rules", "procedure play\n", "procedure play(\n", "game.rules:"),
        ("goods.json", '"rows"', '"rows', "goods.json:1"),
        ("goods.json", '"rows"', '"other": [], "some"', "goods.json"),
        ("game.rules", '"cards.json"', '"no-cards.json"', "no-cards.json"),
        ("game.rules", "players 2 to 3\n", "", "how many play"),
    ],
)
def test_broken_rulesets(compare: Run, market: Path, file: str, old: str, new: str, told: str) -> None:
    edit(market / file, old, new)
    for sides in ((OLD, market), (market, OLD)):
        outcome = compare(*sides)
        assert outcome.code == COULD_NOT_RUN
        assert told in outcome.err
        assert outcome.out == ""


def test_as_a_process(run: Run) -> None:
    options = (OLD, NEW, "--format", "json", "--quote", "--all")
    first, second = (start("compare", *options, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    one, other = finish(first), finish(second)
    assert one == other
    assert one[0] == DIFFERENT
    assert one[1] == (HERE / "report.json").read_text(encoding="utf-8")
    done = run("compare", OLD, "no-such-game")
    assert (done.code, done.out) == (COULD_NOT_RUN, "")
    assert done.err.count("error") == 1
