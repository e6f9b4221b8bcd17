"""The host of a worker without a browser: what it keeps, what it takes up, how it is stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from studio_page import Page, shipped

import rulewright as rw
from rulewright_tools.studio.browser import WorkerHost
from rulewright_tools.studio.host.play import thinking

NOTHING: dict[str, Any] = {"games": {}, "files": {}}


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """As an archive that was unpacked."""
    paths = [str(path) for path in rw.shipped_rulesets()]
    (tmp_path / "exported.json").write_text(json.dumps({"paths": paths, "opens": False}))
    return str(tmp_path)


def ask(host: WorkerHost, method: str, **params: Any) -> tuple[list[Any], dict[str, Any]]:
    """The messages, and all that is to be kept."""
    host.take(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
    return said(host)


def said(host: WorkerHost) -> tuple[list[Any], dict[str, Any]]:
    messages, kept = list[Any](), dict[str, Any](NOTHING)
    while (text := host.next()) is not None:
        messages.append(json.loads(text))
        new = json.loads(host.kept())
        kept |= new | {part: kept[part] | new[part] for part in NOTHING}
    return messages, kept


def test_another_worker_takes_the_game_up(folder: str) -> None:
    host = WorkerHost(folder, json.dumps(NOTHING))
    host.open()
    assert said(host) == ([], NOTHING)
    assert {one["name"] for one in ask(host, "hello", protocol=1)[0][0]["result"]["rulesets"]} == set(shipped())
    begun, _ = ask(host, "game/start", ruleset="connect-four", seed=1, seats=["person", "person"])
    messages, kept = ask(host, "game/answer", at=0, key="3")
    assert messages[-1]["params"]["at"] == 1, messages
    kept = {**kept, "page": {"name": "connect-four-1"}}  # told when the window came to it
    assert ask(host, "games/list")[1] == NOTHING  # nothing has changed
    again = WorkerHost(folder, json.dumps(kept))
    again.open()
    shown = said(again)[0]
    assert shown[-1]["params"]["at"] == 1
    before, after = Page(), Page()
    for page, heard in ((before, begun + messages), (after, shown)):
        for message in heard:
            if "method" in message:
                page.take(message)
    assert before.shown["board"] == after.shown["board"]


def test_files_and_games_are_kept_once(folder: str) -> None:
    host = WorkerHost(folder, json.dumps(NOTHING))
    made, kept = ask(host, "files/newVariant", ruleset="connect-four", name="wide")
    text = made[0]["result"]["text"]
    assert kept["files"] == {"wide.rules": text}
    assert ask(host, "files/list", ruleset="wide")[1]["files"] == {}
    ask(host, "game/start", ruleset="wide", seed=1)
    assert {*ask(host, "games/copy", label="evening")[1]["games"]} == {"wide-1", "wide-2"}
    assert ask(host, "games/delete", game="wide-2")[1]["games"] == {"wide-2": None}
    again = WorkerHost(folder, json.dumps({**NOTHING, "files": kept["files"]}))
    assert ask(again, "files/read", name="wide/wide.rules")[0][0]["result"]["text"] == text


def test_what_another_window_has_written_is_not_lost(folder: str) -> None:
    host = WorkerHost(folder, json.dumps(NOTHING))
    made = ask(host, "files/newVariant", ruleset="connect-four", name="wide")[0][0]["result"]
    host.put_file("wide.rules", made["text"] + "# of another window\n")
    write = {"name": "wide/wide.rules", "text": "# mine\n", "version": made["version"]}
    messages, kept = ask(host, "files/write", **write)
    assert messages[0]["error"]["data"]["text"].endswith("# of another window\n")
    assert kept["files"] == {}
    for name in ("../wide.rules", ".wide.rules", "wide.json", "/etc/wide.rules"):
        host.put_file(name, "no")
    assert {path.name for path in Path(folder).rglob("*.*")} == {"exported.json", "wide.rules"}


def test_a_number_in_memory_stops_it(folder: str) -> None:
    stop = [0]
    host = WorkerHost(folder, json.dumps(NOTHING), stop)
    ask(host, "game/start", ruleset="connect-four", seed=1)
    stop[0] = 1
    messages, _ = ask(host, "game/hint")
    assert sum(one["visits"] for one in messages[0]["result"]["answers"]) < 100
    stop[0] = 1
    assert ask(host, "game/answer", at=0, key="3")[0][0]["error"]["message"] == "stopped because it was cancelled"
    stop[0] = 0
    hint = ask(host, "game/hint")[0][0]["result"]
    assert sum(one["visits"] for one in hint["answers"]) > 100


def test_the_page_is_told_at_once_what_an_agent_thinks(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "FIRST", 0)
    monkeypatch.setattr(thinking, "BETWEEN", 0)
    told: list[str] = []
    host = WorkerHost(folder, json.dumps(NOTHING), [0], told.append)
    ask(host, "game/start", ruleset="connect-four", seed=1)
    ask(host, "game/hint", agent="mcts:400")
    assert told
    assert json.loads(told[0])["method"] == "game/thinking"


def test_jobs_are_told_as_commands_of_a_terminal(folder: str) -> None:
    host = WorkerHost(folder, json.dumps(NOTHING))
    messages, _ = ask(host, "jobs/start", kind="simulate", ruleset="connect-four", games=50)
    told = messages[0]["error"]["message"]
    assert told == (
        "this page has no server that could run it; in a terminal: rulewright simulate connect-four --games 50 --jobs 1"
    )
