"""Rulesets written as text in a test, and the cases of ``cases/*.cases``.

A case is a small ruleset with what is found in it::

    [case a_name_that_nobody_knows]
    enum Metal: gold, silver
    query q(m: Metal) -> Bool = m is golt            # E: REF001
    [file pieces.json]
    {"rows": [{"worth": 3}]}
    [manifest]
    {"move": "turn"}
    [out]
    pieces.json:1: E: DAT010

- ``# E: CODE``, ``# W: CODE`` and ``# I: CODE`` at the end of a line say that just this error, warning or remark is
  found there; a few words behind the code must occur in its message or hint. Several are parted by ``;``. What is found
  in files that have no comments stands under ``[out]``. Nothing else may be found, except by lint rules whose codes
  stand nowhere in the file of cases: a case about types may well declare what nobody uses.
- ``game``, ``players 2 to 2`` and ``procedure play`` are added behind the text if the case does not write them, unless
  it has a line ``# just this``.
- If no error is expected the case is compiled for every number of players and every variant, each program must be
  well formed, and every scenario must hold. ``# F: words`` at the end of a scenario's line says that the scenario
  fails just there, with these words.
- ``[file NAME]`` is a file beside the rules; a ``.rules`` file belongs to the ruleset. ``[manifest]`` adds to
  ``ruleset.json``. Lines between the head of the file and the first case are comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

import rulewright as rw

CASES = Path(__file__).parent / "cases"
_HEAD = re.compile(r"^\[(case|file|manifest|out)\b ?([^\]]*)\]$")
_MARK = re.compile(r"# (?=[EWIF]: )(?P<marks>.*)$")


@dataclass(frozen=True)
class Mark:
    """Something that is found at a line."""

    file: str
    line: int
    kind: str
    code: str
    words: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.kind}: {self.code}"


@dataclass
class Case:
    """One case."""

    name: str
    topic: str
    line: int
    rules: list[str] = field(default_factory=list)
    files: dict[str, list[str]] = field(default_factory=dict)
    manifest: list[str] = field(default_factory=list)
    out: list[str] = field(default_factory=list)

    def write(self, folder: Path) -> None:
        """Write it as a ruleset's folder."""
        files = {name: "\n".join(lines) + "\n" for name, lines in self.files.items()}
        more = json.loads("\n".join(self.manifest)) if self.manifest else {}
        write(folder, "\n".join(self.rules) + "\n", files, more)

    def marks(self) -> list[Mark]:
        """The expected findings."""
        found = [mark for name, lines in self.texts() for mark in _marks(name, lines)]
        for line in self.out:
            if line.strip():
                name, number, rest = line.split(":", 2)
                found += _parsed(name, int(number), rest.strip())
        return found

    def texts(self) -> Iterator[tuple[str, list[str]]]:
        """The files that can have comments."""
        yield "game.rules", self.rules
        yield from ((name, lines) for name, lines in self.files.items() if name.endswith(".rules"))


def _marks(file: str, lines: list[str]) -> Iterator[Mark]:
    for number, line in enumerate(lines, 1):
        if (match := _MARK.search(line)) is not None:
            yield from _parsed(file, number, match["marks"])


def _parsed(file: str, line: int, text: str) -> Iterator[Mark]:
    for mark in text.split(";"):
        kind, rest = mark.strip().split(": ", 1)
        if kind == "F":
            yield Mark(file, line, kind, "", rest.strip())
        else:
            code, _, words = rest.strip().partition(" ")
            yield Mark(file, line, kind, code, words.strip())


def cases(pattern: str = "*.cases") -> Iterator[Case]:
    """All cases of some files."""
    for path in sorted(CASES.glob(pattern)):
        case: Case | None = None
        held: list[str] = []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            head = _HEAD.match(line)
            if head is None:
                held.append(line)
                continue
            word, name = head.groups()
            if word == "case":
                if case is not None:
                    yield case
                case = Case(name, path.stem, number)
                held = case.rules
            else:
                assert case is not None, f"{path.name}:{number}: this belongs to no case"
                named = {"manifest": case.manifest, "out": case.out}
                held = named[word] if word in named else case.files.setdefault(name, [])
        if case is not None:
            yield case


def completed(rules: str) -> str:
    """Rules with what makes them a game, behind what is written."""
    if "# just this\n" in rules:
        return rules
    for pattern, text in (
        (r"^game ", "game example"),
        (r"^players ", "players 2 to 2"),
        (r"^procedure play\b", "procedure play\n    finish with winner players"),
    ):
        if not re.search(pattern, rules, re.MULTILINE):
            rules += text + "\n"
    return rules


def write(
    folder: Path, rules: str, files: dict[str, str] | None = None, manifest: dict[str, object] | None = None
) -> Path:
    """Write a ruleset's folder."""
    files = files or {}
    names = ["game.rules", *(name for name in files if name.endswith(".rules"))]
    head = {"name": "example", "title": "An example", "rules": names} | (manifest or {})
    (folder / "ruleset.json").write_text(json.dumps(head), encoding="utf-8")
    for name, text in {"game.rules": completed(rules), **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def load(folder: Path, rules: str, files: dict[str, str] | None = None, **more: object) -> rw.Game:
    """A game from rules written in a test; more are the arguments of :func:`rulewright.load`."""
    return rw.load(write(folder, dedent(rules), files), **more)  # type: ignore[arg-type]


def play(state: rw.State, *answers: str) -> rw.State:
    """The state after some answers, given as keys."""
    for answer in answers:
        state = state.choose(answer)
    return state
