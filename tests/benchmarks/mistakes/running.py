"""Makes the mistakes, one at a time, in copies of the rulesets, and checks these copies."""

from __future__ import annotations

import json
import shutil
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random

import rulewright as rw
from mistakes import calling, filing, flowing, hiding, labelling, leaving, naming, values, writing
from mistakes.book import Book, Mistake
from mistakes.kinds import KINDS
from rulewright.data.manifest import FILE

SAMPLE = Path(__file__).parent / "sample"
"""A ruleset with what the shipped ones do not have."""
TOPICS = (naming, values, calling, labelling, flowing, writing, hiding, leaving, filing)
_MANY_LINES = 200
_STYLE = "STY"
"""Findings about the looks of a text do not count: almost every slip of the pen spoils the looks of its line."""
_WIDEST = 4
"""A finding that marks more lines than this does not show where the mistake is."""


@dataclass(frozen=True)
class Injected:
    """A mistake in a ruleset."""

    ruleset: Path
    kind: str
    mistake: Mistake


@dataclass(frozen=True)
class Told:
    """A finding that the ruleset without the mistake does not have."""

    code: str
    file: str
    line: int
    end_line: int
    message: str


@dataclass(frozen=True)
class Outcome:
    """The checker's answer to a mistake."""

    injected: Injected
    told: tuple[Told, ...]
    crash: str = ""

    @property
    def found(self) -> bool:
        """True if something was said that was not said without the mistake."""
        return bool(self.told)

    @property
    def right_line(self) -> bool:
        """True if it was said where the mistake is."""
        return any(
            place.file == told.file and told.line <= place.line <= told.end_line
            for place in self.injected.mistake.places
            for told in self.told
        )


@dataclass(frozen=True)
class Usual:
    """The answer of the checker to a ruleset without a mistake."""

    findings: list[tuple[str, str, str]]
    """Codes, files and messages."""
    in_order: bool


def rulesets() -> list[Path]:
    """The rulesets in which mistakes are made: the shipped ones and the sample, if they are in order."""
    return [folder for folder in (*rw.shipped_rulesets(), SAMPLE) if _in_order(folder)]


def _in_order(folder: Path) -> bool:
    return _usual(folder).in_order


def inject(folders: Iterable[Path], kinds: Iterable[str] = (), each: int = 8, seed: int = 0) -> list[Injected]:
    """At most `each` mistakes of each kind; the same for the same seed.

    If a ruleset has a place for a kind, one is made there; more of them are made in the small rulesets as far as these
    have places, because a large one takes a hundred times as long to check.
    """
    books = [book_of(folder) for folder in folders]
    made = []
    for name in tuple(kinds) or tuple(KINDS):
        chosen: list[Injected] = []
        waiting: list[tuple[Book, list[Mistake]]] = []
        for book in books:
            everywhere = list(mistakes_in(book.folder, name))
            Random(f"{seed}/{name}/{book.name}").shuffle(everywhere)
            waiting.append((book, everywhere))
        small = [w for w in waiting if not _large(w[0])]
        rounds = [waiting, *[small] * each, *[waiting] * each]
        for book, mistakes in (w for some in rounds for w in some):
            if mistakes and len(chosen) < each:
                chosen.append(Injected(book.folder, name, mistakes.pop()))
        made += chosen
    return made


def _large(book: Book) -> bool:
    return sum(len(file.lines) for file in book.rules()) > _MANY_LINES


def check_all(injected: Iterable[Injected], jobs: int = 2, tick: Callable[[], object] = bool) -> list[Outcome]:
    """Check every mistake; `tick` is called after each. The order of the outcomes is that of the mistakes."""
    found = []
    for outcome in _outcomes(list(injected), jobs):
        found.append(outcome)
        tick()
    return found


def _outcomes(injected: list[Injected], jobs: int) -> Iterator[Outcome]:
    if jobs < 2:
        yield from map(check_one, injected)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(check_one, injected, chunksize=4)


def check_one(injected: Injected) -> Outcome:
    """Make one mistake in a copy of its ruleset and check that."""
    usual = _usual(injected.ruleset)
    with tempfile.TemporaryDirectory() as place:
        folder = _copy(injected.ruleset, Path(place))
        for name, text in book_of(injected.ruleset).apply(injected.mistake).items():
            (folder / name).write_text(text, encoding="utf-8")
        try:
            told = _told(folder, _checked(folder))
        except Exception:
            return Outcome(injected, (), traceback.format_exc())
    known = Counter(usual.findings)
    new = []
    for one in told:
        key = (one.code, one.file, one.message)
        if known[key]:
            known[key] -= 1
        else:
            new.append(one)
    return Outcome(injected, tuple(new))


@cache
def book_of(folder: Path) -> Book:
    """A ruleset, read once."""
    return Book(folder)


@cache
def mistakes_in(folder: Path, kind: str) -> tuple[Mistake, ...]:
    """All mistakes of a kind that could be made in a ruleset."""
    return tuple(KINDS[kind].find(book_of(folder)))


@cache
def _usual(folder: Path) -> Usual:
    with tempfile.TemporaryDirectory() as place:
        copy = _copy(folder, Path(place))
        found = _checked(copy)
        findings = [(t.code, t.file, t.message) for t in _told(copy, found)]
    return Usual(findings, not any(d.is_error for d in found))


def _copy(folder: Path, place: Path) -> Path:
    """A copy of a ruleset, with a copy of the one that it extends beside it."""
    base = json.loads((folder / FILE).read_text(encoding="utf-8")).get("extends")
    if base:
        _copy((folder / base).resolve(), place)
    return Path(shutil.copytree(folder, place / folder.name))


def _told(folder: Path, found: Iterable[rw.Diagnostic]) -> list[Told]:
    """The findings about a ruleset, files named from its folder."""
    told = []
    for d in found:
        if d.code.startswith(_STYLE):
            continue
        file = Path(d.span.file)
        name = file.relative_to(folder).as_posix() if file.is_relative_to(folder) else file.as_posix()
        last = d.span.end_line if d.span.end_line - d.span.line < _WIDEST else d.span.line
        told.append(Told(d.code, name, d.span.line, max(last, d.span.line), d.message))
    return told


def _checked(folder: Path) -> Sequence[rw.Diagnostic]:
    try:
        return rw.check(rw.open_ruleset(folder))
    except rw.RulesetError as error:
        return error.diagnostics
