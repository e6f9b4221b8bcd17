"""States of a game, which are immutable: an answer gives a new state; and how a notebook displays one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import faults
from rulewright.engine.evaluator.registers import Memo, Registers
from rulewright.engine.hidden_information.answers.audience import audience, seats_of
from rulewright.engine.hidden_information.answers.observers_after_answer import Done, WithheldAnswer, observers_after
from rulewright.engine.hidden_information.observations.history import history
from rulewright.engine.hidden_information.observations.log_visibility import log_for
from rulewright.engine.hidden_information.observations.secret_questions import who_knows
from rulewright.engine.hidden_information.observations.views import view
from rulewright.engine.hidden_information.observations.visible_refusals import refused_answers, visible_refusal
from rulewright.engine.hidden_information.worlds.determinization import determinize
from rulewright.engine.persistence.saving import save
from rulewright.engine.runtime.machine import DRAW, RETURNED, Engine
from rulewright.engine.runtime.option_keys import keys_of
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.records import (
    CHANCE,
    DECIDER,
    PUBLIC,
    RULES,
    Decision,
    Heard,
    Link,
    Log,
    LogEntry,
    Mode,
    Option,
    Result,
    outcome,
)
from rulewright.engine.runtime.refusals import Refusal
from rulewright.engine.states.simultaneous_answers import (
    EarlyAnswers,
    SimultaneousTurn,
    answered,
    decided_in,
    in_turn,
    open_turns,
    restored,
)
from rulewright.foundation.bit_sets import bits_of
from rulewright.foundation.notebook_html import image, paragraph
from rulewright.host.api_arguments import invalid_argument, printable, seat, shortened, text, whole
from rulewright.host.budgets import MANY, shared_budget
from rulewright.ir import model as m

FIRST = 24
"""So many options are shown."""


class Showable(Protocol):
    """A state, as far as it is shown."""

    engine: Engine

    @property
    def decision(self) -> Decision | None:
        """The pending question."""

    @property
    def result(self) -> Result | None:
        """The end of the game."""


def lay_picture(engine: Engine, draw: Callable[[Any], str | None]) -> None:
    """Let the states of an engine be drawn by a function from a state to SVG, or to nothing."""
    engine.cache("picture")["draw"] = draw


def svg_of(state: Showable) -> str | None:
    """The picture of a state; None if it has none."""
    draw: Callable[[Any], str | None] | None = state.engine.cache("picture").get("draw")
    return None if draw is None else draw(state)


def html_of(state: Showable) -> str:
    """The picture, and who decides what, or how the game has ended."""
    svg, title = svg_of(state), state.engine.program.title
    shown = image(svg, title) if svg is not None else ""
    if state.result is not None:
        return f"<div>{shown}{paragraph(f'{title}: {outcome(state.result)}')}</div>"
    decision = state.decision
    if decision is None:
        return f"<div>{shown}{paragraph(title)}</div>"
    keys = [option.key for option in decision.options]
    more = f", and {len(keys) - FIRST} more" if len(keys) > FIRST else ""
    options = f"{', '.join(keys[:FIRST])}{more}"
    return f"<div>{shown}{paragraph(f'{title}: {decision.who} is asked {decision.name}: {options}')}</div>"


class State(Position):
    """A game at rest that can be played on."""

    def __repr__(self) -> str:
        if self.result is not None or self.question is None:
            about = outcome(self.result) if self.result is not None else "at rest"
        else:
            who = CHANCE if self.seat is None else self.engine.layout.key("Player", self.seat)
            about = f"{who} decides {self.question.name}"
        return f"<State of {self.engine.program.title}: {about}>"

    def _repr_svg_(self) -> str | None:
        return svg_of(self)

    def _repr_html_(self) -> str:
        return html_of(self)

    # ------------------------------------------------------------------------------------------ answering

    simultaneous_turn: SimultaneousTurn[State] | None = None
    """The standing of the state if a player decides, or has answered, out of order: see
    `rulewright.engine.states.simultaneous_answers`."""

    def choose(self, answer: Option | str | int, by: str | int | None = None) -> State:
        """The state after an answer: an option of this decision, its key or its number.

        An option of another state will do if it has the same question: it is known by its key. Where several decide at
        once, `by` is the one who answers (a seat or its number); it need not be the one whose decision this is.
        """
        if self.question is None:
            raise RulesetError(Diagnostic(faults.NO_OPTION, "the game is over: nothing can be chosen"))
        here = self if by is None else self.turn_of(by)
        if here is None:
            names = ", ".join(dict.fromkeys(decision.who for decision in self.decisions))
            raise RulesetError(
                Diagnostic(
                    faults.NO_OPTION,
                    f"{printable(by) if isinstance(by, str) else shortened(by)} is not asked here: {names} may answer",
                )
            )
        option = here._find(answer)
        return here._answered(option) if here.simultaneous_turn is None else answered(here, option.key, advance)

    def answered_alone(self, key: str) -> State:
        """For the engine: the state after an answer, in a turn that ends without those of the others."""
        return self._answered(self._find(key), alone=True)

    def entry(self, key: str) -> LogEntry:
        """For the engine: the entry of the log for an answer."""
        return self._entry(self._find(key))[0]

    def _entry(self, option: Option) -> tuple[LogEntry, WithheldAnswer | None]:
        """The entry for an answer, and the answer if there are others who may see it go."""
        question = self.question
        assert question is not None
        who = CHANCE if isinstance(question.instr, m.Chance) else self.engine.layout.key("Player", self._who)
        member = option.value if option.extra else self.member(option)
        names = self.places_seen(option)
        may_know, withheld, shown = audience(
            self.engine, self.cells, self.stack, question, self.seat, member, option.extra, names
        )
        found = self.simultaneous_node
        hushed = found is not None and not found.reveals(question.function, question.pc)
        seats = self.engine.layout.universes["Player"].keys
        known = sum(1 << number for number, seat in enumerate(seats) if may_know is None or seat in may_know)
        may_hear = seats_of(self.engine, who_knows(self, known, shown))
        entry = LogEntry(who, question.name, option.key, self.is_secret, may_know, hushed, may_hear)
        return entry, withheld if found is None else None

    def _answered(self, option: Option, alone: bool = False) -> State:
        question = self.question
        assert question is not None
        link, withheld = None, None
        if not alone:
            entry, withheld = self._entry(option)
            link = Link(self._link, entry)
        cells, stack = list(self.cells), list(self.stack)
        if option.extra:
            block = question.extras[option.value]
        else:
            stack[self.base + question.into] = self.member(option)
            block = question.after
        given = 0 if alone or self.simultaneous_node is None else self.given + 1
        memory = self.handed_over(cells)
        return advance(self.engine, cells, stack, self.base, block, self.mode, link, given, alone, withheld, memory)

    # ------------------------------------------------------------------------------------------ deciding at once

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions that can be made now: that of the player to decide, or, where several decide at once, one for
        each of those who have still to decide, in the order of the rules."""
        if self.simultaneous_node is None:
            return () if self.decision is None else (self.decision,)
        return tuple(here.decision for here in open_turns(self, advance) if here.decision is not None)

    def turn_of(self, player: str | int) -> State | None:
        """The state in which a player (a seat or its number) decides, where several decide at once: the same position,
        with their decision. None if they do not decide."""
        if isinstance(player, bool) or not isinstance(player, str | int):
            raise invalid_argument("the player", player, "it is a seat or its number")
        seats = self.engine.layout.universes["Player"].keys
        number = seats.index(player) if isinstance(player, str) and player in seats else player
        if number == self.seat:
            return self
        return next((here for here in open_turns(self, advance) if here.seat == number), None)

    @property
    def in_order(self) -> State:
        """For the engine: the state in which only those have answered whose turn has come."""
        return self if self.simultaneous_turn is None else self.simultaneous_turn.base

    @property
    def ahead(self) -> EarlyAnswers:
        """For the engine: the answers that were given ahead of their turns."""
        return () if self.simultaneous_turn is None else self.simultaneous_turn.ahead

    @property
    def log(self) -> Log:
        """Every answer so far, chance included; of those who decide at once in the order of their turns."""
        if self.simultaneous_turn is None:
            return super().log
        early = (entry for _, given in self.simultaneous_turn.ahead for entry in given)
        return Log((*self.simultaneous_turn.base.log, *early), self.mode.ask_chance)

    def __reduce__(self) -> tuple[Any, ...]:
        """The state from a snapshot; what was answered out of order is answered again."""
        if self.simultaneous_turn is None:
            return super().__reduce__()
        return _simultaneous_turn_again, (
            self.simultaneous_turn.base,
            self.simultaneous_turn.ahead,
            self.simultaneous_turn.turn,
        )

    # ------------------------------------------------------------------------------------------ finding

    def _find(self, answer: Option | str | int) -> Option:
        decision = self.decision
        assert decision is not None
        if isinstance(answer, Option):
            if answer.of and answer.of != decision.name:
                message = f"`{answer.key}` was offered by `{answer.of}`, but `{decision.name}` is asked"
                raise RulesetError(Diagnostic(faults.NO_OPTION, message))
            answer = answer.key
        if isinstance(answer, bool) or not isinstance(answer, str | int):
            raise invalid_argument("an answer", answer, "it is an option, its key or its number")
        if isinstance(answer, int):
            if 0 <= answer < len(decision.options):
                return decision.options[answer]
            message = f"there is no option {shortened(answer)}: `{decision.name}` has {len(decision.options)}"
            raise RulesetError(Diagnostic(faults.NO_OPTION, message))
        for option in decision.options:
            if option.key == answer:
                return option
        shown = ", ".join(f"`{o.key}`" for o in decision.options[:8]) + (" …" if len(decision.options) > 8 else "")
        message = f"`{printable(answer)}` is not an option of `{decision.name}`; {decision.who} may answer {shown}"
        raise RulesetError(Diagnostic(faults.NO_OPTION, message, cites=decision.cites))

    # ------------------------------------------------------------------------------------------ telling

    def view(self, player: int | None) -> dict[str, Any]:
        """The view of a player (by number), all that they may know, as a JSON object; None sees everything, PUBLIC what
        all see alike. RulesetError if no player has this number.

        ``fields`` and ``zones`` hold what they see something of, by declaration:

        * a field without keys is its value, or ``{"count": n}`` if only the size of the set or list is seen;
        * a field with keys is ``{"default": …, "values": {keys: value}, "hidden": [keys]}``: the value with which all
          begin, those that differ from it, and those that are not seen (left out if there are none); a piece that they
          do not know is ``back in hand[anna]``, as a key and as a value, unless the field is ``face seen`` by them;
        * a zone is ``{"count": n, "pieces": [{"key": …}]}``: how many they see lying there, and the pieces if they see
          a face among them, without ``key`` where they do not; a stack from the top, a row from its first slot;
          ``backs`` has what those others show whose backs they see: a list in a stack or row, else
          ``{back: how many}``;
        * a zone with keys is ``{"values": {keys: zone}, "hidden": [keys]}``: those that are not empty.

        Several keys are joined by ``, ``. ``decision`` has ``options`` only for the player to decide. ``answers`` are
        those that were given in secret while others have still to decide, with ``key`` for who has given it; it is left
        out if there are none. The seed, what chance has given and what the rules are in the middle of are not shown.
        See ``schemas/view.schema.json``.
        """
        return view(self, self._viewer(player))

    def log_for(self, player: int | None, since: int = 0) -> tuple[Heard, ...]:
        """The log as a player (by number) may read it; None reads everything, PUBLIC what all may read alike.

        Each answer of a player has who has given it to which question, and what it was if this player may
        know it: their own answers, and those that are not hidden from them where they go. A card from a hand is known
        to those who see the hand or see where it goes, a number that is only kept in a field to those who see the
        field, and what goes to nothing hidden to all. Answers of several at once appear when all have answered.
        Outcomes of chance and what the rules have shown appear only for those who may know them. `since` leaves out so
        many entries of the log at its beginning.
        """
        return log_for(self, self._viewer(player), whole("the number of entries that are left out", since, 0))

    def history(self, player: int | None) -> tuple[dict[str, Any], ...]:
        """The history of a player (by number), all that they have observed so far, in order: plain JSON objects.

        Each is either ``{"who": …, "name": …, "key": …}``, an entry of the log as it was shown (a secret answer of
        others twice, the second time with its key), or ``{"seen": part, "now": …}``, a part of the view that has
        changed: ``zones hand``, ``fields gold``, ``decision`` … The history of a later state begins with that of the
        earlier one. Two states are in the same information set of a player if and only if their histories are equal.

        Worked out by playing the log again. A state without the whole of its log (an imagined one, one of a
        playout, a loaded one of a position laid by hand) begins with itself. None sees everything, PUBLIC what all see
        alike.
        """
        return history(self, self._viewer(player), advance)

    def imagine(self, player: int, seed: int) -> State:
        """A state in which a player (by number) could be as well: what they cannot know is dealt anew from the seed.

        Their view is the same, byte by byte, and so is their question. For Information Set Monte Carlo Tree Search
        (Cowling, Powley and Whitehouse, 2012), which looks ahead in many such worlds; see
        :mod:`rulewright.engine.hidden_information.worlds.determinization`. The world follows from their observations
        and from the seed: from two states that they cannot distinguish it is the same, byte by byte.

        *Dealt anew* are: which pieces lie where they do not see their face (as many in each zone, only of kinds it
        takes, with the same back where they see it, and with what fields say of the one in whose place it lies; a piece
        that lies face down lies face down; of which they know that they have changed places with each other only, these
        among themselves; those that may have gone unobserved between zones that no player can count, in any of these);
        the values of fields that they do not see; what the rules have worked out from what is hidden and have not done
        with; what others have decided at once with them, and how far they are in it (with the log their turns are taken
        again, without it what they have written is drawn; the turn of another player begins with their first question);
        the answers of others that they do not know (with the log); and the seed, so that chance is unknown. Locals that
        hold pieces follow these: a card that a player has just taken stays the card that they have just taken, whatever
        it now is; one that was only chosen, and not shown to the player, is chosen anew.

        *Hidden values* are found, where no pieces are hidden and the log is not long, by playing the game again with
        other answers and other chance until the player has observed the same. Else each is drawn by itself from what
        the rules may have given it by now: the members of what was chosen and drawn from, or all of its type where
        nothing less is certain; a local is worked out again from what was dealt. Then values need not go together as
        the rules would have put them (`check` reports for which fields: INF329). Values that the rules announce, and
        whose keys no player has to see, are exchanged among their keys. What was paid so far begins from nothing,
        unless all can work it out.

        *Left as it is*: what they see; pieces whose place they know because they have seen them before, that a field of
        which they see the face names, or that they themselves have answered with, or that they know as the answer of
        others, in a rule that is not done yet; how many pieces others hold where only these can count them. What could
        be concluded from how others have played is not taken into account, nor that a consequence might follow at once
        from what is imagined. Worlds that break an invariant, or in which the question could not come, are thrown away.
        The log is empty, as it is that of the true game. RulesetError, which is also a ValueError, if there is no such
        player, or (RUN019) if no world is found.
        """
        number = self._seat(player)
        world = determinize(self.in_order, number, whole("the seed", seed), advance)
        if self.simultaneous_turn is None:
            return world
        return decided_in(world, self, self.engine.layout.key("Player", number), advance)

    def _viewer(self, player: int | None) -> int | None:
        """The viewer: a seat, the public (PUBLIC), or one who sees everything (None)."""
        return player if player in (None, PUBLIC) else self._seat(player)

    def _seat(self, player: object) -> int:
        return seat(self.engine.layout.universes["Player"].keys, player)

    def why_not(self, key: str, player: int | None = DECIDER) -> Refusal:
        """The reasons why `key` is not among the options, as a player (by number) may know them; without one it is the
        player to decide, None knows them all.

        A restriction that looks at something hidden from them is not shown, whether it refuses the answer or not; if no
        other refuses it, the only reason is ``unseen``: *not possible, for a reason that you cannot see*. So the player
        to decide gets the same reasons in all positions that look alike to them.
        """
        viewer = self.seat if player == DECIDER else self._viewer(player)
        return visible_refusal(self, text("the key", key), PUBLIC if viewer is None and player == DECIDER else viewer)

    def refused_answers(self, player: int | None = DECIDER, most: int = 24) -> tuple[Refusal, ...]:
        """Answers to this question that are not offered, with the reasons that a player (by number) may know, `most` at
        most: words, such as the options of an ``either``, members of types, and numbers near those that are offered.
        Pieces and what is on a map are not among them; see :meth:`why_not` for the player."""
        viewer = self.seat if player == DECIDER else self._viewer(player)
        number = PUBLIC if viewer is None and player == DECIDER else viewer
        return refused_answers(self, number, whole("the number of answers", most, 0))

    def is_same_game(self, other: State) -> bool:
        """True if fields, zones and what chance has drawn are equal: at most questions have changed."""
        if not isinstance(other, State) or other.engine is not self.engine:
            raise invalid_argument("the other state", other, "it is a state of the same game")
        return self.cells == other.cells

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
    given: int = 0,
    alone: bool = False,
    withheld: WithheldAnswer | None = None,
    memory: Memo | None = None,
) -> State:
    """Run on to the next decision (through chance, unless chance is decided from outside).

    `given` is the number of last answers that are secret as long as those go on deciding who decide at once; `alone`
    ends where the turn of one of them does. `withheld` is the last answer, if there are some who may see it go.
    `memory` has the remembered values of these cells.
    """
    if mode.watch is None:
        return _advance(engine, cells, stack, base, block, mode, link, given, alone, withheld, memory)
    return _watched(engine, cells, stack, base, block, mode, link, given, alone, withheld, memory)


def _advance(
    engine: Engine,
    cells: list[int],
    stack: list[int],
    base: int,
    block: int,
    mode: Mode,
    link: Link | None,
    given: int,
    alone: bool,
    withheld: WithheldAnswer | None,
    memory: Memo | None,
) -> State:
    registers = engine.registers(base, mode.fired, [], mode.watch, memory, mode.announcements, alone)
    while True:
        registers.traces = None if withheld is None else []
        status = engine.run(cells, stack, registers, block)
        link = _with_observers(engine, withheld, registers.traces or (), link)
        link = _shown(engine, registers, link)
        if status != DRAW or mode.ask_chance:
            break
        question = engine.question(stack, registers.base)
        legal = registers.legal
        before = engine.outcome(cells, stack, question, legal)
        key = keys_of(engine).of(cells, stack, question.instr.universe, before, legal)
        may_know, withheld, _ = audience(engine, cells, stack, question, None, before, False)
        link = Link(link, LogEntry(CHANCE, question.name, key, False, may_know))
        stack[registers.base + question.into] = before
        block = question.after
    if status == RETURNED and mode.whole:
        raise engine.no_result()
    state = State(engine, cells, stack, registers, status, mode, link)
    if given and not registers.simultaneous_blocks and state.simultaneous_node is not None:
        state.given = given
    return state


_watched = shared_budget(MANY)(_advance)
"""Run on, with properties checked on the way."""


def _simultaneous_turn_again(base: State, ahead: EarlyAnswers, turn: int) -> State:
    """A state out of a pickle."""
    state = restored(base, ahead, advance)
    return in_turn(state, turn, advance) or state


def _with_observers(
    engine: Engine, withheld: WithheldAnswer | None, done: Sequence[Done], link: Link | None
) -> Link | None:
    """Note in the log who knows the last answer by what was done since."""
    if withheld is None or link is None or not done:
        return link
    known = observers_after(engine, withheld, done)
    if known == withheld.known:
        return link
    seats, known_seats = seats_of(engine, known), link.entry.heard_by
    observers = None if known_seats is None or seats is None else tuple(dict.fromkeys((*known_seats, *seats)))
    return Link(link.before, replace(link.entry, seen_by=seats, heard_by=observers))


def _shown(engine: Engine, registers: Registers, link: Link | None) -> Link | None:
    """Note in the log what the rules have shown."""
    shown = registers.shown
    if not shown:
        return link
    seats = engine.layout.universes["Player"].keys
    for cells, function, what, to in shown:
        seen = tuple(seats[p] for p in range(len(seats)) if to >> p & 1)
        key = ", ".join(engine.layout.key("Piece", p) for p in bits_of(what))
        del cells
        link = Link(link, LogEntry(RULES, function, key, False, seen))
    shown.clear()
    return link
