"""A small client of the language server, which is started as an editor starts it."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

PATIENCE = 60
"""Seconds after which an answer is not waited for any longer."""


class Client:
    """Sends requests and notifications; keeps the diagnostics that are published."""

    registers: bool | None = True
    """False if what the server registers after it has started is refused, None if that is never answered."""

    def __init__(self, folder: Path) -> None:
        installed = Path(sys.executable).with_name("rulewright")
        command = [str(installed), "lsp"] if installed.is_file() else [sys.executable, "-m", "rulewright_tools", "lsp"]
        self.log = TemporaryFile()  # noqa: SIM115
        """The stderr of the server."""
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, cwd=folder
        )
        self.folder = folder
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self.versions: dict[str, int | None] = {}
        self.capabilities: dict[str, Any] = {}
        self.registered: dict[str, Any] = {}
        """The options of what the server has registered after it had started, by method."""
        self.told = False
        """True if the server was told of anything that may change its findings, or files; whoever asks about it sets
        it back."""
        self._arrived: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._number = 0
        self._opened: dict[str, int] = {}
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            size = int(header.split(b":")[1]) if header.lower().startswith(b"content-length") else 0
            while stream.readline().strip():
                pass
            self._arrived.put(json.loads(stream.read(size)))
        self._arrived.put(None)

    def raw(self, body: bytes) -> None:
        """Send these bytes as a message."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def send(self, message: Mapping[str, Any]) -> None:
        self.raw(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method: str, params: Any) -> None:
        self.told = True
        self.send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> Any:
        """The result of a request."""
        answer = self.answer(method, params)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def answer(self, method: str, params: Any) -> dict[str, Any]:
        """The whole answer to a request, errors included."""
        self._number += 1
        number = self._number
        self.send({"id": number, "method": method, "params": params})
        return self.until_answer(number)[-1]

    def until_answer(self, number: int | str) -> list[dict[str, Any]]:
        """All messages up to the answer to a request, this one last."""
        messages = [self._take()]
        while messages[-1].get("id") != number or "method" in messages[-1]:
            messages.append(self._take())
        return messages

    def _take(self) -> dict[str, Any]:
        message = self._arrived.get(timeout=PATIENCE)
        assert message is not None, "the server has ended"
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.diagnostics[params["uri"]] = params["diagnostics"]
            self.versions[params["uri"]] = params.get("version")
        elif "method" in message and "id" in message:
            if message["method"] == "client/registerCapability" and not self.registers:
                if self.registers is False:
                    self.send({"id": message["id"], "error": {"code": -32601, "message": "unknown"}})
                return message
            if message["method"] == "client/registerCapability":
                registrations = message["params"]["registrations"]
                self.registered |= {one["method"]: one["registerOptions"] for one in registrations}
            self.send({"id": message["id"], "result": None})
        return message

    def start(self) -> None:
        watched = {"didChangeWatchedFiles": {"dynamicRegistration": True}}
        document: dict[str, Any] = {
            name: {"dynamicRegistration": True} for name in ("formatting", "rangeFormatting", "onTypeFormatting")
        }
        document["completion"] = {"completionItem": {"snippetSupport": True}}
        uri = self.folder.as_uri()
        result = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": uri,
                "capabilities": {"workspace": watched, "textDocument": document},
                "workspaceFolders": [{"uri": uri, "name": "root"}],
            },
        )
        self.capabilities = result["capabilities"]
        self.notify("initialized", {})

    def open(self, path: Path, text: str | None = None, *, wait: bool = True) -> str:
        """Open a file in the editor, and wait for its diagnostics; its URI."""
        uri = path.as_uri()
        text = path.read_text("utf-8") if text is None else text
        self._opened[uri] = 1
        document = {"uri": uri, "languageId": "rulewright", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        if wait:
            self.settle(uri)
        return uri

    def change(self, path: Path, text: str, *, wait: bool = True) -> list[dict[str, Any]]:
        """Change a file in the editor; its diagnostics."""
        uri = path.as_uri()
        self._opened[uri] += 1
        document = {"uri": uri, "version": self._opened[uri]}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        return self.settle(uri) if wait else []

    def close(self, path: Path) -> None:
        del self._opened[path.as_uri()]
        self.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})

    def touched(self, path: Path, kind: int = 2) -> None:
        """Tell that a file has changed on disk: 1 is new, 2 is changed, 3 is gone."""
        self.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": kind}]})

    def settle(self, uri: str) -> list[dict[str, Any]]:
        """Wait for the diagnostics of a file as it is now."""
        while self.versions.get(uri) != self._opened[uri]:
            self._take()
        # What is published together is sent together: behind the next answer nothing of it is missing.
        self.answer("textDocument/foldingRange", {"textDocument": {"uri": uri}})
        return self.diagnostics[uri]

    def until(self, uri: str, *codes: str) -> None:
        """Wait until a file has exactly these findings."""
        while sorted(d["code"] for d in self.diagnostics.get(uri, ())) != sorted(codes):
            self._take()

    def until_codes(self, uri: str, wanted: Collection[str], perhaps: Collection[str] = ()) -> None:
        """Wait until the findings of a file have these codes, and perhaps others: a file of variants may be seen by
        several checks."""
        while {d["code"] for d in self.diagnostics.get(uri, ())}.difference(perhaps) != set(wanted):
            self._take()

    def stop(self) -> int:
        """Say goodbye; the exit code."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(timeout=PATIENCE)

    def logged(self) -> str:
        """All that stands on stderr."""
        self.log.seek(0)
        return self.log.read().decode()


@contextmanager
def running(folder: Path, registers: bool | None = True) -> Iterator[Client]:
    """A server that is started, and always ended."""
    with begun(folder) as client:
        client.registers = registers
        client.start()
        yield client


@contextmanager
def begun(folder: Path) -> Iterator[Client]:
    """A server that has been told nothing yet, and is always ended."""
    client = Client(folder)
    try:
        yield client
    finally:
        client.process.kill()
        client.process.wait()
        assert client.process.stdin is not None
        assert client.process.stdout is not None
        with suppress(OSError):
            client.process.stdin.close()
        client.process.stdout.close()
        client.log.close()


def position(text: str, marked: str) -> dict[str, int]:
    """The position of the ``^`` in a marked piece of a text, in which the piece stands once without it."""
    before, _, after = marked.partition("^")
    assert text.count(before + after) == 1, marked
    rows = text[: text.index(before + after) + len(before)].split("\n")
    return {"line": len(rows) - 1, "character": len(rows[-1].encode("utf-16-le")) // 2}


def asked(path: Path, marked: str, text: str | None = None) -> dict[str, Any]:
    """The parameters of a request about the ``^`` in a marked piece of a file."""
    where = position(path.read_text("utf-8") if text is None else text, marked)
    return {"textDocument": {"uri": path.as_uri()}, "position": where}


def places(locations: list[dict[str, Any]]) -> list[tuple[str, int, str]]:
    """File, line and text of locations."""
    found = []
    for one in locations:
        path = Path(one["uri"].removeprefix("file://"))
        found.append((path.name, one["range"]["start"]["line"] + 1, cut(path.read_text("utf-8"), one["range"])))
    return found


def cut(text: str, range: Mapping[str, Any]) -> str:
    """The piece of a text in a range, which is on one line."""
    row = text.split("\n")[range["start"]["line"]].encode("utf-16-le")
    return row[2 * range["start"]["character"] : 2 * range["end"]["character"]].decode("utf-16-le")


def edited(text: str, edits: list[dict[str, Any]]) -> str:
    """A text after the edits of an answer."""
    rows = text.split("\n")

    def offset(at: Mapping[str, int]) -> int:
        units = rows[at["line"]].encode("utf-16-le")[: 2 * at["character"]]
        return sum(len(row) + 1 for row in rows[: at["line"]]) + len(units.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text
