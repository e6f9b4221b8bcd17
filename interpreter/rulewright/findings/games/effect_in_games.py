"""EXM302: effects of answers and ends in games since a change, with the amounts: as they are, and in the base."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rulewright.diagnostics import RulesetError
from rulewright.engine import State
from rulewright.engine.random_numbers import RandomAnswers
from rulewright.engine.runtime.query_calls import measured as measures
from rulewright.findings.games.playing.playing_budget import Pair
from rulewright.findings.games.playing.quantities import Amounts, Quantity, measured, quantities
from rulewright.findings.program.facts.examined_program import names_in
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.play.game import Game

SHARE = 0.1
"""The part of the games that are played in which each answer is looked at."""
DECISIONS = 1_500
"""Decisions of a game that are looked at."""
LEAST = 5
"""Answers of a kind that were given less often say nothing."""
MOST = 10
"""The number of answers and ends that are described."""
SELDOM = 0.05
"""The share of games in which a quantity must change to be reported."""
NEARLY_ALL = 0.9
"""The share of the games of an end in which a statement about winners must hold."""
ANSWERS, OTHERS = " of who answers", " of the others"
PARTS = 6
"""The number of quantities that are listed for each answer."""

Subject = tuple[str, str]
"""A function and the name of an answer in it: of a question, of an option, or of an end."""


@dataclass(slots=True)
class _Profile:
    """Changes that a kind of answer has made: by quantity and whose it is, how often by how much."""

    times: int = 0
    changes: dict[tuple[str, str], Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    follows: Counter[str] = field(default_factory=Counter)
    """The questions that come next, in words."""
    later: set[str] = field(default_factory=set)
    """Quantities of the player to act that have changed when another player decided: it may lead to what is paid."""


@dataclass(frozen=True, slots=True)
class _Open:
    """An answer without a later decision of another player, or of the same name."""

    profile: _Profile
    question: m.Choose | m.Chance
    seat: int
    amounts: Amounts


def effects_in_games(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """Effects of the answers of a change, and of its ends, in games at random with the fewest players."""
    pair, mine, theirs = pairs[0], _Games(), _Games()
    for seed in pair.budget.seeds(SHARE):
        try:
            mine.play(pair.game, seed)
            if not pair.alone:
                theirs.play(pair.base, seed)
        except RulesetError:
            return  # playing the game reports the error
    suspects = [*_of_ends(pair, mine), *_of_answers(pair, mine, theirs)]
    yield from suspects[:MOST]


def _of_answers(pair: Pair, mine: _Games, theirs: _Games) -> Iterator[Suspect]:
    """The answers that the change has brought, and those that do now always what they never did before."""
    program = pair.game.program
    others = {one.name for one in quantities(pair.game.engine) if one.holds_players or not one.is_number}
    """As many, but others, or elsewhere: that is a change."""
    words = {f.name: f.word for f in program.functions}
    for (function, name), profile in sorted(mine.profiles.items(), key=lambda one: f"{'.'.join(one[0])}"):
        if words.get(function) == "system":
            continue  # what opens an event to reactions has no name in the rules
        rule = f"{function}.{name}" if name else function
        before = theirs.profiles.get((function, name))
        is_new = rule in pair.brought or (before is None and function in pair.changed_functions)
        if profile.times < LEAST or (before is not None and before.times < LEAST):
            continue
        parts = _parts(profile, before, _read_fields(program, function, name) - others, is_new)
        always = [one for one, times in profile.follows.items() if times >= NEARLY_ALL * profile.times]
        if is_new and parts and always and not pair.alone:
            parts = [*parts[: PARTS - 1], f"next {always[0]}"]
        if parts:
            what = f"`{rule}`, given {profile.times} times in {mine.games} random games: {'; '.join(parts[:PARTS])}"
            yield Suspect("EXM302", function, rule, what, "is that what is meant?", rule=rule)


def _of_ends(pair: Pair, mine: _Games) -> Iterator[Suspect]:
    """The ends that the change has brought: how often, and what is true of who wins."""
    for rule, several in sorted(mine.ends.items()):
        if rule not in pair.brought or len(several) < LEAST:
            continue
        parts = []
        for name in dict.fromkeys(name for one in several for name in one):
            for what in ("most", "fewest"):
                times = sum(one.get(name) == what for one in several)
                if times >= NEARLY_ALL * len(several):
                    parts.append(
                        f"who wins has the {what} `{name}`" + ("" if times == len(several) else " nearly always")
                    )
        if parts:
            ends = f"`{rule}` ends {len(several)} of {mine.games} random games: {'; '.join(parts[:PARTS])}"
            yield Suspect("EXM302", rule, "winners", ends, "is that what is meant?", rule=rule)


class _Games:
    """The profiles of the answers in some games."""

    def __init__(self) -> None:
        self.games = 0
        self.ends: dict[str, list[dict[str, str]]] = defaultdict(list)
        """For each end its games: what of each measure and field of players the winner has, the most or the fewest."""
        self.profiles: dict[Subject, _Profile] = defaultdict(_Profile)

    def play(self, game: Game, seed: int) -> None:
        """Play one game at random and note what each answer of a player does."""
        several = quantities(game.engine)
        pick, state = RandomAnswers(seed), game.start(seed, ask_chance=True)
        before, self.games = measured(several, state.cells), self.games + 1
        answered: tuple[Subject, int] | None = None
        several_open = list[_Open]()
        for _ in range(DECISIONS):
            decision = state.decision
            if decision is None or decision.seat is not None:
                now = measured(several, state.cells)
                if answered is not None:  # what comes before the first question no answer has done
                    self._note(*answered, several, before, now)
                    self.profiles[answered[0]].follows[_next(state, answered[1])] += 1
                    several_open = _still_open(several_open, state, several, now)
                before, answered = now, None
            if decision is None:
                self._end(state, several, before)
                return
            option = decision.options[pick(len(decision.options))]
            instruction = state.question.instr if state.question is not None else None
            if decision.seat is not None and not (isinstance(instruction, m.Choose) and instruction.secret):
                answered = _subject(state, option.key if option.extra else ""), decision.seat
                assert state.question is not None
                opened = _Open(self.profiles[answered[0]], state.question.instr, decision.seat, before)
                several_open.append(opened)
            state = state.choose(option)

    def _end(self, state: State, several: Sequence[Quantity], amounts: Amounts) -> None:
        """Note what of each measure the only winner of a game has."""
        result, seats = state.result, state.engine.layout.universes["Player"].keys
        if result is None or len(result.winners) != 1 or result.winners[0] not in seats:
            return
        winner = seats.index(result.winners[0])
        known = {one.name: amount for one, amount in zip(several, amounts, strict=True) if one.by_player}
        known |= {
            name: value for name, value in measures(state.engine, state.cells).items() if isinstance(value, tuple)
        }
        self.ends[result.rule].append({name: _rank(amount, winner) for name, amount in known.items()})

    def _note(self, subject: Subject, seat: int, several: Sequence[Quantity], was: Amounts, now: Amounts) -> None:
        profile = self.profiles[subject]
        profile.times += 1
        for one, old, new in zip(several, was, now, strict=True):
            if not one.by_player:
                profile.changes[one.name, ""][new[0] - old[0]] += 1
                continue
            profile.changes[one.name, ANSWERS][new[seat] - old[seat]] += 1
            others = sum(new) - sum(old) - new[seat] + old[seat]
            profile.changes[one.name, OTHERS][others] += 1


def _next(state: State, seat: int) -> str:
    """The question that comes after an answer, in words."""
    decision = state.decision
    if decision is None:
        return "the game is over"
    who = "the same player" if decision.seat == seat else "another player"
    return f"{who} is asked for `{decision.name}`"


def _still_open(several_open: Sequence[_Open], state: State, several: Sequence[Quantity], now: Amounts) -> list[_Open]:
    """Answers that may still lead to something; of the others it is noted what has changed since."""
    decision, question = state.decision, state.question
    left = list[_Open]()
    for one in several_open:
        same = question is not None and question.instr == one.question
        if decision is not None and decision.seat == one.seat and not same:
            left.append(one)
        else:
            for quantity, old, new in zip(several, one.amounts, now, strict=True):
                of_seat = one.seat if quantity.by_player else 0
                if old[of_seat] != new[of_seat]:
                    one.profile.later.add(quantity.name)
    return left


def _subject(state: State, option: str) -> Subject:
    question = state.question
    assert question is not None
    label = question.instr.label
    return question.function, option or label


def _read_fields(program: m.Program, function: str, name: str) -> frozenset[str]:
    """The fields and zones that conditions of an answer ask for."""
    found = frozenset[str]()
    for i in (i for f in program.functions if f.name == function for i in f.code):
        if not isinstance(i, m.Choose):
            continue
        for extra in i.extras:
            if extra.key == name:
                found |= names_in((extra.guard, extra.restrictions))
        if i.label == name:
            found |= names_in((i.where, i.restrictions))
    return found


def _parts(profile: _Profile, before: _Profile | None, read: frozenset[str], is_new: bool) -> list[str]:
    """The sentences of one answer: what was otherwise, what stays though it is read, and what changes."""
    ordered: list[tuple[int, float, str]] = []
    for (name, whose), changes in profile.changes.items():
        was = before.changes.get((name, whose)) if before is not None else None
        share = 1 - changes[0] / changes.total()
        if was is not None and _differ(changes, was):
            ordered.append((0, -share, f"`{name}`{whose} {_changes_text(changes)} (base: {_changes_text(was)})"))
        elif is_new and not share and name in read and name not in profile.later and whose != OTHERS:
            ordered.append((1, -share, f"`{name}`{whose} {_changes_text(changes)}"))
        elif is_new and share >= SELDOM:
            ordered.append((2, -share, f"`{name}`{whose} {_changes_text(changes)}"))
    return [sentence for *_, sentence in sorted(ordered, key=lambda one: one[:2])]


def _rank(amounts: Sequence[int], winner: int) -> str:
    """Rank of the winner: alone the most, the fewest, or neither."""
    others = [amount for seat, amount in enumerate(amounts) if seat != winner]
    if not others:
        return ""
    return "most" if amounts[winner] > max(others) else "fewest" if amounts[winner] < min(others) else ""


def _differ(one: Counter[int], other: Counter[int]) -> bool:
    """True if what always happens in one never does in the other: anything less may be chance."""
    return (len(one) == 1 and not set(one) & set(other)) or (len(other) == 1 and not set(one) & set(other))


def _changes_text(changes: Counter[int]) -> str:
    """The amounts by which something changes."""
    if set(changes) == {0}:
        return "never changes"
    low, high = min(changes), max(changes)
    if low == high:
        return f"{low:+d} each time"
    moved = changes.total() - changes[0]
    if moved == changes.total():
        return f"{low:+d} to {high:+d}"
    return f"{low:+d} to {high:+d}, in {min(99, round(100 * moved / changes.total()))} % of them"
