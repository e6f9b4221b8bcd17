"""Running blocks until a question, with a budget of steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.engine import faults
from rulewright.engine.block_code import Question
from rulewright.engine.chance import draw, hash64, stream_key
from rulewright.engine.compiled import Compiled
from rulewright.engine.faults import Fault
from rulewright.engine.memory import Memory
from rulewright.engine.step_code import ASK, BASE, BUDGET, DRAW, EXTRAS, LEGAL, OVER, RETURNED, SHOWN, WHO
from rulewright.engine.support import bits_of
from rulewright.program import model as m
from rulewright.program.model import Program

STEPS = 1_000_000
"""Blocks and loop passes that may follow one answer."""

DEEPEST = 100_000
"""Integers on the stack: so deep no sensible call goes."""

_SLICE = 128
_CACHE = 16
_MASK64 = (1 << 64) - 1


class Engine:
    """A compiled program and how its states run on. Make it once and play any number of games with it."""

    def __init__(self, program: Program, budget: int = STEPS) -> None:
        self.program = program
        self.budget = budget
        self.compiled = Compiled(program)
        self.layout = self.compiled.layout
        self.rules = self.compiled.ctx.rules
        self.alike_masks: dict[int, int] = {}
        for piece, number in enumerate(program.alike):
            self.alike_masks[number] = self.alike_masks.get(number, 0) | 1 << piece
        self.alike = [self.alike_masks[a] for a in program.alike]
        self.one_of_a_kind = all(a.bit_count() == 1 for a in self.alike)
        self.streams = {s.name: (hash64(s.name), self.layout.counters[s.name]) for s in program.streams}
        self.where = [(i.at, i.ordered) for i in self.layout.instances]

        self._caches: dict[str, dict[Any, Any]] = {}
        if self.compiled.ctx.support.recall is not None:
            self.compiled.ctx.support.recall.audience = self._faces

    def _faces(self, C: list[int], number: int) -> tuple[int, bool]:
        """Who sees the faces in a zone, and whether that never changes."""
        instance = self.layout.instances[number]
        declared = self.program.zones[instance.zone]
        types = tuple(m.Ty("entity", universe) for universe in declared.index)
        found = 0
        for audience in declared.audiences:
            if audience.by is not None and audience.facet in ("face", "all"):
                function = self.compiled.expression(audience.by, declared.binders, types)
                found |= self.call(function, C, C, *instance.keys)
        return found, declared.name not in self.compiled.ctx.changing_zones

    def cache(self, name: str) -> dict[Any, Any]:
        """What a helper of the engine keeps with it."""
        return self._caches.setdefault(name, {})

    # ------------------------------------------------------------------------------------------ registers

    def registers(
        self,
        base: int,
        fired: list[int] | None = None,
        shown: list[Any] | None = None,
        watch: Any = None,
        memory: Memory | None = None,
    ) -> list[Any]:
        """Fresh registers for a run."""
        return [base, 0, self.budget, 0, 0, 0, fired, shown, watch, memory or self.compiled.ctx.remembered.new(), ()]

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

    def run(self, C: list[int], S: list[int], R: list[Any], block: int) -> int:
        """Run from a block until the machine stops; why it stopped."""
        blocks = self.compiled.blocks
        try:
            while True:
                for _ in repeat(None, _SLICE):
                    block = blocks[block](C, S, R)
                    if block < 0:
                        return block
                R[BUDGET] -= _SLICE
                if R[BUDGET] < 0:
                    faults.over_budget(R)
                if len(S) > DEEPEST:
                    faults.fault(faults.TOO_DEEP, "calls go too deep")
        except Fault as fault:
            raise self._explain(fault, C, S, R, block) from None
        except RecursionError:
            raise self._explain(Fault(faults.TOO_DEEP, "queries go too deep"), C, S, R, block) from None
        except (IndexError, ValueError, KeyError, TypeError, OverflowError) as fault:
            inside = Fault(faults.INSIDE, f"the rules gave a value that cannot be ({fault})")
            raise self._explain(inside.with_traceback(fault.__traceback__), C, S, R, block) from fault

    def _explain(self, fault: Fault, C: list[int], S: list[int], R: list[Any], block: int) -> RulesetError:
        """The error with the rule that it happened in."""
        origins = self.compiled.origins(fault.__traceback__)
        if fault.code == faults.BUDGET:
            name, pc = self._spender(C, S, R, block) if S else (self.program.main, -1)
            message = f"no question was reached in {self.budget} steps: an endless loop?"
            return self.rules.error(fault.code, message, name, self._label(name, pc))
        if fault.code == faults.TOO_DEEP and not origins and S:
            function = self.program.functions[S[R[BASE] - 3]]
            return self.rules.error(fault.code, fault.message, function.name)
        if not origins:
            return self.rules.error(fault.code, fault.message, self.program.main)
        name, pc = origins[0]
        query = next((o[0] for o in reversed(origins) if o[1] == -1 and o[0]), "")
        message = fault.message + (f" in query `{query}`" if query and query != name else "")
        return self.rules.error(fault.code, message, name, self._label(name, pc))

    def no_result(self) -> RulesetError:
        """The rules have ended and nobody has won."""
        message = "the rules have come to their end without a result"
        return self.rules.error(faults.NO_RESULT, message, self.program.main)

    def call(self, function: Callable[..., Any], C: list[int], *args: Any, memory: Memory | None = None) -> Any:
        """The raw value of a compiled query or expression; `memory` keeps what was found out about these cells."""
        R = self.registers(0, memory=memory)
        try:
            return function(C, R, *args)
        except Fault as fault:
            raise self._explain(fault, C, [], R, 0) from None
        except RecursionError:
            raise self._explain(Fault(faults.TOO_DEEP, "queries go too deep"), C, [], R, 0) from None

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

    def _spender(self, C: list[int], S: list[int], R: list[Any], block: int) -> tuple[str, int]:
        """The function that turns in circles: the lowest frame that is on top at some time in some more rounds."""
        blocks = self.compiled.blocks
        base = R[BASE]
        lowest, found = base, (S[base - 3], -1)
        R[BUDGET] = self.budget // 4
        try:
            for _ in range(20_000):
                block = blocks[block](C, S, R)
                if block < 0 or R[BUDGET] < 0:
                    break
                if R[BASE] <= lowest:
                    lowest, found = R[BASE], (S[R[BASE] - 3], -1)
        except Exception:
            pass
        return self.program.functions[found[0]].name, found[1]

    # ------------------------------------------------------------------------------------------ outcomes

    def groups(self, C: list[int], legal: int | tuple[int, ...], universe: str) -> list[int]:
        """The members that stand for an option each: of alike pieces that lie together the first."""
        if isinstance(legal, tuple):
            members = list(dict.fromkeys(legal))
            if universe != "Piece" or self.one_of_a_kind:
                return members
            return [p for p in members if self._first_alike(C, p, members)]
        members = bits_of(legal)
        if universe != "Piece" or self.one_of_a_kind:
            return members
        found = []
        while legal:
            low = legal & -legal
            piece = low.bit_length() - 1
            found.append(piece)
            same = legal & self.alike[piece]
            legal ^= low if same == low else self.together(C, piece, same)
        return found

    def _first_alike(self, C: list[int], piece: int, members: list[int]) -> bool:
        """Whether no piece before it in a list is alike and lies with it."""
        for other in members:
            if other == piece:
                return True
            if self.together(C, piece, self.alike[piece] & 1 << other):
                return False
        return True

    def together(self, C: list[int], piece: int, candidates: int) -> int:
        """Those of some pieces alike that lie in the same zone as a piece, with the same side up."""
        loc, layout = self.layout.loc, self.layout
        here = C[loc + piece]
        at, ordered = self.where[here]
        if not ordered:
            found = candidates & C[at]
        else:
            found = 0
            for other in bits_of(candidates):
                if C[loc + other] == here:
                    found |= 1 << other
        if layout.down >= 0:
            found &= C[layout.down] if C[layout.down] >> piece & 1 else ~C[layout.down]
        if layout.sided:
            for other in bits_of(found):
                if C[layout.side + other] != C[layout.side + piece]:
                    found ^= 1 << other
        return found

    def outcome(self, C: list[int], question: Question, legal: int | tuple[int, ...]) -> int:
        """Draw one member; of alike pieces that lie together the first stands for all."""
        assert isinstance(question.instr, m.Chance)
        name_hash, counter = self.streams[question.instr.stream]
        size = len(legal) if isinstance(legal, tuple) else legal.bit_count()
        number, C[counter] = draw(stream_key(C[self.layout.seed], name_hash), C[counter], size)
        if isinstance(legal, tuple):
            member = legal[number]
            if question.instr.universe == "Piece" and not self.one_of_a_kind:
                group = [p for p in legal if self.together(C, member, self.alike[member] & 1 << p)]
                member = group[0]
            return member
        mask = legal
        for _ in range(number):
            mask &= mask - 1
        member = (mask & -mask).bit_length() - 1
        if question.instr.universe == "Piece" and not self.one_of_a_kind:
            same = legal & self.alike[member]
            if same != 1 << member:
                same = self.together(C, member, same)
                member = (same & -same).bit_length() - 1
        return member

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


_engines: dict[int, Engine] = {}


def engine_of(program: Program) -> Engine:
    """The engine of a program; the last few are kept."""
    engine = _engines.get(id(program))
    if engine is None or engine.program is not program:
        if len(_engines) >= _CACHE:
            del _engines[next(iter(_engines))]
        engine = _engines[id(program)] = Engine(program)
    return engine


__all__ = [
    "ASK", "DRAW", "EXTRAS", "LEGAL", "OVER", "RETURNED", "SHOWN", "STEPS", "WHO", "Engine", "engine_of",
]  # fmt: skip
