"""The archive of an export: code of modules that have not changed, all that is extended, nothing else of a folder."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path

import pytest
import rpds
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

import rulewright as rw
from rulewright_tools.studio.export import persistent_collections
from rulewright_tools.studio.export.archive import archive
from rulewright_tools.studio.export.bytecode import BYTECODE, compiled_modules


def test_only_modules_that_have_not_changed_are_code(tmp_path: Path) -> None:
    same, changed = b"answer = 42\n", b"answer = 43\n"
    assert compiled_modules(tmp_path, {"same.py": same}) == {"same.py": same}
    with zipfile.ZipFile(tmp_path / BYTECODE, "w") as packed:
        packed.writestr(f"{hashlib.sha256(same).hexdigest()}.pyc", b"code")
    files = {"same.py": same, "changed.py": changed, "same.txt": same}
    assert compiled_modules(tmp_path, files) == {"same.pyc": b"code", "changed.py": changed, "same.txt": same}


def test_a_ruleset_comes_with_what_it_extends_and_without_its_rulebook(tmp_path: Path) -> None:
    base = rw.rulesets.find_rulesets("connect-four")[0]
    mine = tmp_path / "mine"
    mine.mkdir()
    manifest = {"name": "mine", "title": "Mine", "extends": "connect-four"}
    (mine / "ruleset.json").write_text(json.dumps(manifest))
    (mine / "rulebook.pdf").write_bytes(b"sentences of somebody else")
    (mine / ".secret.json").write_text("{}")
    with zipfile.ZipFile(io.BytesIO(archive([mine], True, tmp_path))) as packed:
        names = packed.namelist()
        told = json.loads(packed.read("exported.json"))
    found = {name.removeprefix("rulewright/_share/rulesets/") for name in names if "_share/rulesets/" in name}
    assert told == {"opens": True, "paths": ["rulewright/_share/rulesets/mine"]}
    assert {name for name in found if name.startswith("mine/")} == {"mine/ruleset.json"}
    assert {f"connect-four/{path.name}" for path in base.glob("*.rules")} <= found
    assert not [name for name in names if name.startswith("rulewright_tools/studio/server")]


def test_the_collections_in_python_are_as_those_of_rpds(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (rpds, persistent_collections):
        first = module.HashTrieMap({"a": 1}).insert("b", 2)
        second = first.remove("a").update({"c": 3})
        assert dict(first) == {"a": 1, "b": 2}
        assert dict(second) == {"b": 2, "c": 3}
        assert dict(module.HashTrieMap.convert(second)) == dict(second)
        assert first == module.HashTrieMap(b=2, a=1)
        assert {first: 1}[module.HashTrieMap(b=2, a=1)] == 1
        assert first.get("z") is None
        with pytest.raises(KeyError):
            first.remove("z")
        values = module.HashTrieSet(["x"]).insert("y")
        assert set(values.discard("x").update(["z"])) == {"y", "z"}
        assert "x" in values
        items = module.List([1, 2]).push_front(0)
        assert (list(items), items.first, list(items.rest), len(items)) == ([0, 1, 2], 0, [1, 2], 3)
    for name in ("HashTrieMap", "HashTrieSet", "List"):
        offered = {one for one in vars(getattr(persistent_collections, name)) if not one.startswith("_")}
        assert offered <= set(dir(getattr(rpds, name)))


def test_schemas_are_checked_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same is said of wrong values with both."""
    import referencing._core
    import referencing.jsonschema

    schema = {"$defs": {"n": {"type": "integer"}}, "properties": {"a": {"$ref": "#/$defs/n"}}, "required": ["b"]}
    expected = [error.message for error in Draft202012Validator(schema).iter_errors({"a": "x"})]
    for module in (referencing._core, referencing.jsonschema):
        for name in ("HashTrieMap", "HashTrieSet", "List"):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, getattr(persistent_collections, name))
    found = [error.message for error in validator_for({})(schema).iter_errors({"a": "x"})]
    assert sorted(found) == sorted(expected)
    assert len(found) == 2
