"""Writes what was seen in a game as expectations of a scenario: what changed, was offered, was refused, who won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rulewright.engine import State
from rulewright.engine.cells.layout import Instance
from rulewright.engine.cells.support import bits_of
from rulewright.engine.runtime.query_calls import measured
from rulewright.engine.runtime.refusals import NOT_AMONG
from rulewright.ir import model as m
from rulewright.ir.scenario_plan import WORDS
from rulewright.scenarios.recording.answer_lines import AnswerWords
from rulewright.syntax import ast
from rulewright.syntax.names import is_name

MOST_CHANGES = 24
"""Conditions that are written about one step: where a whole map is filled, nobody reads more."""

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
        """All that is offered to whoever is asked; None if the question has no name, or too much is offered."""
        decision, question = state.decision, state.question
        if decision is None or decision.seat is None or question is None or not is_name(decision.label):
            return None
        universe = question.instr.universe
        members = [self.chosen(universe, option) for option in decision.options if not option.extra]
        words = [ast.Name(option.key) for option in decision.options if option.extra and option.key not in WORDS]
        items = (*members, *words)
        if not 0 < len(items) <= MOST_OPTIONS:
            return None
        return ast.SOffered(self.seats[decision.seat], decision.label, ast.SetOf(items))

    def refused(self, state: State, key: str) -> tuple[ast.SRefused, tuple[str, ...]] | None:
        """Something that is refused, with the reason and what that cites; None if it is none of what could be offered,
        or nothing that a scenario can name."""
        decision, question = state.decision, state.question
        if decision is None or decision.seat is None or question is None:
            return None
        refusal = state.why_not(key, None)
        reason = next((one for one in refusal.reasons if one.label != NOT_AMONG), None)
        answer = self._asked(question.instr, decision.label, key)
        if reason is None or answer is None or not all(map(str.isidentifier, reason.label.split("."))):
            return None
        return ast.SRefused(self.seats[decision.seat], answer, ast.Path(tuple(reason.label.split(".")))), reason.cites

    def _asked(self, i: m.Choose | m.Chance, label: str, key: str) -> ast.Answer | None:
        """A key as an answer to a question: a member, or an option that is a word; None if no line can say it."""
        if isinstance(i, m.Choose) and key in {extra.key for extra in i.extras} - WORDS:
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
