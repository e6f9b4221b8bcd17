"""States of a game: values that never change. An answer gives a new state."""

from __future__ import annotations

from typing import Any

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import faults
from rulewright.engine.explain import Refusal, why_not
from rulewright.engine.keys import keys_of
from rulewright.engine.machine import DRAW, LEGAL, RETURNED, Engine
from rulewright.engine.records import CHANCE, RULES, Link, LogEntry, Mode, Option
from rulewright.engine.saving import save
from rulewright.engine.snapshot import Snapshot
from rulewright.engine.step_code import BASE, SHOWN
from rulewright.engine.views import view
from rulewright.program import model as m


class State(Snapshot):
    """A game at rest that can be played on."""

    # ------------------------------------------------------------------------------------------ answering

    def choose(self, answer: Option | str | int) -> State:
        """The state after an answer: an option, its key or its number."""
        question = self.question
        if question is None:
            raise RulesetError(Diagnostic(faults.NO_OPTION, "the game is over: nothing can be chosen"))
        option = self._find(answer)
        i = question.instr
        secret = isinstance(i, m.Choose) and i.secret
        who = CHANCE if isinstance(i, m.Chance) else self.engine.layout.key("Player", self._who)
        link = Link(self._link, LogEntry(who, question.name, option.key, secret))
        cells, stack = list(self.cells), list(self.stack)
        if option.extra:
            block = question.extras[option.value]
        else:
            stack[self.base + question.into] = option.value
            block = question.after
        return advance(self.engine, cells, stack, self.base, block, self.mode, link)

    def _find(self, answer: Option | str | int) -> Option:
        decision = self.decision
        assert decision is not None
        if isinstance(answer, Option):
            answer = answer.key
        if isinstance(answer, int):
            if 0 <= answer < len(decision.options):
                return decision.options[answer]
            message = f"there is no option {answer}: `{decision.name}` has {len(decision.options)}"
            raise RulesetError(Diagnostic(faults.NO_OPTION, message))
        for option in decision.options:
            if option.key == answer:
                return option
        shown = ", ".join(f"`{o.key}`" for o in decision.options[:8]) + (" …" if len(decision.options) > 8 else "")
        message = f"`{answer}` is no option of `{decision.name}`; {decision.who} may answer {shown}"
        raise RulesetError(Diagnostic(faults.NO_OPTION, message, cites=decision.cites))

    # ------------------------------------------------------------------------------------------ telling

    def view(self, player: int | None) -> dict[str, Any]:
        """What a player may know; None sees everything."""
        return view(self, player)

    def why_not(self, key: str) -> Refusal:
        """Why `key` is not among the options."""
        return why_not(self, key)

    def save(self) -> dict[str, Any]:
        """The game as a JSON object, to be given to :func:`rulewright.engine.load`."""
        return save(self)


def advance(
    engine: Engine,
    cells: list[int],
    stack: list[int],
    base: int,
    block: int,
    mode: Mode,
    link: Link | None,
) -> State:
    """Run on to the next decision (through chance, unless chance is asked for)."""
    registers = engine.registers(base, mode.fired, [], mode.watch)
    while True:
        status = engine.run(cells, stack, registers, block)
        link = _shown(engine, registers, link)
        if status != DRAW or mode.ask_chance:
            break
        question = engine.question(stack, registers[BASE])
        legal = registers[LEGAL]
        before = engine.outcome(cells, question, legal)
        key = keys_of(engine).of(cells, question.instr.universe, before, legal)
        link = Link(link, LogEntry(CHANCE, question.name, key))
        stack[registers[BASE] + question.into] = before
        block = question.after
    if status == RETURNED and mode.whole:
        raise engine.no_result()
    return State(engine, cells, stack, registers, status, mode, link)


def _shown(engine: Engine, registers: list[Any], link: Link | None) -> Link | None:
    """Note in the log what the rules have shown."""
    shown = registers[SHOWN]
    if not shown:
        return link
    seats = engine.layout.universes["Player"].keys
    for cells, function, what, to in shown:
        seen = tuple(seats[p] for p in range(len(seats)) if to >> p & 1)
        pieces = [p for p in range(what.bit_length()) if what >> p & 1]
        key = ", ".join(engine.layout.key("Piece", p) for p in pieces)
        del cells
        link = Link(link, LogEntry(RULES, function, key, False, seen))
    shown.clear()
    return link
