"""Messages to the language server: cut, doubled and changed, in whichever pieces they come."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

import seeds
from kinds import Kind, Outcome
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.io_ import run_async
from trees import changed

import rulewright as rw
import rulewright_tools
from rulewright_tools.lsp import diagnostics
from rulewright_tools.lsp.capabilities import create_server
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.server import RulewrightServer
from rulewright_tools.lsp.standard_input import Frames

Message = dict[str, Any]
PROBE = "probe"
"""The number of the last question, which is as an editor asks it."""
OURS = (*rw.__path__, *rulewright_tools.__path__)
"""The folders of our own code; a clone may have any name."""

PATIENCE = 60.0
"""Seconds after which an answer is not waited for any longer."""
INTERNAL: int = types.ErrorCodes.InternalError
UNREADY = (types.ErrorCodes.ServerNotInitialized, types.ErrorCodes.InvalidRequest)
"""Before the beginning and after the end."""
JUNK = (b"\r\n", b"\r\n\r\n", b"Content-Length: 7\r\n", b"Content-Length: x\r\n\r\n", b"\xff\xfe", b"{}",
        b"garbage\r\n", b"Content-Length: 99999999999\r\n\r\n", b"content-length:0\r\n\r\n",
        b"\x00" * 5000)  # fmt: skip
BODIES = (b"{", b"[]", b"null", b'"x"', b"7", b"{}", b'{"jsonrpc": "2.0"}', b"\xff\xfe", b"[" * 5000, b"9" * 5000, b"")


class Sent(NamedTuple):
    """The bytes of a session, and the pieces in which they come."""

    stream: bytes
    pieces: tuple[int, ...]


class Messages(Kind):
    """Messages of JSON-RPC."""

    name = "messages"
    weight = 12
    about = "changed messages to the language server, which answers each request and the one behind them"
    unit = "answers"

    def __init__(self) -> None:
        self.files: list[Path] = []
        self.editors: list[EditorWorkspace] = []

    def prepare(self) -> None:
        """Find the files; checks are not delayed."""
        self.folder = Path(mkdtemp(prefix="messages-"))
        for folder in rw.shipped_rulesets():
            if folder.name in seeds.SMALL_GAMES:
                shutil.copytree(folder, self.folder / folder.name)
        self.files = [p for p in sorted(self.folder.rglob("*")) if p.is_file() and p.suffix in (".rules", ".json")]
        diagnostics.DELAY = diagnostics.PAUSE = 0.0
        logging.getLogger("pygls").setLevel(logging.CRITICAL)
        # What was found once stays known for all inputs of a worker.
        self.editors = [EditorWorkspace(self.folder, name) for name in ("checking", "reading", "looking")]

    def make(self, rng: random.Random) -> Sent:
        """A session of an editor, with some messages changed."""
        stream = b""
        for message in _session(self.folder, self.files, rng):
            whole = message.get("id") == PROBE or rng.random() < (0.9 if message.get("method") in _BEGINNING else 0.3)
            body = json.dumps(message).encode() if whole else _changed(message, rng)
            stream += _framed(body, None if whole else rng)
        cuts = tuple(rng.randint(1, 400) for _ in range(rng.choice((0, 0, 0, 20))))
        return Sent(stream, cuts)

    def attempt(self, made: Sent) -> Outcome:
        """Send it, and read what comes back."""
        return asyncio.run(self._served(made))

    async def _served(self, made: Sent) -> Outcome:
        session = Session(self.editors)
        await session.run(made)
        return session.outcome(made)

    def told(self, made: Sent) -> str:
        """The bytes."""
        return f"in pieces {made.pieces}:\n" + made.stream.decode("utf-8", "backslashreplace")


class Session:
    """A server as `serve` runs it, with a stream in memory in place of the standard ones."""

    def __init__(self, editors: list[EditorWorkspace]) -> None:
        self.server = create_server()
        self.server.checking, self.server.reading, self.server.looking = editors
        self.server.report_server_error = self._report  # type: ignore[method-assign]
        self.errors: list[BaseException] = []
        self.written = b""
        self.ended = False
        self.reader = asyncio.StreamReader(limit=2**24)

    def _report(self, error: BaseException, source: object) -> None:
        self.errors.append(error)
        RulewrightServer.report_server_error(self.server, error, source)  # type: ignore[arg-type]

    def write(self, data: bytes) -> None:
        """Take what the server sends; what it asks is answered."""
        self.written += data
        message = json.loads(data.partition(b"\r\n\r\n")[2])
        if "method" in message and "id" in message:
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": None}
            self.reader.feed_data(_framed(json.dumps(answer).encode()))

    def close(self) -> None:
        """The server has closed its output."""
        self.ended = True

    async def run(self, made: Sent) -> None:
        """Send everything, and wait until nothing is being worked on."""
        self.server.protocol.set_writer(self)
        frames, stream = Frames(), made.stream
        for cut in (*made.pieces, len(stream)):
            for frame in frames.feed(stream[:cut]):
                self.reader.feed_data(frame)
            stream = stream[cut:]
        serving = asyncio.create_task(self._serve())
        await asyncio.sleep(0)
        while not serving.done() and (others := asyncio.all_tasks() - {asyncio.current_task(), serving}):  # type: ignore[arg-type]
            done, _ = await asyncio.wait(others, timeout=PATIENCE)
            assert done, f"nothing is answered after {PATIENCE:.0f} s"
        self.reader.feed_eof()
        await serving

    async def _serve(self) -> None:
        report = self.server.report_server_error
        with suppress(SystemExit):
            await run_async(threading.Event(), self.reader, self.server.protocol, error_handler=report)

    def outcome(self, made: Sent) -> Outcome:
        """The outcome, if everything was answered and nothing broke."""
        for error in self.errors:
            _ours(error)
        came = [json.loads(frame.partition(b"\r\n\r\n")[2]) for frame in Frames().feed(self.written)]
        answers = [one for one in came if "method" not in one]
        for one in answers:
            assert one["jsonrpc"] == "2.0", one
            assert ("result" in one) != ("error" in one), one
            assert one.get("error", {}).get("code") != INTERNAL, one
        logs = [one["params"]["message"] for one in came if one.get("method") == "window/logMessage"]
        for log in logs:
            assert not log.startswith("cannot check"), log
        if self.ended:
            return Outcome("ended", len(answers))
        missing = _expected(made.stream) - Counter(json.dumps(one.get("id")) for one in answers)
        assert not missing, f"no answer to {missing}"
        last = next((one for one in reversed(answers) if one.get("id") == PROBE), None)
        if last is None:
            return Outcome("swallowed", len(answers))
        if "error" in last:
            assert last["error"]["code"] in UNREADY, last
            return Outcome("refused", len(answers))
        return Outcome("accepted" if any("error" in one for one in answers) else "answered", len(answers))


def _ours(error: BaseException | None) -> None:
    """Raise an error that code of ours has made."""
    while error is not None:
        if isinstance(error, JsonRpcException) and error.code != INTERNAL:
            return
        at = error.__traceback__
        while at is not None:
            if at.tb_frame.f_code.co_filename.startswith(OURS):
                raise error
            at = at.tb_next
        error = error.__cause__ or error.__context__


def _expected(stream: bytes) -> Counter[str]:
    """The requests of a stream by their numbers, as JSON."""
    found: Counter[str] = Counter()
    for frame in Frames().feed(stream):
        with suppress(ValueError, RecursionError):
            message = json.loads(frame.partition(b"\r\n\r\n")[2])
            if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or "error" in message:
                continue
            number = message.get("id")
            if (
                isinstance(message.get("method"), str)
                and isinstance(number, int | str)
                and not isinstance(number, bool)
            ):
                found[json.dumps(number)] += 1
    return found


# ------------------------------------------------------------------------------------------------- what editors say

_BEGINNING = ("initialize", "initialized")
_PLAIN = ("documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "documentLink")
_AT_A_PLACE = ("hover", "definition", "typeDefinition", "documentHighlight", "prepareRename", "completion",
               "prepareCallHierarchy")  # fmt: skip
_OTHERS = ("didClose", "didSave", "watched", "symbols", "cancel", "trace", "folders", "resolve", "calls", "strange")


def _request(number: int | str, method: str, params: Any) -> Message:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def _notification(method: str, params: Any) -> Message:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def _capabilities(rng: random.Random) -> Message:
    if rng.random() < 0.5:
        return {}
    document: Message = {
        name: {"dynamicRegistration": True} for name in ("formatting", "rangeFormatting", "onTypeFormatting")
    }
    document["completion"] = {"completionItem": {"snippetSupport": True}}
    return {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}, "textDocument": document}


def _session(folder: Path, files: list[Path], rng: random.Random) -> Iterator[Message]:
    root = folder.as_uri()
    yield _request(0, "initialize", {"processId": None, "rootUri": root, "capabilities": _capabilities(rng),
                                     "workspaceFolders": [{"uri": root, "name": "root"}]})  # fmt: skip
    if rng.random() < 0.5:
        yield _notification("initialized", {})
    path = rng.choice(files)
    for number in range(1, rng.randint(2, 7)):
        path = rng.choice((path, path, path, rng.choice(files)))
        yield from _asked(path, number, rng)
    if rng.random() < 0.05:
        yield _request(90, "shutdown", None)
    if rng.random() < 0.02:
        yield _notification("exit", None)
    yield _request(PROBE, "textDocument/foldingRange", {"textDocument": {"uri": path.as_uri()}})


def _asked(path: Path, number: int, rng: random.Random) -> Iterator[Message]:
    """A message about a file, and what must come before it."""
    uri = path.as_uri()
    document = {"uri": uri}
    text = path.read_text("utf-8")
    lines = text.split("\n")
    line = rng.randrange(len(lines))
    place = {"line": line, "character": rng.randint(0, len(lines[line]))}
    end = {"line": min(line + rng.randrange(9), len(lines) - 1), "character": 0}
    about: Message = {"textDocument": document}
    some_range = {"start": place, "end": end}
    match rng.choice(("open", "open", "change", "plain", "place", "place", "place", "range", "other")):
        case "open":
            opened = {"uri": uri, "languageId": "rulewright", "version": number, "text": text}
            yield _notification("textDocument/didOpen", {"textDocument": opened})
        case "change":
            cut = rng.randint(0, len(text))
            change: Message = {"text": text[:cut] + rng.choice(("", text[cut:]))}
            if rng.random() < 0.2:
                change = {"range": some_range, "text": "x"}
            changed_document = {"uri": uri, "version": number}
            params = {"textDocument": changed_document, "contentChanges": [change]}
            yield _notification("textDocument/didChange", params)
        case "plain":
            yield _request(number, f"textDocument/{rng.choice(_PLAIN)}", about)
        case "place":
            about["position"] = place
            more: Message = rng.choice(
                ({}, {"newName": rng.choice(("x", "Card", "if", "", "a b"))}, {"context": {"includeDeclaration": True}})
            )
            method = "rename" if "newName" in more else "references" if more else rng.choice(_AT_A_PLACE)
            yield _request(number, f"textDocument/{method}", {**about, **more})
        case "range":
            options = {"tabSize": 4, "insertSpaces": True}
            method, more = rng.choice((
                ("inlayHint", {"range": some_range}),
                ("codeAction", {"range": some_range, "context": {"diagnostics": []}}),
                ("formatting", {"options": options}),
                ("rangeFormatting", {"range": some_range, "options": options}),
                ("onTypeFormatting", {"position": place, "ch": "\n", "options": options}),
                ("selectionRange", {"positions": [place, end]}),
            ))  # fmt: skip
            yield _request(number, f"textDocument/{method}", {**about, **more})
        case _:
            yield _other(rng.choice(_OTHERS), number, about, some_range)


def _other(which: str, number: int, about: Message, some_range: Message) -> Message:
    uri = about["textDocument"]["uri"]
    changes = [{"uri": uri, "type": number % 3 + 1}]
    item = {"name": "x", "kind": 12, "uri": uri, "range": some_range, "selectionRange": some_range, "data": None}
    return {
        "didClose": _notification("textDocument/didClose", about),
        "didSave": _notification("textDocument/didSave", about),
        "watched": _notification("workspace/didChangeWatchedFiles", {"changes": changes}),
        "symbols": _request(number, "workspace/symbol", {"query": "win"}),
        "cancel": _notification("$/cancelRequest", {"id": number - 1}),
        "trace": _notification("$/setTrace", {"value": "verbose"}),
        "folders": _notification("workspace/didChangeWorkspaceFolders",
                                 {"event": {"added": [{"uri": uri, "name": "x"}], "removed": []}}),
        "resolve": _request(number, "completionItem/resolve", {"label": "x", "data": {"uri": uri}}),
        "calls": _request(number, f"callHierarchy/{'incoming' if number % 2 else 'outgoing'}Calls", {"item": item}),
        "strange": {"jsonrpc": "2.0", "id": number, "result": about},
    }[which]  # fmt: skip


# --------------------------------------------------------------------------------------------------------- changes


def _changed(message: Message, rng: random.Random) -> bytes:
    """A message with something else in it, or cut."""
    roll = rng.random()
    if roll < 0.05:
        return rng.choice(BODIES)
    body = json.dumps(changed(message, rng) if roll < 0.85 else message, ensure_ascii=False)
    data = body.encode("utf-8", "surrogatepass")
    if roll >= 0.85:
        at = rng.randrange(len(data))
        data = (
            data[:at] + rng.choice((b"", b"\xff", b'"', b"}", b"\x00")) + data[at + rng.choice((0, 1, 9, len(data))) :]
        )
    return data


def _framed(body: bytes, rng: random.Random | None = None) -> bytes:
    """A message with its header, which is wrong now and then."""
    if rng is None or rng.random() < 0.85:
        return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    size = len(body) + rng.choice((0, 0, 0, -1, 1, 7))
    more = rng.choice((b"", b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n", b"X: \xff\r\n"))
    head = rng.choice((b"Content-Length: %d\r\n", b"content-length:%d\r\n", b"Content-Length: %d\n")) % size
    return rng.choice((b"", rng.choice(JUNK))) + head + more + b"\r\n" + body
