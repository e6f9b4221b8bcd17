"""The tables for reading texts: the pattern of tokens, and the actions of the parser for each of them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from sys import intern
from typing import Any, Literal, NamedTuple, TypeVar, get_args

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.resources import share
from rulewright.host import disk_cache
from rulewright.syntax.ast.expressions import SumOp, TermOp

_FORM = 2
"""To be raised when the form of the tables changes."""
_KEPT = 4
"""So many tables are kept: those of the latest versions of the grammar and of lark."""

BUILT_IN = "tables.json"
"""The file beside the grammar with the tables that were made when the package was built."""

Tables = TypeVar("Tables")


def stored(make: Callable[[], dict[str, Any]], use: Callable[[dict[str, Any]], Tables], grammar: str) -> Tables:
    """The tables that `use` makes of the result of `make` for a grammar, computed now or earlier."""
    with suppress(Exception):  # whatever is wrong with tables that were kept, new ones cannot have
        built_in = json.loads((share("grammar") / BUILT_IN).read_text("utf-8"))
        if built_in["key"] == disk_cache.digest(str(_FORM), grammar):
            return use(built_in["tables"])
    key = disk_cache.digest(str(_FORM), lark_digest(), grammar)
    found = disk_cache.read("grammar", key)
    if found is not None:
        with suppress(Exception):
            return use(found)
    made = make()
    disk_cache.keep("grammar", key, made, _KEPT)
    return use(made)


def built_in_text(tables: dict[str, Any], grammar: str) -> str:
    """The text of the file with the tables of a grammar that a package contains."""
    return json.dumps({"key": disk_cache.digest(str(_FORM), grammar), "tables": tables}, separators=(",", ":"))


def write_built_in(folder: Path) -> None:
    """Write that file; nothing depends on it, so a folder that cannot be written to is no failure."""
    grammar = grammar_text()
    with suppress(OSError):
        (folder / BUILT_IN).write_text(built_in_text(made(grammar), grammar), "utf-8")


def lark_digest() -> str:
    """The hash of the file with the version of lark: importing lark takes longer than reading a small ruleset."""
    found = find_spec("lark")
    with suppress(OSError):
        if found is not None and found.origin is not None:
            return hashlib.sha256(Path(found.origin).read_bytes()).hexdigest()
    return ""


START = "start"
EXPRESSION = "expression"

TRIVIA = ("CITE", "COMMENT", "NEWLINE")
"""Tokens that never reach the parser."""
ALWAYS_WRONG = ("TAB", "SAME", "DIFFERENT", "MISCASED", "MALFORMED", "UNTERMINATED", "STRANGE")
"""Tokens that exist for the sake of a message."""


CONTEXTUAL = frozenset((
    "ACROSS", "ADD", "ALWAYS", "AREA", "BECAUSE", "BECOMES", "BEFORE", "BEGINS", "CHOOSE", "CONSEQUENCE",
    "DESCENDING", "DIE", "DRAW", "DURING", "EDGE", "EDGES", "EFFECT", "END", "ENUM", "EXCLUDES", "FACED", "FIELD",
    "FLIP", "GAME", "GIVEN", "GRID", "INVARIANT", "LAST", "LASTING", "LIMITS", "MAP", "MEASURE", "MERGE", "MERGED",
    "MOVE", "NAMED", "OFFERED", "OPEN", "OPTION", "PARAM", "PARTY", "PAYOFF", "PIECE", "PRECEDENCE", "PROCEDURE",
    "PROPERTY", "PUT", "QUERY", "REACTION", "REFUSED", "REMOVE", "REPLACE", "REWARD", "ROLLS", "SCENARIO", "SEATED",
    "SET", "SHOW", "SIDES", "SINGLE", "START", "STEP", "TELLS", "TIMES", "UNCHANGED", "VALUE", "VARIANT", "WINS",
    "WITHIN", "WITNESS", "ZONE",
))  # fmt: skip
"""Words that begin a clause or stand at one place of a head: wherever else a name can stand, they are names."""


class Kept(NamedTuple):
    """A symbol of a rule that becomes a child of its tree."""

    place: int
    """The index in the rule, from 0."""
    inlined: bool
    """True if not the symbol itself becomes a child, but all its children."""
    left_out: int
    """The number of optional symbols that were left out before it."""


class Rule(NamedTuple):
    """A rule of the grammar."""

    origin: str
    """The symbol that it makes."""
    size: int
    """The number of symbols that it reduces."""
    name: str
    """The name of the tree."""
    inlined: bool
    """True if it has no tree of its own: its children become those of another tree."""
    single: bool
    """True if it has no tree of its own when there is only one child: then that child stands for it."""
    kept: tuple[Kept, ...]
    left_out: int
    """The number of optional symbols that were left out after all others."""

    @property
    def is_unit(self) -> bool:
        """True if it only takes one thing for another."""
        return self.single and self.size == 1 and self.kept == (Kept(0, False, 0),) and not self.left_out


@dataclass(frozen=True, slots=True)
class ScannerTables:
    """One pattern for all tokens, and the meaning of its groups."""

    pattern: re.Pattern[str]
    types: tuple[str | None, ...]
    """The type of the tokens of each group; None: their text gives it."""
    texts: dict[str, str]
    """The types of such texts, with single blanks."""
    reserved: dict[str, dict[str, str]]
    """The words among the tokens of a type that have types of their own."""


@dataclass(frozen=True, slots=True)
class ParseTables:
    """All tables that are made from the grammar."""

    words: dict[str, str]
    scanner: ScannerTables
    rules: tuple[Rule, ...]
    rows: tuple[dict[str, int], ...]
    """The action of each state for each symbol: 1 + n goes to the state n, -1 - n reduces by the rule n."""
    starts: dict[str, tuple[int, int]]
    """The first and the last state of each start rule."""


def grammar_text() -> str:
    """The text of ``grammar/rules.lark``."""
    return (share("grammar") / "rules.lark").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def tables() -> ParseTables:
    """The tables of the one grammar."""
    grammar = grammar_text()
    return stored(partial(made, grammar), tables_from_json, grammar)


def made(grammar: str) -> dict[str, Any]:
    """The tables of a grammar, as they are stored."""
    from rulewright.syntax.tables.grammar import make_tables

    return make_tables(grammar, (START, EXPRESSION), (*TRIVIA, *ALWAYS_WRONG))


def tables_from_json(held: dict[str, Any]) -> ParseTables:
    """The tables, from the result of :mod:`rulewright.syntax.tables.grammar`."""
    scanner = held["scanner"]
    symbols = [intern(symbol) for symbol in held["symbols"]]
    return ParseTables(
        words=held["words"],
        scanner=ScannerTables(
            pattern=re.compile(scanner["pattern"]),
            types=tuple(None if name is None else intern(name) for name in scanner["types"]),
            texts=_interned(scanner["texts"]),
            reserved={name: _interned(texts) for name, texts in scanner["reserved"].items()},
        ),
        rules=tuple(_rule(*rule) for rule in held["rules"]),
        rows=tuple(dict(zip([symbols[n] for n in row[::2]], row[1::2], strict=True)) for row in held["rows"]),
        starts={name: (first, last) for name, (first, last) in held["starts"].items()},
    )


def _rule(
    origin: str, size: int, name: str, inlined: bool, single: bool, kept: list[tuple[int, bool, int]], left_out: int
) -> Rule:
    return Rule(intern(origin), size, intern(name), inlined, single, tuple(Kept(*one) for one in kept), left_out)


def _interned(types: dict[str, str]) -> dict[str, str]:
    """Intern types: they are looked up and compared often, which is faster if equal ones are identical."""
    return {text: intern(name) for text, name in types.items()}


def words() -> dict[str, str]:
    """The text of each token that always looks the same: ``FORBID`` -> ``forbid``, ``COLON`` -> ``:``."""
    return tables().words


@lru_cache(maxsize=1)
def keywords() -> dict[str, str]:
    """The words of the language and their tokens: ``forbid`` -> ``FORBID``."""
    return {word: name for name, word in sorted(words().items()) if word.isalpha()}


@lru_cache(maxsize=1)
def reserved_words() -> frozenset[str]:
    """The words that cannot be names."""
    return frozenset(word for word, name in keywords().items() if name not in CONTEXTUAL)


INFIX = frozenset((
    "AND", "OR", "IS", "IS_A", "IS_NOT_A", "LESS", "MORE", "AT_MOST_SIGN", "AT_LEAST_SIGN", "STAR", "SLASH", "VBAR",
    *(op.upper().replace(" ", "_") for op in get_args(Literal[SumOp, TermOp]) if op[0].isalpha()),
))  # fmt: skip
"""The operators that stand between two values, and with which no line begins."""
