"""The explanation of a word of the language: its row on the page, and the section to which the row leads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from rulewright.compiler.symbols.static_types import BUILTINS
from rulewright.foundation.resources import share
from rulewright.host.files import read_text
from rulewright.syntax.tables.parse_tables import words

LONGEST = 420
"""Characters of a section that are shown."""
JOINING = frozenset({"after", "as", "before", "by", "for", "from", "in", "of", "then", "to", "when", "with"})
"""Words that join the parts of clauses: what they mean is said by another word of the clause."""
_ROW = re.compile(
    r"^\| \[(?P<words>[^\]]+)\]\((?P<chapter>[^)#]+)#?(?P<anchor>[^)]*)\) "
    r"\| (?P<examples>(?:[^|\\]|\\.)*?) ?\| (?P<means>.+) \|$",
    re.MULTILINE,
)
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class PageRow:
    """A row of a table on the page of the language."""

    words: tuple[str, ...]
    chapter: str
    """The file to which it leads, below that of the page."""
    anchor: str
    examples: tuple[str, ...]
    means: str

    def shows(self, word: str) -> bool:
        """Find the word among those of the row or in an example."""
        return word in self.words or any(re.search(rf"\b{re.escape(word)}\b", text) for text in self.examples)

    def begins(self, word: str) -> bool:
        """Find the word at the beginning of an example; of a row without examples among its words."""
        return any(text.startswith(f"{word} ") for text in self.examples) if self.examples else word in self.words


def about_word(terminal: str, clause: Sequence[str] = ()) -> str:
    """The explanation of a word, by the names of its terminal and of the terminals of its clause; empty for signs."""
    word = _text(terminal)
    beside = [_text(each) for each in clause]
    others = {text for text in beside if text != word}

    def likeness(row: PageRow) -> tuple[int, int]:
        named = sum(text in row.words for text in {word, *others})
        return 2 * named + (row.begins(next(iter(beside), word))), sum(row.shows(text) for text in others if text)

    def fits(row: PageRow) -> bool:
        joined = word in JOINING and row.shows(word) and not others.isdisjoint({*row.words} - JOINING)
        return bool(word) and (word in row.words or joined)

    found = max(filter(fits, _rows()), key=likeness, default=None)
    if found is None:
        return ""
    named = ", ".join(f"`{text}`" for text in found.words)
    return "\n\n".join((f"{named}: {found.means}", *_section(found, rf"\b{re.escape(word)}\b")))


def about_builtin(name: str) -> str:
    """The explanation of a function of the language; empty for other names."""
    rows = (row for row in _rows() if name in row.words and any(f"{name}(" in text for text in row.examples))
    found = next(rows, None) if name in BUILTINS else None
    return "\n\n".join(_section(found, rf"\b{name}\(")) if found is not None else ""


def _text(terminal: str) -> str:
    """A word as it is written, by the name of its terminal; empty for names and signs."""
    text = words().get(terminal, terminal.lower() if terminal in ("SEEN", "HIDDEN", "OUT") else "")
    return text if text.replace(" ", "").isalpha() else ""


@cache
def _page(name: str) -> str:
    page = share(name)
    return read_text(page) if page.is_file() else ""


@cache
def _rows() -> tuple[PageRow, ...]:
    """The rows of the page in their order."""
    return tuple(
        PageRow(
            tuple(_CODE.findall(row["words"])),
            row["chapter"],
            row["anchor"],
            tuple(_CODE.findall(_plain(row["examples"]))),
            _plain(row["means"]),
        )
        for row in _ROW.finditer(_page("language.md"))
    )


def _section(row: PageRow, mentioned: str) -> tuple[str, str]:
    """The part of the section to which a row leads that mentions something in code, and the link to that section."""
    title, sections = _sections(row.chapter)
    heading, parts = sections.get(row.anchor, (title, next(iter(sections.values()), ("", ()))[1]))
    found = (part for part in parts if any(re.search(mentioned, code) for code in _CODE.findall(part)))
    part = next(found, next(iter(parts), ""))
    target = share(row.chapter).as_uri() + (f"#{row.anchor}" if row.anchor else "")
    name = title if heading == title else f"{title}: {heading}"
    return _clipped(_plain(part)), f"[{name}]({target})"


@cache
def _sections(chapter: str) -> tuple[str, dict[str, tuple[str, tuple[str, ...]]]]:
    """The title of a chapter, and by its anchor each section: heading, paragraphs, points and rows of tables."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    title = ""
    text = re.sub(r"^```.*?^```$", "", _page(chapter), flags=re.MULTILINE | re.DOTALL)
    for heading, body in re.findall(r"^#+ (.+)\n((?:(?!#+ ).*\n?)*)", text, re.MULTILINE):
        title = title or heading
        # Each point of a list and each row of a table is a part of its own.
        parts = re.split(r"\n\n+|\n(?=- |\|)", body.strip())
        prose = [" ".join(part.split("\n")).removeprefix("- ") for part in parts if part and part[0] != "|"]
        rows = [part.removeprefix("| ").removesuffix(" |").partition(" | ") for part in parts if part.startswith("| `")]
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found[anchor] = (heading, (*prose, *(f"{row[0].strip()}: {row[2].strip()}" for row in rows)))
    return title, found


def _plain(text: str) -> str:
    """A text with only the words of its links, and bars as they are outside of tables."""
    return re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text).replace("\\|", "|")


def _clipped(text: str) -> str:
    """The beginning of a text, up to the end of a sentence if one is near."""
    if len(text) <= LONGEST:
        return text
    part = text[:LONGEST]
    end = part.rfind(". ")
    return part[: end + 1] if end > LONGEST // 2 else f"{part.rstrip()}…"


__all__ = ["JOINING", "about_builtin", "about_word"]
