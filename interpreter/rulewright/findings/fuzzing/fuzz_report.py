"""The report of a run of the fuzzer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rulewright.findings.fuzzing.failures import Key, Setting, label_of
from rulewright.findings.fuzzing.reproduction.reproduction import Story
from rulewright.findings.fuzzing.search.coverage import Pair, Possible, Reached


@dataclass(frozen=True, slots=True)
class Base:
    """The rules that a variant was compared with."""

    title: str
    games: int
    shown: tuple[str, ...]
    """The findings that they show themselves, by their keys: they are not reported for the variant."""
    broken: tuple[str, ...]
    """The invariants and properties of the base that do not hold with the variant."""


@dataclass(slots=True)
class FuzzReport:
    """The troubles, each with its story, and what of the rules was reached."""

    ruleset: str
    title: str
    seed: int
    seats: tuple[str, ...] = ()
    """The agents that played whole games."""
    settings: tuple[str, ...] = ()
    """The games that were played, in words."""
    unplayed: tuple[str, ...] = ()
    """Settings whose turn has not come: more games are needed."""
    skipped: tuple[str, ...] = ()
    """Settings that cannot be played: their parts do not go together."""
    games: int = 0
    """Whole games."""
    decisions: int = 0
    """Answers in all of them, chance included."""
    runs: int = 0
    """Seeded runs, of machine code where it can play, from the beginning or from positions that are known."""
    answers: int = 0
    """Answers of players in these."""
    stopped: int = 0
    """Runs in which machine code could not go on, but the Python engine can, of those that were played again."""
    used: set[str] = field(default_factory=set)
    """The rules that were used in their turns."""
    met: set[Pair] = field(default_factory=set)
    """The rules that were used together in one turn of these."""
    turns: set[frozenset[str]] = field(default_factory=set)
    """The rules of single turns of these; some may be missing where there are very many."""
    replayed: bool = False
    """True if just one game was played again."""
    kept: int = 0
    """Games that were played again from the corpus."""
    stories: list[Story] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)
    """In how many games each finding was seen, short ones included."""
    accepted: dict[str, int] = field(default_factory=dict)
    """Counts of findings that are accepted, by key."""
    possible: Possible = field(default_factory=Possible)
    usable_with: dict[str, set[str]] = field(default_factory=dict)
    """For each number of players, variant and value of an option the rules that turns can use with it."""
    used_with: dict[str, set[str]] = field(default_factory=dict)
    """The rules that turns have used with it."""
    assertions: set[str] = field(default_factory=set)
    """The invariants and properties that were looked at."""
    base: Base | None = None
    """If the game was compared with the rules beneath it."""
    looks: Counter[str] = field(default_factory=Counter)
    """So much was looked at closely: ``consequences``, ``saves``, ``options``, ``refusals`` and other ``worlds``."""
    reached: Reached = field(default_factory=Reached)
    witnesses: dict[str, int] = field(default_factory=dict)
    """In how many whole games each witness was seen; 1 if only in runs."""
    complete: bool = True
    """False if it was stopped before all games were played."""
    interrupted: bool = False
    """True if it was stopped."""

    @property
    def passed(self) -> bool:
        """True if nothing was found but what is accepted."""
        return not self.stories

    def count(self, seen: Mapping[Key, int], accepted: Collection[Key]) -> None:
        """So often were the troubles seen until now."""
        self.seen = {label_of(key): times for key, times in sorted(seen.items()) if key not in accepted}
        self.accepted = {label_of(key): seen.get(key, 0) for key in sorted(accepted)}

    @property
    def rules(self) -> list[str]:
        """The rules whose use in a turn is counted."""
        return sorted(self.possible.rules)

    @property
    def idle(self) -> list[str]:
        """Rules that cannot be used with the values that parameters have in all games."""
        return sorted(self.possible.idle)

    @property
    def never_used(self) -> list[str]:
        """Rules that no turn has used."""
        used = self._used
        return [rule for rule in self.rules if not used[rule]]

    @property
    def _used(self) -> Counter[str]:
        """In how many turns of whole games each rule was used; 1 if only runs of machine code have used it."""
        return self.reached.rules | Counter(self.used)

    @property
    def pairs(self) -> dict[Pair, int]:
        """Each two rules that could meet in a turn, with in how many turns of whole games they did; 1 if they only did
        in runs of machine code."""
        met = self.reached.pairs | Counter(self.met)
        return {pair: met[pair] for pair in sorted(self.possible.pairs)}

    @property
    def never_met(self) -> list[Pair]:
        """Two rules that were both used but never in one turn; those that are used most come first."""
        used = self._used
        found = [pair for pair, times in self.pairs.items() if not times and used[pair[0]] and used[pair[1]]]
        return sorted(found, key=lambda pair: (-min(used[pair[0]], used[pair[1]]), pair))

    @property
    def never_with(self) -> dict[str, list[str]]:
        """For each number of players, variant and value of an option the rules that are used, but not with it."""
        used = self._used
        missed = {
            part: [rule for rule in sorted(rules - self.used_with.get(part, set())) if used[rule]]
            for part, rules in self.usable_with.items()
            if part in self.used_with
        }
        return {part: rules for part, rules in missed.items() if rules}

    def uses(self, setting: Setting, rules: Iterable[str]) -> None:
        """Turns of a setting have used these rules."""
        for part in setting.parts:
            self.used_with.setdefault(part, set()).update(rules)

    def data(self) -> dict[str, Any]:
        """All of it as JSON; see ``schemas/fuzz-report.schema.json``."""
        used = self._used
        return {
            "ruleset": self.ruleset,
            "title": self.title,
            "seed": self.seed,
            "complete": self.complete,
            **({"seats": list(self.seats)} if self.seats else {}),
            "settings": list(self.settings),
            "unplayed": list(self.unplayed),
            "skipped": list(self.skipped),
            "games": self.games,
            "decisions": self.decisions,
            "runs": self.runs,
            "answers": self.answers,
            "stopped": self.stopped,
            "kept": self.kept,
            "looks": dict(sorted(self.looks.items())),
            "found": [_story(story, self.seen.get(story.trouble.label, 1)) for story in self.stories],
            "accepted": self.accepted,
            "against": None if self.base is None else asdict(self.base),
            "witnesses": dict(sorted(self.witnesses.items())),
            "idle": self.idle,
            "rules": [{"rule": rule, "turns": used[rule]} for rule in self.rules],
            "pairs": [{"rules": list(pair), "turns": times} for pair, times in self.pairs.items()],
            "apart": [{"rules": list(pair), "why": why} for pair, why in sorted(self.possible.apart.items())],
            "never_with": self.never_with,
        }


def _story(story: Story, seen: int) -> dict[str, Any]:
    return {
        "key": story.trouble.label,
        "seen": seen,
        "kind": story.trouble.kind,
        "name": story.trouble.name,
        "told": story.trouble.told,
        **story.setting.data(),
        "decisions": story.decisions,
        "scenario": story.scenario or None,
        "why_no_scenario": story.why_not or None,
        "causes": [cause.data() for cause in story.causes],
        "log": list(story.log),
        "cites": list(story.cites),
        "rules": list(story.rules),
        "game": list(story.numbers),
    }


def order(stories: Sequence[Story]) -> list[Story]:
    """Stories with the shortest first."""
    return sorted(stories, key=lambda story: (story.decisions, story.trouble.key))
