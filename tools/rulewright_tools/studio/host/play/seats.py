"""Players at the seats of a game: people, chance, and agents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.session.game_session import random_pick
from rulewright_tools.studio.host.messages import ErrorCode, Refused
from rulewright_tools.studio.host.play.strength import SECONDS, measured_kind, parts_of
from rulewright_tools.studio.host.play.thinking import Think

PERSON, LINK, RANDOM, FIRST = "person", "link", "random", "first"
"""Words for seats: a person, one who comes by a link, and those that need no search."""

OPPONENT = "middle"
"""The strength of those who play where nothing else is wished."""

AGENTS = ("greedy", "lead", "flat", "mcts", "mo-ismcts", "oos", "alphabeta")
"""The agents that a page may name. Those that read files or start programs are none of them."""


@dataclass(frozen=True, slots=True)
class Picked:
    """An option by number, and the analysis of the agent that has picked it, if it searches."""

    option: int
    thought: rw.playing.PositionAnalysis | None = None


Pick = Callable[["rw.State", int, Think], Picked]
"""Picks an option, given the state of the decision, how many decisions came before, and who lets agents think."""


def kinds_of(game: rw.Game, words: Sequence[str]) -> tuple[str, ...]:
    """The words for all seats: as a page has sent them, or one person against opponents."""
    kinds = tuple(map(kind_word, words)) or (PERSON, *(OPPONENT for _ in game.seats[1:]))
    if len(kinds) != len(game.seats):
        count = f"{len(game.seats)} seats: {', '.join(game.seats)}"
        raise Refused(ErrorCode.PARAMS, f"there are {len(kinds)} players, but the game has {count}")
    return kinds


def kind_word(word: str) -> str:
    """The word for a seat as it is understood; Refused if it is none."""
    strength, agent = parts_of(word)
    if word in (PERSON, RANDOM, FIRST) or (strength and not agent):
        return word
    return measured_kind(strength, agent_word(agent)) if strength else agent_word(agent)


def picks_of(game: rw.Game, kinds: Sequence[str], seed: int) -> dict[str, Pick]:
    """The picks of each seat at which no person sits."""
    found: dict[str, Pick] = {}
    for seat, kind in zip(game.seats, kinds, strict=True):
        agent = parts_of(kind)[1]
        if kind in (FIRST, *SECONDS):
            found[seat] = _first  # a strength becomes an agent before it is to move
        elif kind == RANDOM:
            found[seat] = _random(seed)
        elif kind != PERSON:
            found[seat] = _agent(game, agent_of(game, agent), seed)
    return found


def agent_of(game: rw.Game, word: str) -> rw.playing.Agent:
    """The agent that a word names; Refused if a page may not name it."""
    return lab.agent(game, agent_word(word))


def agent_word(word: str) -> str:
    """The word of an agent as it is understood; Refused if it names one that reads files or starts programs."""
    meant = lab.agents.agent_word(word)
    if meant.name not in AGENTS or meant.file is not None or "," in word or not str(meant).isprintable():
        raise Refused(ErrorCode.PARAMS, f"nobody is called `{word[:40]}`: write {', '.join(words())}")
    return str(meant)


def words() -> list[str]:
    """The words for who or what may play a seat."""
    known = [form for form in lab.agents.FORMS if form.partition(":")[0] in AGENTS and "FILE" not in form]
    return [PERSON, LINK, *SECONDS, RANDOM, FIRST, *known]


def _random(seed: int) -> Pick:
    def pick(state: rw.State, number: int, think: Think) -> Picked:
        assert state.decision is not None
        return Picked(random_pick(seed, number, len(state.decision.options)))

    return pick


def _first(state: rw.State, number: int, think: Think) -> Picked:
    return Picked(0)


def _agent(game: rw.Game, agent: rw.playing.Agent, seed: int) -> Pick:
    search = _search_of(game, agent)

    def pick(state: rw.State, number: int, think: Think) -> Picked:
        assert state.decision is not None
        dice, size = rw.playing.Dice(seed, f"seat, decision {number}"), len(state.decision.options)
        if size == 1:
            return Picked(0)
        if search is None:
            return Picked(game.pick(state, agent, dice))
        found = think(search, state, dice)
        return Picked(found.taken(dice, size), found)

    return pick


def _search_of(game: rw.Game, agent: rw.playing.Agent) -> rw.playing.Search | None:
    """The search of an agent; none if it looks at nothing but the position."""
    try:
        return game.search(agent)
    except rw.RulesetError:
        return None
