"""Every link leads somewhere within the checkout; the address of the repository stands in one file alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"""\]\((?P<plain>[^)\s]+)\)|(?:src|href)="(?P<html>[^"]+)\"""")
HOME = "github.com/rulewright"
FENCE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def links(page: Path) -> list[str]:
    text = FENCE.sub("", page.read_text("utf-8"))
    return [match["plain"] or match["html"] for match in LINK.finditer(text)]


def anchors(page: Path) -> set[str]:
    """The names of a page's headings, as code hosts make them."""
    heads = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def test_links_lead_somewhere(subtests: pytest.Subtests) -> None:
    for page in PAGES:
        with subtests.test(page.as_posix()):
            lost = []
            for link in links(page):
                if "://" in link:
                    continue
                name, _, anchor = link.partition("#")
                target = ROOT / name[1:] if name.startswith("/") else page.parent / name if name else page
                if not target.exists() or (anchor and anchor not in anchors(target)):
                    lost.append(link)
            assert lost == []


def test_the_readme_works_in_a_checkout() -> None:
    found = links(ROOT / "README.md")
    assert len(found) > 10
    assert [link for link in found if "://" in link] == []


def test_the_address_of_the_repository_stands_in_one_file_alone() -> None:
    named = [page.relative_to(ROOT).as_posix() for page in PAGES if HOME in page.read_text("utf-8")]
    assert named == []
    assert HOME in (ROOT / "pyproject.toml").read_text("utf-8")


def test_the_index_lists_every_page() -> None:
    index = ROOT / "docs" / "README.md"
    listed = {(index.parent / link).resolve() for link in links(index) if "://" not in link}
    folders = {path for path in listed if path.is_dir()}
    pages = [page for page in PAGES if index.parent in page.parents and page != index]
    assert [page for page in pages if page not in listed and not folders & {*page.parents}] == []
