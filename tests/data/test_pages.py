"""Every code has a page, and every page a code."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright import reporting
from rulewright.data.json_positions import JsonText
from rulewright.diagnostics import codes as registry
from rulewright.foundation.resources import share
from rulewright.syntax import parse

ROOT = Path(__file__).parents[2]
CODE = re.compile(r"""["'](?P<code>[A-Z]{3,4}[0-9]{3})["']""")
EXAMPLE = re.compile(r"^## (Avoid|Prefer)\n\n```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def used() -> dict[str, str]:
    """Codes in the sources, with a file that uses each; that they are in the registry is no use."""
    found: dict[str, str] = {}
    for folder in ("interpreter", "tools"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path == Path(registry.__file__):
                continue
            for match in CODE.finditer(path.read_text("utf-8")):
                found.setdefault(match["code"], path.name)
    return found


def test_the_registry_has_each_code_that_is_used() -> None:
    missing = {code: file for code, file in used().items() if code not in registry.CODES}
    assert missing == {}
    assert sorted(set(registry.CODES) - set(used())) == []


def test_the_registry_is_in_order() -> None:
    order = list(registry.GROUPS)
    assert list(registry.CODES) == sorted(registry.CODES, key=lambda code: (order.index(registry.group_of(code)), code))
    lines = CODE.findall(Path(registry.__file__).read_text("utf-8"))
    assert sorted({code for code in lines if lines.count(code) > 1}) == []


def test_each_code_has_a_page_and_each_page_a_code() -> None:
    assert sorted(path.name for path in share("diagnostics").iterdir()) == sorted(f"{c}.md" for c in registry.CODES)


def test_heading(subtests: pytest.Subtests, golden: Callable[[Path, str], None]) -> None:
    """If this fails: run it once with `--update-goldens`, which writes the title of the registry there."""
    for code in reporting.codes():
        with subtests.test(code):
            path = share("diagnostics") / f"{code}.md"
            assert registry.CODES[code].title
            golden(path, f"# {code}: {registry.CODES[code].title}\n" + path.read_text("utf-8").partition("\n")[2])


def test_page(subtests: pytest.Subtests) -> None:
    for code in reporting.codes():
        with subtests.test(code):
            page = reporting.explain(code)
            assert page is not None
            assert page.endswith("\n")
            for heading in ("## Why", "## Avoid", "## Prefer"):
                assert f"\n{heading}\n" in page, heading
            assert all(len(line) <= 120 for line in page.splitlines())


def test_examples(subtests: pytest.Subtests) -> None:
    """The preferred example can be read; the one to avoid gives the finding, if it is one of the syntax."""
    for code in reporting.codes():
        with subtests.test(code):
            page = reporting.explain(code) or ""
            for kind, language, text in EXAMPLE.findall(page):
                if language == "json" and kind == "Prefer":
                    JsonText(text, code)
                elif language == "rules":
                    found = [finding.code for finding in parse(text, code).diagnostics]
                    expected = [code] if kind == "Avoid" and code.startswith("SYN") else []
                    assert found == expected, kind


def test_explain() -> None:
    assert reporting.explain("dat001") == reporting.explain("DAT001")
    for word in ("", "XXX999", "../README", "DAT001.md", "../../etc/passwd", "DAT" * 1000):
        assert reporting.explain(word) is None
