"""Messages from anybody: what the schema does not allow is refused with a sentence, and the host goes on."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from studio_page import METHODS, PATIENCE, Page, hello, params_of, require_valid

import rulewright_tools.studio.host as studio_host
from rulewright_tools.studio.host import Catalogue, Host
from rulewright_tools.studio.host.messages import ErrorCode, id_of
from sampling import sample

HOST_FILES = sorted(Path(studio_host.__file__).parent.rglob("*.py"))

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
SCENARIO = 'scenario "a"\n    players x, o\n    start play\n    when x: cell = (1, 1)\n'
FITTING: dict[str, Any] = {
    "protocol": 1, "ruleset": "tic-tac-toe", "players": 2, "variants": [], "options": {}, "seed": 3,
    "seats": ["person", "first"], "viewer": "auto", "at": 0, "key": "(0, 0)", "steps": 1, "thing": "place-1",
    "agent": "flat:2", "name": "a", "seat": "x", "id": 5,
    "text": SCENARIO, "version": "0", "kind": "test", "against": "baron", "games": 2, "seconds": 1,
    "scope": "own", "rule": "play", "line": 3, "costs": False, "section": "1",
    "from": 0, "title": "as it was played", "lines": [0, 1], "file": "tic-tac-toe/scenarios/rows.rules",
    "job": 5, "number": 0, "choice": 0, "game": "tic-tac-toe-1", "label": "evening", "to": "seat", "anew": False,
    "free": True, "sees_all": False, "questions": ["Was it long?"], "colour": "#a0b1c2", "agrees": True,
    "answers": [3], "turned": False, "keeps_seed": False, "on": True,
}  # fmt: skip


@st.composite
def requests(draw: st.DrawFn) -> Any:
    """Requests that are nearly right: params that fit, fit nearly, or are anything."""
    method = draw(st.sampled_from(sorted(METHODS)))
    known = METHODS[method]["properties"]["params"]["properties"]
    params = {name: FITTING[name] for name in known if draw(st.booleans())}
    for name in draw(st.lists(st.sampled_from([*sorted(FITTING), "other"]), max_size=2)):
        params[name] = draw(json_values)
    return {"jsonrpc": "2.0", "id": draw(st.integers(0, 9)), "method": method, "params": params}


@pytest.fixture(scope="module")
def host() -> Host:
    return Host(Catalogue.of([]))


@settings(max_examples=sample(100, 10_000))
@given(requests())
def test_the_schema_and_the_host_agree_on_params(host: Host, request: Any) -> None:
    first, *others = host.handle(request)
    require_valid(first, request["method"])
    for message in others:
        require_valid(message)
    fits = params_of(request["method"]).is_valid(request["params"])
    refused = "error" in first and first["error"]["code"] == ErrorCode.PARAMS
    if not fits:
        assert "error" in first, request
    if fits and refused:  # a name of nothing there is, and nothing of the form
        assert not any(word in first["error"]["message"] for word in ("must be", "is missing", "no parameter")), first
    assert first.get("error", {}).get("code") != ErrorCode.INTERNAL, first


@given(json_values | requests().map(lambda one: {**one, "jsonrpc": 2.0}))
def test_anything_is_answered(host: Host, message: Any) -> None:
    (answer,) = host.handle(message)
    require_valid(answer)
    assert answer["error"]["code"] in (ErrorCode.INVALID, ErrorCode.UNKNOWN)
    assert answer["id"] == id_of(message)
    assert next(iter(host.handle(hello())))["result"]["protocol"] == 1


@pytest.mark.parametrize("text", ["", "{", b"\xff", "[" * 100_000, r'{"a": "\ud800"}', '{"a": NaN', '"' + "x" * 1000])
def test_a_text_that_is_no_message(host: Host, text: str | bytes) -> None:
    (answer,) = host.handle_text(text)
    require_valid(answer)
    assert answer["error"]["code"] in (ErrorCode.PARSE, ErrorCode.INVALID)
    assert len(answer["error"]["message"]) < 300


def test_a_page_of_another_version_is_turned_away() -> None:
    (answer,) = Host(Catalogue.of([])).handle({**hello(), "params": {"protocol": 99}})
    assert "version 1" in answer["error"]["message"]


def test_a_notification_has_no_response() -> None:
    request = {"jsonrpc": "2.0", "method": "game/start", "params": {"ruleset": "tic-tac-toe"}}
    (shown,) = Host(Catalogue.of([])).handle(request)
    assert shown["method"] == "game/shown"


def test_every_method_has_its_schema() -> None:
    assert set(Host(Catalogue.of([]))._methods) == set(METHODS)
    named = {name for method in METHODS.values() for name in method["properties"]["params"]["properties"]}
    assert named <= set(FITTING)  # else requests with it are never tried


def test_the_host_waits_for_nothing() -> None:
    """It runs inside a browser, too: no threads, processes, sockets or event loops, and none of the command line."""
    forbidden = {"threading", "asyncio", "multiprocessing", "concurrent", "subprocess", "socket", "starlette", "signal"}
    for path in HOST_FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not forbidden & {name.partition(".")[0] for name in names}, path
    code = "import sys, rulewright_tools.studio.host; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert not {"asyncio", "multiprocessing", "starlette", "uvicorn", "typer", "rich"} & set(done.stdout.split())


def test_messages_are_the_same_in_any_process() -> None:
    page = Page()
    requests = [
        hello(),
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "game/start",
            "params": {"ruleset": "carolus-magnus", "seed": 2, "seats": ["person", "random"]},
        },
        {"jsonrpc": "2.0", "id": 2, "method": "game/answer", "params": {"at": 0, "key": "white disc 1"}},
    ]
    own = [json.dumps(message) for request in requests for message in page.host.handle(request)]
    code = (
        "import json; from rulewright_tools.studio.host import Catalogue, Host; host = Host(Catalogue.of([]))\n"
        f"for request in {requests!r}:\n    for message in host.handle(request): print(json.dumps(message))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert done.stdout.splitlines() == own
