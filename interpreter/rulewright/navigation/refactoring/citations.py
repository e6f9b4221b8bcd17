"""Citing: statements that may fit a clause, and clauses that may fit a statement, best first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log

from rulewright.diagnostics import Edit, Span
from rulewright.foundation.characters import printable
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.refactoring.proposals import RULES, Proposal
from rulewright.navigation.selection import nodes_around, whole_of
from rulewright.navigation.symbol_index import SymbolIndex
from rulewright.navigation.symbols import Declaration
from rulewright.syntax import ast

MOST = 3
"""Proposals for one place."""
LONGEST = 60
"""Characters of a statement in a title."""
_WORD = re.compile(r"[^\W\d_]{3,}")


def cite_here(index: SymbolIndex, file: FileSymbols, line: int, column: int) -> list[Proposal]:
    """Citations for the clause at a position."""
    around = nodes_around(file, line, column)
    clauses = [(node, span) for node, span in around if isinstance(node, ast.Clause)]
    if not clauses or not isinstance(around[0][0], (*RULES, ast.Scenario)):
        return []
    clause = clauses[-1][0]
    assert isinstance(clause, ast.Clause)
    held = set(clause.trivia.cites)
    words = _words_of(file, clauses[0][1] if clause is clauses[0][0] else clause.span)
    known = [s for s in index.ruleset.statements.values() if s.counted and s.id not in held]
    best = _best(words, {s.id: Counter(_stems(s.statement)) for s in known})
    texts = {id: _clipped(index.ruleset.statements[id].statement) for id in best}
    return [Proposal(f"Cite @{id}: {texts[id]}", (_citing(file, clause.span.end_line, id),)) for id in best]


def cite_statement(index: SymbolIndex, id: str) -> list[Proposal]:
    """Clauses of rules that a statement of the rulebook may be about, with the statement cited there."""
    statement = index.ruleset.statements.get(id)
    if statement is None:
        return []
    own = {source.path for source in index.ruleset.of_role("rules")}
    places: dict[str, tuple[FileSymbols, Declaration]] = {}
    words: dict[str, Counter[str]] = {}
    for file in index.files.values():
        for one in file.declared:
            rule = file.path in own and isinstance(one.node, RULES) and one.symbol.kind == "declaration"
            if rule and id not in one.cites:
                key = f"{one.symbol.name}:{one.name.line}"
                places[key] = file, one
                words[key] = _words_of(file, whole_of(one.node, file.path))
    best = _best(Counter(_stems(statement.statement)), words)
    return [
        Proposal(
            f"Cite @{id} in {places[key][1].word} `{places[key][1].symbol.name}`",
            (_citing(places[key][0], places[key][1].head.end_line, id),),
        )
        for key in best
    ]


def _citing(file: FileSymbols, line: int, id: str) -> Edit:
    """The edit that adds a citation to a line, before a comment that stands there."""
    text = file.text.replace("\r\n", "\n").split("\n")[line - 1]
    comment = next((t for t in file.words.trivia if t.type == "COMMENT" and t.line == line), None)
    before = text[: comment.column - 1] if comment is not None else text
    kept = before.rstrip()
    gap = " " if any(t.type == "CITE" and t.line == line for t in file.words.trivia) else "  "
    behind = "  " if comment is not None else ""
    return Edit(Span(file.path, line, len(kept) + 1, line, len(before) + 1), f"{gap}@{id}{behind}")


def _words_of(file: FileSymbols, span: Span) -> Counter[str]:
    tokens = [t for t in file.words.within(span) if t.type in ("NAME", "TYPE", "COMMENT")]
    return Counter(stem for token in tokens for stem in _stems(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", token.value)))


def _stems(text: str) -> Iterable[str]:
    """The words of a text without their endings, as far as that is simple."""
    for word in _WORD.findall(text.replace("_", " ").lower()):
        yield re.sub(r"(?:ies|es|s|ed|ing)\Z", "", word) if len(word) > 4 else word


def _best(words: Counter[str], of: dict[str, Counter[str]]) -> Sequence[str]:
    """The entries with the most words in common with some: rare words count more, long texts less."""
    occurring = Counter(word for one in of.values() for word in one)
    worth = {word: log(1 + len(of) / count) for word, count in occurring.items()}

    def fit(key: str) -> float:
        common = sum(worth[word] for word in words if word in of[key])
        return common / (sum(worth[word] for word in of[key]) or 1) ** 0.5

    fits = {key: fit(key) for key in of}
    return [key for key in sorted(of, key=lambda key: -fits[key])[:MOST] if fits[key] > 0]


def _clipped(text: str) -> str:
    text = printable(text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"
