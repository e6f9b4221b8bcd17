"""A ruleset as texts and trees, with all that is needed to change it at one place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, overload

import rulewright as rw
from rulewright.data.json_positions import JsonPath, JsonText
from rulewright.diagnostics import Span
from rulewright.syntax import ast, keywords, parse

N = TypeVar("N", bound=ast.Node)

_STEM = 40
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Edit:
    """Put `text` in place of the characters from `start` to `end` of a file."""

    file: str
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Place:
    """The place where a finding may honestly stand; line 0 means the file as a whole."""

    file: str
    line: int


@dataclass(frozen=True)
class Mistake:
    """One mistake, and what is expected of a checker. Lines are those of the changed texts."""

    edits: tuple[Edit, ...]
    places: tuple[Place, ...]
    """Places where it may be reported; the first is the place of the mistake itself."""
    before: str
    after: str
    findable: bool = True
    """True if a tool that does not play the game can find it; decided by the kind, whatever the checker does."""
    why: str = ""
    """The reason why (not), where that is not the same for all mistakes of the kind."""


@dataclass(frozen=True)
class Found:
    """A node of a tree with the nodes around it, the outermost first."""

    node: ast.Node
    around: tuple[ast.Node, ...]

    @property
    def decl(self) -> ast.Node:
        """The declaration it belongs to."""
        return self.around[1] if len(self.around) > 1 else self.node

    @property
    def clause(self) -> ast.Node:
        """The clause on whose lines it stands."""
        return next((n for n in (self.node, *reversed(self.around)) if isinstance(n, ast.Clause)), self.node)

    def inside(self, *kinds: type[ast.Node]) -> bool:
        """True if one of the nodes around it is of one of these kinds."""
        return any(isinstance(n, kinds) for n in self.around)


class Text:
    """A file: its text and how to find a place in it."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text

    @cached_property
    def lines(self) -> list[str]:
        """The lines, without their ends."""
        return self.text.split("\n")

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line begins."""
        found = [0]
        for line in self.lines[:-1]:
            found.append(found[-1] + len(line) + 1)
        return found

    def line(self, offset: int) -> int:
        """The number of the line at an offset, from 1."""
        return bisect_right(self.starts, offset)

    def range(self, span: Span) -> tuple[int, int]:
        """The offsets of a span."""
        return self.starts[span.line - 1] + span.column - 1, self.starts[span.end_line - 1] + span.end_column - 1

    def cut(self, span: Span) -> str:
        """The text of a span."""
        start, end = self.range(span)
        return self.text[start:end]


class Rules(Text):
    """A rules file with its tree."""

    def __init__(self, name: str, text: str, role: str) -> None:
        super().__init__(name, text)
        self.role = role
        self.tree = parse(text, name).file
        self._of: dict[tuple[type[ast.Node], ...], list[Found]] = {}

    @cached_property
    def nodes(self) -> list[Found]:
        """All nodes, in the order written, outer ones first."""
        return list(_walk(self.tree, ()))

    @overload
    def of(self, kind: type[N], /) -> Iterator[tuple[N, Found]]: ...
    @overload
    def of(self, *kinds: type[ast.Node]) -> Iterator[tuple[Any, Found]]: ...
    def of(self, *kinds: type[ast.Node]) -> Iterator[tuple[Any, Found]]:
        """All nodes of some kinds."""
        if kinds not in self._of:  # kinds of mistakes ask for the same again and again
            self._of[kinds] = [found for found in self.nodes if isinstance(found.node, kinds)]
        for found in self._of[kinds]:
            yield found.node, found

    def block(self, clause: ast.Node) -> tuple[int, int]:
        """The first and last line of a clause with all that stands below it, further in."""
        first = clause.span.line
        indent = self.indent(first)
        last = clause.span.end_line
        for number in range(last + 1, len(self.lines) + 1):
            text = self.lines[number - 1]
            if text.strip():
                if self.indent(number) <= indent:
                    break
                last = number
        return first, last

    def indent(self, line: int) -> int:
        """The indentation of a line."""
        text = self.lines[line - 1]
        return len(text) - len(text.lstrip())

    def code(self, line: int) -> str:
        """A line without its citations and comments."""
        text = self.lines[line - 1]
        for mark in ("  #", "  @", " @"):
            text = text.split(mark)[0]
        return text.rstrip()


class Data(Text):
    """A JSON file."""

    @cached_property
    def json(self) -> JsonText:
        """Its contents, with places."""
        return JsonText(self.text, self.name)

    def value(self) -> Any:
        """Its contents."""
        return self.json.value

    def at(self, path: JsonPath, *, key: bool = False) -> tuple[int, int]:
        """The offsets of a value, or of its key."""
        return self.range(self.json.span(path, key=key))


class Book:
    """A ruleset without mistakes, from which kinds make mistakes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = folder.name
        self.files: dict[str, Text] = {}
        for path in sorted(folder.rglob("*.json")):
            name = path.relative_to(folder).as_posix()
            self.files[name] = Data(name, path.read_text(encoding="utf-8"))
        manifest = self.data("ruleset.json").value()
        for key, role in (("rules", "rules"), ("variants", "variant"), ("scenarios", "scenario")):
            for name in manifest.get(key, ()):
                self.files[name] = Rules(name, (folder / name).read_text(encoding="utf-8"), role)

    def data(self, name: str) -> Data:
        """A JSON file of the ruleset."""
        file = self.files[name]
        assert isinstance(file, Data)
        return file

    def tables(self) -> list[Data]:
        """The component tables and maps."""
        manifest = self.data("ruleset.json").value()
        other = {"ruleset.json", manifest.get("rulebook"), manifest.get("rulings")}
        return [f for name, f in self.files.items() if isinstance(f, Data) and name not in other]

    def rules(self, *roles: str) -> list[Rules]:
        """The rules files of some roles; by default those of the rules themselves."""
        return [f for f in self.files.values() if isinstance(f, Rules) and f.role in (roles or ("rules",))]

    @overload
    def of(self, kind: type[N], /, *, roles: tuple[str, ...] = ...) -> Iterator[tuple[Rules, N, Found]]: ...
    @overload
    def of(self, *kinds: type[ast.Node], roles: tuple[str, ...] = ...) -> Iterator[tuple[Rules, Any, Found]]: ...
    def of(self, *kinds: type[ast.Node], roles: tuple[str, ...] = ("rules",)) -> Iterator[tuple[Rules, Any, Found]]:
        """All nodes of some kinds in files of some roles."""
        for file in self.rules(*roles):
            for node, found in file.of(*kinds):
                yield file, node, found

    # ------------------------------------------------------------------ what the names mean

    @cached_property
    def decls(self) -> dict[str, ast.Node]:
        """Declarations by name."""
        return {str(decl.name): decl for file in self.rules() for decl in file.tree.decls if hasattr(decl, "name")}

    def named(self, *kinds: type[N]) -> dict[str, N]:
        """Declarations of some kinds."""
        return {name: decl for name, decl in self.decls.items() if isinstance(decl, kinds)}

    @cached_property
    def enums(self) -> dict[str, tuple[str, ...]]:
        """The values that each enum has, also those written on the spot, by the name of the enum or parameter."""
        found: dict[str, tuple[str, ...]] = {}
        for name, decl in self.decls.items():
            if isinstance(decl, ast.EnumDecl):
                found[name] = decl.values or self._column(decl)
            elif isinstance(decl, ast.Parameter) and isinstance(decl.type, ast.ChoiceType):
                found[name] = decl.type.values
        return found

    def _column(self, decl: ast.EnumDecl) -> tuple[str, ...]:
        file, _, part = (decl.table or "").partition("#")
        rows = self.data(file).value()[part or "rows"] if file in self.files else []
        return tuple(str(row.get("name", row.get(decl.name.lower()))) for row in rows)

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that mean something: a misspelt name must be none of them."""
        found = set(keywords())
        for file in self.files.values():
            found.update(_WORD.findall(file.text))
        return frozenset(found)

    @cached_property
    def binding(self) -> frozenset[str]:
        """The statements of the rulebook that some rule should cite."""
        rulebook = rw.open_ruleset(self.folder).rulebook
        return frozenset(s.id for s in rulebook.statements if s.counted) if rulebook is not None else frozenset()

    def locals(self, found: Found) -> frozenset[str]:
        """Names that are bound anywhere in the declaration around a node."""
        return _bound(found.decl)

    def uses(
        self, names: Iterable[str], roles: tuple[str, ...] = ("rules",)
    ) -> Iterator[tuple[Rules, ast.Name, Found]]:
        """All words in expressions that mean one of these declarations."""
        wanted = frozenset(names)
        for file, node, found in self.of(ast.Name, roles=roles):
            if node.name in wanted and node.name not in self.locals(found):
                yield file, node, found

    # ------------------------------------------------------------------ changing it

    def put(
        self,
        file: Text,
        where: Span | tuple[int, int],
        text: str,
        *,
        also: Iterable[Place] = (),
        more: Iterable[Edit] = (),
        only: Iterable[Place] = (),
        findable: bool = True,
        why: str = "",
    ) -> Mistake:
        """The mistake of writing `text` at `where`.

        It is expected on the lines that are written (or, if something is only left out, on the line where it was),
        and on those of `also`; with `only`, just there. Lines are those of the text after the change.
        """
        start, end = file.range(where) if isinstance(where, Span) else where
        first = file.line(start)
        before, after = _shown(file, start, end, text)
        written = [Place(file.name, line) for line in range(first, first + text.rstrip("\n").count("\n") + 1)]
        places = tuple(dict.fromkeys((*only,) or (*written, *also)))
        return Mistake((Edit(file.name, start, end, text), *more), places, before, after, findable, why)

    def apply(self, mistake: Mistake) -> dict[str, str]:
        """The texts of the files that a mistake changes."""
        changed: dict[str, str] = {}
        for edit in sorted(mistake.edits, key=lambda e: (e.file, -e.start)):
            text = changed.get(edit.file, self.files[edit.file].text)
            changed[edit.file] = text[: edit.start] + edit.text + text[edit.end :]
        return changed


def misspelt(word: str, taken: Iterable[str]) -> str:
    """The word with one slip of the pen: two letters exchanged, one left out or one doubled, and no word of `taken`."""
    known = frozenset(taken)
    half = len(word) // 2
    tries = [word[: half - 1] + word[half] + word[half - 1] + word[half + 1 :]] if half else []
    tries += [word[:half] + word[half + 1 :], word[:half] + word[half] + word[half:], word + word[-1]]
    turn = sum(map(ord, word)) % 3
    tries = tries[turn:] + tries[:turn]
    return next((t for t in tries if t != word and t not in known and t[:1].isalpha()), word + "zz")


def _shown(file: Text, start: int, end: int, text: str) -> tuple[str, str]:
    """The change as an excerpt: what stood there and what stands there now, with a little around it."""
    old = file.text[start:end]
    if start in file.starts and (old + text).endswith("\n") and (old.endswith("\n") or not old):
        return _one_line(old), _one_line(text)
    left = file.text.rfind("\n", 0, start) + 1
    right = file.text.find("\n", end)
    right = len(file.text) if right < 0 else right
    head, tail = file.text[left:start].lstrip(), file.text[end:right].split("  @")[0].rstrip()
    head = head if len(head) <= _STEM else "…" + head[-_STEM:]
    tail = tail if len(tail) <= _STEM else tail[:_STEM] + "…"
    before, after = (_one_line(head + middle + tail) for middle in (old, text))
    if before == after:
        return (before, f"{'in' if text else 'out'} by {len(text or old)}: {after}")
    return before, after


def _one_line(text: str) -> str:
    return " ".join(text.split())[:160] or "(nothing)"


def _walk(node: ast.Node, around: tuple[ast.Node, ...]) -> Iterator[Found]:
    yield Found(node, around)
    inner = (*around, node)
    for part in fields(node):
        held = getattr(node, part.name)
        for item in held if isinstance(held, tuple) else (held,):
            if isinstance(item, ast.Node):
                yield from _walk(item, inner)


_BOUND: dict[int, tuple[ast.Node, frozenset[str]]] = {}


def _bound(decl: ast.Node) -> frozenset[str]:
    if id(decl) not in _BOUND:
        names: set[str] = set()
        for found in _walk(decl, ()):
            match found.node:
                case ast.Param(name=name) | ast.Bind(name=name) | ast.Let(name=name) | ast.Roll(name=name):
                    names.add(name)
                case ast.Choose(name=name, as_name=as_name):
                    names |= {name, as_name or name}
                case ast.IndexPart(name=str(name)) | ast.Draw(name=str(name)):
                    names.add(name)
                case ast.Area(across=name):
                    names.add(name)
                case ast.Reach(across=str(name)):
                    names.add(name)
                case _:
                    pass  # it gives no name
        _BOUND[id(decl)] = decl, frozenset(names)
    return _BOUND[id(decl)][1]
