"""Component tables in JSON and CSV."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.data.component_tables import load_table
from rulewright.diagnostics import Diagnostic, RulesetError, Span

WHERE = Span("game.rules", 3, 12, 3, 30)

COMPONENTS = """{
  "$schema": "../../schemas/table.schema.json",
  "boats": [
    {"colour": "red", "speed": 3, "count": 2},
    {"colour": "blue", "speed": {"2": 4, "3": 3}, "guess": true, "note": "seen on a photo"}
  ],
  "tokens": [
    {"value": null, "kinds": ["rock", "reef"], "wild": false}
  ]
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "components.json").write_text(COMPONENTS)
    (tmp_path / "single.json").write_text('{"cards": [{"value": 1}]}')
    (tmp_path / "plain.json").write_text('{"rows": [{"value": 1}], "others": [{"value": 2}]}')
    (tmp_path / "tiles.csv").write_text('kind,value,count,wild\nrock,-2,3,true\n\n"reef, low",,1,false\n')
    return tmp_path


def refused(folder: Path, ref: str) -> list[Diagnostic]:
    with pytest.raises(RulesetError) as caught:
        load_table(folder, ref, WHERE)
    return list(caught.value.diagnostics)


def test_json(folder: Path) -> None:
    boats = load_table(folder, "components.json#boats", WHERE)
    assert boats.rows[0] == {"colour": "red", "speed": 3, "count": 2}
    assert boats.columns == ["colour", "speed"]
    assert (boats.span(0, "speed").line, boats.span(0, "speed").column) == (4, 32)
    assert boats.span(1).line == 5
    assert boats.span().line == 3
    assert boats.path(1, "speed") == "boats[1].speed"
    assert boats.cell(1, "speed", 3) == 3
    assert boats.cell(0, "speed", 4) == 3
    assert boats.cell(0, "price", 4) is None
    assert (boats.count(0, 2), boats.count(1, 2)) == (2, 1)
    tokens = load_table(folder, "components.json#tokens", WHERE)
    assert tokens.rows == [{"value": None, "kinds": ["rock", "reef"], "wild": False}]


def test_no_value_for_a_number_of_players(folder: Path) -> None:
    boats = load_table(folder, "components.json#boats", WHERE)
    with pytest.raises(RulesetError) as caught:
        boats.cell(1, "speed", 4)
    (finding,) = caught.value.diagnostics
    assert (finding.code, finding.span.line, finding.path) == ("DAT028", 5, "boats[1].speed")
    assert finding.hint == "it has a value for `2` and `3`"


def test_which_table_is_meant(folder: Path) -> None:
    assert load_table(folder, "single.json", WHERE).rows == [{"value": 1}]
    assert load_table(folder, "plain.json", WHERE).rows == [{"value": 1}]
    (finding,) = refused(folder, "components.json")
    assert (finding.code, finding.span) == ("DAT023", WHERE)
    assert finding.hint == "say which: `components.json#boats`"
    (finding,) = refused(folder, "components.json#boat")
    assert (finding.code, finding.hint) == ("DAT023", "did you mean `boats`?")
    assert refused(folder, "tiles.csv#x")[0].code == "DAT023"


@pytest.mark.parametrize("ref", ["../x.json", "/etc/passwd", "a/../../x.json", "C:\\x.json", "", "a\0.json"])
def test_nothing_outside_is_read(folder: Path, ref: str) -> None:
    (finding,) = refused(folder, ref)
    assert (finding.code, finding.span) == ("DAT020", WHERE)


def test_links_that_lead_out(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.json"
    outside.write_text('{"rows": []}')
    (folder / "link.json").symlink_to(outside)
    assert refused(folder, "link.json")[0].code == "DAT020"


def test_other_files_are_no_tables(folder: Path) -> None:
    (folder / "notes.txt").write_text("x")
    assert refused(folder, "notes.txt")[0].code == "DAT023"
    assert refused(folder, "boats.json")[0].code == "DAT002"


def test_wrong_cells_name_file_line_and_path(folder: Path) -> None:
    (folder / "bad.json").write_text('{"boats": [\n {"speed": 1},\n {"speed": 1.5, "Colour": "red"}]}')
    speed, colour = refused(folder, "bad.json")
    assert speed.path == "boats[1].speed"
    assert (speed.code, speed.span.line, speed.span.column) == ("DAT011", 3, 12)
    assert speed.span.file.endswith("bad.json")
    assert (colour.code, colour.path) == ("DAT012", "boats[1].Colour")


def test_whole_floats_are_whole_numbers(folder: Path) -> None:
    (folder / "float.json").write_text('{"rows": [{"a": 3.0, "b": [1.0], "c": {"2": 4.0}}]}')
    (row,) = load_table(folder, "float.json", WHERE).rows
    assert row == {"a": 3, "b": [1], "c": {"2": 4}}
    assert type(row["a"]) is int


def test_csv(folder: Path) -> None:
    tiles = load_table(folder, "tiles.csv", WHERE)
    assert tiles.rows == [
        {"kind": "rock", "value": -2, "count": 3, "wild": True},
        {"kind": "reef, low", "value": None, "count": 1, "wild": False},
    ]
    assert tiles.columns == ["kind", "value", "wild"]
    place = tiles.span(1, "kind")
    assert (place.line, place.column, place.end_column) == (4, 1, 12)
    assert tiles.span(1, "count").column == 14
    assert tiles.span(1).line == 4
    assert tiles.span().line == 1


def test_csv_with_semicolons_and_quotes(folder: Path) -> None:
    (folder / "semi.csv").write_bytes(b'name;note\r\na;"one ""two""\r\nthree"\r\nb;"7"\r\n')
    table = load_table(folder, "semi.csv", WHERE)
    assert table.rows == [{"name": "a", "note": 'one "two"\nthree'}, {"name": "b", "note": "7"}]
    assert table.span(1, "name").line == 4


@pytest.mark.parametrize(
    "text, code, line, column, message",
    [
        ("", "DAT024", 1, 1, "empty"),
        ("a,b\n1\n", "DAT024", 2, 1, "1 cell, but the header has 2"),
        ("a,b\n1,2,3\n", "DAT024", 2, 1, "3 cells"),
        ("a,a\n1,2\n", "DAT024", 1, 3, "two columns `a`"),
        ("a,Speed Km\n1,2\n", "DAT024", 1, 3, "cannot be the name"),
        ("a,\n1,2\n", "DAT024", 1, 3, "cannot be the name"),
        ('a,b\n1,"x\n', "DAT024", 2, 3, "is missing"),
        ('a,b\n"x"y,1\n', "DAT024", 2, 4, "was expected"),
        ("a,count\n1,many\n", "DAT011", 2, 3, "whole number"),
        ("a,count\n1,-1\n", "DAT013", 2, 3, "at least 0"),
        ("a\n9999999999\n", "DAT013", 2, 1, "too large"),
    ],
)
def test_broken_csv(folder: Path, text: str, code: str, line: int, column: int, message: str) -> None:
    (folder / "bad.csv").write_text(text)
    (finding,) = refused(folder, "bad.csv")
    assert finding.code == code
    assert (finding.span.line, finding.span.column) == (line, column)
    assert message in finding.message


def test_csv_trailing_divider_is_an_empty_cell(folder: Path) -> None:
    (folder / "t.csv").write_text("a,b\n1,\n2,")
    assert load_table(folder, "t.csv", WHERE).rows == [{"a": 1, "b": None}, {"a": 2, "b": None}]


@pytest.mark.parametrize(
    "text",
    [f"{'(' * 5000}\n1\n", f"a,a{'b' * 5000},a{'b' * 5000}\n1,2,3\n", f"count\n{'x' * 5000}\n"],
    ids=["no column", "two columns", "count"],
)
def test_messages_do_not_quote_whole_pages(folder: Path, text: str) -> None:
    (folder / "tiles.csv").write_text(text)
    for found in refused(folder, "tiles.csv"):
        assert len(found.message) + len(found.hint) < 300
