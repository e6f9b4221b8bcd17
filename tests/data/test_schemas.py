"""The schemas themselves, and what they say about files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rulewright.data import schema_checks
from rulewright.data.json_positions import JsonText
from rulewright.foundation.resources import share

NAMES = sorted(schema_checks.schemas())
EDITED = ["map", "rulebook", "rulings", "ruleset", "table"]


def parts(value: object, way: str = "") -> Iterator[tuple[str, dict[str, object]]]:
    """All schemas inside a schema."""
    if isinstance(value, dict):
        yield way, value
        for key, inner in value.items():
            if key not in ("const", "enum", "examples", "default"):
                yield from parts(inner, f"{way}/{key}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from parts(inner, f"{way}/{number}")


def test_all_are_there() -> None:
    assert set(EDITED) | {"diagnostics"} <= set(NAMES)


def test_metaschema(subtests: pytest.Subtests) -> None:
    for name in NAMES:
        with subtests.test(name):
            found = schema_checks.schemas()[name]
            Draft202012Validator.check_schema(found)
            assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
            assert found["$id"] == f"{schema_checks.BASE}{name}.schema.json"
            assert found["title"]
            assert name not in EDITED or found["description"]


def test_objects_are_closed(subtests: pytest.Subtests) -> None:
    """Each object says what may stand in it; an unread key is an error."""
    for name in NAMES:
        with subtests.test(name):
            for way, part in parts(schema_checks.schemas()[name]):
                if part.get("type") == "object" and way.rpartition("/")[2] != "properties":
                    closed = "additionalProperties" in part or "unevaluatedProperties" in part
                    chooses = "oneOf" in part or "$ref" in part
                    assert closed or chooses, f"{name}{way} is open"
                    assert part.get("additionalProperties") is not True, f"{name}{way} is open"


def test_editors_are_helped(subtests: pytest.Subtests) -> None:
    """Everything that a person writes by hand has a title or a description."""
    for name in EDITED:
        with subtests.test(name):
            for way, part in parts(schema_checks.schemas()[name]):
                if way.rpartition("/")[0].endswith("/properties") and "$ref" not in part:
                    assert "const" in part or part.get("title") or part.get("description"), f"{name}{way}"


def test_references_resolve_without_a_network() -> None:
    for name in NAMES:
        list(schema_checks.validator(name).iter_errors({}))


SHIPPED = sorted(share("rulesets").glob("*/*.json"))


def test_shipped_files_name_their_schema_and_fit_it(subtests: pytest.Subtests) -> None:
    for path in SHIPPED:
        with subtests.test(path.as_posix()):
            source = JsonText(path.read_text("utf-8"), path.name)
            assert isinstance(source.value, dict)
            named = source.value["$schema"]
            assert isinstance(named, str)
            assert (path.parent / named).resolve() == (share("schemas") / Path(named).name).resolve()
            assert schema_checks.findings(source, Path(named).name.removesuffix(".schema.json")) == ()


def told(value: object, name: str) -> list[tuple[str, str, str, str, int]]:
    source = JsonText(json.dumps(value, indent=1), "f.json")
    return [(d.code, d.message, d.path, d.hint, d.span.line) for d in schema_checks.findings(source, name)]


GOOD = {"name": "river-race", "title": "River Race", "rules": ["race.rules"]}


def test_unknown_key() -> None:
    (finding,) = told({**GOOD, "variant": []}, "ruleset")
    assert finding == ("DAT015", "unknown key `variant`", "variant", "did you mean `variants`?", 7)


def test_unknown_key_without_likeness_lists_what_is_possible() -> None:
    (finding,) = told({**GOOD, "xyzzy": 1}, "ruleset")
    assert "possible here: `edition`" in finding[3]


def test_unknown_key_deep_inside() -> None:
    (finding,) = told(
        {"rulings": [{"id": "R1", "question": "q", "ruling": "r", "basis": "b", "efect": "e", "effect": "e"}]},
        "rulings",
    )
    assert finding[:3] == ("DAT015", "unknown key `efect`", "rulings[0].efect")


def test_wrong_types() -> None:
    assert told({**GOOD, "title": 7}, "ruleset")[0][:3] == (
        "DAT011",
        "a text is needed here, not `7`",
        "title",
    )
    assert told({**GOOD, "rules": "a.rules"}, "ruleset")[0][1] == 'a list `[…]` is needed here, not `"a.rules"`'
    assert told([1], "ruleset")[0][:2] == ("DAT011", "an object `{…}` is needed here, not a list")


def test_missing_keys_are_told_one_by_one() -> None:
    found = told({"rules": ["a.rules"]}, "ruleset")
    assert [(d[0], d[1]) for d in found] == [
        ("DAT010", "the key `name` is missing"),
        ("DAT010", "the key `title` is missing"),
    ]


def test_not_one_of() -> None:
    statement = {"id": "RR-1", "section": "1", "kind": "efect", "normative": True, "statement": "s"}
    (finding,) = told({"game": "River Race", "statements": [statement]}, "rulebook")
    assert finding[0] == "DAT012"
    assert finding[2:4] == ("statements[0].kind", "did you mean `effect`?")


def test_reason_is_needed_where_a_statement_does_not_apply() -> None:
    statement = {
        "id": "RR-1",
        "section": "1",
        "kind": "flow",
        "normative": True,
        "statement": "s",
        "applies": False,
    }
    (finding,) = told({"game": "River Race", "statements": [statement]}, "rulebook")
    assert finding[:3] == ("DAT010", "the key `reason` is missing", "statements[0]")


def test_patterns_are_told_in_words() -> None:
    (finding,) = told({**GOOD, "name": "River Race"}, "ruleset")
    assert finding[0] == "DAT012"
    assert "lower-case letters, digits and single hyphens" in finding[3]


def test_the_nearest_of_several_forms_is_spoken_of() -> None:
    (finding,) = told({"shape": "hexes", "places": [{"at": [0, "1"]}]}, "map")
    assert finding[:3] == ("DAT011", 'a whole number is needed here, not `"1"`', "places[0].at[1]")
    (finding,) = told({"shape": "heks", "places": [{"at": [0, 1]}]}, "map")
    assert finding[1:4] == ('`"heks"` is not one of `graph` and `hexes`', "shape", "did you mean `hexes`?")
    (finding,) = told({"rows": [{"price": {"2": [[1]]}}]}, "table")
    assert finding[2] == 'rows[0].price["2"][0]'
    (finding,) = told({"rows": [{"price": 1.5}]}, "table")
    assert (finding[0], finding[2]) == ("DAT011", "rows[0].price")
    assert finding[1].startswith("a whole number, a text, `true`/`false`, `null`, a list")
    assert finding[1].endswith("is needed here, not `1.5`")


def test_sizes() -> None:
    assert told({"rows": [{"count": -1}]}, "table")[0][:2] == ("DAT013", "-1 is too small: at least 0")
    assert told({"rows": [{"price": 2**31}]}, "table")[0][0] == "DAT013"
    assert told({"shape": "graph", "places": []}, "map")[0][0] == "DAT013"


def test_many_findings_are_cut_off() -> None:
    found = told({"rows": [{"Bad": number} for number in range(100)]}, "table")
    assert len(found) == 21
    assert sorted(d[1] for d in found)[0] == "and 80 more findings in this file"
