"""Whole rulesets: finding, reading, and everything that can be wrong with their files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any
from weakref import ref

import pytest

import rulewright as rw
from rulewright.data.rulebook import load_rulebook, load_rulings
from rulewright.data.ruleset import Ruleset, load_ruleset
from rulewright.data.ruleset_folders import find_ruleset, find_rulesets
from rulewright.diagnostics import Diagnostic, RulesetError, Severity
from rulewright.foundation import resources, versions
from rulewright.foundation.resources import share
from rulewright.foundation.versions import LANGUAGE
from rulewright.host.files import MOST_BYTES
from rulewright_lab.adapters.named_games import game_named
from sampling import thorough

MANIFEST: dict[str, Any] = {
    "$schema": "../../schemas/ruleset.schema.json",
    "name": "river-race",
    "title": "River Race",
    "edition": "second",
    "about": "Boats on a ring.",
    "rules": ["race.rules"],
    "variants": ["variants/long.rules"],
    "scenarios": ["scenarios/start.rules"],
    "rulebook": "rulebook.json",
    "rulings": "rulings.json",
    "move": "turn",
    "seats": {"2": ["black", "white"]},
    "draw": {
        "colours": {"red": "#cc3333", "black": "black"},
        "labels": {"Boat": "B"},
        "shapes": {"Boat": "disc"},
    },
    "sources": [
        "the printed rules",
        {"id": "faq", "what": "answers of the author", "where": "https://example.org"},
    ],
}
RULES = """game river_race
players 2 to 2
enum Colour: red, blue
piece Boat from "boats.json"
    colour: Colour
place Pool
map River: ring of 6 Pool
zone on[p: Pool]: set of Boat, seen by everyone
"""
RULEBOOK = {
    "$schema": "../../schemas/rulebook.schema.json",
    "game": "River Race",
    "statements": [
        {
            "id": "RR-1",
            "section": "1",
            "kind": "component",
            "normative": True,
            "statement": "There are 6 pools.",
        },
        {
            "id": "RR-2",
            "section": "1",
            "kind": "flow",
            "normative": True,
            "statement": "Boats move.",
            "depends": ["RR-1"],
            "note": "Repeat of RR-1",
            "same_as": None,
        },
        {
            "id": "RR-3",
            "section": "2",
            "kind": "component",
            "normative": True,
            "statement": "The box is blue.",
            "applies": False,
            "reason": "No rule speaks of the box.",
        },
    ],
}
RULING = {
    "id": "R-1",
    "question": "May a boat wait?",
    "ruling": "No.",
    "basis": "recommended",
    "effect": "A boat could block the river.",
    "parameter": "may_wait",
    "cites": ["RR-2"],
    "source": "faq",
}


def write(folder: Path, name: str, value: object) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=1), "utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "river-race"
    write(folder, "ruleset.json", MANIFEST)
    write(folder, "race.rules", RULES)
    write(folder, "variants/long.rules", 'variant "Long race" of river_race\n    remove turn.short\n')
    write(
        folder,
        "scenarios/start.rules",
        'scenario "at the start"\n    players black, white\n    start turn(black)\n',
    )
    write(folder, "boats.json", {"rows": [{"colour": "red", "count": 2}, {"colour": "blue", "count": 2}]})
    write(folder, "rulebook.json", RULEBOOK)
    write(folder, "rulings.json", {"rulings": [RULING]})
    return folder


def findings(folder: Path) -> list[Diagnostic]:
    """The findings of loading, raised or collected."""
    try:
        return list(load_ruleset(folder).diagnostics)
    except RulesetError as error:
        return list(error.diagnostics)


def change(folder: Path, **more: object) -> None:
    write(folder, "ruleset.json", {**MANIFEST, **more})


def test_everything_is_read(folder: Path) -> None:
    ruleset = load_ruleset(folder)
    assert ruleset.diagnostics == ()
    assert not ruleset.failed
    assert ruleset.path == "river-race"
    assert (ruleset.name, ruleset.title) == ("river-race", "River Race")
    assert [(file.path, file.role) for file in ruleset.files] == [
        ("river-race/race.rules", "rules"),
        ("river-race/variants/long.rules", "variant"),
        ("river-race/scenarios/start.rules", "scenario"),
    ]
    assert len(ruleset.of_role("rules")[0].file.decls) == 7
    manifest = ruleset.manifest
    assert manifest.seats == {2: ("black", "white")}
    assert manifest.seat_names(2) == ("black", "white")
    assert manifest.seat_names(3) == ("player_1", "player_2", "player_3")
    assert manifest.move == "turn"
    assert manifest.draw.colours["red"] == "#cc3333"
    assert manifest.sources == ("the printed rules", "answers of the author")
    assert ruleset.table("boats.json").rows[0]["count"] == 2
    assert ruleset.table("boats.json") is ruleset.table("boats.json")
    assert ruleset.rulebook is not None
    assert ruleset.rulings is not None


def test_rulebook_and_rulings(folder: Path) -> None:
    ruleset = load_ruleset(folder)
    book, rulings = ruleset.rulebook, ruleset.rulings
    assert book is not None
    assert rulings is not None
    assert [statement.counted for statement in book.statements] == [True, False, False]
    assert book.by_id["RR-3"].reason == "No rule speaks of the box."
    assert book.by_id["RR-2"].depends == ("RR-1",)
    assert book.span("RR-2").line == 12
    (ruling,) = rulings
    assert ruling.parameter == "may_wait"
    assert ruling.source == ("faq",)
    assert rulings.by_id["R-1"] == ruling
    assert rulings.span("R-1", "parameter").line == 9


def test_twice_and_unknown_ids(folder: Path) -> None:
    statements = [*RULEBOOK["statements"], {**RULEBOOK["statements"][0], "depends": ["RR-22"]}]  # type: ignore[misc, dict-item, index]
    write(folder, "rulebook.json", {**RULEBOOK, "statements": statements})
    write(folder, "rulings.json", {"rulings": [{**RULING, "cites": ["RR-9"]}]})
    twice, unknown, cited = findings(folder)
    assert (twice.code, twice.path, twice.hint) == ("DAT025", "statements[3].id", "also on line 6")
    assert (unknown.code, unknown.path, unknown.severity) == (
        "DAT026",
        "statements[3].depends[0]",
        Severity.WARNING,
    )
    assert (cited.code, cited.path) == ("DAT026", "rulings[0].cites[0]")


def test_rulings_without_a_rulebook(folder: Path) -> None:
    change(folder, rulebook="rulebook.json")
    assert load_rulings(folder, "rulings.json", None).findings == ()
    assert load_rulebook(folder, "rulebook.json").game == "River Race"


def test_findings_are_collected(folder: Path) -> None:
    change(folder, rules=["race.rules", "raec.rules"], scenarios=["../x.rules"], rulebook="book.json")
    write(folder, "rulings.json", "{")
    found = findings(folder)
    assert [d.code for d in found] == ["DAT002", "DAT020", "DAT002", "DAT001"]
    assert found[0].hint == "did you mean `race.rules`?"
    assert found[0].span.file == "river-race/ruleset.json"
    assert found[0].span.line == 9


def test_syntax_errors_are_collected(folder: Path) -> None:
    write(folder, "race.rules", RULES + "field speed[:\nzone at[[: set\n")
    found = findings(folder)
    assert found
    assert {d.code[:3] for d in found} == {"SYN"}
    assert all(d.span.file == "river-race/race.rules" for d in found)


BAD_MANIFESTS = [
    ({"titel": "x"}, "DAT015", "titel"),
    ({"name": "River Race"}, "DAT012", "name"),
    ({"rules": "race.rules"}, "DAT011", "rules"),
    ({"rules": ["race.txt"]}, "DAT012", "rules[0]"),
    ({"rules": []}, "DAT010", ""),
    ({"rules": ["race.rules"], "variants": ["race.rules"]}, "DAT027", "variants[0]"),
    ({"seats": {"3": ["a", "b"]}}, "DAT013", 'seats["3"]'),
    ({"seats": {"x": ["a", "b"]}}, "DAT012", "seats.x"),
    ({"seats": {"2": ["a", "a"]}}, "DAT013", 'seats["2"]'),
    ({"seats": {"2": ["A b", "c"]}}, "DAT012", 'seats["2"][0]'),
    ({"draw": {"colours": {"red": "url(x)"}}}, "DAT012", "draw.colours.red"),
    ({"language": 99, "later": True}, "DAT032", "language"),
    ({"manifest": 2}, "DAT032", "manifest"),
    ({"language": 0}, "DAT013", "language"),
    ({"language": "1"}, "DAT011", "language"),
    ({"language": True}, "DAT011", "language"),
    ({"extends": "../nothing"}, "DAT021", "extends"),
    ({"extends": "../river-race"}, "DAT022", "extends"),
    ({"extends": "/etc"}, "DAT020", "extends"),
]


@pytest.mark.parametrize("more, code, path", BAD_MANIFESTS, ids=[f"{n}-{c[1]}" for n, c in enumerate(BAD_MANIFESTS)])
def test_bad_manifests(folder: Path, more: dict[str, object], code: str, path: str) -> None:
    change(folder, **more)
    (finding,) = findings(folder)
    assert (finding.code, finding.path) == (code, path)
    assert finding.span.file == "river-race/ruleset.json"
    assert finding.span.line >= 1


def test_a_newer_language_is_refused_by_both_versions(folder: Path) -> None:
    change(folder, language=LANGUAGE + 1)
    (finding,) = findings(folder)
    assert finding.message == (
        f"this ruleset needs version {LANGUAGE + 1} of the language, but this Rulewright knows version {LANGUAGE}"
    )


def test_the_versions_that_are_known(folder: Path) -> None:
    change(folder, language=LANGUAGE, manifest=versions.MANIFEST)
    assert findings(folder) == []


@pytest.mark.parametrize(
    "content, code",
    [
        (b"", "DAT001"),
        (b"[" * 10_000, "DAT008"),
        (b"\xff\xfe", "DAT005"),
        (b" " * (MOST_BYTES + 1), "DAT004"),
        (b"[]", "DAT011"),
    ],
)
@pytest.mark.parametrize("name", ["ruleset.json", "rulebook.json", "rulings.json", "boats.json"])
def test_unreadable_files(folder: Path, name: str, content: bytes, code: str) -> None:
    (folder / name).write_bytes(content)
    try:
        ruleset = load_ruleset(folder)
        found = list(ruleset.diagnostics)
        if name == "boats.json":
            ruleset.table("boats.json")
    except RulesetError as error:
        found = list(error.diagnostics)
    assert [d.code for d in found] == [code]


def test_a_rules_file_of_10_mb(folder: Path) -> None:
    (folder / "race.rules").write_bytes(b"# x\n" * (MOST_BYTES // 4 + 1))
    assert [d.code for d in findings(folder)] == ["DAT004"]


def test_a_folder_in_place_of_a_file(folder: Path) -> None:
    (folder / "race.rules").unlink()
    (folder / "race.rules").mkdir()
    assert [d.code for d in findings(folder)] == ["DAT003"]


# ------------------------------------------------------------------------------------------------ finding


def test_find(folder: Path) -> None:
    for given in (
        folder,
        str(folder),
        "river-race",
        folder / "ruleset.json",
        folder / "scenarios/start.rules",
    ):
        assert find_ruleset(given).resolve() == folder
    assert find_rulesets(folder.parent) == [folder]
    assert find_rulesets(folder) == [folder]


def test_find_shipped() -> None:
    assert find_ruleset("tic-tac-toe") == share("rulesets") / "tic-tac-toe"


@pytest.mark.parametrize("word", ["leduc", "leduc-poker", "kings-and", "carolus"])
def test_names_that_have_only_begun(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody takes the same names: commands, the library, and the games of other libraries."""
    monkeypatch.chdir(tmp_path)
    found = find_ruleset(word)
    assert found.name.startswith(word)
    assert found.parent == share("rulesets")
    assert rw.load(word).ruleset.folder == game_named(word).ruleset.folder == found
    Path(word).mkdir()  # what lies here comes first, if it does not bear the whole name
    if word != found.name:
        with pytest.raises(RulesetError, match="is not a ruleset"):
            find_ruleset(word)


@pytest.mark.parametrize(
    "name, hint",
    [
        ("tic-tac-to", "did you mean `tic-tac-toe`?"),
        ("xyzzy", "there is `"),
        ("x" * 5000, "there is `"),
        ("\0", "there is `"),
        ("/nowhere/at/all", "there is `"),
    ],
)
def test_no_such_ruleset(name: str, hint: str) -> None:
    with pytest.raises(RulesetError) as caught:
        load_ruleset(name)
    (finding,) = caught.value.diagnostics
    assert finding.code == "DAT021"
    assert finding.hint.startswith(hint)


def test_no_ruleset_in_a_folder_or_beside_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_text("")
    for path in (tmp_path, tmp_path / "a.rules"):
        with pytest.raises(RulesetError) as caught:
            load_ruleset(path)
        assert caught.value.diagnostics[0].code == "DAT021"


# ---------------------------------------------------------------------------------------------- extending


@pytest.fixture
def derived(folder: Path) -> Path:
    other = folder.parent / "lake-race"
    write(other, "ruleset.json", {"name": "lake-race", "title": "Lake Race", "extends": "../river-race"})
    return other


def test_extends(derived: Path) -> None:
    ruleset = load_ruleset(derived)
    assert ruleset.diagnostics == ()
    assert ruleset.base is not None
    assert ruleset.base.name == "river-race"
    # Data and rulebook are the base's as long as there are none of its own.
    assert ruleset.table("boats.json").rows[0]["colour"] == "red"
    assert ruleset.rulebook is ruleset.base.rulebook
    write(derived, "boats.json", {"rows": [{"colour": "blue"}]})
    assert load_ruleset(derived).table("boats.json").rows[0]["colour"] == "blue"


def say(derived: Path, **more: object) -> None:
    """Write the manifest of the derived ruleset."""
    head = {"name": "lake-race", "title": "Lake Race", "extends": "../river-race"}
    write(derived, "ruleset.json", {**head, **more})


def test_what_an_edition_takes_over(derived: Path, folder: Path) -> None:
    manifest = load_ruleset(derived).manifest
    assert (manifest.move, manifest.seats) == ("turn", {2: ("black", "white")})
    assert manifest.draw.colours["red"] == "#cc3333"
    say(derived, move="start", seats={"2": ["grey", "green"]}, draw={"places": "square"})
    manifest = load_ruleset(derived).manifest
    assert (manifest.move, manifest.seats) == ("start", {2: ("grey", "green")})
    assert (manifest.draw.colours, manifest.draw.places) == ({}, "square")


def test_rulings_of_an_edition(derived: Path, folder: Path) -> None:
    """Its own go before those of the base, which cite its rulebook where that says the same."""
    write(
        folder,
        "rulings.json",
        {"rulings": [RULING, {**RULING, "id": "R-2"}, {**RULING, "id": "R-3", "cites": ["RR-1"]}]},
    )
    index = [{**RULEBOOK["statements"][1], "id": "LR-2", "depends": [], "same_as": "RR-2"}]  # type: ignore[dict-item]
    write(derived, "rulebook.json", {**RULEBOOK, "statements": index})
    write(derived, "rulings.json", {"rulings": [{**RULING, "id": "R-2", "ruling": "Yes.", "cites": ["LR-2"]}]})
    say(derived, rulebook="rulebook.json", rulings="rulings.json")
    ruleset = load_ruleset(derived)
    (finding,) = ruleset.diagnostics  # one that cites what only the other rulebook says should be written anew
    assert (finding.code, finding.severity, finding.path) == ("DAT026", Severity.WARNING, "rulings")
    assert "`R-3`" in finding.message
    assert ruleset.rulings is not None
    told = [(ruling.id, ruling.ruling, ruling.cites) for ruling in ruleset.rulings]
    assert told == [("R-2", "Yes.", ("LR-2",)), ("R-1", "No.", ("LR-2",)), ("R-3", "No.", ("RR-1",))]
    assert ruleset.rulings.span("R-2").file == "lake-race/rulings.json"
    assert ruleset.rulings.span("R-3").file == "river-race/rulings.json"
    assert sorted(ruleset.statements) == ["LR-2", "RR-1", "RR-2", "RR-3"]


def test_a_statement_the_same_as_none(derived: Path, folder: Path) -> None:
    index = [{**RULEBOOK["statements"][0], "id": "LR-1", "same_as": "RR-11"}]  # type: ignore[dict-item]
    write(derived, "rulebook.json", {**RULEBOOK, "statements": index})
    say(derived, rulebook="rulebook.json")
    (finding,) = findings(derived)
    assert (finding.code, finding.path) == ("DAT026", "statements[0].same_as")
    assert finding.severity is Severity.WARNING
    assert finding.hint == "did you mean `RR-1`?"


def test_scenarios_of_the_base(derived: Path, folder: Path) -> None:
    assert load_ruleset(derived).held_scenarios == ()
    say(derived, base_scenarios=["scenarios/start.rules"])
    (held,) = load_ruleset(derived).held_scenarios
    assert held.path == "river-race/scenarios/start.rules"
    say(derived, base_scenarios=["scenarios/begin.rules"])
    (finding,) = findings(derived)
    assert (finding.code, finding.path) == ("DAT002", "base_scenarios[0]")
    change(folder, base_scenarios=["scenarios/start.rules"])
    (finding,) = findings(folder)
    assert (finding.code, finding.path) == ("DAT010", "base_scenarios")


def test_circle(derived: Path, folder: Path) -> None:
    change(folder, extends="../lake-race")
    (finding,) = findings(derived)
    assert (finding.code, finding.path) == ("DAT022", "extends")


def test_findings_of_the_base(derived: Path, folder: Path) -> None:
    change(folder, titel="x")
    assert [d.code for d in findings(derived)] == ["DAT015"]


# ------------------------------------------------------------------------------------------------- digest


def digest(folder: Path) -> str:
    return load_ruleset(folder).digest


def test_digest(folder: Path, derived: Path, tmp_path: Path) -> None:
    first, of_derived = digest(folder), digest(derived)
    assert len(first) == 64
    copy = shutil.copytree(folder, tmp_path / "copy")
    assert digest(copy) == first
    # What is no part of the play makes no difference, nor do line ends.
    write(copy, "scenarios/start.rules", 'scenario "another"\n    players white, black\n')
    write(copy, "notes.json", {"a": 1})
    (copy / "race.rules").write_bytes(RULES.replace("\n", "\r\n").encode())
    assert digest(copy) == first
    write(copy, "boats.json", {"rows": [{"colour": "red", "count": 3}]})
    second = digest(copy)
    assert second != first
    write(folder, "race.rules", RULES.replace("6", "7"))
    assert digest(folder) not in (first, second)
    assert digest(derived) != of_derived


SHIPPED = find_rulesets(share("rulesets"))
LARGEST = max(SHIPPED, key=lambda folder: sum(path.stat().st_size for path in folder.glob("*.rules")))


# The largest is read anyway where it is checked.
@pytest.mark.parametrize(
    "path", [pytest.param(f, id=f.name, marks=[thorough] if f == LARGEST else []) for f in SHIPPED]
)
def test_shipped_rulesets_are_in_order(path: Path) -> None:
    ruleset: Ruleset = load_ruleset(path)
    assert [d for d in ruleset.diagnostics if d.is_error] == []
    assert ruleset.name == path.name
    assert len(ruleset.digest) == 64


class _Circle:
    """Something that only the garbage collector frees."""

    def __init__(self) -> None:
        self.itself = self


def test_large_things_that_are_made_one_after_the_other_are_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks of one large ruleset after the other grew without end: nothing made the collector look at old objects."""
    monkeypatch.setattr(resources, "_MOST_UNCOLLECTED", 100)
    monkeypatch.setattr(resources, "_uncollected", 0)
    with resources.no_collections(old_at_once=True):
        circles = [_Circle() for _ in range(1_000)]
    one = ref(circles[0])
    circles.clear()
    assert one() is not None
    with resources.no_collections(old_at_once=True):
        assert one() is None
