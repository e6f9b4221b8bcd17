"""The quick answer whether a value fits a schema is the one that the library gives."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.data.schema_acceptance import Acceptance, Undecided
from rulewright.data.schema_checks import BASE, accepted, schemas, validator
from sampling import sample

RULESETS = Path(__file__).parents[2] / "rulesets"
READ = ("ruleset", "rulebook", "rulings", "table", "map")
"""The schemas of files that are read."""

ODD: tuple[Any, ...] = (None, True, 1, 1.0, 0, -1, 2.5, 10**9, "", "x", "a b", "x" * 5000, [], [1, 1.0], [True, 1], {})


@cache
def documents(schema: str) -> list[Any]:
    """Files of rulesets that fit a schema, some of those that are not large."""
    small = [path for path in sorted(RULESETS.rglob("*.json")) if path.stat().st_size < 30_000]
    values = (json.loads(path.read_text("utf-8")) for path in small)
    return [*islice((value for value in values if validator(schema).is_valid(value)), 3)]


def holders(value: Any) -> Iterator[Any]:
    """All lists and objects in a value."""
    if isinstance(value, list | dict) and value:
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from holders(inner)


def damaged(value: Any, dice: random.Random) -> Any:
    """The value with something changed, taken out or put in."""
    value = copy.deepcopy(value)
    holder = dice.choice([*holders(value)])
    key = dice.choice([*holder] if isinstance(holder, dict) else range(len(holder)))
    match dice.randrange(4):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[dice.choice(("extra", "$schema", "a b", "name"))] = holder[key]
        case 2 if isinstance(holder, list):
            holder.append(holder[key])
        case _:
            holder[key] = dice.choice(ODD)
    return value


@pytest.mark.parametrize("schema", READ)
def test_shipped_files_are_accepted(schema: str) -> None:
    assert documents(schema)
    assert all(accepted(value, schema) for value in documents(schema))


@pytest.mark.parametrize("schema", READ)
def test_damaged_files(schema: str) -> None:
    """Files with a change, some dozens of them: nothing is accepted that does not fit, and no fit is missed."""
    dice = random.Random(schema)
    answers = set()
    for value in documents(schema):
        for _ in range(sample(8, 25)):
            broken = damaged(value, dice)
            fits = validator(schema).is_valid(broken)
            assert accepted(broken, schema) == fits, broken
            answers.add(fits)
    assert answers == {True, False}


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([1.0, 0.5])
    | st.sampled_from(["", "a", "ab", "b"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
TYPES = ("object", "array", "string", "integer", "number", "boolean", "null")
PLAIN = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(
            ["object", "array", "string", "integer", "number", "boolean", "null", ["null", "array"]]
        ),
        "const": VALUES,
        "enum": st.lists(VALUES, min_size=1, max_size=3),
        "minimum": st.integers(-2, 2),
        "maximum": st.integers(-2, 2),
        "minLength": st.integers(0, 2),
        "maxLength": st.integers(0, 2),
        "pattern": st.sampled_from(["a", "^b$"]),
        "minItems": st.integers(0, 2),
        "maxItems": st.integers(0, 2),
        "uniqueItems": st.booleans(),
        "minProperties": st.integers(0, 2),
        "maxProperties": st.integers(0, 2),
        "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
        "title": st.just("a title"),
    },
)


def nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
            "additionalProperties": inner,
            "propertyNames": inner,
            "items": inner,
            "anyOf": several,
            "oneOf": several,
            "allOf": several,
            "if": inner,
            "then": inner,
            "else": inner,
            "$ref": st.just("#/$defs/d"),
        },
    )


SCHEMAS = st.recursive(st.booleans() | PLAIN, nested, max_leaves=5)


@given(SCHEMAS, st.booleans() | PLAIN, VALUES)
def test_any_schema(schema: Any, other: Any, value: Any) -> None:
    whole = {"$id": f"{BASE}drawn.json", "$defs": {"d": other}, "allOf": [schema]}
    quick = Acceptance({f"{BASE}drawn.json": whole}).fits(value, f"{BASE}drawn.json")
    assert quick == type(validator("ruleset"))(whole).is_valid(value)


def test_what_is_not_known_is_not_decided() -> None:
    documents = {"a:": {"contains": True}, "b:": {"$ref": "c:"}, "d:": {"$ref": "#/$defs/none"}}
    for address in documents:
        with pytest.raises(Undecided):
            Acceptance(documents).fits([], address)
    assert {name for name in READ if name not in schemas()} == set()
