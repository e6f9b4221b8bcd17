"""Explanations of words: of the language, of names, and of citations. Markdown, for editors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from rulewright.compiler.symbols.static_types import BUILTINS
from rulewright.data.rulebook import Ruling
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Span
from rulewright.foundation.characters import printable
from rulewright.foundation.resources import share
from rulewright.host.files import read_text
from rulewright.navigation.overlay_changes import changes_of, values_for_counts
from rulewright.navigation.symbol_index import SymbolIndex, head_of, lines_of_clause
from rulewright.navigation.symbols import Declaration, Symbol
from rulewright.navigation.type_inference import TypeInference
from rulewright.syntax import ast, print_type
from rulewright.syntax.lexer.tokens import Token
from rulewright.syntax.parser.expectations import FORMS
from rulewright.syntax.tables.parse_tables import words

_MEANS = re.compile(
    r"[\\`*_\[\]<>&~|$@]"  # emphasis, code, links, pictures, HTML, entities, tables, formulas, addresses of mail
    r"|:(?=//)|(?<=www)\."  # addresses that need no brackets
    r"|^[-+=#](?=[-+=#\s]|$)|(?<=\d)[.)](?=\s|$)",  # the beginnings of lists, headings and rules
    re.IGNORECASE,
)


def prose(text: str) -> str:
    """A text of one line."""
    return _MEANS.sub(r"\\\g<0>", printable(text).strip())


def code(text: str) -> str:
    """A text of one line as code."""
    shown = printable(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    space = " " if len(fence) > 1 or not shown.strip() else ""
    return f"{fence}{space}{shown}{space}{fence}"


def code_block(*lines: str) -> str:
    """Lines of rules."""
    shown = [printable(line) for line in lines]
    fence = "`" * max(3, 1 + max((len(run) for line in shown for run in re.findall("`+", line)), default=0))
    return "\n".join((f"{fence}rulewright", *shown, fence))


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


MOST_PLACES = 8
"""Places that an explanation lists."""


def explain_word(token: Token, clause: Sequence[Token] = (), position: int = 0) -> str:
    """The form of the construct that a word of the language begins, and what its page says about it; nothing for other
    words. `clause` are the words and signs among which it stands, at this position."""
    called = [each.type for each in clause[position + 1 : position + 2]] == ["LPAR"]
    if called and (about := about_builtin(token.value)):
        return about
    form = FORMS.get("FINISH" if token.value.startswith("finish") else token.type)
    begins = position == 0 or token.value not in JOINING
    parts = [code_block(*form.split(" — or: "))] if form is not None and begins else []
    return "\n\n".join(filter(None, [*parts, about_word(token.type, [each.type for each in clause])]))


def explain_symbol(index: SymbolIndex, symbol: Symbol) -> str:
    """The declaration of something, with its comments and what it cites."""
    if symbol.kind == "statement":
        return explain_statement(index, symbol.name)
    places = index.declarations.get(symbol, ())
    if not places:
        return ""
    first = places[0]
    parts = [code_block(*lines_of_clause(index, first.head))]
    if symbol.kind not in ("declaration", "variant", "scenario"):
        holder = symbol.owner if symbol.kind in ("label", "value", "attribute") else ""
        parts.append(f"{first.word} of {code(holder)}" if holder else first.word)
    parts += _type(index, first)
    parts += ["\n".join(map(prose, first.comments))] if first.comments else []
    parts += _for_counts(index, first)
    statements = index.ruleset.statements
    parts += [f"{code(f'@{id}')} {prose(statements[id].statement)}" for id in first.cites if id in statements]
    if symbol.kind == "declaration":
        parts += [f"changed by {prose(one.by)} ({_place(one.span)})" for one in changes_of(index, symbol.name)]
    if len(places) > 1:
        parts.append("also declared: " + ", ".join(_place(one.name) for one in places[1:MOST_PLACES]))
    return "\n\n".join(parts)


def _type(index: SymbolIndex, one: Declaration) -> list[str]:
    """The type of something whose declaration does not say it."""
    if one.symbol.kind not in ("local", "label", "declaration") or one.word in ("zone", "field", "area"):
        return []
    type = TypeInference(index).of_symbol(one.symbol)
    text = print_type(type) if type is not None else ""
    head = head_of(index, one)
    is_shown = f": {text}" in head or f"-> {text}" in head or one.symbol.name == text
    return [f"type {code(text)}"] if text and not is_shown else []


def _for_counts(index: SymbolIndex, one: Declaration) -> list[str]:
    """The value of a parameter for each number of players, where that differs."""
    values = values_for_counts(index, one.node) if isinstance(one.node, ast.Parameter) else {}
    return ["\n".join(f"- {count} players: {code(value)}" for count, value in values.items())] if values else []


def explain_statement(index: SymbolIndex, id: str) -> str:
    """A statement of the rulebook in its own words, the rulings on it, and who cites it."""
    statement = index.ruleset.statements.get(id)
    parts: list[str] = []
    if statement is not None:
        parts.append(f"**{prose(id)}** · {prose(statement.section)} · {prose(statement.kind)}")
        parts.append(prose(statement.statement))
        parts += [f"does not apply: {prose(statement.reason)}"] if not statement.applies else []
    parts += [
        f"**Ruling {prose(r.id)}**: {prose(r.question)}\n\n{prose(r.ruling)}" for r in _rulings(index.ruleset, id)
    ]
    if not parts:
        return ""
    rules, examples = citing(index, id)
    parts.append(count_of(rules, examples))
    listed = [f"- {code(one.symbol.name)} ({one.word}, {_place(one.name)})" for one in (*rules, *examples)]
    parts += ["\n".join(listed[:MOST_PLACES])] if listed else []
    return "\n\n".join(parts)


def citing(index: SymbolIndex, id: str) -> tuple[list[Declaration], list[Declaration]]:
    """The rules and the scenarios that cite a statement."""
    holders = [index.enclosing_declaration(span) for span in index.references(Symbol("statement", id))]
    found = list(dict.fromkeys(one for one in holders if one is not None))
    examples = [one for one in found if one.symbol.kind == "scenario"]
    return [one for one in found if one not in examples], examples


def count_of(rules: list[Declaration], examples: list[Declaration]) -> str:
    """``3 rules and 1 scenario cite this``."""
    sides = [_many(len(rules), "rule"), _many(len(examples), "scenario")]
    one = len(rules) + len(examples) == 1
    return f"{' and '.join(sides)} {'cites' if one else 'cite'} this"


def _many(count: int, word: str) -> str:
    return f"{count or 'no'} {word}{'' if count == 1 else 's'}"


def _rulings(ruleset: Ruleset, id: str) -> list[Ruling]:
    """The rulings that have an id, or cite the statement with it."""
    rulings = ruleset.rulings
    return [r for r in rulings if id == r.id or id in r.cites] if rulings is not None else []


def _place(span: Span) -> str:
    return code(f"{span.file}:{span.line}")
