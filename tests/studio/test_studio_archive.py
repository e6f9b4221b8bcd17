"""The archive of an export: code of modules that have not changed, all that is extended, nothing else of a folder."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import rpds
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

import rulewright as rw
from rulewright_tools.studio.export.archive import archive
from rulewright_tools.studio.export.bytecode import BYTECODE, compiled_modules
from rulewright_tools.studio.export.stand_ins import persistent_collections


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


def test_a_variant_comes_with_the_data_beside_it(tmp_path: Path) -> None:
    lines = (
        'variant "Omens" of connect_four\n    add enum Omen from "omens/deck.csv"\n    add enum Moon from "moon.json"\n'
    )
    (tmp_path / "omens.rules").write_text(lines)
    (tmp_path / "omens").mkdir()
    (tmp_path / "omens" / "deck.csv").write_text("name\nstorm\n")
    (tmp_path / "moon.json").write_text('{"rows": [{"name": "full"}]}')
    (tmp_path / "private.json").write_text("{}")
    with zipfile.ZipFile(io.BytesIO(archive([tmp_path / "omens.rules"], True, tmp_path))) as packed:
        found = {
            name.removeprefix("rulewright/_share/rulesets/") for name in packed.namelist() if "_share/rulesets/" in name
        }
    assert {name for name in found if not name.startswith("connect-four")} == {
        "omens.rules", "omens/deck.csv", "moon.json",
    }  # fmt: skip


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


ALONE = """
import json, sys
folder = sys.argv[1]
sys.path[:0] = [folder]
sys.path.append(f"{folder}/libraries.zip")
sys.modules["wasmtime"] = None
from rulewright_tools.studio.browser import WorkerHost

host = WorkerHost(folder, '{"games": {}, "files": {}}')
for number, (method, params) in enumerate(json.loads(sys.argv[2])):
    host.take(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
    while (text := host.next()) is not None:
        message = json.loads(text)
        if message.get("id") == number:
            told = message.get("error", {}).get("message", "fine")
            print(method, told.replace(chr(10), " "))
print("rpds", sys.modules["rpds"].__file__)
"""
"""Runs the host with nothing but what is in an archive, as a browser has it."""


def test_nothing_is_needed_that_is_not_in_the_archive(tmp_path: Path) -> None:
    page = tmp_path / "page"
    page.mkdir()  # without code for another version of Python
    with zipfile.ZipFile(io.BytesIO(archive([rw.rulesets.find_rulesets("connect-four")[0]], True, page))) as packed:
        packed.extractall(tmp_path / "unpacked")
    manifest = tmp_path / "unpacked" / "rulewright" / "_share" / "rulesets" / "connect-four" / "rulebook.json"
    requests = [
        ("hello", {"protocol": 1}),
        ("game/start", {"ruleset": "connect-four", "seed": 1, "seats": ["person", "mcts:5"]}),
        ("game/answer", {"at": 0, "key": "3"}),
        ("game/whyNot", {"thing": "place-0"}),
        ("game/hint", {"agent": "mcts:5"}),
        ("games/copy", {"label": "evening"}),
        ("files/newVariant", {"ruleset": "connect-four", "name": "wide"}),
        ("game/start", {"ruleset": "wide", "seed": 1}),
        ("game/reload", {}),
        ("jobs/list", {}),
    ]
    words = [sys.executable, "-I", "-S", "-c", ALONE, str(tmp_path / "unpacked"), json.dumps(requests)]
    manifest.write_text(manifest.read_text("utf-8").replace('"statements"', '"sentences"', 1), "utf-8")
    wrong = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert "unpacked/libraries.zip/rpds.py" in wrong.stdout, wrong.stderr  # files that do not fit are told of
    manifest.write_text(manifest.read_text("utf-8").replace('"sentences"', '"statements"', 1), "utf-8")
    done = subprocess.run([*words[:-3], ALONE.rpartition("print")[0], *words[-2:]], capture_output=True, text=True)
    assert done.stderr == ""
    assert [line.split(" ")[0] for line in done.stdout.splitlines()] == [method for method, _ in requests]
    assert not [line for line in done.stdout.splitlines() if "inside Rulewright" in line]
    assert done.stdout.count(" fine") >= len(requests) - 1
