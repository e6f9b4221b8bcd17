"""Running blocks until a question, as long as the limits allow it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import repeat
from threading import RLock
from typing import Any, TypeVar

from rulewright.diagnostics import RulesetError
from rulewright.diagnostics.suggestions import listing
from rulewright.engine import faults
from rulewright.engine.cells.interchange import EquivalenceClass, Interchange
from rulewright.engine.evaluator.evaluated_program import EvaluatedProgram, Origin, Question
from rulewright.engine.evaluator.registers import ASK, DRAW, OVER, RETURNED, Memo, Meter, Registers
from rulewright.engine.faults import Fault
from rulewright.engine.random_numbers import draw, hash64, stream_key
from rulewright.engine.runtime.records import PayoffRule
from rulewright.foundation.bit_sets import bits_of, members_of
from rulewright.host.budgets import SPENT, STEPS_SPENT, scope
from rulewright.ir import model as m
from rulewright.ir.codec import packed, unpacked
from rulewright.ir.model import Program
from rulewright.ir.transform.passes import SHARED
from rulewright.ir.walk import deep_recursion

T = TypeVar("T")

_ROUND = 128
"""Blocks between two looks at the budget and the depth of the stack."""

_KEPT = 32
"""The number of engines that are kept, the last ones used."""

INSIDE = (IndexError, ValueError, KeyError, TypeError, OverflowError)
"""Exceptions that Python raises where the rules produce an impossible value."""

_MASK64 = (1 << 64) - 1


class Engine:
    """A compiled program and how its states run on. Make it once and play any number of games with it."""

    def __init__(self, program: Program, passes: Collection[str] = SHARED) -> None:
        self.program = program
        self.passes = SHARED.intersection(passes)
        """The passes over the program that are made."""
        self.compiled = EvaluatedProgram(program, self.passes)
        self.layout = self.compiled.layout
        self.payoffs = PayoffRule.of(program)
        self.rules = self.compiled.ctx.rules
        self.interchange = Interchange(self.layout, self.compiled.offsets)
        self.one_of_a_kind = not self.interchange.classes
        self.streams = {s.name: (hash64(s.name), self.layout.counters[s.name]) for s in program.streams}
        self._caches: dict[str, dict[Any, Any]] = {}
        if self.compiled.ctx.support.player_memory is not None:
            self.compiled.ctx.support.player_memory.audience = self._seers

    def _seers(self, C: list[int], number: int) -> tuple[int, int, bool]:
        """The players who see the faces in a zone, those who can count it, and whether that never changes."""
        instance = self.layout.instances[number]
        declared = self.program.zones[instance.zone]
        types = tuple(m.Ty("entity", universe) for universe in declared.index)
        faces = counting = 0
        for audience in declared.audiences:
            if audience.by is not None:
                function = self.compiled.expression(audience.by, declared.binders, types)
                observers = self.call(function, C, C, *instance.keys)
                counting |= observers
                faces |= observers if audience.facet in ("face", "all") else 0
        return faces, counting, declared.name not in self.compiled.ctx.changing_audiences

    def __reduce__(self) -> tuple[Callable[..., Engine], tuple[str, bytes, frozenset[str]]]:
        """In another process the program is compiled again, once."""
        return _engine_from, (*packed(self.program), self.passes)

    def __deepcopy__(self, memo: dict[int, Any]) -> Engine:
        return self

    def cache(self, name: str) -> dict[Any, Any]:
        """The cache that a helper of the engine keeps with it."""
        return self._caches.setdefault(name, {})

    def once(self, name: str, make: Callable[[Program], T]) -> T:
        """An analysis of the program that is made once and kept, under a name of its own."""
        known = self.cache(name)
        if not known:
            known["all"] = make(self.program)
        found: T = known["all"]
        return found

    # ------------------------------------------------------------------------------------------ registers

    def registers(
        self,
        base: int,
        fired: list[int] | None = None,
        shown: list[Any] | None = None,
        watch: Any = None,
        memory: Memo | None = None,
        announcements: list[Any] | None = None,
        alone: bool = False,
    ) -> Registers:
        """Fresh registers for a run, which is metered by the limits that are in force now."""
        meter = Meter(scope())
        kept = memory or self.compiled.ctx.memo_layout.new()
        R = Registers(base, kept, meter, fired, shown, watch, announcements, alone)
        meter.begin(R)
        return R

    def new_fired(self) -> list[int]:
        """A counter for every rule that can fire, in the order of :attr:`rule_names`."""
        return [0] * len(self.compiled.ctx.rule_numbers)

    @property
    def rule_names(self) -> tuple[str, ...]:
        """The rules that can fire or end the game."""
        return tuple(self.compiled.ctx.rule_numbers)

    def question(self, stack: Sequence[int], base: int) -> Question:
        """The question a stack is stopped at."""
        return self.compiled.questions[stack[base - 3], stack[base - 2]]

    # ------------------------------------------------------------------------------------------ running

    def run(self, C: list[int], S: list[int], R: Registers, block: int) -> int:
        """Run from a block until the machine stops; why it stopped."""
        blocks, meter = self.compiled.blocks, R.meter
        try:
            with deep_recursion():
                while True:
                    for _ in repeat(None, _ROUND):
                        block = blocks[block](C, S, R)
                        if block < 0:
                            if R.budget < 0:
                                meter.refill(R)
                            if meter.scope.pools:
                                meter.account(R)
                            return block
                    if R.budget < 0:
                        meter.refill(R)
                    if len(S) > meter.scope.depth:
                        faults.fault(faults.TOO_DEEP, "calls are nested too deeply")
        except Fault as fault:
            raise self._explain(fault, C, S, R, block) from None
        except RecursionError:
            raise self._explain(Fault(faults.TOO_DEEP, "queries are nested too deeply"), C, S, R, block) from None
        except INSIDE as fault:
            inside = Fault(faults.INSIDE, f"the rules gave an impossible value ({fault})")
            raise self._explain(inside.with_traceback(fault.__traceback__), C, S, R, block) from fault

    def _explain(self, fault: Fault, C: list[int], S: list[int], R: Registers, block: int) -> RulesetError:
        """The error with the rule that it happened in."""
        origins = [(_as_written(name), pc) for name, pc in self.compiled.origins(fault.__traceback__)]
        if fault.code in SPENT:
            return self._spent(fault, C, S, R, block, origins)
        if fault.code == faults.TOO_DEEP and not origins and S:
            function = self.program.functions[S[R.base - 3]]
            return self.rules.error(fault.code, fault.message, function.name)
        if not origins:
            return self.rules.error(fault.code, fault.message, self.program.main)
        name, pc = origins[0]
        query = next((o[0] for o in reversed(origins) if o[1] == -1 and o[0]), "")
        message = fault.message + (f" in query `{query}`" if query and query != name else "")
        return self.rules.error(fault.code, message, name, self._label(name, pc), pc=pc)

    def no_result(self) -> RulesetError:
        """The rules have ended and there is no winner."""
        message = "the rules ended without a result"
        return self.rules.error(faults.NO_RESULT, message, self.program.main)

    def call(self, function: Callable[..., Any], C: list[int], *args: Any, memory: Memo | None = None) -> Any:
        """The raw value of a compiled query or expression; `memory` keeps what was found out about these cells."""
        R = self.registers(0, memory=memory)
        try:
            with deep_recursion():
                found = function(C, R, *args)
            meter = R.meter
            if meter.scope.pools:
                meter.account(R)
            return found
        except Fault as fault:
            raise self._explain(fault, C, [], R, 0) from None
        except RecursionError:
            raise self._explain(Fault(faults.TOO_DEEP, "queries are nested too deeply"), C, [], R, 0) from None

    def _label(self, name: str, pc: int) -> str:
        """The label of the place in a function, where it has one."""
        number = self.compiled.ctx.functions.get(name)
        if number is None or pc < 0:
            return ""
        code = self.program.functions[number].code
        if pc < len(code):
            i = code[pc]
            if isinstance(i, m.Choose | m.Chance):
                return i.label
        return ""

    def _spent(
        self, fault: Fault, C: list[int], S: list[int], R: Registers, block: int, origins: list[Origin]
    ) -> RulesetError:
        """The error of who has spent too many steps: the rule that loops, or that asks without end."""
        query = next((name for name, pc in origins if pc == -1 and name), "")
        name, pc = origins[0] if origins else (self.program.main, -1)
        if S:
            followed: dict[str, None] = {}
            name, inside = self._spender(C, S, R, block, followed)
            pc = pc if inside and origins else -1
            query = query if inside else ""
            if followed and not query and fault.code == STEPS_SPENT and self._is_system(name):
                names = sorted(followed, key=self.rule_names.index)
                how = "follow one another without end" if len(names) > 1 else "follows itself without end"
                message = f"no question was reached in {R.meter.scope.steps} steps: {listing(names, 8)} {how}"
                return self.rules.error(fault.code, message, names[0])
        if not query:
            return self.rules.error(fault.code, fault.message, name or self.program.main, self._label(name, pc))
        info = self.rules.find(query)
        notes = (f"`{query}` is in {info.file}:{info.line}",) if info and name != query else ()
        message = fault.message
        if fault.code == STEPS_SPENT:
            message = f"the query `{query}` was not answered in {R.meter.scope.steps} steps"
        return self.rules.error(fault.code, message, name or query, self._label(name, pc), notes)

    def _is_system(self, name: str) -> bool:
        """True if a function was made by the compiler: it evaluates consequences."""
        return self.program.functions[self.compiled.ctx.functions[name]].word == "system"

    def _spender(
        self, C: list[int], S: list[int], R: Registers, block: int, followed: dict[str, None]
    ) -> tuple[str, bool]:
        """The function that loops: the lowest frame that is on top at some time in some more rounds.

        Also whether it does not even get through one block. Consequences that come meanwhile are noted in `followed`.
        """
        blocks = self.compiled.blocks
        lowest = base = R.base
        found, inside = S[base - 3], True
        try:
            R.budget = R.meter.scope.steps // 4
            R.meter.done()
            for _ in range(20_000):
                R.budget -= 1
                block = blocks[block](C, S, R)
                inside = False
                if block < 0 or R.budget < 0:
                    break
                on_top = self.program.functions[S[R.base - 3]]
                if on_top.word == "consequence":
                    followed[on_top.name] = None
                if R.base <= lowest:
                    lowest, found = R.base, S[R.base - 3]
        except Fault as fault:
            inside = inside and fault.code in SPENT
        except (RecursionError, *INSIDE):
            inside = False
        return self.program.functions[found].name, inside

    # ------------------------------------------------------------------------------------------ outcomes

    def equivalence_classes(self, C: list[int], S: list[int], legal: int | tuple[int, ...]) -> list[EquivalenceClass]:
        """The pieces that stand for an option each, and all that each stands for, in canonical order; a list keeps
        its own."""
        if not isinstance(legal, tuple):
            return self.interchange.equivalence_classes(C, S, legal)
        pieces = dict.fromkeys(legal)
        equivalence_classes = self.interchange.equivalence_classes(C, S, sum(1 << piece for piece in pieces))
        of = {
            piece: representatives for representatives in equivalence_classes for piece in bits_of(representatives[1])
        }
        return list(dict.fromkeys(of[piece] for piece in pieces))

    def offered(self, C: list[int], S: list[int], legal: int | tuple[int, ...], universe: str) -> list[int]:
        """The members that stand for an option each: of interchangeable pieces one."""
        if universe == "Piece" and not self.one_of_a_kind:
            return [member for member, _ in self.equivalence_classes(C, S, legal)]
        return list(dict.fromkeys(members_of(legal)))

    def outcome(self, C: list[int], S: list[int], question: Question, legal: int | tuple[int, ...]) -> int:
        """Draw one member; of interchangeable pieces one stands for all."""
        assert isinstance(question.instr, m.Chance)
        name_hash, counter = self.streams[question.instr.stream]
        size = len(legal) if isinstance(legal, tuple) else legal.bit_count()
        number, C[counter] = draw(stream_key(C[self.layout.seed], name_hash), C[counter], size)
        if question.instr.universe == "Piece" and not self.one_of_a_kind:
            if isinstance(legal, tuple):
                return next(p for p, group in self.equivalence_classes(C, S, legal) if group >> legal[number] & 1)
            # Drawn in canonical order: what comes must not depend on how alike pieces are numbered.
            for member, group in self.interchange.equivalence_classes(C, S, legal):
                number -= group.bit_count()
                if number < 0:
                    return member
        if isinstance(legal, tuple):
            return legal[number]
        lowest = (legal & -legal).bit_length() - 1
        if legal.bit_length() - lowest == size:  # a range, perhaps a long one
            return lowest + number
        for _ in range(number):
            legal &= legal - 1
        return (legal & -legal).bit_length() - 1

    def begin(self, seed: int) -> tuple[list[int], list[int]]:
        """The cells and stack of a game that has not begun."""
        C = list(self.layout.initial)
        C[self.layout.seed] = seed & _MASK64
        return C, []

    def push(self, S: list[int], function: str, values: Sequence[int]) -> int:
        """Put the first frame on an empty stack; its block."""
        number = self.compiled.ctx.functions[function]
        size = self.compiled.offsets[number][-1]
        S[:] = [number, 0, 0, *values, *[0] * (size - len(values))]
        return self.compiled.entries[number]


def _as_written(name: str) -> str:
    """The name of a query in the rules: what it asks of itself is written out as queries with numbers."""
    word, _, number = name.partition(" ")
    return word if number.isdigit() else name


_engines: dict[tuple[int, frozenset[str]], Engine] = {}
_looking = RLock()


def engine_of(program: Program, passes: Collection[str] = SHARED) -> Engine:
    """The engine of a program, with those of the passes that are made over the program; the last few are kept."""
    key = id(program), SHARED.intersection(passes)
    with _looking:
        engine = _engines.pop(key, None)
        if engine is None or engine.program is not program:
            engine = Engine(program, passes)
            if len(_engines) >= _KEPT:
                del _engines[next(iter(_engines))]
        _engines[key] = engine
        return engine


def _engine_from(digest: str, data: bytes, passes: frozenset[str]) -> Engine:
    """An engine out of a pickle."""
    return engine_of(unpacked(digest, data), passes)


__all__ = ["ASK", "DRAW", "OVER", "RETURNED", "Engine", "engine_of"]
