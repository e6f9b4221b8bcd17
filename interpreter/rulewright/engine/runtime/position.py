"""States to be looked at: the decision, the result, the log, canonical bytes, and answers of queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from threading import get_ident
from typing import Any, Self, TypeVar

from rulewright.engine import faults
from rulewright.engine.cells.interchange import EquivalenceClass
from rulewright.engine.evaluator.evaluated_program import Question
from rulewright.engine.evaluator.registers import Memo, Registers
from rulewright.engine.runtime.canonical_form import digest, state_bytes
from rulewright.engine.runtime.machine import ASK, DRAW, OVER, RETURNED, Engine
from rulewright.engine.runtime.option_keys import keys_of
from rulewright.engine.runtime.query_calls import Key, ask
from rulewright.engine.runtime.records import CHANCE, Decision, Link, Log, LogEntry, Mode, Option, Result, linked
from rulewright.engine.runtime.simultaneous_node import SimultaneousNode, simultaneous_node
from rulewright.engine.runtime.visibility import counting_players, names_by_place
from rulewright.foundation.bit_sets import bits_of
from rulewright.host.api_arguments import invalid_argument
from rulewright.ir import model as m
from rulewright.ir.facts import lies_in
from rulewright.ir.model import NONE
from rulewright.ir.walk import EXPR_TYPES

S = TypeVar("S", bound="Position")


class Position:
    """A game at rest: at a decision, over, or after the function that was entered. To look at and compare."""

    def __init__(
        self,
        engine: Engine,
        cells: list[int],
        stack: list[int],
        registers: Registers,
        status: int,
        mode: Mode,
        log: Link | None,
    ) -> None:
        self.engine = engine
        self.cells = cells
        self.stack = stack
        self.status = status
        self.mode = mode
        self.base: int = registers.base
        self._legal: int | tuple[int, ...] = registers.legal
        self._extras: int = registers.extras
        self._who: int = registers.seat
        self._memories: dict[int, Memo] = {get_ident(): registers.memo}
        self._link = log
        self.believed: dict[int, Any] = {}
        """In an imagined world, which has no log: by player, the last question known to them, where the current one is
        secret (an `UnobservedAnswer`)."""
        self.given = 0
        """The last answers of the log that are secret as long as not all have decided who decide at once."""

    @classmethod
    def at_rest(cls, engine: Engine, cells: list[int], mode: Mode, log: Link | None) -> Self:
        """For the engine: a state in which nothing runs, over or after the function that was entered."""
        status = OVER if cells[engine.layout.rule] else RETURNED
        return cls(engine, cells, [], engine.registers(0), status, mode, log)

    def __reduce__(self) -> tuple[Any, ...]:
        """The program by its digest and bytes, cells and stack as they are, the log.

        What looks on while the game is played (:attr:`Mode.fired`, :attr:`Mode.watch`) belongs to the process that
        plays it and stays behind.
        """
        rest = (self.status, self._legal, self._extras, self._who)
        mode = (self.mode.ask_chance, self.mode.whole)
        log = (tuple(self.log), self.given)
        return _revived, (type(self), self.engine, self.cells, self.stack, self.base, rest, mode, log)

    def __copy__(self) -> Self:
        again = object.__new__(type(self))
        again.__dict__.update(self.__dict__)
        return again

    @property
    def in_order(self) -> Position:
        """For the engine: the state in which only those have answered whose turn has come."""
        return self

    @property
    def ahead(self) -> tuple[tuple[int, tuple[LogEntry, ...]], ...]:
        """For the engine: the answers that were given ahead of their turns."""
        return ()

    def with_log(self, log: Sequence[LogEntry], given: int) -> Self:
        """For the engine: the same position with another log, the last answers of which are `given` and secret."""
        again = self.__copy__()
        again._link, again.given = linked(log), given
        return again

    def handed_over(self, cells: list[int]) -> Memo | None:
        """For the engine: the remembered values of these cells, for a copy of them in which the rules run on; None if
        there are none. This position remembers nothing then."""
        memory = self._memories.pop(get_ident(), None)
        if memory is None or memory[0] is not self.cells:
            return None
        memory[0] = cells
        return memory

    # ------------------------------------------------------------------------------------------ looking

    @property
    def memory(self) -> Memo:
        """The remembered values of these cells: for each thread its own, as a question about earlier cells forgets
        them."""
        found = self._memories.get(get_ident())
        if found is None:
            found = self._memories[get_ident()] = self.engine.compiled.ctx.memo_layout.new()
        return found

    @property
    def question(self) -> Question | None:
        """The compiled question of the decision."""
        return self.engine.question(self.stack, self.base) if self.status in (ASK, DRAW) else None

    @cached_property
    def simultaneous_node(self) -> SimultaneousNode | None:
        """The players who decide at once, if one of them has to decide."""
        return simultaneous_node(self.engine, self.stack) if self.status == ASK else None

    @property
    def is_secret(self) -> bool:
        """True if the answer is shown only when others have given theirs, too."""
        question = self.question
        secret = question is not None and isinstance(question.instr, m.Choose) and question.instr.secret
        return secret or self.simultaneous_node is not None

    @property
    def settled(self) -> bool:
        """True unless chance decides: players decide, or the game is over.

        Chance is drawn in the middle of a rule, and only some modes rest there; what must hold of every state is
        therefore evaluated in settled ones alone, so that it does not depend on the mode.
        """
        return self.status != DRAW

    @property
    def legal(self) -> int | tuple[int, ...]:
        """For the engine: the members that are offered, a set or a list."""
        return self._legal

    @property
    def seat(self) -> int | None:
        """The player to decide."""
        return self._who if self.status == ASK else None

    @cached_property
    def decision(self) -> Decision | None:
        """The question that must be answered for the game to go on; None when it is over."""
        question = self.question
        if question is None:
            return None
        i = question.instr
        if isinstance(i, m.Chance):
            options, weights = self._outcomes(question)
            return Decision(CHANCE, None, question.name, i.label, options, (), False, weights, i.universe)
        who = self.engine.layout.key("Player", self._who)
        options = self._options(question, i)
        return Decision(who, self._who, question.name, i.label, options, i.cites, self.is_secret, universe=i.universe)

    @cached_property
    def _equivalence_classes(self) -> list[EquivalenceClass]:
        """Of a question about pieces those that stand for an option each, and all that each stands for."""
        return self.engine.equivalence_classes(self.cells, self.stack, self._legal)

    @cached_property
    def _offered(self) -> list[int]:
        """The members that stand for an option each."""
        question = self.question
        if question is None or not self._legal:
            return []
        if question.instr.universe == "Piece":
            return [piece for piece, _ in self._equivalence_classes]
        return self.engine.offered(self.cells, self.stack, self._legal, question.instr.universe)

    def _members(self, question: Question) -> list[Option]:
        universe, members, of = question.instr.universe, self._offered, question.name
        if universe != "Piece":
            return [Option(self.engine.layout.key(universe, v), n, v, of=of) for n, v in enumerate(members)]
        kind, unseen = self.engine.interchange.kind, self._unseen
        names = keys_of(self.engine).names(self.cells, self.stack, self._equivalence_classes, unseen) if members else []
        offered = enumerate(zip(names, members, strict=True))
        return [Option(name, n, NONE if v in unseen else kind[v], of=of) for n, (name, v) in offered]

    @cached_property
    def _unseen(self) -> dict[int, str]:
        """The pieces that are offered and whose faces the player to decide does not see, with their keys: pieces out of
        one zone, for of all pieces one can be named without knowing where it lies."""
        question = self.question if self.status == ASK else None
        if question is None or question.instr.universe != "Piece" or question.instr.source is None:
            return {}
        if lies_in(question.instr.source) is None:
            return {}
        return names_by_place(self.engine, self.cells, self._offered, self._who)

    def zones_of(self, option: Option) -> tuple[str, ...]:
        """The zones in which the pieces lie that an option of this decision stands for, as keys name them, where the
        rules choose from what lies in one zone; none where they choose in another way, for then the player to decide
        need not know where a piece lies that they can name."""
        if not isinstance(option, Option):
            raise invalid_argument("an option", option, "it is one of this decision")
        question, layout = self.question, self.engine.layout
        if question is None or question.instr.universe != "Piece" or option.extra:
            return ()
        if question.instr.source is None or lies_in(question.instr.source) is None:
            return ()
        pieces = self._equivalence_classes[option.index][1]
        found = {self.cells[layout.loc + n] for n in bits_of(pieces)}
        return tuple(layout.instances[zone].name for zone in sorted(found))

    def _options(self, question: Question, i: m.Choose) -> tuple[Option, ...]:
        options = self._members(question)
        for number, extra in enumerate(i.extras):
            if self._extras >> number & 1:
                options.append(Option(extra.key, len(options), number, True, question.name))
        self._distinct(question, options)
        return tuple(options)

    def _outcomes(self, question: Question) -> tuple[tuple[Option, ...], tuple[int, ...]]:
        options = self._members(question)
        self._distinct(question, options)
        if question.instr.universe == "Piece":
            return tuple(options), tuple(group.bit_count() for _, group in self._equivalence_classes)
        members = self._legal
        return tuple(options), tuple(members.count(o.value) if isinstance(members, tuple) else 1 for o in options)

    def _distinct(self, question: Question, options: list[Option]) -> None:
        seen: set[str] = set()
        for option in options:
            if option.key in seen:
                message = f"two options have the key `{option.key}` and nothing tells them apart"
                raise self.engine.rules.error(faults.SAME_KEY, message, question.function, question.instr.label)
            seen.add(option.key)

    def answers(self) -> list[tuple[int, bool]]:
        """For the engine: what a player may answer, in the order of the options. First the members, of pieces their
        own numbers; then the numbers of extras, marked by True."""
        question = self.question
        if question is None or not isinstance(question.instr, m.Choose):
            return []
        extras = [number for number in range(len(question.instr.extras)) if self._extras >> number & 1]
        return [*((member, False) for member in self._offered), *((number, True) for number in extras)]

    def member(self, option: Option) -> int:
        """For the engine: the member that an option stands for; of interchangeable pieces one."""
        return self._offered[option.index]

    def places_seen(self, option: Option) -> int:
        """For the engine: the players who see which of the pieces is taken that is offered by its place only."""
        if option.extra or self._offered[option.index] not in self._unseen:
            return 0
        return counting_players(self.engine, self.cells, self._offered[option.index])

    def stands_for(self, option: Option, member: int) -> bool:
        """For the engine: whether an option means a member; interchangeable pieces are one option."""
        if option.extra:
            return False
        question = self.question
        if question is not None and question.instr.universe == "Piece":
            return bool(self._equivalence_classes[option.index][1] >> member & 1)
        return option.value == member

    @cached_property
    def result(self) -> Result | None:
        """The result of the game, once it is over."""
        layout = self.engine.layout
        return result_of(self.engine, self.cells[layout.rule], self.cells[layout.ranks], self.cells[layout.paid])

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """The worth of the game to each seat once it is over, and before what was paid to it so far; empty before, if
        the rules do not say what they pay."""
        layout = self.engine.layout
        return self.engine.payoffs.payoffs(self.cells[layout.ranks], self.cells[layout.paid])

    @property
    def log(self) -> Log:
        """Every answer so far, chance included."""
        return Log(reversed(list(self.entries_back())), self.mode.ask_chance)

    def entries_back(self) -> Iterator[LogEntry]:
        """For the engine: the entries of the log, the last one first."""
        link = self._link
        while link is not None:
            yield link.entry
            link = link.before

    # ------------------------------------------------------------------------------------------ comparing

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        same = self.engine is other.engine or self.engine.program == other.engine.program
        one, two = self.in_order, other.in_order
        if not same or len(one.stack) != len(two.stack) or _early(self) != _early(other):
            return False
        return (one.cells == two.cells and one.stack == two.stack) or self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self._bytes)

    @cached_property
    def _bytes(self) -> bytes:
        one = self.in_order
        return state_bytes(self.engine, one.cells, one.stack) + (repr(_early(self)).encode() if self.ahead else b"")

    def to_bytes(self) -> bytes:
        """Canonical bytes: equal states of a game have equal bytes.

        States are equal, too, if they differ only in which of several alike pieces is which, or in what the rules have
        in mind but will never ask for again.
        """
        return self._bytes

    def digest(self) -> str:
        """A 128-bit fingerprint of the bytes, as hexadecimal digits."""
        return digest(self.to_bytes())

    # ------------------------------------------------------------------------------------------ asking

    def evaluate(self, e: m.Expr, before: Position | None = None) -> Any:
        """The raw value of a closed expression of the program; `before` is the state that ``Old`` looks at. A query is
        evaluated by its name: :meth:`ask`."""
        if not isinstance(e, EXPR_TYPES):
            raise invalid_argument(
                "the expression", e, "it is one of the program; a query is asked by its name with `ask`"
            )
        if before is not None and not isinstance(before, Position):
            raise invalid_argument("the state before", before, "it must be a state of this game")
        function = self.engine.compiled.expression(e)
        return self.engine.call(function, self.cells, before.cells if before else self.cells, memory=self.memory)

    def ask(self, query: str, *keys: Key) -> Any:
        """The answer of a query or value of the rules, for instance ``state.ask("score", "orange")``.

        Arguments are keys of members, numbers, truths or None, for a set or list several of them in a tuple; the
        answer is plain likewise: numbers, truths, keys, None, tuples. Every query is answered, also what a
        player could not see. RulesetError if there is no such query, or an argument does not fit.
        """
        return ask(self.engine, self.cells, self.memory, query, keys)


def _early(state: Position) -> list[tuple[int, list[str]]]:
    """The answers that were given ahead of their turns."""
    return [(turn, [entry.key for entry in given]) for turn, given in state.ahead]


def _revived(
    kind: type[S],
    engine: Engine,
    cells: list[int],
    stack: list[int],
    base: int,
    rest: tuple[int, int | tuple[int, ...], int, int],
    mode: tuple[bool, bool],
    log: tuple[tuple[LogEntry, ...], int],
) -> S:
    """A state out of a pickle."""
    registers = engine.registers(base)
    status, registers.legal, registers.extras, registers.seat = rest
    found = kind(engine, cells, stack, registers, status, Mode(*mode), linked(log[0]))
    found.given = log[1]
    return found


def result_of(engine: Engine, rule: int, ranks: Sequence[int], paid: Sequence[int]) -> Result | None:
    """The result of a game that one and the number of a rule, or 0, has ended, with the cells of `Layout.ranks` and
    `Layout.paid`."""
    if not rule:
        return None
    layout = engine.layout
    seats = layout.universes["Player"].keys
    parties = [layout.universes[universe].keys[member] for universe, member in layout.parties_without_players]
    places = ranks[:-1]
    seated, standing = dict[int, list[str]](), dict[int, list[str]]()
    for number, (who, place) in enumerate(zip((*seats, *parties), places, strict=True)):
        if number < len(seats):
            seated.setdefault(place, []).append(who)
        if place:
            standing.setdefault(place, []).append(who)
    winners = tuple(seated.get(1, ()))
    return Result(
        tuple(tuple(seated[place]) for place in sorted(seated)),
        winners,
        engine.rule_names[rule - 1],
        tuple(places[: len(seats)]),
        tuple(party for party, place in zip(parties, places[len(seats) :], strict=True) if place == 1),
        engine.payoffs.standing(ranks).drawn,
        tuple((place, tuple(standing[place])) for place in sorted(standing) if 1 in standing or len(standing) > 1),
        engine.payoffs.payoffs(ranks, paid),
    )
