"""The word of an agent, taken apart. Nothing that it names is looked up or read here.

Whoever lets strangers name agents asks what a word would read, and passes on the word as it was understood.
"""

from __future__ import annotations

import re

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
    """The answers at random before it is asked, if that is said."""

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
