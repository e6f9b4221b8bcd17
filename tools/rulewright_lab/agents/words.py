"""The words that name agents, as ``--seats`` takes them: ``random``, ``greedy:score``, ``mcts:1000``."""

from __future__ import annotations

import re

from rulewright import engine
from rulewright.diagnostics import Diagnostic, RulesetError, did_you_mean
from rulewright.engine import Agent, Engine
from rulewright.host import text as as_text
from rulewright.host import whole
from rulewright.play import Game
from rulewright.search import Effort, Rating
from rulewright_lab.agents.agent_word import SEARCHES, AgentWord, agent_word
from rulewright_lab.agents.external_agents import PIPE, entry_point_names, external_agent
from rulewright_lab.agents.learnt_player import LEARNT, LearntAgent
from rulewright_lab.agents.search_agents import (
    ALPHABETA,
    FLAT,
    MAST,
    MCTS,
    MULTIPLE_OBSERVERS,
    OUTCOMES,
    AlphaBetaAgent,
    MonteCarloAgent,
    unfit,
)
from rulewright_lab.evaluation.evaluation import Evaluation
from rulewright_lab.evaluation.weights_file import read_evaluation

SEARCH_FORMS = (
    f"{FLAT}:N",
    f"{MCTS}:N",
    f"{MCTS}:N:QUERY",
    f"{MCTS}:N:{MAST}",
    f"{MULTIPLE_OBSERVERS}:N",
    f"{OUTCOMES}:N",
    f"{ALPHABETA}:DEPTH:QUERY",
)
FORMS = (*engine.POLICY_FORMS, f"{LEARNT}:FILE", *SEARCH_FORMS)
"""The words, each as it is written."""
MOST = 10**9
DEEPEST = 99
CUT, LEARNT_CUT = 20, 0
"""After so many answers at random a position is rated, by default: by a query, or by what was learnt."""
MOST_TREES = 64
_TREES = re.compile(r"(\d+)\s*x(.*)")
_AMOUNT = re.compile(r"(\d+)(ms|s|)")


def agent(game: Game, text: str, look: int = 8, noise: int = 10) -> Agent:
    """An agent for a seat, by its word: ``random``, ``greedy:score``, ``mcts:1000``, ``mcts:50ms``, ``learnt:w.json``.

    Words of policies mean the same as for :meth:`rulewright.Game.policy`. ``learnt:weights.json`` looks to the end of
    its turn with weights that `rulewright learn` has found, and ``mcts:1000:learnt:weights.json`` searches with them.
    Agents that search aim at their payoff, with so many simulations for each decision, or for so long. None knows more
    than the player does: what is hidden from them is dealt anew before looking ahead. RulesetError if there is no such
    agent or query, with the words that there are.
    """
    whole("look", look, least=0)
    whole("noise", noise, least=0)
    found_in, meant = game.engine, agent_word(as_text("the policy", text))
    word = meant.name
    if word == ALPHABETA:
        return _deep(found_in, meant)
    if word in SEARCHES:
        if word == OUTCOMES and meant.query is not None:
            raise wrong(f"the agent `{word}` plays to the end, and asks no query", f"write {word}:{meant.amount}")
        trees, amount = _trees(meant.amount) if word == MCTS else (1, meant.amount)
        rating = _rating(found_in, meant) if meant.query is not None else None
        return MonteCarloAgent(word, _effort(word, amount), rating, trees, meant.is_mast)
    if word == LEARNT:
        return LearntAgent(_learnt(found_in, word, meant.rest), noise)
    if word in engine.POLICY_WORDS:
        return engine.policy(found_in, text, look, noise)
    if (outside := external_agent(word, meant.rest)) is not None:
        return outside
    known = (
        *engine.POLICY_WORDS,
        LEARNT,
        FLAT,
        MCTS,
        MULTIPLE_OBSERVERS,
        OUTCOMES,
        ALPHABETA,
        PIPE,
        *entry_point_names(),
    )
    raise wrong(f"there is no agent `{word}`", did_you_mean(word, known) or f"write {forms()}")


def evaluation_of(agent: Agent) -> Evaluation | None:
    """The evaluation that an agent plays with, if it has one from a file."""
    match agent:
        case LearntAgent() | AlphaBetaAgent():
            return agent.evaluation
        case MonteCarloAgent(rating=Rating(evaluation=Evaluation() as evaluation)):
            return evaluation
        case _:
            return None


def forms(*more: str) -> str:
    """All words in a row, after some `more`."""
    each = (*more, *FORMS)
    return f"{', '.join(each[:-1])} or {each[-1]}"


def _trees(text: str) -> tuple[int, str]:
    """The number of trees that stands before an effort, 1 if none does; and the effort."""
    found = _TREES.fullmatch(text)
    if found is None:
        return 1, text
    trees = int(found[1])
    if not 1 <= trees <= MOST_TREES:
        raise wrong(f"`{MCTS}:{text}` cannot think: the number of trees must be from 1 to {MOST_TREES}", "write 4x1000")
    return trees, found[2].strip()


def _effort(word: str, text: str) -> Effort:
    """The effort of a search for a decision."""
    example = f"write {word}:1000, or {word}:50ms for so much time"
    number, unit = _amount(word, text, "a number of simulations for each decision", example, MOST)
    return Effort(milliseconds=number) if unit else Effort(number)


def _deep(found_in: Engine, meant: AgentWord) -> AlphaBetaAgent:
    """An exhaustive search, if it is one for this game."""
    text, query, file = meant.amount, meant.query or "", meant.file
    example = f"write {ALPHABETA}:4:QUERY, or {ALPHABETA}:50ms:QUERY for so much time"
    number, unit = _amount(ALPHABETA, text, "a depth in answers", example, DEEPEST)
    evaluation = None if file is None else _learnt(found_in, f"{ALPHABETA}:{text}:{LEARNT}", file)
    if query and evaluation is None:
        engine.rating_query(found_in, ALPHABETA, query)
    depth, milliseconds = (DEEPEST, number) if unit else (number, 0)
    found = AlphaBetaAgent(depth, milliseconds, query, evaluation)
    if reason := unfit(found_in.program):
        raise wrong(
            f"the agent `{found}` cannot play {found_in.program.title}: {reason}", f"{MCTS}:1000 plays every game"
        )
    return found


def _amount(word: str, text: str, needed: str, example: str, most: int) -> tuple[int, bool]:
    """A number, or milliseconds and true."""
    found = _AMOUNT.fullmatch(text)
    if found is None:
        given = f"`{text}` is none" if text else "there is none"
        raise wrong(f"the agent `{word}` needs {needed}, and {given}", example)
    number, unit = int(found[1]), found[2]
    highest = MOST if unit else most
    if not 1 <= number <= highest:
        raise wrong(f"`{word}:{text}` cannot think: the number must be from 1 to {highest}", example)
    return number * (1000 if unit == "s" else 1), bool(unit)


def _rating(found_in: Engine, meant: AgentWord) -> Rating:
    """A query, and after a stroke how many answers are given at random before it is evaluated."""
    word, query, file = meant.name, meant.query or "", meant.file
    depth = int(meant.depth) if meant.depth else CUT if file is None else LEARNT_CUT
    evaluation = None if file is None else _learnt(found_in, f"{word}:N:{LEARNT}", file)
    if evaluation is None:
        engine.rating_query(found_in, word, query)
    if depth > MOST:
        raise wrong(f"`{query}/{depth}` cannot be asked after {depth} answers: the number must be at most {MOST}", "")
    return Rating(query, depth, evaluation)


def _learnt(found_in: Engine, word: str, file: str) -> Evaluation:
    """The evaluation in a file."""
    if not file:
        hint = f"write {word}:weights.json, with a file that `rulewright learn RULESET -o FILE` writes"
        raise wrong(f"the agent `{word}` needs a file of what was learnt", hint)
    return read_evaluation(found_in, file)


def wrong(message: str, hint: str) -> RulesetError:
    """The error about a word."""
    return RulesetError(Diagnostic(engine.NO_OPTION, message, hint=hint))
