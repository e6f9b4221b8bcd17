"""Random rules full of reactions, and what they do, told by a small interpreter of its own.

Procedures call later ones, ask and roll, in steps and out of them; players react before, after and instead of them, to
rolls, and during procedures and steps. Each reaction costs luck, which nobody regains, so every game has an end. The
interpreter follows `docs/language/reactions.md`: it knows nothing of windows, marks or code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass
from random import Random

PLAYERS = ("a", "b", "c")
LUCK = 4

Asked = Generator[tuple[str, frozenset[str]], str, None]
"""Yields who is asked and what is offered, and is sent the answer."""


@dataclass(frozen=True)
class Do:
    """A statement: ``ask``, ``roll``, ``call``, or a ``step`` or ``if`` with others in it."""

    kind: str
    number: int = 0
    left: bool = False
    inside: tuple[Do, ...] = ()


@dataclass(frozen=True)
class Reacts:
    """A reaction. ``whose``: only whom the event concerns, or only others, or anybody; it happens by itself if none."""

    name: str
    moment: str
    event: str
    least: int
    whose: str | None
    body: tuple[Do, ...]
    proceeds: bool
    each: bool = False
    """Of one that happens by itself: whether it does so for each player who has the luck."""
    chooser: str = ""

    @property
    def subject(self) -> str:
        """The name of whoever pays for it."""
        return "q" if self.whose is not None else "c" if self.each else "p"

    def rules(self) -> list[str]:
        """Its text."""
        given = "" if self.moment == "during" else "(p, n)" if self.event == "rolls" else "(p)"
        who = self.subject
        tests = [f"luck[{who}] >= {self.least}"]
        tests += {"own": ["q is p"], "foreign": ["q is not p"]}.get(self.whose or "", [])
        by = ", by q" if self.whose is not None else ""
        by = " for c in players" if self.each else by
        behind = f", order chosen by {self.chooser}" if self.chooser else ""
        lines = [f"reaction {self.name} {self.moment} {self.event}{given}{by} where {' and '.join(tests)}{behind}"]
        lines += [f"    luck[{who}] -= 1", *_written(self.body, who, 1, self.name)]
        return [*lines, "    proceed"] if self.proceeds else lines


def _written(body: tuple[Do, ...], who: str, depth: int, where: str) -> list[str]:
    lines, indent = [], "    " * depth
    for number, one in enumerate(body):
        label = f"{where}_{depth}{number}"
        match one.kind:
            case "ask":
                lines.append(f"{indent}{who} chooses n_{label} from {{0 .. 1}}")
            case "roll":
                lines.append(f"{indent}{who} rolls D as r_{label}")
            case "call":
                lines.append(f"{indent}q{one.number}({who}{'.left' if one.left else ''})")
            case "step":
                lines += [f"{indent}step s{one.number}", *_written(one.inside, who, depth + 1, label)]
            case _:
                lines += [f"{indent}if luck[{who}] > {one.number}", *_written(one.inside, who, depth + 1, label)]
    return lines


class Reacting:
    """Random rules of one seed."""

    def __init__(self, seed: int) -> None:
        self.r = r = Random(seed)
        self.steps = 0
        self.procedures = [self._block(number, 4, 2) for number in range(4)]
        self.orders = [r.choice(["clockwise from p", "clockwise from p.left", "[p]"]) for _ in range(4)]
        self.reactions: list[Reacts] = []
        for number in range(r.randint(6, 12)):
            self.reactions.append(self._reaction(f"x{number}"))
        alone = [x for x in self.reactions if x.whose is None]
        self.precedence = [x.name for x in alone if not x.chooser]
        """Those in a fixed order, and perhaps some whose order is chosen."""
        self.precedence += [x.name for x in alone if x.chooser and r.random() < 0.4]

    def _block(self, after: int, most: int, depth: int) -> tuple[Do, ...]:
        return tuple(self._statement(after, depth) for _ in range(self.r.randint(1, most)))

    def _statement(self, after: int, depth: int) -> Do:
        r = self.r
        kind = r.choice(["ask", "roll", "call", "call", "step", "step", "if"])
        if kind == "call" and after < 3:
            return Do("call", r.randint(after + 1, 3), r.random() < 0.5)
        if kind == "step" and depth:
            self.steps += 1
            return Do("step", self.steps, inside=self._block(after, 3, depth - 1))
        if kind == "if" and depth:
            return Do("if", r.randint(0, LUCK - 1), inside=self._block(after, 2, depth - 1))
        return Do("roll" if kind == "roll" else "ask")

    def _reaction(self, name: str) -> Reacts:
        r = self.r
        moment = r.choice(["before", "after", "instead of", "during", "during", "during"])
        number = r.randint(0, 3)
        event = f"q{number}"
        if moment == "during":
            event = r.choice([event, "play", *(f"s{n}" for n in range(1, self.steps + 1))])
        elif moment == "after" and r.random() < 0.3:
            event, number = "rolls", 3
        alone = moment != "during" and r.random() < 0.5
        each = alone and r.random() < 0.5
        chooser = r.choice(["p", "p.left", "c" if each else "p"]) if alone and r.random() < 0.7 else ""
        whose = None if alone else "any" if moment == "during" else r.choice(["any", "own", "foreign"])
        body = [Do("ask")] if r.random() < 0.3 else []
        if number < 3 and r.random() < 0.4 and not alone:
            body.append(Do("call", 3))
        return Reacts(
            name, moment, event, r.randint(1, LUCK), whose, tuple(body), moment == "instead of" and r.random() < 0.5,
            each, chooser,
        )  # fmt: skip

    def rules(self) -> str:
        """The text of the game."""
        lines = ["game reacting", "players 3", "die D: 1 to 6", f"field luck[Player]: 0..{LUCK} = {LUCK}"]
        lines += ["procedure play", "    each p in players", "        q0(p)", "    finish with winner players"]
        for number, (body, order) in enumerate(zip(self.procedures, self.orders, strict=True)):
            lines += [f"procedure q{number}(p: Player), open {order}", *_written(body, "p", 1, f"q{number}")]
        for reaction in self.reactions:
            lines += reaction.rules()
        if self.precedence:
            lines.append(f"precedence {', '.join(self.precedence)}")
        return "\n".join(lines) + "\n"


class Told:
    """One game of random rules, as the page of the language tells it."""

    def __init__(self, rules: Reacting) -> None:
        self.rules = rules
        self.luck = dict.fromkeys(PLAYERS, LUCK)
        self.going_on: Counter[str] = Counter()
        self.windows = self.interrupted = 0

    def play(self) -> Asked:
        """The whole game."""
        self.going_on["play"] += 1
        for p in PLAYERS:
            yield from self._call(0, p)

    def _of(self, moment: str, event: str) -> list[Reacts]:
        return [x for x in self.rules.reactions if (x.moment, x.event) == (moment, event)]

    def _around(self, p: str, order: str) -> list[str]:
        if order == "[p]":
            return [p]
        at = PLAYERS.index(p) + ("left" in order)
        return [PLAYERS[(at + i) % 3] for i in range(3)]

    def _body(self, body: tuple[Do, ...], p: str, reaction: bool) -> Asked:
        for one in body:
            match one.kind:
                case "ask":
                    yield from self._question(p, lambda: frozenset({"0", "1"}), lambda _: None, reaction)
                case "roll":
                    yield from self._window(self._of("after", "rolls"), p, self._around(p, ""), reaction)
                case "call":
                    yield from self._call(one.number, PLAYERS[(PLAYERS.index(p) + one.left) % 3])
                case "step":
                    self.going_on[f"s{one.number}"] += 1
                    yield from self._body(one.inside, p, reaction)
                    self.going_on[f"s{one.number}"] -= 1
                case _:
                    if self.luck[p] > one.number:
                        yield from self._body(one.inside, p, reaction)

    def _call(self, number: int, p: str, happened: frozenset[tuple[str, str]] = frozenset()) -> Asked:
        """Something that has not `happened` to it yet replaces the procedure, or players do, or it goes on."""
        around = self._around(p, self.rules.orders[number])
        found = self._of("instead of", f"q{number}")
        one = yield from self._alone(found, p, around, happened)
        if one is not None:
            if one[0].proceeds:
                yield from self._call(number, p, happened | {(one[0].name, one[1])})
            return
        for q in around:
            used = yield from self._react(found, p, q, reaction=False, once=True)
            if used is not None:
                if used.proceeds:
                    yield from self._call(number, p, happened)
                return
        self.going_on[f"q{number}"] += 1
        yield from self._window(self._of("before", f"q{number}"), p, around, reaction=False)
        yield from self._body(self.rules.procedures[number], p, reaction=False)
        yield from self._window(self._of("after", f"q{number}"), p, around, reaction=False)
        self.going_on[f"q{number}"] -= 1

    def _window(self, found: list[Reacts], p: str, around: list[str], reaction: bool) -> Asked:
        happened: frozenset[tuple[str, str]] = frozenset()
        while (one := (yield from self._alone(found, p, around, happened))) is not None:
            happened |= {(one[0].name, one[1])}
        for q in around:
            yield from self._react(found, p, q, reaction, once=False)

    def _alone(
        self, found: list[Reacts], p: str, around: list[str], happened: frozenset[tuple[str, str]]
    ) -> Generator[tuple[str, frozenset[str]], str, tuple[Reacts, str] | None]:
        """One reaction happens by itself, and for whom it does: those in a fixed order come first."""
        ready = [
            (x, q)
            for x in found
            for q in (PLAYERS if x.each else (p,))
            if x.whose is None and self.luck[q] >= x.least and (x.name, q) not in happened
        ]
        fixed, order = [x for x in ready if not x[0].chooser], self.rules.precedence
        if fixed:
            yield from self._use(*fixed[0])
            return fixed[0]
        waits = [x.name for x, _ in ready if x.name in order]
        ready = [x for x in ready if x[0].name not in order or x[0].name == min(waits, key=order.index)]
        if not ready:
            return None
        left = PLAYERS[(PLAYERS.index(p) + 1) % 3]
        chooser = {one: {"p": p, "p.left": left, "c": one[1]}[one[0].chooser] for one in ready}
        who = next(q for q in (*around, *PLAYERS) if q in chooser.values())
        ready = [one for one in ready if chooser[one] == who]
        names = {x.name for x, _ in ready}
        name = (yield who, frozenset(names)) if len(names) > 1 else names.pop()
        members = {q for x, q in ready if x.name == name}
        member = (yield who, frozenset(members)) if len(members) > 1 else members.pop()
        self.windows += len(ready) > 1
        one = next(one for one in ready if (one[0].name, one[1]) == (name, member))
        yield from self._use(*one)
        return one

    def _react(
        self, found: list[Reacts], p: str, q: str, reaction: bool, once: bool
    ) -> Generator[tuple[str, frozenset[str]], str, Reacts | None]:
        """Somebody reacts until they pass, or once."""
        used: list[Reacts] = []

        def offered() -> frozenset[str]:
            names = {
                x.name for x in found if x.whose is not None and self.luck[q] >= x.least and self._concerns(x, p, q)
            }
            return frozenset({*names, "pass"} if names else ())

        while offered() and not (once and used):
            self.windows += 1
            chosen: list[str] = []
            yield from self._question(q, offered, chosen.append, reaction)
            if not chosen or chosen == ["pass"]:
                break
            used.append(next(x for x in found if x.name == chosen[0]))
            yield from self._use(used[-1], q)
        return used[-1] if used else None

    @staticmethod
    def _concerns(x: Reacts, p: str, q: str) -> bool:
        return x.whose == "any" or (q == p) == (x.whose == "own")

    def _question(
        self, who: str, offered: Callable[[], frozenset[str]], answered: Callable[[str], object], reaction: bool
    ) -> Asked:
        """Asked again after each interruption, while there is something to answer."""
        while answers := offered():
            during = {
                x.name: x
                for x in self.rules.reactions
                if x.moment == "during" and self.going_on[x.event] and self.luck[who] >= x.least and not reaction
            }
            answer = yield who, answers | during.keys()
            if answer not in during:
                answered(answer)
                return
            self.interrupted += 1
            yield from self._use(during[answer], who)

    def _use(self, x: Reacts, q: str) -> Asked:
        self.luck[q] -= 1
        yield from self._body(x.body, q, reaction=True)


__all__ = ["Reacting", "Told"]
