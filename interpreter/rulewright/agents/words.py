"""The words that name agents, as ``--seats`` takes them: ``random``, ``greedy:score``, ``mcts:1000``."""

from __future__ import annotations

import re

from rulewright import engine
from rulewright.agents.effort import Effort
from rulewright.agents.searcher import MCTS, SEARCHES, Searcher
from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.engine import Agent, Engine

FORMS = (*engine.POLICY_FORMS, *(f"{word}:{form}" for word, form in SEARCHES.items()))
"""The words, each as it is written."""
MOST = 10**9
_AMOUNT = re.compile(r"(\d+)(ms|s|)")


def agent(found_in: Engine, text: str, look: int = 8, noise: int = 10) -> Agent:
    """The agent that a word names; RulesetError if there is none such, with the words that there are."""
    word, _, rest = (part.strip() for part in text.partition(":"))
    if word in SEARCHES:
        return Searcher(word, _effort(word, rest))
    if word in engine.POLICY_WORDS:
        return engine.policy(found_in, text, look, noise)
    known = (*engine.POLICY_WORDS, *SEARCHES)
    raise wrong(f"there is no agent `{word}`", did_you_mean(word, known) or f"write {forms()}")


def forms(*more: str) -> str:
    """All words in a row, after some `more`."""
    each = (*more, *FORMS)
    return f"{', '.join(each[:-1])} or {each[-1]}"


def _effort(word: str, text: str) -> Effort:
    """The effort of a search for a decision."""
    found = _AMOUNT.fullmatch(text)
    example = f"write {word}:1000" + (f", or {word}:50ms for so much time" if word == MCTS else "")
    if found is None:
        said = f"`{text}` is none" if text else "there is none"
        raise wrong(f"the agent `{word}` needs a number of simulations for each decision, and {said}", example)
    number, unit = int(found[1]), found[2]
    if not 1 <= number <= MOST:
        raise wrong(f"`{word}:{text}` cannot think: the number must be from 1 to {MOST}", example)
    return Effort(milliseconds=number * (1000 if unit == "s" else 1)) if unit else Effort(number)


def wrong(message: str, hint: str) -> RulesetError:
    """The error about a word."""
    return RulesetError(Diagnostic(engine.NO_OPTION, message, hint=hint))
