"""Facts that only games of people have: how long they think, what they try and take back, and how it was to them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from rulewright.engine import State
from rulewright.foundation import dataclass
from rulewright_lab.experiments.arms import Arm
from rulewright_lab.experiments.statistics.paired_differences import rounded
from rulewright_lab.experiments.tables.fields import ARM, Field
from rulewright_lab.playtests.agreement import Agreement
from rulewright_lab.playtests.kept_games import PERSON, Event, PeopleGame, answer_count

BEST = 5
"""The highest answer to a question of feedback."""
KEYS = 5
"""Answers that are named of those that were refused for one reason."""
GIVEN, UNDONE, REFUSED = "given", "undone", "refused"

_GAME = Field("game", "string", "The name of the game.", required=True)
_WHO = Field("who", "string", "The seat of the person.", required=True)
CHOICES = (
    ARM,
    _GAME,
    _WHO,
    Field("question", "string", "The name of the question.", required=True),
    Field("answer", "string", "The key of the answer.", required=True),
    Field("became", "string", "What became of it.", "", (GIVEN, UNDONE, REFUSED), True),
    Field("seconds", "number", "The time since the last answer at the table.", "seconds"),
    Field("options", "integer", "The number of possible answers; empty unless it was given."),
    Field("why", "string", "The reason why it was refused."),
)
FEEDBACK = (
    ARM,
    _GAME,
    _WHO,
    Field("question", "string", "The question; empty for words."),
    Field("answer", "integer", f"From 1 to {BEST}."),
    Field("words", "string", "Words of the person."),
)


@dataclass(slots=True)
class Study:
    """The games of people that have the rules of an arm."""

    arm: Arm
    games: Sequence[PeopleGame]
    agreement: dict[str, dict[str, Agreement]] = field(default_factory=dict)
    """For each agent that was tried, and each question."""

    # ------------------------------------------------------------------------------------------ notes of people

    def _given(self) -> Iterator[tuple[PeopleGame, Event, int]]:
        for one in self.games:
            yield from ((one, here.event, here.size) for here in one.positions if here.event is not None)

    def _undone(self) -> Iterator[tuple[PeopleGame, Event]]:
        yield from ((one, event) for one in self.games for event in one.undone)

    def _refused(self) -> Iterator[tuple[PeopleGame, Event, str]]:
        """Answers that were tried and refused, each with the first reason of the rules as they are now."""
        for one in self.games:
            places: dict[tuple[int, str], list[State]] = defaultdict(list)
            for state in one.lines:
                if state.decision is not None:
                    places[answer_count(state), state.decision.who].append(state)
            for event in one.kept.events:
                if event["event"] == REFUSED:
                    counts = range(event["answers"], event["answers"] + len(self.arm.game.seats))  # answers at once
                    near = [state for count in counts for state in places.get((count, event["who"]), ())]
                    yield one, event, _why(near, event)

    def _feedback(self) -> Iterator[tuple[PeopleGame, Event]]:
        """The last feedback of each person."""
        for one in self.games:
            last = {event["who"]: event for event in one.kept.events if event["event"] == "feedback"}
            yield from ((one, last[seat]) for seat in self.arm.game.seats if seat in last)

    # ------------------------------------------------------------------------------------------ as data

    def data(self, number: int) -> dict[str, object]:
        """Contents as plain data; the arm has this number."""
        noted = Counter(event["event"] for one in self.games for event in one.kept.events)
        return {
            "arm": number,
            "games": [self._game(one) for one in self.games],
            "thinking": self._thinking(),
            "refused": self._refusals(),
            "undone": self._undoing(),
            "taken_back": noted["taken back"],
            "stayed": noted["stayed"],
            "agreement": [_agreement(word, questions) for word, questions in self.agreement.items()],
            "feedback": self._asked(),
            "words": [
                {"game": one.kept.name, "who": event["who"], "text": event["text"]}
                for one, event in self._feedback()
                if event["text"]
            ],
        }

    def _game(self, one: PeopleGame) -> dict[str, object]:
        names = [*one.people, *[""] * len(one.kinds)]
        return {
            "game": one.kept.name,
            "seed": one.seed,
            "seats": [
                {"seat": seat, "kind": kind, "name": name if kind == PERSON else ""}
                for seat, kind, name in zip(self.arm.game.seats, one.kinds, names, strict=False)
            ],
            "answers": sum(here.event is not None for here in one.positions),
            "other_rules": one.has_changed,
        }

    def _thinking(self) -> list[dict[str, object]]:
        import numpy as np

        times: dict[str, list[float]] = defaultdict(list)
        for _, event, size in self._given():
            if size > 1:
                times[event["question"]].append(float(event["seconds"]))
        found = []
        for question, seconds in sorted(times.items(), key=lambda one: (-sum(one[1]), one[0])):
            low, middle, high = (rounded(float(one)) for one in np.quantile(seconds, (0.1, 0.5, 0.9)))
            found.append(
                {
                    "question": question,
                    "answers": len(seconds),
                    "median": middle,
                    "quantiles": [low, high],
                    "together": rounded(sum(seconds)),
                }
            )
        return found

    def _refusals(self) -> list[dict[str, object]]:
        keys: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for _, event, why in self._refused():
            keys[event["question"], why][event["key"]] += 1
        ranked = sorted(keys.items(), key=lambda one: (-one[1].total(), one[0]))
        return [
            {
                "question": question,
                "why": why,
                "times": tried.total(),
                "answers": [key for key, _ in sorted(tried.items(), key=lambda one: (-one[1], one[0]))[:KEYS]],
            }
            for (question, why), tried in ranked
        ]

    def _undoing(self) -> list[dict[str, object]]:
        undone = Counter(event["question"] for _, event in self._undone())
        given = Counter(event["question"] for _, event, _ in self._given())
        ranked = sorted(undone.items(), key=lambda one: (-one[1], one[0]))
        return [{"question": name, "undone": count, "answers": count + given[name]} for name, count in ranked]

    def _asked(self) -> list[dict[str, object]]:
        given: dict[str, Counter[int]] = {}
        for _, event in self._feedback():
            for question, answer in event["answers"].items():
                given.setdefault(question, Counter())[int(answer)] += 1
        return [
            {
                "question": question,
                "people": counts.total(),
                "mean": rounded(sum(answer * count for answer, count in counts.items()) / counts.total()),
                "counts": [counts[answer] for answer in range(1, BEST + 1)],
            }
            for question, counts in given.items()
        ]

    # ------------------------------------------------------------------------------------------ as tables

    def choice_rows(self, number: int) -> Iterator[tuple[Any, ...]]:
        """A row for each answer that a person gave or tried, as in :data:`CHOICES`."""
        for one, event, size in self._given():
            yield _row(number, one, event, GIVEN, size, None)
        for one, event in self._undone():
            yield _row(number, one, event, UNDONE, None, None)
        for one, event, why in self._refused():
            yield _row(number, one, event, REFUSED, None, why)

    def feedback_rows(self, number: int) -> Iterator[tuple[Any, ...]]:
        """A row for each answer to a question about a game, and for words, as in :data:`FEEDBACK`."""
        for one, event in self._feedback():
            for question, answer in event["answers"].items():
                yield number, one.kept.name, event["who"], question, answer, None
            if event["text"]:
                yield number, one.kept.name, event["who"], None, None, event["text"]


def _row(number: int, one: PeopleGame, event: Event, became: str, size: int | None, why: str | None) -> tuple[Any, ...]:
    about = one.kept.name, event["who"], event["question"], event["key"]
    return (number, *about, became, event["seconds"], size, why)


def _why(states: Sequence[State], event: Event) -> str:
    """The first reason why an answer is refused in one of some positions; empty where none refuses it now."""
    for state in states:
        if state.decision is None or state.decision.name != event["question"]:
            continue
        found = state.why_not(event["key"])
        if not found.allowed and found.reasons:
            return found.reasons[0].text
    return ""


def _agreement(word: str, questions: Mapping[str, Agreement]) -> dict[str, object]:
    whole = Agreement(
        sum(one.positions for one in questions.values()),
        sum(one.same for one in questions.values()),
        sum(one.chance for one in questions.values()),
    )
    each = [{"question": name, **one.data()} for name, one in sorted(questions.items())]
    return {"agent": word, **(whole.data() if whole.positions else {"positions": 0}), "questions": each}
