"""Errors that are shown while a check of everything is still under way, which may take long in a large ruleset."""

from __future__ import annotations

import asyncio
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

import rulewright as rw
from rulewright.host.budgets import scope
from rulewright_tools.lsp import diagnostics
from rulewright_tools.lsp.diagnostics import CheckResult, Publisher, full_check
from rulewright_tools.lsp.editor_workspace import EditorWorkspace, Texts
from rulewright_tools.lsp.positions import uri_of

PATIENCE = 300
GOOD, WRONG = "mark[cell] = p", "marc[cell] = p"


class Editor:
    """A server without an editor: it holds one text, and notes what is published of it."""

    def __init__(self, folder: Path) -> None:
        self.waiting = 0
        self.path = folder / "game.rules"
        self.text, self.version = self.path.read_text("utf-8"), 1
        self.checking, self.looking = EditorWorkspace(folder, "checking"), EditorWorkspace(folder, "looking")
        self.published: list[tuple[set[str], int | None]] = []
        """Of each time the codes of the findings, and the version of the text."""

    def home(self, path: Path) -> Path | None:
        return self.checking.workspace.ruleset_of(path)

    def snapshot(self) -> tuple[dict[str, str], dict[str, int]]:
        return {str(self.path): self.text}, {uri_of(str(self.path)): self.version}

    def log(self, message: str) -> None:
        raise AssertionError(message)

    def text_document_publish_diagnostics(self, params: types.PublishDiagnosticsParams) -> None:
        if params.uri == uri_of(str(self.path)):
            self.published.append(({str(one.code) for one in params.diagnostics}, params.version))

    def type(self, old: str, new: str) -> None:
        self.text, self.version = self.text.replace(old, new), self.version + 1

    async def until(self, codes: set[str], version: int | None) -> None:
        """Wait until such findings are those that were published last."""
        for _ in range(PATIENCE * 100):
            if self.published and self.published[-1] == (codes, version):
                return
            await asyncio.sleep(0.01)
        raise AssertionError(self.published)


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    folder = tmp_path / "mine"
    shutil.copytree(next(path for path in rw.shipped_rulesets() if path.name == "tic-tac-toe"), folder)
    made = Editor(folder)
    yield made
    made.checking.close()
    made.looking.close()


@pytest.fixture
def go_on() -> Iterator[threading.Event]:
    """Until it is set, a check that waits for it is under way."""
    event = threading.Event()
    yield event
    event.set()


def test_an_error_is_shown_before_all_is_checked(
    editor: Editor, go_on: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = threading.Event()

    def slow_check(at: EditorWorkspace, folder: Path, texts: Texts) -> CheckResult:
        begun.set()
        assert go_on.wait(PATIENCE)
        return full_check(at, folder, texts)

    monkeypatch.setattr(diagnostics, "full_check", slow_check)

    async def types_meanwhile() -> None:
        publisher = Publisher(editor)
        publisher.changed(editor.path)
        await asyncio.to_thread(begun.wait, PATIENCE)
        editor.type(GOOD, WRONG)
        publisher.changed(editor.path)
        await editor.until({"REF001"}, None)
        assert not go_on.is_set()
        editor.type(WRONG, GOOD)
        publisher.changed(editor.path)
        await editor.until(set(), None)
        editor.type(GOOD, WRONG)
        publisher.changed(editor.path)
        await editor.until({"REF001"}, None)
        before = len(editor.published)
        go_on.set()
        await editor.until({"REF001"}, 4)
        # The check of the text before has found nothing, which is not told any more.
        assert {frozenset(codes) for codes, _ in editor.published[before:]} == {frozenset({"REF001"})}

    asyncio.run(types_meanwhile())


@pytest.mark.parametrize("step", ["check", "examination"])
def test_nothing_stale_is_worked_off(editor: Editor, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """Work for a text that was closed or changed is cancelled, and what is open goes first."""
    begun, cancelled = threading.Event(), threading.Event()
    lone = editor.path.parent.parent / "lone.rules"
    lone.write_text('variant "Odd" of tic_tac_toe\n    set siz = 4\n', "utf-8")
    real_check, real_examined = full_check, diagnostics.examined

    def until_cancelled() -> None:
        begun.set()
        for _ in range(PATIENCE * 100):
            try:
                scope().look()
            except rw.Stopped:
                cancelled.set()
                raise
            time.sleep(0.01)
        raise AssertionError("it was not cancelled")

    def check(at: EditorWorkspace, folder: Path, texts: Texts) -> CheckResult:
        if step == "check" and str(lone) not in texts:
            until_cancelled()
        return real_check(at, folder, texts)

    def examined(
        at: EditorWorkspace, place: Path, titles: tuple[str, ...], texts: Texts, stale: threading.Event
    ) -> tuple[rw.Diagnostic, ...]:
        if step == "examination" and place != lone:
            with rw.limited(rw.Limits(cancel=stale)):
                until_cancelled()
        return real_examined(at, place, titles, texts, stale)

    monkeypatch.setattr(diagnostics, "full_check", check)
    monkeypatch.setattr(diagnostics, "examined", examined)

    async def opens_another() -> None:
        publisher = Publisher(editor)
        publisher.changed(editor.path)
        await asyncio.to_thread(begun.wait, PATIENCE)
        first, editor.path = editor.path, lone
        editor.text, editor.version = lone.read_text("utf-8"), 1
        publisher.changed(first)
        publisher.changed(lone)
        await editor.until({"VAR401"}, 1)
        assert cancelled.is_set()

    asyncio.run(opens_another())


def test_a_lone_file_of_variants_has_the_quick_look(
    editor: Editor, go_on: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its errors are shown while all of it is still checked."""
    editor.path = editor.path.parent.parent / "lone.rules"
    editor.path.write_text(editor.text, "utf-8")
    editor.text = 'variant "Odd" of tic_tac_toe\n    set siz = 4\n'
    real = diagnostics.lone_check

    def slow_check(at: EditorWorkspace, path: Path, texts: Texts) -> CheckResult:
        assert go_on.wait(PATIENCE)
        return real(at, path, texts)

    monkeypatch.setattr(diagnostics, "lone_check", slow_check)

    async def types() -> None:
        publisher = Publisher(editor)
        publisher.changed(editor.path)
        await editor.until({"VAR401"}, None)
        assert not go_on.is_set()
        go_on.set()
        await editor.until({"VAR401"}, 1)

    asyncio.run(types())
