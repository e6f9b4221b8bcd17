"""The beginnings of inputs: rules, rulesets and data of the project."""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager
from functools import cache
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Generic, TypeVar

ROOT = Path(__file__).resolve().parents[2]
for folder in ("", "games", "syntax", "language"):
    if str(ROOT / "tests" / folder) not in sys.path:
        sys.path.append(str(ROOT / "tests" / folder))

from language_helpers import Case  # noqa: E402
from language_helpers import cases as language_cases  # noqa: E402

Files = dict[str, str]
"""The files of a ruleset by name."""

SMALL_GAMES = ("connect-four", "tic-tac-toe")
"""Shipped games that are compiled in no time."""
SMALL = 12_000
"""Characters of rules beyond which checking a ruleset takes too long for a fuzzer."""

T = TypeVar("T")


class Pool(Generic[T]):
    """Things of which the small ones are picked most of the time: each gets about the same time in the end."""

    LEAST = 60
    """The least cost of a thing, in characters."""

    def __init__(self, items: Sequence[T], size: Callable[[T], int]) -> None:
        self.items = items
        self._weights = list(accumulate(1 / (self.LEAST + size(item)) for item in items))

    def pick(self, rng: random.Random) -> T:
        """One of them."""
        return rng.choices(self.items, cum_weights=self._weights)[0]


@cache
def rules_texts() -> tuple[str, ...]:
    """Every rules file of the project, and the rules of every test case of the language."""
    places = ("rulesets", "tests/syntax/corpus", "tests/syntax/layout", "tests/language/hard", "tests/tools")
    found = [path.read_text("utf-8") for place in places for path in sorted((ROOT / place).rglob("*.rules"))]
    return tuple(found) + tuple(text for files in cases() for name, text in files.items() if name.endswith(".rules"))


@cache
def declarations() -> Pool[str]:
    """The declarations of all of them, one by one."""
    found = {block for text in rules_texts() for block in re.split(r"(?m)^(?=[^\s#])", text) if block.strip()}
    return Pool(sorted(found), len)


@cache
def cases() -> tuple[Files, ...]:
    """The test cases of the language as rulesets."""
    return tuple(map(_case, language_cases()))


@cache
def rulesets() -> tuple[Files, ...]:
    """Small rulesets: the cases, and those folders of the project that are not long."""
    folders = [path.parent for place in ("rulesets", "tests") for path in sorted((ROOT / place).rglob("ruleset.json"))]
    whole = [_folder(path) for path in folders]
    small = [files for files in whole if 0 < _rules(files) < SMALL and '"extends"' not in files["ruleset.json"]]
    return cases() + tuple(small)


@cache
def playable() -> tuple[Files, ...]:
    """Those of the small rulesets that are right as they are."""
    wrong = [any(mark.kind == "E" for mark in case.marks()) for case in language_cases()]
    return tuple(files for files, bad in zip(rulesets(), wrong + [False] * 100, strict=False) if not bad)


@cache
def asking() -> tuple[Files, ...]:
    """Those of them in which somebody has something to decide; the whole games last."""
    return tuple(files for files in playable() if any("choose" in text for text in files.values()))


@cache
def pool(which: Callable[[], tuple[Files, ...]]) -> Pool[Files]:
    """Some of these rulesets."""
    return Pool(which(), lambda files: sum(map(len, files.values())))


@cache
def data_texts(kind: str) -> tuple[str, ...]:
    """All data of a kind in the shipped rulesets: ``table``, ``map``, ``rulebook``, ``rulings``, ``manifest``."""
    found = []
    for path in sorted((ROOT / "rulesets").rglob("*.json")):
        text = path.read_text("utf-8")
        if len(text) < 200_000 and _kind(path, json.loads(text)) == kind:
            found.append(text)
    return tuple(found)


def _kind(path: Path, data: object) -> str:
    if not isinstance(data, dict):
        return ""
    named = {"ruleset.json": "manifest", "rulebook.json": "rulebook", "rulings.json": "rulings"}
    return named.get(path.name) or ("map" if "places" in data or "shape" in data else "table")


def _rules(files: Files) -> int:
    return sum(len(text) for name, text in files.items() if name.endswith(".rules"))


def _folder(folder: Path) -> Files:
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix in (".rules", ".json", ".csv")]
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in paths}


@contextmanager
def written(files: Files) -> Iterator[Path]:
    """A ruleset in a folder that goes by the same name each time, so that what did not change is not parsed again."""
    with TemporaryDirectory() as folder, chdir(folder):
        yield write(Path("ruleset"), files)


def write(folder: Path, files: Files) -> Path:
    """Write a ruleset, and nothing else, into a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return folder


def _case(case: Case) -> Files:
    with TemporaryDirectory() as folder:
        case.write(Path(folder))
        return _folder(Path(folder))
