"""Players that are programs: agents, policies, and the seats of a game that they play.

A policy decides by chance or by a preference: a query or value of the rules about one player, such as ``score(p)``.
It tries some options, one answer ahead, and takes one after which the preference is highest. Agents that search
further ahead are made above the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from inspect import signature
from typing import TYPE_CHECKING, Protocol, TypeGuard

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.engine import faults
from rulewright.engine.faults import NO_OPTION
from rulewright.engine.hidden_information.hidden_state import Hidden
from rulewright.engine.hidden_information.worlds.resampling import Deal, deal
from rulewright.engine.kernels import policies as kernel
from rulewright.engine.kernels.arithmetic import lead_of
from rulewright.engine.kernels.vocabulary import Words
from rulewright.engine.native.passes import Passes
from rulewright.engine.native.tiering import LOOKED_AHEAD, EngineName, backend_for
from rulewright.engine.random_numbers import Dice
from rulewright.engine.runtime.machine import OVER, Engine
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.query_calls import declared_queries, find
from rulewright.engine.runtime.simultaneous_node import may_be_secret
from rulewright.engine.states.state import State
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.api_arguments import invalid_argument
from rulewright.host.budgets import MANY, shared_budget
from rulewright.ir.model import NONE, Program, QueryDef

if TYPE_CHECKING:
    from rulewright.engine.native.backend import Backend

RANDOM, GREEDY, LEAD = "random", "greedy", "lead"
DICE = "players with a preference"
"""The name of the numbers that policies draw in a whole game."""
KEPT = 8
"""Searches that are kept from call to call, at most."""

WORDS = RANDOM, GREEDY, LEAD
FORMS = RANDOM, f"{GREEDY}:QUERY", f"{LEAD}:QUERY"
"""The words of policies, and how they are written."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The way in which a seat decides."""

    word: str = RANDOM
    """``random``; ``greedy``: what is best for them; ``lead``: what is best compared with the best other player."""
    query: str = ""
    """The query that rates how well a player stands: of one player, its answer a number or a truth."""
    look: int = 8
    """So many options are tried at most; of more these are chosen at random."""
    noise: int = 10
    """In so many of a hundred decisions they take any option at random."""


def policy(engine: Engine, text: str, look: int = 8, noise: int = 10) -> Policy:
    """The policy that is written ``random``, ``greedy:score`` or ``lead:score``; RulesetError if there is none such."""
    word, colon, query = (part.strip() for part in text.partition(":"))
    if word not in (RANDOM, GREEDY, LEAD):
        hint = did_you_mean(word, (RANDOM, GREEDY, LEAD)) or "write random, greedy:QUERY or lead:QUERY"
        raise _wrong(f"there is no agent `{word}`", hint)
    if word == RANDOM:
        if colon:
            raise _wrong("the policy `random` takes no query", "write it without a query")
        return Policy()
    rating_query(engine, word, query)
    if look < 1 or not 0 <= noise <= 100:
        raise _wrong("a policy tries at least one option, and its noise is from 0 to 100 percent", "")
    return Policy(word, query, look, noise)


def rating_query(engine: Engine, word: str, query: str) -> QueryDef:
    """A query by which an agent rates players; RulesetError if there is none such, with those that there are."""
    rated = rating_queries(engine)
    some = f"this game has {listing(rated)}" if rated else "this game has none: write `measure score(p: Player) = …`"
    if not query:
        raise _wrong(f"the agent `{word}` needs a query of the rules: {word}:QUERY", some)
    found = find(engine, query, rated)
    if not _rates(found):
        raise _wrong(f"`{query}` does not rate a player: it must take one player and give a number", some)
    return found


def rating_queries(engine: Engine) -> dict[str, QueryDef]:
    """The queries that rate a player, measures first: these are meant to be aimed at."""
    rates = {name: query for name, query in declared_queries(engine).items() if _rates(query)}
    return dict(sorted(rates.items(), key=lambda rate: not rate[1].is_measure))


def rated_by(agents: Iterable[object]) -> tuple[str, ...]:
    """The queries that the policies among some agents ask."""
    return tuple(sorted({how.query for how in agents if isinstance(how, Policy) and how.word != RANDOM}))


def _rates(query: QueryDef) -> bool:
    about = [(slot.ty.kind, slot.ty.universe) for slot in query.params]
    return about == [("entity", "Player")] and query.ty.kind in ("int", "bool")


def _wrong(message: str, hint: str) -> RulesetError:
    return RulesetError(Diagnostic(faults.NO_OPTION, message, hint=hint))


class Judge(Protocol):
    """A backend that tries options."""

    def worths(
        self, state: Position, dealt: Deal, tried: Sequence[int], how: Policy, player: int
    ) -> Sequence[float] | None:
        """The worths of options in a world, as :func:`worth_in` finds each; None if that is left to it."""


@shared_budget(MANY)
def pick(state: Position, how: Policy, dice: Dice, judge: Judge | None = None) -> int:
    """The number of the option that a policy takes; a judge tries what it would try.

    The look ahead knows no more than the player does. What they do not see is dealt anew before they try their options,
    see `resampling`, hidden values each by itself; so players who have seen the same decide alike. Chance is not looked
    through, the position before it is judged; and a secret answer is given at random, for behind it lie the answers of
    the others. A game that would be won is better than any other, one that would be lost is worse. Among equals chance
    decides.
    """
    options = state.answers()
    if len(options) == 1:
        return 0
    question, player = state.question, state.seat
    assert question is not None
    assert player is not None
    secret = may_be_secret(state.engine, question.function, question.instr)
    if how.word == RANDOM or secret or dice.below(100) < how.noise:
        return dice.below(len(options))
    tried = Words(0)
    tried += dice.some(len(options), how.look)  # as the kernel does it, but for its cache
    if len(tried) == 1:
        return tried[0]
    hidden = Hidden(state, player)
    dealt = deal(hidden, hidden.places, dice)
    worths = judge.worths(state, dealt, tried, how, player) if judge is not None else None
    if worths is None:
        worths = [worth_in(state, dealt, options[number], how, player) for number in tried]
    return kernel.one_of_the_best(dice, tried, worths, len(tried))


def worth_in(state: Position, dealt: Deal, answer: tuple[int, bool], how: Policy, player: int) -> float:
    """A player's standing after an answer, in a world that was dealt."""
    engine, question = state.engine, state.question
    assert question is not None
    C, S, R = list(dealt.cells), list(dealt.stack), engine.registers(state.base)
    value, extra = answer
    if extra:
        block = question.extras[value]
    else:
        hidden = question.instr.universe == "Piece"  # they may have to take a card from a hand they do not see
        S[state.base + question.into] = dealt.instead.get(value, value) if hidden else value
        block = question.after
    layout = engine.layout
    try:
        status = engine.run(C, S, R, block)
        function = engine.compiled.query(how.query)
        players = layout.sizes["Player"] if how.word == LEAD else 0
        rates = [float(engine.call(function, C, p, memory=R.memo)) for p in (range(players) if players else (player,))]
    except RulesetError:  # in the true position it would have gone well, or the rules will fail when it is taken
        return NONE - kernel.WON
    standing = lead_of(rates, players, player) if players else rates[0]
    outcome = 0 if status != OVER else 1 if C[layout.rank + player] == 1 else -1
    return outcome * kernel.WON + standing


Choice = Callable[[State, Dice], int]
"""Chooses an option, by its number, of a state in which a player decides. It must follow from what they know, and from
the dice."""


class PreparedAgent(Protocol):
    """An agent that has something to prepare for a game."""

    def begin(self, program: Program, wanted: EngineName, passes: Passes) -> Choice:
        """The way in which it chooses in games of a program; one game at a time."""


Agent = Policy | PreparedAgent


def is_agent(one: object) -> bool:
    """True if it can decide for a seat: a policy, or something that begins as a :class:`PreparedAgent` does."""
    if isinstance(one, Policy):
        return True
    try:
        signature(one.begin).bind(None, None, None)  # type: ignore[attr-defined]
    except (AttributeError, TypeError, ValueError):
        return False
    return True


def are_policies(agents: Sequence[Agent]) -> TypeGuard[Sequence[Policy]]:
    """True if none of them prepares anything."""
    return all(isinstance(one, Policy) for one in agents)


def needs_log(agent: Agent) -> bool:
    """True if it goes by what its seat remembers, too: it has an attribute of this name. Then it is given states
    with their log, which costs time."""
    return bool(getattr(agent, "needs_log", False))


def choice_of(agent: Agent, program: Program, wanted: EngineName, passes: Passes, judge: Judge | None) -> Choice | None:
    """The way in which an agent chooses; None if it takes any option.

    What an agent thinks is not paid from what the game may spend: it runs under the limits that are in force here.
    """
    if isinstance(agent, Policy):
        return None if agent.word == RANDOM else lambda state, dice: pick(state, agent, dice, judge)
    choice, outside = agent.begin(program, wanted, passes), copy_context()
    return lambda state, dice: outside.run(choice, state, dice)


@contextmanager
def pooled_choice(agent: PreparedAgent, engine: Engine, wanted: EngineName, passes: Passes) -> Iterator[Choice]:
    """The way in which an agent that is no :class:`Policy` chooses. Searches are kept from call to call, for what they
    lay out serves all positions; meanwhile no other thread has it."""
    kept: dict[tuple[int, EngineName], tuple[Agent, Choice]] = engine.cache("searches")
    choice = kept.pop((id(agent), wanted), (agent, None))[1] or agent.begin(engine.program, wanted, passes)
    yield choice
    if hasattr(choice, "analyse"):
        if len(kept) >= KEPT:
            kept.clear()
        kept[id(agent), wanted] = agent, choice  # an agent that is kept keeps its identity


def each_seat(agents: Sequence[Agent], players: int) -> tuple[Agent, ...]:
    """The agent of each seat, if one is given for all or one for each; none if all decide at random."""
    if agents == ():
        return ()  # of many games none is given
    if not isinstance(agents, Sequence) or not all(map(is_agent, agents)):
        raise invalid_argument("the policies", agents, "they are a list of what `game.policy` gives")
    if len(agents) not in (0, 1, players):
        message = f"{len(agents)} policies for {players} players: give one for all, or one for each seat"
        raise RulesetError(Diagnostic(NO_OPTION, message))
    each = tuple(agents) * (players if len(agents) == 1 else 1)
    return () if are_policies(each) and all(policy.word == RANDOM for policy in each) else each


def backend_of(
    program: Program, wanted: EngineName, games: int, agents: Sequence[Agent], check: bool, passes: Passes
) -> Backend | None:
    """The backend for some more games in which seats decide so, if it is of use; with `check` what the rules assert is
    looked at."""
    rated = rated_by(agents)
    if rated:  # what is asserted, the Python backend looks at then
        return backend_for(program, wanted, LOOKED_AHEAD * games, False, passes, rated)
    return backend_for(program, wanted, games, check, passes)
