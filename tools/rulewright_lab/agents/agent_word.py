"""The word of an agent, taken apart. Nothing that it names is looked up or read here.

A program that lets strangers name agents looks up what a word would read, and passes on the word as it was understood.

Lists of agents' words with commas between them, as ``--seats`` takes them.

They are one record of comma-separated values (RFC 4180): a word that has a comma in it, as of a file, stands in double
quotes, and a quote inside of them is doubled.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from io import StringIO

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import NO_OPTION
from rulewright.foundation import dataclass
from rulewright_lab.agents.learnt_player import LEARNT
from rulewright_lab.agents.search_agents import ALPHABETA, FLAT, MAST, MCTS, MULTIPLE_OBSERVERS, OUTCOMES

SEARCHES = (FLAT, MCTS, MULTIPLE_OBSERVERS, OUTCOMES, ALPHABETA)
_RATING = re.compile(r"(.*?)(?:/(\d+))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class AgentWord:
    """``mcts:1000:mast:score/20``, in its parts."""

    name: str
    rest: str = ""
    """The rest of the word of an agent that is no search: a query, a file, a command."""
    amount: str = ""
    """The effort of a search."""
    is_mast: bool = False
    query: str | None = None
    """The query by which a search rates positions; None if it plays to the end."""
    depth: str = ""
    """The answers at random before it is evaluated, if given."""

    @property
    def file(self) -> str | None:
        """The file of what was learnt that it names, perhaps empty; None if it names none."""
        if self.name == LEARNT:
            return self.rest
        word, colon, file = _parts(self.query or "")
        return file if word == LEARNT and colon else None

    def __str__(self) -> str:
        if self.name not in SEARCHES:
            return f"{self.name}:{self.rest}" if self.rest else self.name
        rating = () if self.query is None else (f"{self.query}/{self.depth}" if self.depth else self.query,)
        return ":".join((self.name, self.amount, *((MAST,) if self.is_mast else ()), *rating))


def agent_word(text: str) -> AgentWord:
    """The parts of a word, whatever it is."""
    name, _, rest = _parts(text)
    if name not in SEARCHES:
        return AgentWord(name, rest)
    amount, colon, query = _parts(rest)
    mast = name == MCTS and _parts(query)[0] == MAST
    if mast:
        _, colon, query = _parts(query)
    if not colon or name == ALPHABETA:
        return AgentWord(name, amount=amount, is_mast=mast, query=query if colon else None)
    rating = _RATING.fullmatch(query)
    assert rating is not None
    return AgentWord(name, "", amount, mast, rating[1].strip(), rating[2] or "")


def _parts(text: str) -> tuple[str, str, str]:
    """The parts before and behind the first colon, without blanks around them, and the colon."""
    before, colon, behind = text.partition(":")
    return before.strip(), colon, behind.strip()


def split_words(text: str) -> list[str]:
    """The words of a list; RulesetError if a quote is not closed, or something follows it."""
    try:
        (words,) = csv.reader([text.strip()], skipinitialspace=True, strict=True)
    except (csv.Error, ValueError):
        hint = 'write "learnt:a,b.json",random: quotes around the whole word, none or two inside of them'
        raise RulesetError(
            Diagnostic(NO_OPTION, f"`{text}` is no list of agents: its quotes do not match", hint=hint)
        ) from None
    return [word.strip() for word in words]


def join_words(words: Iterable[str]) -> str:
    """The list of some words, from which :func:`split_words` gives them."""
    line = StringIO()
    csv.writer(line, lineterminator="").writerow(list(words))
    return line.getvalue()
