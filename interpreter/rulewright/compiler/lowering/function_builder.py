"""Builds the code of one function: instructions with labels, slots, and the places where things settle."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import accumulate
from typing import assert_never

from rulewright.compiler.symbols.static_types import Type
from rulewright.compiler.symbols.symbols import Scope
from rulewright.diagnostics import Span
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import EffectAnalysis, Tokens
from rulewright.ir.rule_places import StatementPlace
from rulewright.syntax import ast

SETTLE = "what follows"
"""The function that looks at consequences and ends; a name that no procedure can have."""

_LABEL = 1 << 24
"""Targets of jumps are labels from here on until the code is assembled."""


_WITHOUT_TARGET = m.StateChange | m.LocalChange | m.Notice


@dataclass(frozen=True, slots=True)
class Mark:
    """The place of a label."""

    label: int


@dataclass(frozen=True, slots=True)
class RunTriggers:
    """Here consequences may look on, if what was written since `start` concerns any of them."""

    start: int


@dataclass(frozen=True, slots=True)
class Loop:
    """A construct that ``stop`` can leave."""

    label: str | None
    is_step: bool
    end: int
    blocks: int
    """The number of blocks that were open outside of it."""


@dataclass(frozen=True, slots=True)
class Block:
    """A step or function that is being lowered."""

    label: str
    fields: tuple[str, ...]
    """The fields that last as long as the block."""
    before: int | None = None
    """If a field marks that it is going on: the slot of whether it was when it began."""


@dataclass(frozen=True, slots=True)
class Alone:
    """Statements that one of several decides alone, unobserved."""

    first: ast.Stmt | None
    """The question with which they begin, if it passes them over where nothing can be chosen."""
    passed: int
    """The label that follows then."""
    spans: list[tuple[int, Span]]
    """The beginnings of their code, and the places where they stand, in order."""
    branches: Mapping[int, tuple[int, int]]
    """Blocks that are done only in part, by their identity: the number of statements, and the slot of whether there is
    more to do when all have decided."""
    later: list[Later] = field(default_factory=list)
    """The rest of these."""


@dataclass(frozen=True, slots=True)
class Later:
    """Statements of a branch that are put off until all have decided."""

    body: tuple[ast.Stmt, ...]
    scope: Scope
    taken: int
    """The slot of whether this branch was taken."""
    loops: tuple[Loop, ...]


@dataclass(frozen=True, slots=True)
class TurnSource:
    """The code of a turn in which one of several decides alone, and the statements that it is made of."""

    begin: int
    end: int
    turn: m.Turn
    spans: tuple[tuple[int, Span], ...]

    def span(self, at: int) -> Span:
        """The statement to which an instruction belongs."""
        return next((span for begin, span in reversed(self.spans) if begin <= at), self.spans[0][1])


@dataclass(frozen=True, slots=True)
class StatementCode:
    """The code of a statement, and where that stands."""

    begin: int
    end: int
    place: StatementPlace


@dataclass(slots=True)
class Ends:
    """The ends of the game, by name."""

    after: dict[str, list[str]] = field(default_factory=dict)
    """Block to the ends that are looked for when it is over."""
    types: dict[str, Type] = field(default_factory=dict)
    """Of whom an end is about, or none."""
    matches: dict[str, m.Expr] = field(default_factory=dict)
    """The first one an end is about, or none."""
    reads: dict[str, m.Expr] = field(default_factory=dict)
    """Expressions that the match depends on."""
    looked: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The blocks after which ends were looked for by what is lowered just now."""


@dataclass(frozen=True, slots=True)
class LocalEffects:
    """The changes that instructions make by themselves, and the functions that they call."""

    written: Tokens
    called: frozenset[str]


@dataclass(frozen=True, slots=True)
class EffectSummary:
    """The effects of a function as a whole, and of what precedes each place where things settle."""

    whole: LocalEffects
    settled: tuple[LocalEffects, ...]


@dataclass(slots=True)
class AssemblyCache:
    """The forms that a function has in the games that share it."""

    summaries: dict[Hashable, EffectSummary] = field(default_factory=dict)
    functions: dict[Hashable, m.Function] = field(default_factory=dict)
    questions: tuple[m.Choose | m.Chance, ...] | None = None


@dataclass(slots=True)
class FunctionBuilder:
    """A function under construction."""

    name: str
    word: str
    asks: bool
    """True if it may ask, draw and settle (a procedure); False for an effect."""
    result: Type | None = None
    goes_on: tuple[str, tuple[int, ...]] | None = None
    """Of what is done instead of something: the function that it may `proceed` with, and those of its own parameters
    that this takes."""
    params: int = 0
    """The number of slots that are parameters."""
    exit: int = 0
    """Label of the end, where everything that lasted as long as the function is reset."""
    result_slot: int | None = None
    items: list[m.Instr | Mark | RunTriggers] = field(default_factory=list)
    slots: list[m.Slot] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    """The open blocks, outermost first."""
    unsure: dict[int, tuple[m.Expr, ...]] = field(default_factory=dict)
    """Slots from which an interruption may have taken what rules expect there: with the conditions under which it is
    there."""
    guarded: list[range] = field(default_factory=list)
    """Instructions that are passed over when it is not."""
    alone: Alone | None = None
    """The statements that are lowered just now, if they are decided at once with others."""
    turns: list[TurnSource] = field(default_factory=list)
    statements: list[StatementCode] = field(default_factory=list)
    """The statements that it is made of, the inner ones first."""
    assembled: AssemblyCache = field(default_factory=AssemblyCache)
    _labels: int = 0
    _places: dict[str, int] = field(default_factory=dict)

    def slot(self, name: str, type: Type) -> int:
        """A new local variable."""
        self.slots.append(m.Slot(name, type.run_time()))
        return len(self.slots) - 1

    def doubt(self, slot: int, there: m.Expr | None = None) -> None:
        """From here on rules that read the slot are passed over when it is none, or `there` does not hold."""
        self.unsure[slot] = (there or m.Cmp("ne", m.Local(slot), m.Const(m.NONE), nothing=True),)

    def label(self) -> int:
        """A new label."""
        self._labels += 1
        return _LABEL + self._labels

    def mark(self, label: int) -> None:
        """The label is here."""
        self.items.append(Mark(label))

    def add(self, *instructions: m.Instr) -> None:
        """Append instructions."""
        self.items.extend(instructions)

    def place(self, name: str) -> str:
        """A name for a place where the function may rest, unique in it and stable under edits elsewhere."""
        number = self._places[name] = self._places.get(name, 0) + 1
        return name if number == 1 else f"{name}#{number}"

    def settle(self, start: int) -> None:
        """Let consequences look on what was done since `start`, unless this is an effect."""
        if self.asks:
            self.items.append(RunTriggers(start))

    def settle_as_a_whole(self) -> None:
        """Let consequences look on only when all of it is done."""
        kept = [not isinstance(item, RunTriggers) for item in self.items]
        before = [0, *accumulate(kept)]
        self.items = [item for item, keep in zip(self.items, kept, strict=True) if keep]
        self.statements = [StatementCode(before[s.begin], before[s.end], s.place) for s in self.statements]

    def statement_at(self, code: Sequence[m.Instr], pc: int) -> StatementPlace | None:
        """The innermost statement to which an instruction of the finished code belongs; None if that is other code."""
        own = [at for at, item in enumerate(self.items) if not isinstance(item, Mark | RunTriggers)]
        finished = [at for at, i in enumerate(code) if not (isinstance(i, m.Call) and i.function == SETTLE)]
        if len(own) != len(finished) or pc not in finished:
            return None
        at = own[finished.index(pc)]
        if type(self.items[at]) is not type(code[pc]):
            return None
        return next((one.place for one in self.statements if one.begin <= at < one.end), None)

    def summary(self, depend: EffectAnalysis) -> EffectSummary:
        """The effects of the code, as a whole and before each place where things settle."""
        known = self.assembled.summaries.get(depend.declared)
        if known is None:
            settled = [
                self.items[item.start : at] for at, item in enumerate(self.items) if isinstance(item, RunTriggers)
            ]
            known = EffectSummary(
                _local_effects(self.items, depend), tuple(_local_effects(items, depend) for items in settled)
            )
            self.assembled.summaries[depend.declared] = known
        return known

    def questions(self) -> tuple[m.Choose | m.Chance, ...]:
        """All questions in the finished code, to players and to chance."""
        if self.assembled.questions is None:
            self.assembled.questions = tuple(item for item in self.items if isinstance(item, m.Choose | m.Chance))
        return self.assembled.questions

    def assemble(self, pending: Iterable[int], cites: tuple[str, ...], opening: int = 0) -> m.Function:
        """The finished function; `pending` gives for each place where things settle which consequences are concerned
        there, as a bit set, and `opening` which are looked at before all else."""
        key = (tuple(pending), cites, opening)
        known = self.assembled.functions.get(key)
        if known is None:
            known = self.assembled.functions[key] = self._assemble(*key)
        return known

    def _assemble(self, pending: tuple[int, ...], cites: tuple[str, ...], opening: int) -> m.Function:
        made: list[m.Instr | Mark] = []
        places, concerned = self._places.get("settle", 0), iter(pending)
        for item in self.items:
            if isinstance(item, RunTriggers):
                if found := next(concerned):
                    places += 1
                    place = "settle" if places == 1 else f"settle#{places}"
                    made.append(m.Call(SETTLE, (m.Const(found),), None, place))
            else:
                made.append(item)
        if opening:
            begun = int(bool(made) and isinstance(made[0], m.Fired))
            made.insert(begun, m.Call(SETTLE, (m.Const(opening),), None, "settle at first"))
        where: dict[int, int] = {}
        position = 0
        for item in made:
            if isinstance(item, Mark):
                where[item.label] = position
            else:
                position += 1
        code = [_resolved(i, where) for i in made if not isinstance(i, Mark)]
        result = self.result.run_time() if self.result is not None else None
        return m.Function(self.name, self.word, self.params, tuple(self.slots), tuple(code), result, cites)  # type: ignore[arg-type]


def _local_effects(items: Iterable[m.Instr | Mark | RunTriggers], depend: EffectAnalysis) -> LocalEffects:
    written: set[str] = set()
    called: set[str] = set()
    for item in items:
        if isinstance(item, m.Call):
            called.add(item.function)
        elif not isinstance(item, Mark | RunTriggers):
            written |= depend.writes(item)
    return LocalEffects(frozenset(written), frozenset(called))


def _resolved(item: m.Instr, where: dict[int, int]) -> m.Instr:
    match item:
        case m.Jump() | m.JumpUnless():
            return replace(item, to=where[item.to])
        case m.Choose():
            extras = tuple(replace(e, to=where[e.to]) for e in item.extras)
            on_empty = None if item.on_empty is None else where[item.on_empty]
            return replace(item, extras=extras, on_empty=on_empty)
        case m.Call() | m.Return() | m.FinishWin() | m.FinishRank() | m.Fail() | m.Chance():
            return item
        case _ if isinstance(item, _WITHOUT_TARGET):
            return item
        case _:
            assert_never(item)


def begin_iteration(code: FunctionBuilder, members: int, at: int, one: int) -> tuple[int, int]:
    """The head of a loop over a list in a slot: the labels of its beginning and its end."""
    again, end = code.label(), code.label()
    code.add(m.SetLocal(at, m.Const(0)))
    code.mark(again)
    code.add(
        m.JumpUnless(m.Cmp("lt", m.Local(at), m.Size(m.Local(members), is_list=True)), end),
        m.SetLocal(one, m.Item(m.Local(members), m.Local(at))),
    )
    return again, end


def end_iteration(code: FunctionBuilder, at: int, again: int, end: int) -> None:
    """The foot of such a loop."""
    code.add(m.SetLocal(at, m.Arith("add", m.Local(at), m.Const(1))), m.Jump(again))
    code.mark(end)


YES = m.Const(1)
NO = m.Const(0)


def all_of(*items: m.Expr) -> m.Expr:
    """All of these conditions."""
    kept = tuple(i for i in items if i != YES)
    if NO in kept:
        return NO
    return YES if not kept else kept[0] if len(kept) == 1 else m.And(kept)


def any_of(*items: m.Expr) -> m.Expr:
    """Any of these conditions, of which there is one at least."""
    return items[0] if len(items) == 1 else m.Or(items)


def let_in(var: str, value: m.Expr, body: m.Expr) -> m.Expr:
    """A condition in which a variable has a value."""
    return body if isinstance(body, m.Const) else m.LetIn(var, value, body)


def not_refused(restriction: m.Restriction) -> m.Expr:
    """The condition that a restriction does not refuse."""
    return m.Or((m.Not(restriction.condition), *(u.condition for u in restriction.unless)))


def offers(question: m.Choose) -> m.Expr:
    """The condition that a question offers something, besides what may be done before it is answered."""
    ways = [all_of(e.guard or YES, *map(not_refused, e.restrictions)) for e in question.extras if not e.aside]
    if question.source is not None:
        test = all_of(question.where or YES, *map(not_refused, question.restrictions))
        members = m.Bound(question.var, question.source, question.is_list)
        ways.append(m.Fold("some", (members,), None if test == YES else test, None))
    return YES if YES in ways else any_of(*ways) if ways else NO


def with_word(question: m.Choose, key: str, guard: m.Expr, to: int) -> m.Choose:
    """A question with one more word that may be answered."""
    extra = m.Extra(key, None if guard == YES else guard, (), to)
    return replace(question, extras=(*question.extras, extra))


def with_pass(question: m.Choose, to: int, guard: m.Expr = YES) -> m.Choose:
    """A question with ``pass`` where nothing else is offered: so its being put does not reveal that."""
    return with_word(question, "pass", all_of(guard, m.Not(offers(question))), to)
