"""Findings as text, JSON and SARIF."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright import reporting
from rulewright.data.schema_checks import fits
from rulewright.diagnostics import Diagnostic, Edit, Fix, Severity, Span
from rulewright_tools.reports.sarif import to_sarif

COURT = "\n" * 40 + "    forbid full: control[purpel] is player\n"
SOURCES = {"river/court.rules": COURT, "river/boats.json": '{\n\t"boats": [{"clour": "red"}]\n}'}
PURPEL = Span("river/court.rules", 41, 26, 41, 32)
UNKNOWN = Diagnostic(
    "REF001",
    "unknown family `purpel`",
    PURPEL,
    hint="did you mean `purple`?",
    cites=("RR-MOVE-9",),
    fix=Fix("replace with `purple`", (Edit(PURPEL, "purple"),)),
)
KEY = Diagnostic(
    "DAT010",
    "unknown key `clour`",
    Span("river/boats.json", 2, 13, 2, 20),
    hint="did you mean `colour`?",
    path="boats[0].clour",
    notes=("the columns are `colour` and `speed`",),
)
NOWHERE = Diagnostic("DAT021", "there is no ruleset `rivr`", hint="did you mean `river`?")
MILD = Diagnostic("STY001", "long", Span("river/court.rules", 41, 5, 41, 11), Severity.WARNING)


def test_text() -> None:
    assert reporting.to_text([UNKNOWN], sources=SOURCES) == (
        "error[REF001]: unknown family `purpel`\n"
        "  --> river/court.rules:41:26   (RR-MOVE-9)\n"
        "   |\n"
        "41 |     forbid full: control[purpel] is player\n"
        "   |                          ^^^^^^ did you mean `purple`?\n"
        "help: replace with `purple` (safe fix)\n"
        "\n"
    )


def test_text_of_a_data_file() -> None:
    assert reporting.to_text([KEY], sources=SOURCES) == (
        "error[DAT010]: unknown key `clour`\n"
        " --> river/boats.json:2:13   at boats[0].clour\n"
        "  |\n"
        '2 |     "boats": [{"clour": "red"}]\n'
        "  |                ^^^^^^^ did you mean `colour`?\n"
        "note: the columns are `colour` and `speed`\n"
        "\n"
    )


def test_text_without_a_place() -> None:
    assert reporting.to_text([NOWHERE]) == (
        "error[DAT021]: there is no ruleset `rivr`\nhelp: did you mean `river`?\n\n"
    )
    lost = Diagnostic("DAT001", "broken", Span("not/there.json", 3, 1, 3, 2), hint="mend it")
    assert reporting.to_text([lost]) == "error[DAT001]: broken\n --> not/there.json:3:1\nhelp: mend it\n\n"
    assert reporting.to_text([]) == ""


def test_long_hints_stand_alone() -> None:
    finding = Diagnostic("REF001", "m", PURPEL, hint="x" * 100)
    lines = reporting.to_text([finding], sources=SOURCES).splitlines()
    assert lines[4].endswith("^")
    assert lines[5] == "help: " + "x" * 100


def test_files_are_read_when_no_texts_are_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "river").mkdir()
    (tmp_path / "river/court.rules").write_text(COURT)
    assert reporting.to_text([UNKNOWN]) == reporting.to_text([UNKNOWN], sources=SOURCES)


def test_order_and_summary() -> None:
    found = [UNKNOWN, MILD, KEY, UNKNOWN]
    assert [d.code for d in reporting.in_order(found)] == ["DAT010", "STY001", "REF001"]
    assert reporting.summary(found) == "2 errors, 1 warning in 2 files"
    assert reporting.summary([NOWHERE]) == "1 error"
    assert reporting.summary([]) == "no findings"


def test_colour_changes_no_letter() -> None:
    coloured = reporting.to_text([UNKNOWN, KEY, MILD], colour=True, sources=SOURCES)
    assert "\x1b[1;31m" in coloured
    plain = __import__("re").sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert plain == reporting.to_text([UNKNOWN, KEY, MILD], sources=SOURCES)


def test_carets() -> None:
    def shown(line: str, span: Span) -> list[str]:
        text = reporting.to_text([Diagnostic("SYN001", "m", span)], sources={"f": line})
        return text.splitlines()[3:5]

    # Over several lines they reach to the end of the first.
    assert shown("ab cd  \nef", Span("f", 1, 4, 2, 2)) == ["1 | ab cd", "  |    ^^"]
    # An empty stretch, or one behind the end, has one.
    assert shown("ab", Span("f", 1, 3, 1, 3)) == ["1 | ab", "  |   ^"]
    # Wide and combining letters take the columns that they take.
    assert shown("漢字 x", Span("f", 1, 4, 1, 5)) == ["1 | 漢字 x", "  |      ^"]
    assert shown("e\u0301 x", Span("f", 1, 4, 1, 5))[1] == "  |   ^"
    # A tab is four spaces, also under the line.
    assert shown("\tx", Span("f", 1, 2, 1, 3)) == ["1 |     x", "  |     ^"]
    # Of a line without end only the neighbourhood is shown.
    line, carets = shown("[" + "1," * 5000 + "x]", Span("f", 1, 10_002, 1, 10_003))
    assert len(line) < 140
    assert line[carets.index("^")] == "x"


def test_nothing_reaches_the_terminal() -> None:
    evil = Diagnostic("SYN001", "a \x1b[2J b", Span("f\x1b[31m", 1, 1, 1, 2), hint="\x07", path="\x1b", notes=("\r",))
    for colour in (False, True):
        text = reporting.to_text([evil], colour=colour, sources={"f\x1b[31m": "x \x1b[0m \u202e y"})
        assert "\x1b[2J" not in text
        assert not {"\x07", "\r", "\u202e"} & set(text)


def test_json() -> None:
    data = reporting.to_json([UNKNOWN, KEY, NOWHERE, MILD])
    assert fits(json.loads(json.dumps(data)), "diagnostics") == []
    assert data["summary"] == {"errors": 3, "warnings": 1, "infos": 0, "files": 2}
    assert data["diagnostics"][0]["file"] is None
    assert data["diagnostics"][-1] == {
        "code": "REF001",
        "severity": "error",
        "message": "unknown family `purpel`",
        "file": "river/court.rules",
        "span": {"line": 41, "column": 26, "end_line": 41, "end_column": 32},
        "hint": "did you mean `purple`?",
        "cites": ["RR-MOVE-9"],
        "fix": {
            "message": "replace with `purple`",
            "safe": True,
            "edits": [
                {
                    "file": "river/court.rules",
                    "span": {"line": 41, "column": 26, "end_line": 41, "end_column": 32},
                    "text": "purple",
                }
            ],
        },
    }
    assert fits({"format": "x"}, "diagnostics") != []


def test_sarif() -> None:
    log = to_sarif([UNKNOWN, KEY, NOWHERE, MILD])
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["DAT010", "DAT021", "REF001", "STY001"]
    assert all(rule["name"].isalnum() and rule["shortDescription"]["text"] for rule in rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
    last = run["results"][-1]
    assert last["message"]["text"] == "unknown family `purpel`. did you mean `purple`?"
    (place,) = last["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "river/court.rules", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 41, "startColumn": 26, "endLine": 41, "endColumn": 32},
    }
    (fix,) = last["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["replacements"][0]["insertedContent"] == {"text": "purple"}
    assert "locations" not in run["results"][0]
    assert run["results"][1]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "boats[0].clour"
    json.dumps(log)


def test_sarif_names_files_as_addresses() -> None:
    spaced = Diagnostic("DAT001", "m", Span("my games/a.json", 1, 1, 1, 2))
    absolute = Diagnostic("DAT001", "m", Span("/games/a.json", 1, 1, 1, 2))
    results = to_sarif([spaced, absolute])["runs"][0]["results"]
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"] for result in results]
    assert uris == [{"uri": "file:///games/a.json"}, {"uri": "my%20games/a.json", "uriBaseId": "%SRCROOT%"}]


def test_a_message_never_quotes_a_page() -> None:
    """Names of thousands of letters come from tables, saves and logs of strangers."""
    for quote in "`'":
        message = f"unknown key {quote}{'x' * 5000}{quote}: it belongs to nothing"
        told = Diagnostic("DAT015", message, hint=message)
        assert len(told.message) < 100
        assert told.message.endswith("…" + quote + ": it belongs to nothing")
        assert told.hint == told.message
    assert len(Diagnostic("DAT015", "y" * 5000).message) == 600
