"""Rules in an editor: half typed, at any place of the shipped ones, and refactored."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import seeds
from kinds import Kind, Outcome, refused
from lsprotocol import types
from seeds import Pool

import rulewright as rw
from rulewright.navigation.selection import children
from rulewright.syntax import ast
from rulewright_tools.lsp.diagnostics import CheckResult, quick_check
from rulewright_tools.lsp.editing import code_actions, formatting, rename
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.features import (
    code_lenses,
    completion,
    document_links,
    hover,
    inlay_hints,
    navigation,
    selection_ranges,
    semantic_tokens,
    symbols,
)
from rulewright_tools.lsp.features.call_hierarchy import calls, prepare

TAILS = ("", "", "", ".", "@", '"', "(", "\n    ", "\t", "𝔘", "\r\n", "[{", " is ", "#", "\x00")
"""Texts that are typed behind a beginning."""
Question = Callable[[EditorWorkspace, str, types.Position], object]


def _range(position: types.Position) -> types.Range:
    return types.Range(types.Position(0, 0), position)


def _actions(editor: EditorWorkspace, uri: str, position: types.Position) -> object:
    context = types.CodeActionContext([])
    document = types.TextDocumentIdentifier(uri)
    return code_actions.code_actions(editor, types.CodeActionParams(document, _range(position), context), ())


def _hierarchy(editor: EditorWorkspace, uri: str, position: types.Position) -> None:
    for item in prepare(editor, uri, position) or ():
        calls(editor, item, rw.navigation.incoming_calls)
        calls(editor, item, rw.navigation.outgoing_calls)


QUESTIONS: dict[str, Question] = {
    "completion": lambda e, u, p: completion.completions(e, u, p, True),
    "hover": hover.hover,
    "definition": navigation.definitions,
    "type definition": navigation.type_definitions,
    "references": lambda e, u, p: navigation.references(e, u, p, True),
    "highlights": navigation.highlights,
    "call hierarchy": _hierarchy,
    "prepare rename": rename.prepare_rename,
    "selection": lambda e, u, p: selection_ranges.selection_ranges(e, u, [p]),
    "symbols": lambda e, u, p: symbols.document_symbols(e, u),
    "folding": lambda e, u, p: symbols.folding_ranges(e, u),
    "semantic tokens": lambda e, u, p: semantic_tokens.semantic_tokens(e, u),
    "links": lambda e, u, p: document_links.document_links(e, u),
    "hints": lambda e, u, p: inlay_hints.inlay_hints(e, u, _range(p)),
    "lenses": lambda e, u, p: code_lenses.code_lenses(e, u),
    "actions": _actions,
    "format": lambda e, u, p: formatting.format_document(e, u),
    "format range": lambda e, u, p: formatting.format_range(e, u, types.Range(p, p)),
    "indent": lambda e, u, p: formatting.indent(e, u, p, "\n"),
    "diagnostics": lambda e, u, p: quick_check(e, _home(e, u), dict(e.held), CheckResult()),
}
"""All that an editor asks about a place in a file."""


def _home(editor: EditorWorkspace, uri: str) -> Path:
    found = editor.workspace.ruleset_of(uri.removeprefix("file://"))
    assert found is not None
    return found


class Prefixes(Kind):
    """Half-typed rules."""

    name = "prefixes"
    about = "all questions of an editor at the end of a beginning of a shipped rules file"
    unit = "questions"

    def __init__(self) -> None:
        self.files: Pool[Path]
        self.editor: EditorWorkspace

    def prepare(self) -> None:
        """Find the files."""
        folders = [f for f in rw.shipped_rulesets() if not self.small or f.name in seeds.SMALL_GAMES]
        self.files = Pool([p for f in folders for p in sorted(f.rglob("*.rules"))], lambda path: path.stat().st_size)
        self.editor = EditorWorkspace(Path.cwd(), "torture")

    def make(self, rng: random.Random) -> tuple[Path, str]:
        """A file, and a beginning of its text with something behind it."""
        path = self.files.pick(rng)
        text = path.read_text("utf-8")
        return path, text[: rng.randrange(len(text) + 1)] + rng.choice(TAILS)

    def attempt(self, made: tuple[Path, str]) -> Outcome:
        """Ask everything; a name that cannot be changed is an answer."""
        path, text = made
        self.editor.update({os.path.abspath(path): text})
        rows = text.split("\n")
        position = types.Position(len(rows) - 1, len(rows[-1].encode("utf-16-le")) // 2)
        for question in QUESTIONS.values():
            # Why something cannot be done, the editor is told.
            with self.editor.workspace.reading(), suppress(rw.navigation.RenameError, rw.RulesetError):
                question(self.editor, path.absolute().as_uri(), position)
        return Outcome("answered", len(QUESTIONS))

    def told(self, made: tuple[Path, str]) -> str:
        """The file, and the end of what was typed."""
        return f"{made[0]}, {len(made[1])} characters, ending with {made[1][-60:]!r}"


class Refactorings(Kind):
    """Refactorings."""

    name = "refactorings"
    about = "a refactoring of a shipped ruleset, which has no new findings afterwards"

    def __init__(self) -> None:
        self.rulesets: Pool[Path]

    def prepare(self) -> None:
        """Find the rulesets."""
        folders = [f for f in rw.shipped_rulesets() if not self.small or f.name in seeds.SMALL_GAMES]
        self.rulesets = Pool(folders, lambda folder: 1)
        self.open: Path | None = None

    def make(self, rng: random.Random) -> tuple[Path, rw.navigation.Proposal]:
        """A ruleset, and a refactoring."""
        folder = self.rulesets.pick(rng)
        if folder != self.open:  # one at a time: memory is that of the largest, not of all
            self.open, self.workspace, self.navigator = folder, rw.Workspace(Path.cwd()), rw.navigation.Navigator()
        self.workspace.check(folder)
        index = self.navigator.index(self.workspace.checked_ruleset(folder))  # as the language server does
        nodes = [(f, n) for f in index.files.values() for decl in f.tree.decls for n in _nodes(decl)]
        while True:
            file, node = rng.choice(nodes)
            found = list(_proposals(index, file, node))
            if found:
                return folder, rng.choice(found)

    def attempt(self, made: tuple[Path, rw.navigation.Proposal]) -> Outcome:
        """Do it, and check; a language server refuses what would be found."""
        folder, proposal = made
        before = Counter(d.code for d in self.workspace.check(folder))
        edits: dict[str, list[rw.fixing.Edit]] = {}
        for edit in proposal.edits:
            edits.setdefault(os.path.abspath(edit.span.file), []).append(edit)
        try:
            for path, some in edits.items():
                text = rw.fixing.apply(Path(path).read_text("utf-8"), some)
                self.workspace.open(path, rw.format_text(text, path))
            after = Counter(d.code for d in self.workspace.check(folder))
        finally:
            for path in edits:
                self.workspace.close(path)
        new = sorted((after - before).elements())
        return refused(new) if new else Outcome(f"accepted {proposal.title.split(' ')[0].lower()}")

    def told(self, made: tuple[Path, rw.navigation.Proposal]) -> str:
        """The ruleset and the edits."""
        return f"{made[0].name}: {made[1]}"


def _nodes(node: ast.Node) -> Iterator[ast.Node]:
    yield node
    for child in children(node):
        yield from _nodes(child)


def _proposals(
    index: rw.navigation.SymbolIndex, file: rw.navigation.FileSymbols, node: ast.Node
) -> Iterator[rw.navigation.Proposal]:
    span = node.span
    found: list[Any] = []
    if isinstance(node, ast.Expr):
        found.append(rw.navigation.extract_query(index, file, span))
    if isinstance(node, ast.Number):
        found.append(rw.navigation.make_parameter(index, file, span.line, span.column))
    if isinstance(node, ast.Callable):
        found += [rw.navigation.new_scenario(index, one) for one in file.declared if one.node is node]
    if isinstance(node, ast.Clause) and span.line:
        found += rw.navigation.cite_here(index, file, span.line, span.column + 1)
    yield from (one for one in found if one is not None)
