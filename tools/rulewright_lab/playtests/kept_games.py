"""Games of people as the studio keeps them, played again with the rules as they are now.

A game that these rules do not take as it was played is left out, and so is one that is not over, or of other rules.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.engine import State
from rulewright.foundation import dataclass
from rulewright.play import Game
from rulewright_lab.experiments.recorded_arm import RecordedGame

PERSON = "person"
"""The kind of a seat at which a person sits."""
NO_PLAYER = ("rules", "chance")
"""Entries of logs that are no answers of players."""

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game as it is kept."""

    name: str
    saved: Mapping[str, Any]
    events: tuple[Event, ...]
    """All that has happened at its table, in order."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A game that is not read."""

    game: str
    why: str


@dataclass(frozen=True, slots=True)
class Position:
    """A position in which a player has answered."""

    state: State
    option: int
    """The number of the option that was taken."""
    event: Event | None = None
    """The answer as it was noted, if a person gave it."""

    @property
    def size(self) -> int:
        """The number of options."""
        assert self.state.decision is not None
        return len(self.state.decision.options)


@dataclass(frozen=True, slots=True)
class PeopleGame:
    """A game that people have played, by the rules as they are now."""

    kept: KeptGame
    positions: tuple[Position, ...]
    """Positions in which players decided, in the order of the rules."""
    lines: tuple[State, ...]
    """The positions of all lines of play, also those that were left."""
    undone: tuple[Event, ...]
    """Answers of people that were taken back, or given otherwise later."""
    has_changed: bool
    """True if the rules were others when it was played."""

    @property
    def seed(self) -> int:
        """The seed of its chance."""
        return int(self.kept.saved["save"]["seed"])

    @property
    def record(self) -> RecordedGame:
        """All that is needed to play it again."""
        return RecordedGame(self.seed, tuple(one.option for one in self.positions if one.size > 1))

    @property
    def kinds(self) -> Sequence[str]:
        """`person`, or the agent that plays, for each seat at the end of the game."""
        return list(self.kept.saved["kinds"])

    @property
    def people(self) -> Sequence[str]:
        """The name of the person on each seat, as far as they have given it."""
        table = self.kept.saved.get("table") or {}
        return [str(one["name"]) for one in table.get("people", ())]


def games_of(games: Sequence[Game], kept: Iterable[KeptGame]) -> tuple[list[list[PeopleGame]], list[LeftOut]]:
    """The games of people that have the rules of each of some games, the first that fits; and all others."""
    own = [game.start(0).save() for game in games]
    found: list[list[PeopleGame]] = [[] for _ in games]
    left: list[LeftOut] = []
    for one in kept:
        wrongs = [_unlike(save, one.saved["save"]) for save in own]
        number = wrongs.index("") if "" in wrongs else 0
        why = wrongs[number] or _unfit(one)
        again = why or _again(games[number], own[number], one)
        if isinstance(again, str):
            left.append(LeftOut(one.name, again))
        else:
            found[number].append(again)
    return found, left


def _unlike(own: Mapping[str, Any], save: Mapping[str, Any]) -> str:
    """The reason why a game has other rules; empty if it has not. Parameters that one of both lacks are no reason."""
    if save["game"] != own["game"]:
        return f"it is a game of `{save['game']}`"
    if save["players"] != own["players"]:
        return f"it has {save['players']} players"
    if sorted(save["variants"]) != sorted(own["variants"]):
        titles = ", ".join(f"“{one}”" for one in save["variants"])
        return f"it was played with the variants {titles}" if titles else "it was played without variants"
    options = save["options"]
    other = next((name for name, value in own["options"].items() if options.get(name, value) != value), None)
    return "" if other is None else f"`{other}` was {options[other]}"


def _unfit(one: KeptGame) -> str:
    if one.saved.get("opened") is not None:
        return "it begins with a scenario"
    if one.saved["save"]["result"] is None:
        return "it is not over"
    if PERSON not in one.saved["kinds"] and not any(event["event"] == "answer" for event in one.events):
        return "no person has played in it"
    return ""


def _again(game: Game, own: Mapping[str, Any], one: KeptGame) -> PeopleGame | str:
    """The game played again, or the reason why that cannot be."""
    save = one.saved["save"]
    positions, end, why = _replayed(game, save)
    if why or end.result is None:
        return why or "with the rules as they are now it is not over where it was"
    lines = [*(here.state for here in positions), end]
    for other in one.saved.get("others", ()):
        again, last, _ = _replayed(game, other)
        lines += [*(here.state for here in again), last]
    known, undone = _noted(game, positions, one.events)
    return PeopleGame(one, tuple(known), tuple(lines), tuple(undone), save["program"] != own["program"])


def _replayed(game: Game, save: Mapping[str, Any]) -> tuple[list[Position], State, str]:
    """The positions to which the answers of a log lead, the last state, and why it does not go on; empty if all were
    taken. Answers that players gave at once come in the order in which the rules ask for them."""
    waiting: dict[str, deque[str]] = defaultdict(deque)
    for entry in save["log"]:
        if entry["who"] not in NO_PLAYER:
            waiting[entry["who"]].append(entry["key"])
    positions: list[Position] = []
    state = game.start(int(save["seed"]))
    try:
        while (decision := state.decision) is not None and waiting[decision.who]:
            key = waiting[decision.who].popleft()
            keys = [option.key for option in decision.options]
            if key not in keys:
                nth = f"answer {len(positions) + 1}, `{key}` of {decision.who}"
                return positions, state, f"{nth}, is not possible with the rules as they are now"
            positions.append(Position(state, keys.index(key)))
            state = state.choose(keys.index(key))
    except RulesetError as error:
        return positions, state, f"the rules as they are now have failed: {error.diagnostics[0].message}"
    if any(waiting.values()):
        return positions, state, "with the rules as they are now it goes otherwise"
    return positions, state, ""


def _noted(game: Game, positions: Sequence[Position], events: Iterable[Event]) -> tuple[list[Position], list[Event]]:
    """Positions with the answers that people gave there, and the answers that are not part of the game: the last note
    of an answer is that of the game."""
    known, undone = list(positions), list[Event]()
    counts = [answer_count(one.state) + 1 for one in positions]
    ends = dict.fromkeys(game.seats, len(positions))
    for event in reversed([one for one in events if one["event"] == "answer"]):
        at = _place(event, positions[: ends.get(event["who"], 0)], counts, len(game.seats))
        if at is None:
            undone.append(event)
        else:
            known[at] = replace(positions[at], event=event)
            ends[event["who"]] = at
    return known, undone[::-1]


def answer_count(state: State) -> int:
    """The number of answers that have led to a state, those of chance included, as notes of a table count them."""
    return sum(entry.who != NO_PLAYER[0] for entry in state.log)


def _place(event: Event, positions: Sequence[Position], counts: Sequence[int], seats: int) -> int | None:
    """The last of some positions in which an answer was given. Answers that are given at once may be noted before they
    count, so the number of answers behind it is known but for as many as there are seats."""
    for at in range(len(positions) - 1, -1, -1):
        state, option = positions[at].state, positions[at].option
        assert state.decision is not None
        if counts[at] < event["answers"] - seats:
            return None
        is_near = counts[at] <= event["answers"] + seats
        if is_near and (state.decision.who, state.decision.options[option].key) == (event["who"], event["key"]):
            return at
    return None
