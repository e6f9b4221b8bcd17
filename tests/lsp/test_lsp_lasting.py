"""The language server outlives whatever it is told, and is always right about the texts as they are."""

from __future__ import annotations

import itertools
import json
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright_tools.lsp.standard_input import Frames

from .lsp_client import Client, begun, running

WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
QUESTIONS: dict[str, dict[str, Any]] = {
    "hover": {},
    "definition": {},
    "references": {"context": {"includeDeclaration": True}},
    "completion": {},
    "documentHighlight": {},
    "prepareRename": {},
    "documentSymbol": {},
    "foldingRange": {},
    "semanticTokens/full": {},
    "codeLens": {},
    "documentLink": {},
    "inlayHint": {"range": WHOLE},
    "codeAction": {"range": WHOLE, "context": {"diagnostics": []}},
    "formatting": {"options": {"tabSize": 4, "insertSpaces": True}},
}
REFUSED = -32803


def ask_everything(client: Client, uri: str, line: int, character: int) -> None:
    """No question may end in an error, but a name may not be one that can be changed."""
    place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
    for method, more in QUESTIONS.items():
        answer = client.answer(f"textDocument/{method}", {**place, **more})
        assert answer.get("error", {}).get("code") in (None, REFUSED), (method, answer)


def test_half_written_rules(client: Client, game: Path) -> None:
    """All questions at the end of many beginnings of a file, and of each kind of nonsense behind them."""
    text = game.read_text("utf-8")
    ends = itertools.cycle(["", ".", "@", '"', "(", "\n    ", "\t", "𝔘", "\r\n", "[{"])
    for length in range(0, len(text), 97):
        part = text[:length] + next(ends)
        client.change(game, part, wait=False)
        rows = part.split("\n")
        ask_everything(client, game.as_uri(), len(rows) - 1, len(rows[-1]))
    assert client.change(game, text) == []


def test_places_that_are_nowhere(client: Client, game: Path, folder: Path) -> None:
    ask_everything(client, game.as_uri(), 99999, 99999)
    ask_everything(client, (folder / "nowhere" / "game.rules").as_uri(), 0, 0)
    ask_everything(client, "untitled:Untitled-1", 0, 0)
    ask_everything(client, (folder / "pond" / "rulebook.json").as_uri(), 3, 3)
    ask_everything(client, folder.as_uri(), 0, 0)


def test_messages_that_are_none(client: Client, game: Path) -> None:
    for body in (b"{", b"[]", b"null", b'"x"', b"{}", b'{"jsonrpc": "2.0"}', b"\xff\xfe", b'{"jsonrpc":"2.0","id":{}}'):
        client.raw(body)
    client.notify("no/such/notification", {"x": 1})
    client.notify("textDocument/didChange", {"textDocument": 7})
    client.notify("textDocument/didOpen", {})
    assert client.answer("no/such/request", {})["error"]["code"] == -32601
    assert "error" in client.answer("textDocument/hover", {"position": "there"})
    ask_everything(client, game.as_uri(), 5, 5)


@pytest.mark.parametrize(
    "junk",
    [
        b"garbage\r\n\r\n",
        b"Content-Length: abc\r\n\r\n",
        b"Content-Length: -5\r\n\r\n{}",
        b"Content-Length: 99999999999\r\n\r\n{}",
        b"Content-Length: 4\r\n\r\n{}",
        b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n[]",
        b"\xff\xfe\x00\r\n",
    ],
)
def test_streams_that_are_out_of_step(client: Client, game: Path, junk: bytes) -> None:
    """Bytes that are no message cost one message at most: that behind them, which a wrong length may swallow."""
    assert client.process.stdin is not None
    client.process.stdin.write(junk)
    client.notify("no/such/notification", {})
    ask_everything(client, game.as_uri(), 5, 5)


@given(st.lists(st.tuples(st.binary(max_size=40), st.binary(max_size=30)), max_size=5), st.lists(st.integers(1, 25)))
def test_messages_are_found_between_junk(parts: list[tuple[bytes, bytes]], cuts: list[int]) -> None:
    """In whichever pieces they come."""
    parts = [(junk.replace(b"Content", b"").replace(b"content", b""), body) for junk, body in parts]
    stream = b"".join(junk + b"Content-Length: %d\r\n\r\n" % len(body) + body for junk, body in parts)
    frames, found = Frames(), []
    for cut in [*cuts, len(stream)]:
        found += list(frames.feed(stream[:cut]))
        stream = stream[cut:]
    assert found == [b"Content-Length: %d\r\n\r\n" % len(body) + body for _, body in parts]


def test_files_that_vanish(client: Client, folder: Path) -> None:
    made = folder / "short-lived"
    made.mkdir()
    manifest, rules = made / "ruleset.json", made / "game.rules"
    manifest.write_text(json.dumps({"name": "short", "title": "Short", "rules": ["game.rules"]}), "utf-8")
    rules.write_text("game short\nplayers 2\n", "utf-8")
    uri = client.open(rules)
    rules.unlink()
    client.touched(rules, 3)
    ask_everything(client, uri, 0, 0)
    manifest.unlink()
    made.rmdir()
    client.touched(manifest, 3)
    ask_everything(client, uri, 0, 0)
    client.close(rules)
    client.until(uri)


def test_the_server_ends_on_signals(folder: Path) -> None:
    """Even while its editor is silent; that it ends when it is told to, all tests here see."""
    with running(folder) as client:
        client.process.send_signal(signal.SIGTERM)
        assert client.process.wait(timeout=30) == 0


def test_requests_before_the_beginning_and_twice(folder: Path) -> None:
    """An editor is told what is wrong; a request without an answer would be waited for."""
    with begun(folder) as client:
        about = {"textDocument": {"uri": folder.as_uri()}}
        client.notify("textDocument/didClose", about)
        assert client.answer("textDocument/foldingRange", about)["error"]["code"] == -32002
        client.start()
        again: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}
        assert client.answer("initialize", again)["error"]["code"] == -32600
        # An object within a message is none, whatever it looks like.
        inside = {"textDocument": {"uri": folder.as_uri(), "jsonrpc": "2.0", "id": 9, "method": "shutdown"}}
        assert client.answer("textDocument/foldingRange", inside)["result"] == []
        client.request("shutdown", None)
        assert client.answer("textDocument/foldingRange", about)["error"]["code"] == -32600


def test_an_editor_that_refuses_what_is_registered_later(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "pond", tmp_path / "pond")
    rules = tmp_path / "pond" / "game.rules"
    rules.write_text(rules.read_text("utf-8") + "\nquery unknown = nobody_at_all\n", "utf-8")
    with running(tmp_path, registers=False) as client:
        client.until(rules.as_uri(), "REF001")
        assert client.stop() == 0
        assert client.logged() == ""


def test_an_editor_that_ends_before_it_has_answered(folder: Path) -> None:
    with running(folder, registers=None) as client:
        client.open(folder / "pond" / "game.rules")
        assert client.stop() == 0
        assert client.logged() == ""


def still_there(client: Client) -> None:
    """The server answers a question."""
    assert client.answer("textDocument/foldingRange", {"textDocument": {"uri": client.folder.as_uri()}})["result"] == []


def test_an_answer_to_what_was_never_asked(client: Client, game: Path) -> None:
    """Not even if it has the number of a request that the server is working on."""
    before = client.logged()
    asked = {"id": "77", "method": "textDocument/foldingRange", "params": {"textDocument": {"uri": game.as_uri()}}}
    seen: list[Any] = []
    for number in ("77", 77, None, [77], {"77": 77}):
        client.send(asked)
        client.send({"id": number, "result": None})
        client.send({"id": number, "error": {"code": 1, "message": "no"}})
        seen += client.until_answer("77")
    assert [message for message in seen if "method" in message] == []
    still_there(client)
    assert client.logged() == before


def test_something_else_than_a_request_is_cancelled(client: Client, game: Path) -> None:
    before = client.logged()
    strange: list[dict[str, object]] = [{"id": [1]}, {"id": {}}, {"id": None}, {}, {"id": 12345678}]
    for what in strange:
        client.notify("$/cancelRequest", what)
    uri = game.as_uri()
    client.send({"id": "78", "method": "textDocument/foldingRange", "params": {"textDocument": {"uri": uri}}})
    assert [message for message in client.until_answer("78") if "method" in message] == []
    still_there(client)
    assert client.logged() == before
