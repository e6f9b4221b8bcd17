"""Every link inside the repository leads somewhere; the readme, which the package index shows, has full addresses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"""\]\((?P<plain>[^)\s]+)\)|(?:src|href)="(?P<html>[^"]+)\"""")
HOME = "https://github.com/rulewright/rulewright/"
HERE = re.compile(
    rf"^(?:{re.escape(HOME)}(?:blob|tree)/main|https://raw\.githubusercontent\.com/rulewright/rulewright/main)/"
)
FENCE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def links(page: Path) -> list[str]:
    text = FENCE.sub("", page.read_text("utf-8"))
    return [match["plain"] or match["html"] for match in LINK.finditer(text)]


def anchors(page: Path) -> set[str]:
    """The names of a page's headings, as code hosts make them."""
    heads = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    lost = []
    for link in links(page):
        path = HERE.sub("/", link)
        if "://" in path:
            continue
        name, _, anchor = path.partition("#")
        target = ROOT / name[1:] if name.startswith("/") else page.parent / name if name else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            lost.append(link)
    assert lost == []


def test_the_readme_has_full_addresses() -> None:
    found = links(ROOT / "README.md")
    assert found
    assert [link for link in found if "://" not in link] == []


def test_the_index_lists_every_page() -> None:
    index = ROOT / "docs" / "README.md"
    listed = {(index.parent / link).resolve() for link in links(index) if "://" not in link}
    folders = {path for path in listed if path.is_dir()}
    pages = [page for page in PAGES if index.parent in page.parents and page != index]
    assert [page for page in pages if page not in listed and not folders & {*page.parents}] == []
