"""The language server outlives whatever it is told, and is always right about the texts as they are."""

from __future__ import annotations

import itertools
import json
import signal
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright as rw

from .lsp_client import Client, running

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


# ----------------------------------------------------------------------------------------- like a cold check

PIECES = [
    "stone",
    "last",
    "p",
    " is ",
    "forbid x: ",
    "\n",
    "    ",
    "(",
    "1",
    "Pebble",
    " @P-9",
    "𝔘",
    "field x: Int\n",
    "#",
]


@st.composite
def edits(draw: st.DrawFn) -> list[tuple[str, float, int, str]]:
    """Some changes: the file, how far into it, how much is taken away, and what is put there."""
    change = st.tuples(
        st.sampled_from(["game.rules", "scenarios/turns.rules", "rulebook.json"]),
        st.floats(0, 1),
        st.integers(0, 12),
        st.sampled_from(PIECES),
    )
    return draw(st.lists(change, min_size=1, max_size=4))


def test_findings_are_those_of_a_cold_check(folder: Path, client: Client) -> None:
    home = folder / "pond"
    texts = {path: path.read_text("utf-8") for path in sorted(home.rglob("*.*")) if path.suffix != ".part"}
    opened = [home / name for name in ("scenarios/turns.rules", "rulebook.json")]
    for path in opened:
        client.open(path)

    @settings(max_examples=6)
    @given(edits())
    def compare(changes: list[tuple[str, float, int, str]]) -> None:
        now = dict(texts)
        for name, where, gone, new in changes:
            path = home / name
            at = round(where * len(now[path]))
            now[path] = now[path][:at] + new + now[path][at + gone :]
            client.change(path, now[path], wait=False)
        client.settle((home / changes[-1][0]).as_uri())
        found = {uri: list(of) for uri, of in client.diagnostics.items() if "/pond/" in uri and of}
        assert counted(found) == cold(home, now)
        for path in {home / name for name, *_ in changes}:
            client.change(path, texts[path])

    compare()
    for path in opened:
        client.close(path)


def counted(found: dict[str, list[dict[str, Any]]]) -> list[tuple[str, str, int, str]]:
    """The published findings: file, code, line, and the first line of the message."""
    return sorted(
        (Path(uri).name, one["code"], one["range"]["start"]["line"] + 1, one["message"].split("\n")[0])
        for uri, of in found.items()
        for one in of
    )


def cold(home: Path, texts: dict[Path, str]) -> list[tuple[str, str, int, str]]:
    """The findings of a check of the saved files, in a process other than the server's."""
    before = {path: path.read_text("utf-8") for path in texts}
    try:
        for path, text in texts.items():
            path.write_bytes(text.encode("utf-8"))
        try:
            findings = rw.check(rw.open_ruleset(home))
        except rw.RulesetError as error:
            findings = list(error.diagnostics)
    finally:
        for path, text in before.items():
            path.write_text(text, "utf-8")
    return sorted(
        {
            (Path(d.span.file).name if d.span.line else "ruleset.json", d.code, max(d.span.line, 1), d.message)
            for d in findings
        }
    )
