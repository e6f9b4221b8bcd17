"""The first decision at which two games differ that begin with the same seed and get the same answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.engine import NOT_AMONG, Agent, Dice, State, each_seat, outcome
from rulewright.play import Game, story

GAMES = 20
"""So many games are compared."""

MOST = 2_000
"""Decisions of a game that are compared."""

LINES = 12
"""Lines about the moves before."""

VALUES = 6
"""Values that differ, at most."""

OPTIONS = 12
"""Options that are listed one by one."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """The moment at which two games part."""

    players: int
    seed: int
    decisions: int
    """Answers of players that both have in common."""
    before: tuple[str, ...]
    """The last lines of what has happened up to here."""
    values: tuple[str, ...]
    """Values that differ already: ``points[red] is 3, now 4``."""
    old: tuple[str, ...]
    """The question in the one game, and why it does not offer what the other offers."""
    new: tuple[str, ...]


def first_divergence(
    old: Game, new: Game, seed: int = 0, games: int = GAMES, agents: Sequence[Agent] = ()
) -> Divergence | None:
    """Of some games with equal seeds and equal answers that which parts first; None if all are the same.

    The answers are random, or those that agents give in the first game: one for all seats, or one for each.
    """
    each = each_seat(agents, old.players)
    found: Divergence | None = None
    for number in range(seed, seed + games):
        one = _played(old, new, number, MOST if found is None else found.decisions, each)
        found = one or found
    return found


def _played(old: Game, new: Game, seed: int, most: int, agents: Sequence[Agent]) -> Divergence | None:
    dice = Dice(seed, "answers to both games")
    ours, theirs = _State.begun(old, seed), _State.begun(new, seed)
    for decisions in range(most):
        if ours.question != theirs.question:
            state = ours.state
            before = () if state is None else tuple(line.text for line in story(old, state, None))
            return Divergence(
                old.players, seed, decisions, before[-LINES:], tuple(ours.differing(theirs)),
                tuple(ours.differences(theirs)), tuple(theirs.differences(ours)),
            )  # fmt: skip
        if not ours.keys:
            return None
        key = _answer(old, ours, agents, dice)
        ours, theirs = ours.answered(key), theirs.answered(key)
    return None


def _answer(game: Game, ours: _State, agents: Sequence[Agent], dice: Dice) -> str:
    """The key of the answer to both games."""
    state = ours.state
    if not agents or state is None or state.decision is None or state.seat is None:
        return ours.keys[dice.below(len(ours.keys))]
    return state.decision.options[game.pick(state, agents[state.seat], dice)].key


@dataclass(frozen=True, slots=True)
class _State:
    """One of the two games at rest, or the error with which it has stopped."""

    state: State | None
    error: str = ""

    @staticmethod
    def begun(game: Game, seed: int) -> _State:
        try:
            return _State(game.start(seed))
        except RulesetError as error:
            return _State(None, str(error))

    def answered(self, key: str) -> _State:
        assert self.state is not None
        try:
            return _State(self.state.choose(key))
        except RulesetError as error:
            return _State(None, str(error))

    @property
    def keys(self) -> list[str]:
        """The keys of what is offered, in an order that both games have."""
        decision = self.state.decision if self.state is not None else None
        return sorted(option.key for option in decision.options) if decision is not None else []

    @property
    def question(self) -> tuple[object, ...]:
        """All that a player sees of the question, or how it ended."""
        if self.state is None:
            return ("error", self.error)
        decision, result = self.state.decision, self.state.result
        if decision is None:
            return ("over", *((result.standings, result.drawn, result.payoffs) if result is not None else ()))
        return (decision.who, decision.name, *self.keys)

    def differing(self, other: _State) -> Iterator[str]:
        """The first values of fields and zones that differ."""
        if self.state is not None and other.state is not None:
            yield from differing_values(self.state.view(None), other.state.view(None))

    def differences(self, other: _State) -> Iterator[str]:
        """The question in words, and why the other game's options are missing here."""
        if self.state is None:
            yield f"the rules stop: {self.error}"
            return
        decision, result = self.state.decision, self.state.result
        if decision is None:
            ended = f"{outcome(result)} by `{result.rule}`" if result is not None else "without a result"
            paid = f", payoffs {', '.join(map(str, result.payoffs))}" if result is not None else ""
            yield f"the game is over: {ended}{paid}"
            return
        alike = other.question[:2] == self.question[:2]
        yield f"{decision.who} is asked for {decision.name}: {self._offered(other.keys if alike else [])}"
        if not alike:
            return
        for key in other.keys:
            if key not in self.keys:
                reasons = [r.label for r in self.state.why_not(key, None).reasons if r.label != NOT_AMONG]
                if reasons:
                    yield f"{key} is refused because {' and '.join(reasons)}"

    def _offered(self, others: Sequence[str]) -> str:
        """The options in words; of many what the other game does not offer at the same question."""
        if len(self.keys) <= OPTIONS:
            return ", ".join(self.keys)
        known = set(others)
        own = [key for key in self.keys if key not in known]
        both = len(self.keys) - len(own)
        if not own:
            return f"{both}, which both offer"
        more = f" and {len(own) - OPTIONS} more" if len(own) > OPTIONS else ""
        return ", ".join(own[:OPTIONS]) + more + (f", beside {both} that both offer" if both else "")


def differing_values(one: Mapping[str, Any], other: Mapping[str, Any], most: int = VALUES) -> Iterator[str]:
    """The first values of fields and zones that differ between two views (:meth:`State.view`), in words."""
    old, new = dict(_flat(one)), dict(_flat(other))
    differing = [path for path in {**old, **new} if old.get(path) != new.get(path)]
    for path in differing[:most]:
        yield _difference(path, old.get(path), new.get(path))
    if len(differing) > most:
        yield f"and {len(differing) - most} more values"


_Value = str | Counter[str]
"""Of a field in words, or of a zone: how often each piece lies there."""


def _difference(path: str, one: _Value | None, other: _Value | None) -> str:
    if isinstance(one, str) or isinstance(other, str):
        return f"{path} is {one or 'as at first'}, now {other or 'as at first'}"
    was, now = one or Counter(), other or Counter()
    gone, come = (", ".join(f"{n} {key}" for key, n in side.items()) for side in (was - now, now - was))
    if not gone and not come:
        return f"{path} holds the same in another order"
    lacks = [f"lacks {gone}"] if gone else []
    return f"{path} now " + " and ".join([*lacks, *([f"has {come} more"] if come else [])])


def _flat(view: Mapping[str, Any]) -> Iterator[tuple[str, _Value]]:
    for name, held in view.get("fields", {}).items():
        values = held.get("values") if isinstance(held, dict) else None
        if isinstance(values, dict):
            yield from ((f"{name}[{key}]", _word(value)) for key, value in values.items())
        elif not isinstance(held, dict):
            yield name, _word(held)
    for name, held in view.get("zones", {}).items():
        zones = {f"{name}[{key}]": zone for key, zone in held["values"].items()} if "values" in held else {name: held}
        for path, zone in zones.items():
            yield path, Counter(piece.get("key", "back") for piece in zone.get("pieces", ()))


def _word(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
