"""Rulesets that are made to stop the server: others are answered meanwhile, and a page can cancel what it waits for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from studio_page import PATIENCE, hello, require_valid

pytest.importorskip("starlette")
pytest.importorskip("websockets.sync.client")

from test_studio_server import Server, ask, request

from rulewright_tools.studio.host.messages import ErrorCode

HEAD = "game hostile\nplayers 2\nfield score: Int = 0\nfield chosen: set of Int = {}\n"
END = "end done when score > 3\n    finish with winner players\n"
PLAY = "procedure play\n    repeat\n        each p in players\n            turn(p)\n"
TURN = "procedure turn(p: Player)\n    p chooses n from {1 .. 3}\n"


MEGABYTES = 500
"""The server may take so much, whatever the rules do."""


def doubling(count: int) -> str:
    """So many queries, each of which asks the one before twice: to answer the last takes 2^(count - 1) calls."""
    lines = ["query q0(n: Int) -> Int = n"]
    lines += [f"query q{i}(n: Int) -> Int = q{i - 1}(n) - q{i - 1}(n + 1)" for i in range(1, count)]
    return "\n".join(lines) + "\n"


NEVER = doubling(41)
RULES: dict[str, str] = {
    "query": NEVER + TURN + "    score = q40(n)\n",
    "repeat": TURN + "    repeat\n        score = 0\n",
    "draws": TURN + "    repeat\n        chance chooses m from {1 .. 6}\n        score = m - m\n",
    "picture": NEVER
    + "query heavy(p: Player) -> Int = count(a in {1 .. score} where q40(a) is 0)\n"
    + TURN
    + "    score = 1\n",
    "options": NEVER
    + TURN
    + "    score = 1\n    p chooses m from {a for a in {1 .. 3} where score is 0 or q40(a) is 0}\n",
    "sums": "query large(n: Int) -> Int =\n"
    + "    count(a in {1 .. 999}, b in {1 .. 999}, c in {1 .. 999} where a + b + c is n)\n"
    + TURN
    + "    score = large(n) - large(n + 1)\n",
    "sets": TURN
    + "    repeat\n        each i in {0 .. 1000}\n            chosen = chosen + {i}\n        chosen = {}\n",
}
"""Rules that never come to an end, or have no end of what they make, once a number was chosen."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("attacks")
    (home / "index.html").write_text("<!doctype html>", "utf-8")
    for name, rules in RULES.items():
        folder = home / name
        folder.mkdir()
        (folder / "game.rules").write_text(HEAD + PLAY + rules + END, "utf-8")
        manifest: dict[str, Any] = {"name": name, "title": name, "rules": ["game.rules"]}
        manifest |= {"seats": {"2": ["anna", "bert"]}, "draw": {"shows": ["heavy"] if name == "picture" else []}}
        (folder / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    running = Server(home, *(str(home / name) for name in RULES))
    yield running
    running.close()


def memory(server: Server) -> float:
    """The most memory that the server has needed, in MB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text("utf-8")
    found = re.search(r"VmHWM:\s+(\d+)", status)
    assert found is not None
    return int(found[1]) / 1024


def begin(socket: Any, name: str) -> dict[str, Any]:
    """The first position of a game."""
    assert "result" in ask(socket, request(1, "game/start", ruleset=name, seed=1, seats=["person", "person"]))
    shown = json.loads(socket.recv(timeout=PATIENCE))["params"]
    assert shown["question"]["answerable"]
    found: dict[str, Any] = shown
    return found


def end_of(socket: Any, id: int) -> dict[str, Any]:
    """The error with which an answer ends, or its result."""
    while True:
        message = json.loads(socket.recv(timeout=PATIENCE))
        require_valid(message)
        if message.get("method") == "game/stopped":
            error: dict[str, Any] = message["params"]["error"]
            return error
        if "error" in message:
            assert message["id"] == id
            error = message["error"]
            return error
        if "answers" in message.get("result", {}):
            hint: dict[str, Any] = message["result"]
            return hint


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("method", ["game/answer", "game/hint"])
def test_rules_without_end_are_cancelled(server: Server, name: str, method: str) -> None:
    """Another page is answered meanwhile, the one that waits may stop it, and go on."""
    hint: dict[str, Any] = {"agent": "mcts:100000000"}
    wanted = {"at": 0, "key": "1"} if method == "game/answer" else hint
    with server.connect(session=f"looping-{name}") as looping, server.connect(session=f"beside-{name}") as beside:
        begin(looping, name)
        looping.send(json.dumps(request(2, method, **wanted)))
        assert ask(beside, hello())["result"]["protocol"] == 1
        begin(beside, "tic-tac-toe")
        assert "result" in ask(beside, request(2, "game/answer", at=0, key="(0, 0)"))
        looping.send(json.dumps({"jsonrpc": "2.0", "method": "cancel", "params": {"id": 2}}))
        end = end_of(looping, 2)
        assert "answers" in end or end["code"] in (ErrorCode.STOPPED, ErrorCode.RULES)
        assert begin(looping, name)["at"] == 0
    assert memory(server) < MEGABYTES


@pytest.mark.parametrize("name", RULES)
def test_rules_without_end_use_up_their_budget(server: Server, name: str) -> None:
    """Nobody cancels them: they end with an error of the rules, at one line, and have not taken all memory."""
    with server.connect(session=f"budget-{name}") as looping:
        begin(looping, name)
        looping.send(json.dumps(request(2, "game/answer", at=0, key="1")))
        error = end_of(looping, 2)
        assert error["code"] == ErrorCode.RULES
        assert error["data"]["diagnostics"][0]["code"] == "RUN006"
        assert "result" in ask(looping, request(3, "game/goto", at=0))
    assert memory(server) < MEGABYTES
