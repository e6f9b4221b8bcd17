"""Words for all that an experiment can measure: ``wins``, ``points after turn``, ``drama(points)``, ``luck``.

Names of measures and queries select: if there are any, only those are compared. All else is measured only on request,
as games have to be looked at answer by answer for it, or more games to be played, and comes on top.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from rulewright.foundation import dataclass
from rulewright_lab.agents.agent_word import split_words
from rulewright_lab.agents.words import wrong

DRAMA, SKILL, LUCK, TREE, ANSWERS, USES, USED = "drama", "skill", "luck", "tree", "answers", "uses", "used"
TIME = "time"
TURNS, DEAD_TURNS = "turns", "dead_turns"
ROWS = "rows of games"
"""For the engine: tables of games are written, so how each has ended is kept."""
FORMS = (
    "QUERY after RULE",
    f"{DRAMA}(QUERY)",
    f"{DRAMA}(mcts:100 every 5)",
    f"{SKILL}(mcts:1000, mcts:10, random)",
    LUCK,
    TREE,
    ANSWERS,
    USES,
    USED,
    TURNS,
    TIME,
)
"""The words of what is measured only on request, each as it is written."""
ROUNDS = 50
"""Rounds of a tournament, by default."""
_AFTER = re.compile(r"\s*(\S(?:.*\S)?)\s+after\s+(\S+)\s*")
_DRAMA = re.compile(rf"\s*{DRAMA}\s*\(\s*(\S.*?)(?:\s+every\s+(\d+))?\s*\)\s*")
_SKILL = re.compile(rf"\s*{SKILL}\s*\((.+)\)(?:\s+in\s+(\d+)\s+rounds?)?\s*")


@dataclass(frozen=True, slots=True)
class Curve:
    """A query that is evaluated each time that a rule has been used and is over."""

    query: str
    rule: str

    def __str__(self) -> str:
        return f"{self.query} after {self.rule}"


@dataclass(frozen=True, slots=True)
class Standing:
    """A measure of how well the seats stand: a query about a player, or what a search thinks of their chances, at each
    decision or every so many."""

    word: str
    every: int = 1

    @property
    def searches(self) -> bool:
        """True if it is the word of an agent."""
        return ":" in self.word

    def __str__(self) -> str:
        return f"{self.word} every {self.every}" if self.every > 1 else self.word


@dataclass(frozen=True, slots=True)
class Contest:
    """Agents whose ratings show how much skill decides, the strongest first."""

    agents: tuple[str, ...]
    rounds: int = ROUNDS

    def __str__(self) -> str:
        return ", ".join(self.agents)


@dataclass(frozen=True, slots=True)
class Wanted:
    """All of it."""

    names: tuple[str, ...] = ()
    """Names or families of measures, and queries: if there are any, only these are compared."""
    uses: tuple[str, ...] = ()
    """``uses`` and ``used``, or these of a rule."""
    curves: tuple[Curve, ...] = ()
    standings: tuple[Standing, ...] = ()
    contests: tuple[Contest, ...] = ()
    luck: bool = False
    tree: bool = False
    answers: bool = False
    turns: bool = False
    time: bool = False
    rows: bool = False

    @staticmethod
    def read(words: Iterable[str]) -> Wanted:
        """The meaning of words; RulesetError if one is not written as it must be."""
        names, uses = list[str](), list[str]()
        curves, standings, contests, flags = list[Curve](), list[Standing](), list[Contest](), set[str]()
        for word in words:
            text = word.strip()
            head = text.partition("(")[0].strip()
            if text in (LUCK, TREE, ANSWERS, TURNS, TIME, ROWS):
                flags.add(text)
            elif head in (USES, USED):
                uses.append(text)
            elif head == DRAMA:
                standings.append(_standing(text))
            elif head == SKILL:
                contests.append(_contest(text))
            elif found := _AFTER.fullmatch(text):
                curves.append(Curve(found[1], found[2]))
            else:
                names.append(text)
        return Wanted(
            _once(names),
            _once(uses),
            _once(curves),
            _once(standings),
            _once(contests),
            LUCK in flags,
            TREE in flags,
            ANSWERS in flags,
            TURNS in flags,
            TIME in flags,
            ROWS in flags,
        )

    def of(self, recorded: int) -> Wanted:
        """All of it that can be found of an arm: of games that were played before nothing that needs others."""
        return replace(self, contests=(), luck=False, tree=False, time=False) if recorded else self

    @property
    def besides(self) -> tuple[str, ...]:
        """All that is no measure of single games by name, as words that have one form each."""
        flags = (
            (LUCK, self.luck),
            (TREE, self.tree),
            (ANSWERS, self.answers),
            (TURNS, self.turns),
            (TIME, self.time),
            (ROWS, self.rows),
        )
        return (
            *map(str, self.curves),
            *(f"{DRAMA}({one})" for one in self.standings),
            *(f"{SKILL}({one}) in {one.rounds} rounds" for one in self.contests),
            *(name for name, wanted in flags if wanted),
        )

    @property
    def looks_at_games(self) -> bool:
        """True if something is found out about games one by one."""
        return self.observes or bool(self.contests) or self.luck or self.tree

    @property
    def observes(self) -> bool:
        """True if games have to be looked at answer by answer."""
        return bool(self.curves or self.standings or self.answers or self.turns)


_T = TypeVar("_T")


def _once(found: list[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(found))


def _standing(text: str) -> Standing:
    found = _DRAMA.fullmatch(text)
    if found is None or found[2] == "0":
        hint = f"write {DRAMA}(QUERY), with a query about a player, or {DRAMA}(mcts:100 every 5)"
        raise wrong(f"`{text}` does not say how well players stand", hint)
    return Standing(found[1], int(found[2] or 1))


def _contest(text: str) -> Contest:
    found = _SKILL.fullmatch(text)
    agents = split_words(found[1]) if found else []
    rounds = int(found[2] or ROUNDS) if found else 0
    if len(agents) < 2 or not all(agents) or len(set(agents)) < len(agents) or rounds < 1:
        hint = (
            f"write {SKILL}(mcts:1000, mcts:10, random), the strongest first, or {SKILL}(mcts:50, random) in 20 rounds"
        )
        raise wrong(f"`{text}` does not name two or more different agents", hint)
    return Contest(tuple(agents), rounds)
