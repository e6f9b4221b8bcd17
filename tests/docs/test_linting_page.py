"""``docs/guide/linting.md`` lists all codes, and the catalogue says what the cases of the language show."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from rulewright import reporting

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "linting.md"
FROM = "<!-- made by: pytest --update-goldens tests/docs/test_linting_page.py -->\n"
TO = "<!-- end -->\n"
MARK = re.compile(r"\b([EWI]): ([A-Z]{3,4}[0-9]{3})\b")
LETTER = {"error": "E", "warning": "W", "info": "I"}


def test_the_list_is_in_step(golden: Callable[[Path, str], None]) -> None:
    """If this fails: run it once with `--update-goldens`."""
    head, begun, rest = PAGE.read_text("utf-8").partition(FROM)
    _, ended, foot = rest.partition(TO)
    assert begun
    assert ended
    golden(PAGE, f"{head}{begun}\n{reporting.catalogue_table().strip()}\n\n{ended}{foot}")


def test_every_group_is_known() -> None:
    assert [entry.code for entry in reporting.catalogue() if entry.group not in reporting.GROUPS] == []
    assert [entry.code for entry in reporting.catalogue()] != []


def test_severities_are_those_of_the_cases() -> None:
    """If this fails: the code is milder or worse than `rulewright.diagnostics.codes` says."""
    seen: dict[str, set[str]] = {}
    for path in sorted((ROOT / "tests" / "language" / "cases").glob("*.cases")):
        for letter, code in MARK.findall(path.read_text("utf-8")):
            seen.setdefault(code, set()).add(letter)
    said = {entry.code: LETTER[entry.severity.value] for entry in reporting.catalogue()}
    worst = {code: next(letter for letter in "EWI" if letter in letters) for code, letters in seen.items()}
    assert {code: letter for code, letter in worst.items() if said.get(code) != letter} == {}
