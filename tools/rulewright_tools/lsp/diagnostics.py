"""Findings as an editor shows them, published soon after each change."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import Protocol

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace, Texts
from rulewright_tools.lsp.positions import lines_of, path_of
from rulewright_tools.lsp.protocol_findings import MANIFEST, Findings, distinct, shift_diagnostics, to_diagnostics

MOST = 4
"""Variants of a ruleset that are examined: those that stand first in the files that are open."""


def subjects(editor: EditorWorkspace, place: Path, texts: Texts) -> list[tuple[str, ...]]:
    """The titles with which a ruleset is examined, one time after the other: alone, and with each variant that is open.

    A file of variants that belongs to no ruleset is examined as a whole.
    """
    editor.update(texts)
    if place.suffix == ".rules":
        return [()]
    try:
        files = editor.index(place).files
    except rw.RulesetError:
        return []
    opened = [file for path, file in files.items() if path in texts]
    titles = [one.symbol.name for file in opened for one in file.declared if one.symbol.kind == "variant"]
    return [(), *((title,) for title in titles[:MOST])] if opened else []


def examined(
    editor: EditorWorkspace, place: Path, titles: tuple[str, ...], texts: Texts, stale: Event
) -> tuple[rw.Diagnostic, ...]:
    """The things that are wrong or probably not meant; nothing if it cannot be played.

    Findings of the checker are shown beside it already. Runs in the library's thread; rulewright.playing.Stopped once
    it is stale.
    """
    editor.update(texts)
    try:
        with editor.workspace.reading(), rw.limited(rw.Limits(cancel=stale)):
            found = rw.examination.examine(place, variants=titles, games=0, checked=False).findings
    except rw.RulesetError:
        return ()
    return tuple(one.whole_diagnostic for one in found)


DELAY = 0.06
"""Seconds of quiet after a change before anything is checked."""

PAUSE = 1.0
"""Seconds of quiet after the last check before anything is examined."""

LOOK = 0.06
"""Seconds after which a pause looks whether something has changed."""

PATIENCE = 8
"""So many delays a check waits at most for questions that came before it."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The outcome of a check."""

    shown: Findings = field(default_factory=dict)
    findings: tuple[rw.Diagnostic, ...] = ()
    bases: frozenset[Path] = frozenset()
    """The folders of the rulesets that it extends."""
    texts: Texts = field(default_factory=dict)
    """The texts that the editor held then."""
    examined: Findings = field(default_factory=dict)
    """Findings of the last examination, on lines that are still there."""

    def of(self, uri: str) -> list[types.Diagnostic]:
        """All that is shown of a file."""
        return [*self.shown.get(uri, ()), *self.examined.get(uri, ())]


def quick_check(editor: EditorWorkspace, folder: Path, texts: Texts, before: CheckResult) -> CheckResult:
    """The errors that are found soonest; of all else what was found before, on lines that are still there."""
    editor.update(texts)
    lone = folder.suffix == ".rules"
    if not (folder / MANIFEST).is_file() and not (lone and str(folder) in texts and _changes(editor, folder)):
        return before
    found = to_diagnostics(editor, editor.workspace.first_look(folder), None if lone else folder)
    for uri, old in before.shown.items():
        path = str(path_of(uri))
        then, now = before.texts.get(path), texts.get(path)
        kept = (
            old
            if then == now
            else shift_diagnostics(old, lines_of(then or ""), lines_of(now or ""))
            if then and now
            else []
        )
        milder = [one for one in kept if one.severity != types.DiagnosticSeverity.Error]
        found[uri] = list(distinct([*found.get(uri, ()), *milder]))
    return replace(before, shown=found)


def full_check(editor: EditorWorkspace, folder: Path, texts: Texts) -> CheckResult:
    """Check a ruleset; runs in the library's thread."""
    editor.update(texts)
    if not (folder / MANIFEST).is_file():
        return CheckResult()
    findings = editor.workspace.check(folder)
    found = to_diagnostics(editor, findings, folder)
    bases: set[Path] = set()
    ruleset: rw.Ruleset | None
    try:
        ruleset = editor.workspace.checked_ruleset(folder)
    except rw.RulesetError:
        ruleset = None
    listed = {os.path.abspath(file.path) for file in ruleset.files} if ruleset is not None else set()
    while ruleset is not None and (ruleset := ruleset.base) is not None:
        bases.add(Path(os.path.abspath(ruleset.folder)))
    for path in texts:
        if path not in listed and path.endswith(".rules") and editor.workspace.ruleset_of(path) == folder:
            found |= {uri: of for uri, of in check_single_file(editor, path).items() if uri not in found}
    return CheckResult(found, tuple(findings), frozenset(bases), texts)


def lone_check(editor: EditorWorkspace, path: Path, texts: Texts) -> CheckResult:
    """Check a rules file that belongs to no ruleset: with the one that it changes, if it holds variants."""
    findings = editor.workspace.check(path)
    if not findings and not _changes(editor, path):
        return CheckResult(check_single_file(editor, str(path)))
    try:
        ruleset: rw.Ruleset | None = editor.workspace.checked_ruleset(path)
    except rw.RulesetError:
        ruleset = None
    bases = set()
    while ruleset is not None:
        bases.add(Path(os.path.abspath(ruleset.folder)))
        ruleset = ruleset.base
    return CheckResult(to_diagnostics(editor, findings, None), tuple(findings), frozenset(bases), texts)


def _changes(editor: EditorWorkspace, path: Path) -> bool:
    try:
        return editor.workspace.changed_by(path) is not None
    except rw.RulesetError:
        return True


def check_single_file(editor: EditorWorkspace, path: str) -> Findings:
    """The findings of a rules file that belongs to no ruleset: whether it can be read."""
    try:
        rw.format_text(editor.text(path), path)
    except rw.RulesetError as error:
        return to_diagnostics(editor, error.diagnostics, None)
    return {}


class Host(Protocol):
    """A server as its publisher needs it: the editor's texts, whether people wait, and a way to send."""

    waiting: int
    checking: EditorWorkspace
    looking: EditorWorkspace
    """For what is found soonest, while another thread may still check; the same one where there are no threads."""

    def home(self, path: Path) -> Path | None:
        """The folder of the ruleset of a file."""

    def snapshot(self) -> tuple[dict[str, str], dict[str, int]]:
        """The texts that the editor holds, and their versions."""

    def log(self, message: str) -> None:
        """Write to the editor's log."""

    def text_document_publish_diagnostics(self, params: types.PublishDiagnosticsParams) -> None:
        """Send findings of a file."""


class Publisher:
    """Checks what has changed, away from the event loop, and publishes what is different."""

    def __init__(self, server: Host) -> None:
        self._server = server
        self._waiting: dict[Path, None] = {}
        """Folders of rulesets, and rules files that belong to none, still to be checked."""
        self._at: Path | None = None
        self._checked: dict[Path, CheckResult] = {}
        self._looked: dict[Path, Texts] = {}
        """The texts in which it was looked last for what is found soonest."""
        self._unexamined: dict[Path, None] = {}
        """Rulesets, and files of variants, that have changed since they were examined."""
        self._sent: dict[str, tuple[list[types.Diagnostic], int | None]] = {}
        self._task: asyncio.Task[None] | None = None
        self._progress = asyncio.Event()

    @property
    def folders(self) -> list[str]:
        """The folders of all rulesets that are known."""
        return [str(place) for place in self._checked if place.suffix != ".rules"]

    @property
    def places(self) -> list[str]:
        """The folders of rulesets, and the files of variants that belong to none but change one."""
        return [str(place) for place, held in self._checked.items() if place.suffix != ".rules" or held.bases]

    async def findings(self, folder: Path) -> tuple[rw.Diagnostic, ...]:
        """The findings of a ruleset as it is now: a check that is under way is waited for."""
        while folder in self._waiting or folder == self._at:
            await self._progress.wait()
        return self._checked[folder].findings if folder in self._checked else ()

    def changed(self, path: Path) -> None:
        """A file is not what it was."""
        home = self._server.home(path)
        if home is None:
            gone = [folder for folder in self._checked if folder == path or folder in path.parents]
            self.check(*gone, *([path] if path.suffix == ".rules" else []))
        else:
            self.check(home, *(folder for folder, held in self._checked.items() if home in held.bases))
        if path.name == MANIFEST:  # files of variants may find another ruleset now, or none
            self.check(*(place for place in self._checked if place.suffix == ".rules"))

    def check(self, *places: Path) -> None:
        """Check rulesets soon."""
        self._waiting |= dict.fromkeys(places)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        await asyncio.sleep(DELAY)
        while self._waiting or self._unexamined:
            if not self._waiting:
                await self._examine_after_a_pause()
                continue
            await self._until_answered()
            self._at = self._next()
            del self._waiting[self._at]
            try:
                await self._run(self._at)
            except Exception as error:  # a check that fails must not keep the next one from being made
                self._server.log(f"cannot check {self._at}: {type(error).__name__}: {error}")
            self._at = None
            self._progress.set()
            self._progress = asyncio.Event()
            await asyncio.sleep(DELAY)

    async def _until_answered(self) -> None:
        """Let questions go first, for a while: people wait for the answers, and two threads share one interpreter."""
        for _ in range(PATIENCE):
            if not self._server.waiting:
                return
            await asyncio.sleep(DELAY)

    async def _run(self, place: Path) -> None:
        """Publish what is found soonest, and then everything; not that if something has changed in the meantime."""
        texts, versions = self._server.snapshot()
        editor, loop, stale = self._server.checking, asyncio.get_running_loop(), Event()
        await self._look(place, texts)
        if place in self._waiting:
            return
        check = loop.run_in_executor(editor.thread, self._check, editor, place, texts, stale)
        while not check.done():
            await asyncio.wait((check,), timeout=DELAY)
            if not check.done():
                await self._look_meanwhile()
                if self._is_stale(place):
                    self._waiting[place] = None
                    stale.set()
        try:
            now = await check
        except rw.Stopped:
            return
        self._checked[place] = _kept(self._checked.get(place, CheckResult()), now)
        if place.suffix != ".rules" or (str(place) in texts and self._checked[place].bases):
            self._unexamined[place] = None
        if self._looked.get(place, texts) == texts:  # else what is shown is newer, and is to be checked next
            self._publish(place, versions)

    def _is_stale(self, place: Path) -> bool:
        """True if what is checked has changed since, or is not open and waits for what is."""
        near = self._near(self._server.snapshot()[0])
        return place in self._waiting or (place not in near and any(one in near for one in self._waiting))

    async def _examine_after_a_pause(self) -> None:
        """Examine the open files after a pause without changes."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PAUSE
        while (left := until - loop.time()) > 0:
            await asyncio.sleep(min(left, LOOK))
            if self._waiting:
                return
        place = next(iter(self._unexamined))
        del self._unexamined[place]
        texts, versions = self._server.snapshot()
        held = self._checked.get(place)
        if held is None or held.texts != texts or any(finding.is_error for finding in held.findings):
            return
        editor, stale = self._server.checking, Event()
        found = dict[rw.Diagnostic, None]()
        try:
            for titles in await loop.run_in_executor(editor.thread, subjects, editor, place, texts):
                work = loop.run_in_executor(editor.thread, examined, editor, place, titles, texts, stale)
                while not work.done():
                    await asyncio.wait((work,), timeout=LOOK)
                    if self._waiting:
                        stale.set()
                found |= dict.fromkeys(await work)
        except rw.Stopped:
            self._unexamined[place] = None  # a check goes first
            return
        except Exception as error:  # the server goes on without it
            self._server.log(f"cannot examine {place}: {type(error).__name__}: {error}")
            return
        folder = place if place.suffix != ".rules" else None
        self._checked[place] = replace(held, examined=to_diagnostics(editor, tuple(found), folder))
        self._publish(place, versions)

    async def _look(self, place: Path, texts: Texts) -> None:
        """Publish what is found soonest."""
        editor, before = self._server.looking, self._checked.get(place, CheckResult())
        loop = asyncio.get_running_loop()
        self._looked[place] = texts
        self._checked[place] = await loop.run_in_executor(editor.thread, quick_check, editor, place, texts, before)
        self._publish(place, {})

    async def _look_meanwhile(self) -> None:
        """Look at open files that have changed while something is checked: that may take long, and who types does not
        wait for it."""
        texts, _ = self._server.snapshot()
        for place in self._near(texts):
            if place in self._waiting and self._looked.get(place) != texts:
                await self._look(place, texts)

    def _next(self) -> Path:
        """Rulesets of open files come first."""
        texts, _ = self._server.snapshot()
        near = self._near(texts)
        return next((place for place in self._waiting if place in near), next(iter(self._waiting)))

    def _near(self, texts: Texts) -> dict[Path, None]:
        """The rulesets of open files."""
        return dict.fromkeys(self._server.home(Path(path)) or Path(path) for path in texts)

    @staticmethod
    def _check(editor: EditorWorkspace, place: Path, texts: Texts, stale: Event) -> CheckResult:
        with rw.limited(rw.Limits(cancel=stale)):
            if place.suffix != ".rules":
                return full_check(editor, place, texts)
            editor.update(texts)
            return lone_check(editor, place, texts) if str(place) in texts else CheckResult()

    def _publish(self, place: Path, versions: dict[str, int]) -> None:
        if not self._checked[place].shown and not place.exists():
            del self._checked[place]
        mine = {uri for uri in versions if (path := path_of(uri)) and (path == place or place in path.parents)}
        everywhere = {uri for held in self._checked.values() for uri in (*held.shown, *held.examined)}
        for uri in sorted(self._sent.keys() | everywhere | mine):
            now = list(distinct(d for held in self._checked.values() for d in held.of(uri)))
            version = versions.get(uri) if uri in mine else None
            before = self._sent.get(uri)
            if before is not None and before[0] == now and version in (None, before[1]):
                continue
            if before is None and not now and version is None:
                continue
            self._sent[uri] = now, version
            self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, now, version))
            if not now and version is None:
                del self._sent[uri]


def _kept(before: CheckResult, now: CheckResult) -> CheckResult:
    """A result of a check, with what was examined before on lines that are still there, until that is done again."""
    kept: Findings = {}
    for uri, found in before.examined.items():
        then, text = before.texts.get(path := str(path_of(uri))), now.texts.get(path)
        if then and text:
            kept[uri] = shift_diagnostics(found, lines_of(then), lines_of(text))
        elif then == text:  # it is not open
            kept[uri] = found
    return replace(now, examined=kept)
