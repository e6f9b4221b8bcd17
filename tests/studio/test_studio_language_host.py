"""The language server of a worker without a browser: it knows files by names, and hears of what others have written."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import rulewright as rw
from rulewright_tools.studio.browser.language_host import LanguageHost

OWN = "file:///wide/wide.rules"
TEXT = 'variant "Wide" of connect_four\n    set columns = 8\n'


class Editor:
    """A page that talks with a host, and notes what it hears."""

    def __init__(self, folder: Path) -> None:
        told = {"paths": [str(rw.rulesets.find_rulesets("connect-four")[0])], "opens": True}
        (folder / "exported.json").write_text(json.dumps(told))
        self.heard: list[Any] = []
        self.texts: list[str] = []
        """All that was heard, word for word."""
        self.host = LanguageHost(str(folder), json.dumps({"wide.rules": TEXT}), self._hear)
        self._asked = 0

    def _hear(self, text: str) -> None:
        self.heard.append(json.loads(text))
        self.texts.append(text)

    def tell(self, method: str, **params: Any) -> None:
        self.host.take(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    async def ask(self, method: str, **params: Any) -> Any:
        self._asked += 1
        number = self._asked
        self.host.take(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
        answer = await self.until(lambda one: one.get("id") == number and "method" not in one)
        return answer.get("result", answer.get("error"))

    async def until(self, fits: Callable[[Any], bool]) -> Any:
        """The first message that fits; those before it are forgotten."""
        while True:
            while self.heard:
                if fits(message := self.heard.pop(0)):
                    return message
            await asyncio.sleep(0.01)

    async def findings(self, uri: str) -> list[str]:
        """The messages of the next findings of a file."""
        method = "textDocument/publishDiagnostics"
        told = await self.until(lambda one: one.get("method") == method and one["params"]["uri"] == uri)
        return [one["message"] for one in told["params"]["diagnostics"]]


def talk(folder: Path, what: Callable[[Editor], Awaitable[None]]) -> None:
    """Open the variant in an editor, and go on with it."""

    async def whole() -> None:
        editor = Editor(folder)
        await editor.ask("initialize", processId=None, rootUri=None, capabilities={})
        editor.tell("initialized")
        document = {"uri": OWN, "languageId": "rulewright", "version": 0, "text": TEXT}
        editor.tell("textDocument/didOpen", textDocument=document)
        await what(editor)

    asyncio.run(asyncio.wait_for(whole(), 250))


def test_all_that_an_editor_asks_is_answered_by_names_of_files(tmp_path: Path) -> None:
    async def asking(editor: Editor) -> None:
        assert await editor.findings(OWN) == []
        at = {"textDocument": {"uri": OWN}, "position": {"line": 1, "character": 10}}
        assert "columns" in json.dumps(await editor.ask("textDocument/hover", **at))
        definition = await editor.ask("textDocument/definition", **at)
        places = json.dumps(definition)
        assert "file:///connect-four/" in places
        assert str(tmp_path) not in places
        offered = await editor.ask("textDocument/completion", **at)
        items = offered["items"] if isinstance(offered, dict) else offered
        assert "columns" in {one["label"] for one in items}
        text = TEXT.replace(" = ", "   =  ")
        changed = {"textDocument": {"uri": OWN, "version": 1}, "contentChanges": [{"text": text}]}
        editor.tell("textDocument/didChange", **changed)
        options = {"tabSize": 4, "insertSpaces": True}
        edits = await editor.ask("textDocument/formatting", textDocument={"uri": OWN}, options=options)
        assert " = 8" in json.dumps(edits)
        refused = await editor.ask("textDocument/hover", **{**at, "textDocument": {"uri": "file:///etc/passwd"}})
        assert "message" in refused
        for path in (tmp_path, rw.rulesets.find_rulesets("connect-four")[0].parent):
            assert str(path) not in "\n".join(editor.texts)

    talk(tmp_path, asking)


def test_what_other_windows_write_is_known(tmp_path: Path) -> None:
    async def hearing(editor: Editor) -> None:
        assert await editor.findings(OWN) == []
        editor.host.put_file("other.rules", TEXT.replace("Wide", "Other"))
        at = {"textDocument": {"uri": "file:///other/other.rules"}, "position": {"line": 1, "character": 10}}
        assert "columns" in json.dumps(await editor.ask("textDocument/hover", **at))
        editor.host.put_file("../other.rules", TEXT)
        assert sorted(path.name for path in tmp_path.rglob("*.rules")) == ["other.rules", "wide.rules"]

    talk(tmp_path, hearing)


def test_an_error_has_a_fix(tmp_path: Path) -> None:
    async def mending(editor: Editor) -> None:
        assert await editor.findings(OWN) == []
        changed = {"uri": OWN, "version": 1}
        slip = {"text": TEXT.replace("mns", "ms")}
        editor.tell("textDocument/didChange", textDocument=changed, contentChanges=[slip])
        told = await editor.until(lambda one: one.get("params", {}).get("diagnostics"))
        found = told["params"]["diagnostics"]
        assert "colums" in found[0]["message"]
        context = {"diagnostics": [{key: one[key] for key in ("range", "message", "code")} for one in found]}
        params = {"textDocument": {"uri": OWN}, "range": found[0]["range"], "context": context}
        (fix, *_) = await editor.ask("textDocument/codeAction", **params)
        assert list(fix["edit"]["changes"]) == [OWN]
        editor.tell("textDocument/didChange", textDocument={**changed, "version": 2}, contentChanges=[{"text": TEXT}])
        assert await editor.findings(OWN) == []

    talk(tmp_path, mending)
