"""States of a game: values that never change. An answer gives a new state."""

from __future__ import annotations

from typing import Any

from rulewright.api_arguments import printable, said, seat, text, whole, wrong
from rulewright.budgets import MANY, errand
from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import faults
from rulewright.engine.codegen.instruction_code import BASE, SHOWN
from rulewright.engine.hidden_information.audience import audience
from rulewright.engine.hidden_information.determinization import imagine
from rulewright.engine.hidden_information.history import history
from rulewright.engine.hidden_information.log_visibility import log_for
from rulewright.engine.hidden_information.told_refusals import why_not_told
from rulewright.engine.hidden_information.views import view
from rulewright.engine.persistence.saving import save
from rulewright.engine.runtime.machine import DRAW, LEGAL, RETURNED, Engine
from rulewright.engine.runtime.option_keys import keys_of
from rulewright.engine.runtime.records import ASKED, CHANCE, PUBLIC, RULES, Heard, Link, LogEntry, Mode, Option
from rulewright.engine.runtime.refusals import Refusal
from rulewright.engine.runtime.snapshot import Snapshot
from rulewright.ir import model as m


class State(Snapshot):
    """A game at rest that can be played on."""

    # ------------------------------------------------------------------------------------------ answering

    def choose(self, answer: Option | str | int) -> State:
        """The state after an answer: an option of this decision, its key or its number.

        An option of another state will do if the same is asked there: it is known by its key.
        """
        question = self.question
        if question is None:
            raise RulesetError(Diagnostic(faults.NO_OPTION, "the game is over: nothing can be chosen"))
        option = self._find(answer)
        i = question.instr
        secret = isinstance(i, m.Choose) and i.secret
        who = CHANCE if isinstance(i, m.Chance) else self.engine.layout.key("Player", self._who)
        member = option.value if option.extra else self.member(option)
        told = self.hear_of_place(option)
        may_know = audience(self.engine, self.cells, self.stack, question, self.seat, member, option.extra, told)
        link = Link(self._link, LogEntry(who, question.name, option.key, secret, may_know))
        cells, stack = list(self.cells), list(self.stack)
        if option.extra:
            block = question.extras[option.value]
        else:
            stack[self.base + question.into] = member
            block = question.after
        return advance(self.engine, cells, stack, self.base, block, self.mode, link)

    def _find(self, answer: Option | str | int) -> Option:
        decision = self.decision
        assert decision is not None
        if isinstance(answer, Option):
            if answer.of and answer.of != decision.name:
                message = f"`{answer.key}` was offered by `{answer.of}`, but `{decision.name}` is asked"
                raise RulesetError(Diagnostic(faults.NO_OPTION, message))
            answer = answer.key
        if isinstance(answer, bool) or not isinstance(answer, str | int):
            raise wrong("an answer", answer, "it is an option, its key or its number")
        if isinstance(answer, int):
            if 0 <= answer < len(decision.options):
                return decision.options[answer]
            message = f"there is no option {said(answer)}: `{decision.name}` has {len(decision.options)}"
            raise RulesetError(Diagnostic(faults.NO_OPTION, message))
        for option in decision.options:
            if option.key == answer:
                return option
        shown = ", ".join(f"`{o.key}`" for o in decision.options[:8]) + (" …" if len(decision.options) > 8 else "")
        message = f"`{printable(answer)}` is not an option of `{decision.name}`; {decision.who} may answer {shown}"
        raise RulesetError(Diagnostic(faults.NO_OPTION, message, cites=decision.cites))

    # ------------------------------------------------------------------------------------------ telling

    def view(self, player: int | None) -> dict[str, Any]:
        """Everything that a player (by number) may know, as a JSON object; None sees everything, PUBLIC what all see
        alike. RulesetError if nobody has this number.

        ``fields`` and ``zones`` hold what they see something of, by declaration:

        * a field without keys is its value, or ``{"count": n}`` if only the size of the set or list is seen;
        * a field with keys is ``{"default": …, "values": {keys: value}, "hidden": [keys]}``: the value with which all
          begin, those that differ from it, and those that are not seen (left out if there are none); a piece that they
          do not know is ``back in hand[anna]``, as a key and as a value, unless the field is ``face seen`` by them;
        * a zone is ``{"count": n, "pieces": [{"key": …}]}``: how many they see lying there, and the pieces if they see
          a face among them, without ``key`` where they do not; a stack from the top, a row from its first slot;
          ``backs`` tells what those others show whose backs they see: a list in a stack or row, else
          ``{back: how many}``;
        * a zone with keys is ``{"values": {keys: zone}, "hidden": [keys]}``: those that are not empty.

        Several keys are joined by ``, ``. ``decision`` has ``options`` only for whoever is asked. ``answers`` are those
        that were given in secret while the same is still asked of others, with ``key`` for who has given it; it is
        left out if there are none. The seed, what chance has given and what the rules are in the middle of are not
        told. See ``schemas/view.schema.json``.
        """
        return view(self, self._viewer(player))

    def log_for(self, player: int | None, since: int = 0) -> tuple[Heard, ...]:
        """The log as a player (by number) may read it; None reads everything, PUBLIC what all may read alike.

        Of each answer of a player it is told who has given it to which question, and what it was if this player may
        know it: their own answers, and those that are not hidden from them where they go. A card from a hand is known
        to those who see the hand or see where it goes, a number that is only kept in a field to those who see the
        field, and what goes to nothing hidden to all. What is asked of several at once is told when all have answered.
        Of what chance has given and what the rules have shown only they are told who may know it. `since` leaves out so
        many entries of the log at its beginning.
        """
        return log_for(self, self._viewer(player), whole("the number of entries that are left out", since, 0))

    def history(self, player: int | None) -> tuple[dict[str, Any], ...]:
        """All that a player (by number) has seen and heard so far, in order: plain JSON objects.

        Each is either ``{"who": …, "name": …, "key": …}``, an entry of the log as it was told (a secret answer of
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

        Their view is the same, byte by byte, and so is what they are asked. For Information Set Monte Carlo Tree Search
        (Cowling, Powley and Whitehouse, 2012), which looks ahead in many such worlds; see
        :mod:`rulewright.engine.hidden_information.determinization`. The same seed gives the same world.

        *Dealt anew* are: which pieces lie where they do not see their face (as many in each zone, only of kinds it
        takes, with the same back where they see it, and with what fields say of the one in whose place it lies; a piece
        that lies face down lies face down; of which they know that they have changed places with each other only, these
        among themselves); the values of fields that they do not see, among the keys of the field (fields whose keys are
        hidden alike, such as the bids and the purses of the others, go together); answers that others have given in
        secret while the same is still asked; and the seed, so that chance is unknown. Locals of rules that are being
        carried out follow their pieces: a card that somebody has just taken stays the card that they have just taken,
        whatever it now is.

        *Left as it is*: what they see; pieces whose place they know because they have seen them before, that a field
        of which they see the face names, or that they themselves have answered with in a rule that is not done yet; a
        hidden field without keys, or a none; numbers that the rules have computed from what is hidden; secret answers
        once all are given. What could be concluded from how others have played is not taken into account, nor that a
        consequence might follow at once from what is imagined. Worlds that break an invariant, or in which the question
        could not be asked, are thrown away; if none else is found, only the seed is new. The log is empty: it tells of
        the true game.
        RulesetError, which is also a ValueError, if there is no such player.
        """
        return imagine(self, self._seat(player), whole("the seed", seed))

    def _viewer(self, player: int | None) -> int | None:
        """The viewer: a seat, nobody in particular (PUBLIC), or one who sees everything (None)."""
        return player if player in (None, PUBLIC) else self._seat(player)

    def _seat(self, player: object) -> int:
        return seat(self.engine.layout.universes["Player"].keys, player)

    def why_not(self, key: str, player: int | None = ASKED) -> Refusal:
        """The reasons why `key` is not among the options, as a player (by number) may know them; without one it is the
        player who is asked, None knows them all.

        A restriction that looks at something hidden from them is not told, whether it refuses the answer or not; if no
        other refuses it, the only reason is ``unseen``: *not possible, for a reason that you cannot see*. So whoever is
        asked is told the same in all positions that look alike to them.
        """
        viewer = self.seat if player == ASKED else self._viewer(player)
        return why_not_told(self, text("the key", key), PUBLIC if viewer is None and player == ASKED else viewer)

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
    if mode.watch is None:
        return _advance(engine, cells, stack, base, block, mode, link)
    return _watched(engine, cells, stack, base, block, mode, link)


def _advance(
    engine: Engine,
    cells: list[int],
    stack: list[int],
    base: int,
    block: int,
    mode: Mode,
    link: Link | None,
) -> State:
    registers = engine.registers(base, mode.fired, [], mode.watch, told=mode.told)
    while True:
        status = engine.run(cells, stack, registers, block)
        link = _shown(engine, registers, link)
        if status != DRAW or mode.ask_chance:
            break
        question = engine.question(stack, registers[BASE])
        legal = registers[LEGAL]
        before = engine.outcome(cells, stack, question, legal)
        key = keys_of(engine).of(cells, stack, question.instr.universe, before, legal)
        may_know = audience(engine, cells, stack, question, None, before, False)
        link = Link(link, LogEntry(CHANCE, question.name, key, False, may_know))
        stack[registers[BASE] + question.into] = before
        block = question.after
    if status == RETURNED and mode.whole:
        raise engine.no_result()
    return State(engine, cells, stack, registers, status, mode, link)


_watched = errand(MANY)(_advance)
"""The same, where properties are looked at on the way."""


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
