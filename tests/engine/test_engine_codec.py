"""Programs as JSON: there and back, by a schema derived from the classes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator, validators
from maker import Maker
from playground import everything
from programs import courts, hidden, race

from rulewright.diagnostics import RulesetError
from rulewright.foundation.resources import share
from rulewright.foundation.versions import PROGRAM
from rulewright.ir import model as m
from rulewright.ir.codec import from_json, schema, to_json
from sampling import thorough
from verifier import validate

LARGE = courts(2)
PROGRAMS = [race(), LARGE, hidden(), everything()]


def by_node(checker: Any, choices: list[dict[str, str]], instance: Any, whole: dict[str, Any]) -> Iterator[Any]:
    """Checks one of many classes: none but that of its name can fit, so the others need not be tried."""
    named = {"$ref": f"#/$defs/{instance.get('node')}"} if isinstance(instance, dict) else None
    if named in choices:
        yield from checker.descend(instance, named)
    else:
        yield from Draft202012Validator.VALIDATORS["oneOf"](checker, choices, instance, whole)


@cache
def validator() -> Any:
    """The schema; each class of nodes in it asks for its name."""
    found = schema()
    for choices in (found["$defs"][kind]["oneOf"] for kind in ("Expr", "Instr")):
        for name in (choice["$ref"].rpartition("/")[2] for choice in choices):
            assert found["$defs"][name]["properties"]["node"] == {"const": name}
            assert "node" in found["$defs"][name]["required"]
    return validators.extend(Draft202012Validator, {"oneOf": by_node})(found)


def test_the_committed_schema_is_the_derived_one() -> None:
    """If this fails after a change of the model: python -m rulewright.ir.codec > schemas/program.schema.json"""
    assert json.loads((share("schemas") / "program.schema.json").read_text()) == schema()
    Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("program", [pytest.param(p, marks=thorough if p == LARGE else ()) for p in PROGRAMS])
def test_there_and_back(program: m.Program) -> None:
    data = json.loads(json.dumps(to_json(program)))
    validator().validate(data)
    assert from_json(data) == program
    assert validate(program) == []


def test_random_expressions_there_and_back() -> None:
    base = everything()
    maker = Maker(base, Random(5), True)
    queries = tuple(m.QueryDef(f"q{i}", (), m.INT, maker.make(maker.kind(), {}, 5)) for i in range(60))
    program = replace(base, queries=base.queries + queries)
    assert from_json(json.loads(json.dumps(to_json(program)))) == program
    assert validate(program) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.pop("game"),
        lambda d: d.pop("format"),
        lambda d: d.pop("version"),
        lambda d: d.update(version=0),
        lambda d: d.update(version=True),
        lambda d: d.update(version="1"),
        lambda d: d.update(odd=1),
        lambda d: d.update(players="two"),
        lambda d: d["functions"][0]["code"][0].update(node="Poke"),
        lambda d: d["functions"][0]["code"][0].update(more=1),
        lambda d: d["zones"][0].update(order="heap"),
        lambda d: d.update(zones=3),
        lambda d: d["universes"][0].update(keys=[1]),
    ],
)
def test_what_is_no_program_is_refused(change: Any) -> None:
    data = json.loads(json.dumps(to_json(race())))
    change(data)
    with pytest.raises(RulesetError) as caught:
        from_json(data)
    assert caught.value.diagnostics[0].code == "PRG001"
    assert not validator().is_valid(data)


def test_a_newer_program_is_refused_by_its_version() -> None:
    """The version is reported first, whatever else a later version may hold."""
    data = to_json(race()) | {"version": PROGRAM + 1, "odd": 1}
    with pytest.raises(RulesetError) as caught:
        from_json(data)
    (found,) = caught.value.diagnostics
    assert found.code == "PRG002"
    assert found.message == (
        f"this program is of version {PROGRAM + 1}, but this Rulewright reads up to version {PROGRAM}"
    )


def test_what_is_wrong_with_a_program() -> None:
    program = race()
    code = (
        m.Jump(99),
        m.SetLocal(9, m.Var("x")),
        m.Move(m.Kind("Ghost"), False, "attic", ()),
        m.Call("none", (), None, "a"),
    )
    loop = m.QueryDef("loop", (), m.INT, m.CallQuery("loop", ()))
    bad = replace(
        program,
        queries=(loop,),
        functions=(*program.functions, m.Function("bad", "effect", 0, (), code)),
        main="gone",
    )
    found = "\n".join(validate(bad))
    for word in (
        "jump to 99",
        "slot 9",
        "variable x",
        "kind Ghost",
        "zone attic",
        "function none",
        "calls itself",
        "gone",
    ):
        assert word in found
