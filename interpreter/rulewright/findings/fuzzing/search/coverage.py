"""Coverage: the rules that were used, and those that were used together in one turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, compress
from operator import gt

from rulewright.compiler.rule_flow import RuleFlow
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import with_callees


def turn_of(program: m.Program) -> str:
    """The procedure that counts as one turn: what the manifest calls a move, else the outermost procedure of a player.

    Empty if there is none.
    """
    if program.move:
        return program.move
    for name, function in with_callees(program.functions, (program.main,)).items():
        params = function.slots[: function.params]
        if function.word == "procedure" and len(params) == 1 and params[0].ty.universe == "Player":
            return name
    return ""


class TurnUses:
    """Notes the rules that are used turn by turn."""

    def __init__(self, names: Sequence[str], fired: Sequence[int]) -> None:
        """The names of the rules, and for each how often it was used, which grows."""
        self._names, self._fired, self._before, self._first = names, fired, list(fired), list(fired)

    def _since(self, before: Sequence[int]) -> frozenset[str]:
        return frozenset(compress(self._names, map(gt, self._fired, before)))

    @property
    def used(self) -> frozenset[str]:
        """The rules that were used in any turn."""
        return self._since(self._first)

    def close(self) -> frozenset[str]:
        """The rules that were used in the turn; a new one begins."""
        used, self._before = self._since(self._before), list(self._fired)
        return used


Pair = tuple[str, str]

Answer = tuple[str, str]
"""A decision, and the key of an option that was taken."""


@dataclass(slots=True)
class Reached:
    """The sets of rules that were used in turns, with how many turns, and answers; may be joined in any order."""

    turns: Counter[frozenset[str]] = field(default_factory=Counter)
    answers: Counter[Answer] = field(default_factory=Counter)
    """The number of times each answer was given, of decisions between few options."""

    def add(self, rules: Iterable[str]) -> None:
        """These rules were used in one turn."""
        self.turns[frozenset(rules)] += 1

    def join(self, other: Reached) -> None:
        """Add what another has reached."""
        self.turns.update(other.turns)
        self.answers.update(other.answers)

    def copy(self) -> Reached:
        """A copy of what is reached now, to be kept while this one grows."""
        return Reached(Counter(self.turns), Counter(self.answers))

    @property
    def rules(self) -> Counter[str]:
        """In how many turns each rule was used."""
        found: Counter[str] = Counter()
        for rules, times in self.turns.items():
            for rule in rules:
                found[rule] += times
        return found

    @property
    def pairs(self) -> Counter[Pair]:
        """In how many turns each two rules (in alphabetical order) were both used."""
        found: Counter[Pair] = Counter()
        for rules, times in self.turns.items():
            for pair in pairs_of(rules):
                found[pair] += times
        return found


def pairs_of(rules: Iterable[str]) -> Iterable[Pair]:
    """All two of some rules, each in alphabetical order."""
    return combinations(sorted(rules), 2)


@dataclass(slots=True)
class Possible:
    """All that could be reached in some of the games that are played: whatever is not possible is not missed."""

    rules: set[str] = field(default_factory=set)
    """Rules that a turn can use."""
    idle: set[str] = field(default_factory=set)
    """The rules that parameters of other values would bring into play."""
    pairs: set[Pair] = field(default_factory=set)
    """Two rules that one turn can use."""
    apart: dict[Pair, str] = field(default_factory=dict)
    """Two rules that no turn can use both, with the reason."""

    def add(self, flow: RuleFlow, names: Sequence[str]) -> frozenset[str]:
        """Add what is possible in a game; the rules that its turns can use."""
        turn = turn_of(flow.program)
        here = in_turns(flow.program, names, turn)
        usable = [name for name in here if name in flow.usable]
        together = flow.together(turn)
        self.rules.update(usable)
        self.idle = (self.idle | set(here)) - self.rules
        for pair in pairs_of(usable):
            one, other = pair
            if other in together[one] or one in together[other]:
                self.pairs.add(pair)
                self.apart.pop(pair, None)
            elif pair not in self.pairs:
                self.apart.setdefault(pair, flow.why_apart(one, other))
        return frozenset(usable)


def in_turns(program: m.Program, names: Sequence[str], turn: str) -> tuple[str, ...]:
    """The rules that a turn calls, or that happen by themselves.

    The procedure of the turn itself is left out: it is used in each.
    """
    by_themselves = [f.name for f in program.functions if f.word in ("consequence", "end")]
    used = with_callees(program.functions, (*by_themselves, turn or program.main))
    return tuple(name for name in names if name != turn and name.split(".")[0] in used)
