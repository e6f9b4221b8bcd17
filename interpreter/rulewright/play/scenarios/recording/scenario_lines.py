"""Lines of a recorded scenario: its position, the answers that were given, and what may be expected."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, count

from rulewright.engine import Decision, Option, State, shuffle_of
from rulewright.engine.cells.layout import Instance
from rulewright.engine.runtime.query_calls import measured
from rulewright.engine.runtime.refusals import NOT_AMONG
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m
from rulewright.ir.scenario_plan import WORDS
from rulewright.play.scenarios.recording.state_diff import Words
from rulewright.syntax import ast, print_expr, reserved_words
from rulewright.syntax.names import is_name

SHUFFLE = "shuffle "


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that was given, and the state in which it was."""

    state: State
    decision: Decision
    option: Option

    @property
    def decision_key(self) -> tuple[str, str]:
        """The player to act, and the name of the decision."""
        return self.decision.who, self.decision.name

    @property
    def key(self) -> str:
        """The answer, without the place of a piece."""
        return self.option.key.split(" in ")[0] if not self.option.extra else self.option.key


class AnswerWords(Words):
    """Answers as the lines of a scenario give them."""

    def start(self, function: str, args: Sequence[int | tuple[int, ...]]) -> ast.Expr:
        """The call with which the rules begin."""
        declared = next(one for one in self.engine.program.functions if one.name == function)
        slots = declared.slots[: declared.params]
        given = tuple(self.value(slot.ty, arg) for slot, arg in zip(slots, args, strict=True))
        return ast.Call(ast.Name(function), given) if given else ast.Name(function)

    def answers(
        self, given: Sequence[Answer], may: bool = False, stops: Collection[int] = ()
    ) -> Iterator[tuple[int, ast.ScenarioLine]]:
        """The answers of the players, and the outcomes of chance, in the order in which they come, each line with the
        number of answers that have been given after it. No line goes on over one of these numbers.

        With `may` answers are given as far as they are offered.
        """
        at = 0
        while at < len(given):
            first = given[at]
            end = at + 1
            if first.decision.seat is not None:
                while self._goes_on(given, end, stops) and given[end].decision.seat == first.decision.seat:
                    end += 1
                replies = tuple(self.answer(one) for one in given[at:end])
                yield end, ast.SWhen(self.seats[first.decision.seat], replies, may)
            elif first.decision.label.startswith(SHUFFLE):
                while end < len(given) and len(given[end].decision.options) == len(given[end - 1].decision.options) - 1:
                    end += 1
                yield end, ast.SChance((self.shuffled(given[at:end]),))
            else:
                while self._goes_on(given, end, stops) and given[end].decision.name == first.decision.name:
                    end += 1
                outcomes = tuple(self.outcome(one) for one in given[at:end])
                value = ast.ListOf(outcomes) if len(outcomes) > 1 else outcomes[0]
                yield end, ast.SChance((ast.Answer(first.decision.label, value),))
            at = end

    @staticmethod
    def _goes_on(given: Sequence[Answer], end: int, stops: Collection[int]) -> bool:
        return end < len(given) and end not in stops

    def answer(self, answer: Answer) -> ast.Answer:
        """The answer of a player."""
        label, option = answer.decision.label, answer.option
        if option.extra:
            if option.key in WORDS and option.key != "stop" and label:
                return ast.Answer(label, ast.Name(option.key))
            return ast.Answer(option.key, None)
        question = answer.state.question
        assert question is not None
        return ast.Answer(label, self.chosen(question.instr.universe, option))

    def outcome(self, answer: Answer) -> ast.Expr:
        """The outcome of chance."""
        question = answer.state.question
        assert question is not None
        return self.chosen(question.instr.universe, answer.option)

    def chosen(self, universe: str, option: Option) -> ast.Expr:
        """A member that is chosen; pieces by the whole key, which tells them from others like them."""
        return ast.StringLiteral(option.key) if universe == "Piece" else self.member(universe, option.value)

    def shuffled(self, swaps: Sequence[Answer]) -> ast.Answer:
        """The order that the swaps of a shuffle lead to."""
        shuffle = shuffle_of(swaps[0].state)
        assert shuffle is not None
        order = list(shuffle.members)
        for swap in swaps:
            last, pick = len(swap.decision.options) - 1, swap.option.value
            order[last], order[pick] = order[pick], order[last]
        keys = tuple(self.member(u, k) for u, k in zip(shuffle.index, shuffle.keys, strict=True))
        return ast.Answer(shuffle.name, ast.ListOf(tuple(self.member(shuffle.universe, one) for one in order)), keys)


MOST_CHANGES = 24
"""Conditions that are written about one step: where a whole map is filled, more are unreadable."""

MOST_OPTIONS = 60
"""Options that are listed in one line."""

MOST_ARRIVALS = 3
"""Pieces that are named of those which have come to one zone in one step."""


class ExpectationWords(AnswerWords):
    """Expectations as the lines of a scenario give them."""

    def changes(self, before: State, after: State) -> list[ast.SThen]:
        """The conditions that hold now and did not before: measures of the rules first, then fields and zones."""
        found = [ast.SThen((condition,)) for condition in self._changes(before, after)]
        return found[:MOST_CHANGES]

    def _changes(self, before: State, after: State) -> Iterator[ast.Expr]:
        yield from self._measures(before, after)
        for declared in self.engine.program.fields:
            if not declared.is_internal:
                yield from self._field(declared, before.in_order.cells, after.in_order.cells)
        for instance in self.layout.instances:
            yield from self._zone(instance, before.in_order.cells, after.in_order.cells)

    def _measures(self, before: State, after: State) -> Iterator[ast.Expr]:
        was, now = measured(self.engine, before.cells), measured(self.engine, after.cells)
        for name, value in now.items():
            if isinstance(value, int):
                if value != was[name]:
                    yield _is(ast.Name(name), self.member("Int", value))
                continue
            earlier = was[name]
            assert isinstance(earlier, tuple)
            for seat, (old, new) in enumerate(zip(earlier, value, strict=True)):
                if old != new:
                    yield _is(ast.Call(ast.Name(name), (self.member("Player", seat),)), self.member("Int", new))

    def _field(self, declared: m.Field, was: Sequence[int], now: Sequence[int]) -> Iterator[ast.Expr]:
        place = self.layout.fields[declared.name]
        for number in range(place.count):
            at = place.at + number * place.span
            new = tuple(now[at : at + place.span])
            if new != tuple(was[at : at + place.span]):
                value = new[1 : 1 + new[0]] if declared.ty.kind == "list" else new[0]
                keys = self.layout.keys_of(number, declared.index)
                yield _is(self.at(declared.name, declared.index, keys), self.value(declared.ty, value))

    def _zone(self, instance: Instance, was: Sequence[int], now: Sequence[int]) -> Iterator[ast.Expr]:
        zone = self.engine.program.zones[instance.zone]
        old, new = (self._lying(instance, cells) for cells in (was, now))
        if old == new:
            return
        where = self.at(zone.name, self.layout.zone_of[zone.name].index, instance.keys)
        if len(old) != len(new):
            yield _is(ast.Call(ast.Name("size"), (where,)), self.member("Int", len(new)))
        came = dict.fromkeys(self.layout.key("Piece", piece) for piece in new if piece not in old)
        for key in list(came)[:MOST_ARRIVALS]:
            yield ast.Binary("in", ast.StringLiteral(key), where)

    @staticmethod
    def _lying(instance: Instance, cells: Sequence[int]) -> list[int]:
        """The pieces in a zone."""
        if instance.ordered:
            return list(cells[instance.at + 1 : instance.at + 1 + cells[instance.at]])
        return list(bits_of(cells[instance.at]))

    def offered(self, state: State) -> ast.SOffered | None:
        """All that is offered to the player to act; None if the decision has no name, or too much is offered."""
        decision, question = state.decision, state.question
        if decision is None or decision.seat is None or question is None or not is_name(decision.label):
            return None
        instr = question.instr
        declared = instr.declared if isinstance(instr, m.Choose) else ()
        members = [self.chosen(instr.universe, option) for option in decision.options if not option.extra]
        words = [ast.Name(option.key) for option in decision.options if option.extra and option.key in declared]
        items = (*members, *words)
        if not 0 < len(items) <= MOST_OPTIONS:
            return None
        return ast.SOffered(self.seats[decision.seat], decision.label, ast.SetOf(items))

    def refused(self, state: State, key: str) -> tuple[ast.SRefused, tuple[str, ...]] | None:
        """A refused option, with the reason and what that cites; None if it is none of what could be offered, or
        nothing that a scenario can name."""
        decision, question = state.decision, state.question
        if decision is None or decision.seat is None or question is None:
            return None
        refusal = state.why_not(key, None)
        reason = next((one for one in refusal.reasons if one.label != NOT_AMONG), None)
        answer = self._answer(question.instr, decision.label, key)
        if reason is None or answer is None or not all(map(str.isidentifier, reason.label.split("."))):
            return None
        return ast.SRefused(self.seats[decision.seat], answer, ast.Path(tuple(reason.label.split(".")))), reason.cites

    def _answer(self, i: m.Choose | m.Chance, label: str, key: str) -> ast.Answer | None:
        """A key as an answer to a question: a member, or an option that is a word; None if no line can say it."""
        if isinstance(i, m.Choose) and key in i.declared:
            return ast.Answer(key, None)
        value = self._named(i.universe, key)
        return ast.Answer(label, value) if value is not None and is_name(label) else None

    def _named(self, universe: str, key: str) -> ast.Expr | None:
        """The member of a key, as an answer names it."""
        if universe == "Piece":
            return ast.StringLiteral(key)
        if universe == "Int":
            return self.member("Int", int(key)) if key.lstrip("-").isdecimal() else None
        known = self.layout.universes.get(universe)
        return self.member(universe, known.keys.index(key)) if known is not None and key in known.keys else None

    def ended(self, state: State) -> Iterator[ast.SWins | ast.SPayoff]:
        """The winners, and the worth of the game to each player."""
        result = state.result
        if result is None:
            return
        names = dict(zip(self.layout.universes["Player"].keys, self.seats, strict=True))
        who = (*(names[one] for one in result.winners), *result.parties) or ("nobody",)
        yield ast.SWins(tuple(ast.Name(one) for one in who))
        if any(result.payoffs):
            yield ast.SPayoff(tuple(_payoff(one, worth) for one, worth in zip(self.seats, result.payoffs, strict=True)))


def _payoff(who: str, worth: Fraction) -> ast.PayoffOf:
    number = ast.Number(abs(worth.numerator))
    value = number if worth >= 0 else ast.Unary("-", number)
    return ast.PayoffOf(ast.Name(who), value, ast.Number(worth.denominator) if worth.denominator > 1 else None)


def _is(left: ast.Expr, right: ast.Expr) -> ast.Expr:
    return ast.Binary("is", left, right)


LEAST = 3
"""So many places are named in one line."""

_PLACES = (ast.Tuple, ast.Binary)
"""The forms in which places and edges of a map are written. Other keys are ambiguous in a list."""


def joined(lines: Iterable[ast.ScenarioLine], words: Words) -> list[ast.ScenarioLine]:
    """The lines, with those put together that give a field the same value, or lay the same piece, at several places."""
    given = list(lines)
    groups: dict[tuple[object, ...], list[ast.Index]] = {}
    for line in given:
        if (key := _group(line, words)) is not None:
            groups.setdefault(key, []).append(_target(line))
    binder, done = _free_name(words), set[tuple[object, ...]]()
    found: list[ast.ScenarioLine] = []
    for line in given:
        key = _group(line, words)
        if key is None or len(groups[key]) < LEAST:
            found.append(line)
        elif key not in done:
            done.add(key)
            found.append(_for_each(line, groups[key], binder))
    return found


def _target(line: ast.ScenarioLine) -> ast.Index:
    """The zone or field of a line, with the place."""
    found = (
        line.settings[0].target if isinstance(line, ast.SGiven) else line.zone if isinstance(line, ast.SPut) else None
    )
    assert isinstance(found, ast.Index)
    return found


def _group(line: ast.ScenarioLine, words: Words) -> tuple[object, ...] | None:
    """The key that lines have in common which can be put together; None if a line stays as it is."""
    match line:
        case ast.SGiven((ast.Setting(ast.Index(ast.Name(name), (place,)), value),)) if isinstance(place, _PLACES):
            return name, print_expr(value)
        case ast.SPut(amount, keys, ast.Index(ast.Name(name), (place,)), face, side) if isinstance(place, _PLACES):
            # In a stack or row it matters what was laid before.
            return None if words.layout.zone_of[name].order else (name, amount, keys, face, side)
    return None


def _for_each(line: ast.ScenarioLine, alike: list[ast.Index], binder: str) -> ast.ScenarioLine:
    """One line for several places."""
    target = ast.Index(alike[0].operand, (ast.Name(binder),))
    binds = (ast.Bind(binder, None, ast.SetOf(tuple(place for one in alike for place in one.index))),)
    if isinstance(line, ast.SGiven):
        return ast.SGiven((ast.Setting(target, line.settings[0].value),), binds)
    assert isinstance(line, ast.SPut)
    return ast.SPut(line.amount, line.keys, target, line.face, line.side, binds)


def _free_name(words: Words) -> str:
    """A name that no declaration has. (Keys are not looked at: numbers are a universe, too, and have no end.)"""
    taken = {*reserved_words(), *words.seats, *words.declared}
    return next(name for name in chain(["c"], (f"c{number}" for number in count(1))) if name not in taken)
