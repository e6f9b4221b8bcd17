"""The statements of a function: assignments, conditionals, loops, calls; and a body that counts its instructions.

They are written on top of :mod:`rulewright.engine.native.webassembly.encoding`, in their order: a condition stands
before what depends on it, an address before the value that is stored there. Straight-line code is counted at its end,
as the fuel of virtual machines is: by an addition before each branch, call and begin or end of a block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.engine.native.webassembly.encoding import (
    ALIGNMENT,
    MEMORY_COPY,
    MEMORY_FILL,
    Instructions,
    Mark,
    Op,
    Type,
    signed,
    unsigned,
)
from rulewright.engine.native.webassembly.terms import I32, Local, Term, Variable, const, local

Step = tuple[Local, Local | int]
"""A variable, and how much it grows with each pass of a loop."""


class Block:
    """A block that is open within a `with`: a class of its own, as generators take a tenth of the compiler's time."""

    __slots__ = ("_body", "_op")

    def __init__(self, body: FunctionBody, op: Op) -> None:
        self._body, self._op = body, op

    def __enter__(self) -> int:
        return self._body.open(self._op)

    def __exit__(self, *_: object) -> None:
        self._body.close()


class _Otherwise(Block):
    """The other case of an `if` that was closed."""

    __slots__ = ()

    def __enter__(self) -> int:
        return self._body.reopen()


class _Loop:
    """A loop that is left when a condition holds, which is tested before each pass."""

    __slots__ = ("_again", "_body", "_done", "_step")

    def __init__(self, body: FunctionBody, done: Term, step: Step | None) -> None:
        self._body, self._done, self._step = body, done, step

    def __enter__(self) -> int:
        out = self._body.open(Op.BLOCK)
        self._again = self._body.open(Op.LOOP)
        self._body.branch_if(out, self._done)
        return out

    def __exit__(self, *_: object) -> None:
        if self._step is not None:
            variable, by = self._step
            self._body.set(variable, variable + by)
        self._body.branch(self._again)
        self._body.close()
        self._body.close()


class FunctionBody(Instructions):
    """The statements of a function."""

    # --------------------------------------------------------------------------------------------------- variables

    def parameters(self) -> list[Local]:
        """The parameters."""
        return [local(number, kind) for number, kind in enumerate(self._params)]

    def local(self, kind: Type = I32) -> Local:
        """A new variable, which is 0 at first."""
        return local(self.new_local(kind), kind)

    def locals(self, *kinds: Type) -> list[Local]:
        """Several new variables."""
        return [self.local(kind) for kind in kinds]

    def push(self, *values: Term | int) -> None:
        """Leave values on the stack: the operands of what follows, or the results at the end of the function."""
        for value in values:
            (const(value) if isinstance(value, int) else value).push(self)

    def set(self, variable: Variable, value: Term | int) -> None:
        """Give a variable, or what lies in memory, a value."""
        variable.assign(self, const(value, variable.kind) if isinstance(value, int) else value)

    def hold(self, value: Term) -> Local:
        """A new variable with a value."""
        value.push(self)
        held = self.local(value.kind)
        self.write(held.take, 0)
        return held

    def take(self, *variables: Local) -> None:
        """Give variables the values on the stack, the results of a function: the last one lies on the top."""
        for variable in reversed(variables):
            self.write(variable.take, 0)

    # --------------------------------------------------------------------------------------------- what is done

    def copy(self, to: Term | int, source: Term | int, size: Term | int) -> None:
        """Copy bytes from one address to another."""
        self.push(to, source, size)
        self.write(MEMORY_COPY, 1)

    def fill(self, at: Term | int, value: Term | int, size: Term | int) -> None:
        """Set so many bytes from an address on."""
        self.push(at, value, size)
        self.write(MEMORY_FILL, 1)

    def call(self, function: int, *arguments: Term | int) -> None:
        """Call a function that gives nothing; numbers among its arguments are of 32 bits."""
        self.push(*arguments)
        super().call(function)

    def drop(self, value: Term) -> None:
        """Work out a value for what that does."""
        self.push(value)
        self.op(Op.DROP)

    def give(self, *value: Term | int) -> None:
        """Return."""
        self.push(*value)
        self.op(Op.RETURN)

    def trap(self) -> None:
        """Stop: the Python backend finds out what is wrong."""
        self.op(Op.UNREACHABLE)

    def trap_if(self, condition: Term) -> None:
        """Stop if a condition holds."""
        with self.when(condition):
            self.trap()

    # -------------------------------------------------------------------------------------------- cases and loops

    def when(self, condition: Term) -> Block:
        """Code for the case that a condition holds."""
        condition.push(self)
        return Block(self, Op.IF)

    def otherwise(self) -> Block:
        """Code for the other case of the `when` that has just ended."""
        return _Otherwise(self, Op.ELSE)

    def block(self) -> Block:
        """A block; branches to its label go behind it."""
        return Block(self, Op.BLOCK)

    def loop(self) -> Block:
        """A loop; branches to its label go to its begin. Without one the loop ends."""
        return Block(self, Op.LOOP)

    def until(self, done: Term, step: Step | None = None) -> _Loop:
        """A loop that is left when a condition holds, which is tested before each pass; gives the label behind it.
        After each pass a variable may take a step."""
        return _Loop(self, done, step)

    def branch_if(self, label: int, condition: Term) -> None:
        """Go to a label if a condition holds."""
        condition.push(self)
        self.br_if(label)

    def branch_table(self, number: Term, labels: Sequence[int], default: int) -> None:
        """Go to the label with a number."""
        number.push(self)
        self.br_table(labels, default)


_LEAVE = frozenset((Op.RETURN, Op.UNREACHABLE))
_NUMBERED = frozenset((Op.BR, Op.BR_IF, Op.CALL, Op.CALL_INDIRECT))


class CountingBody(FunctionBody):
    """A body with counters; `rule` is the one for which code is written now, `counter` where it is counted."""

    def __init__(self, params: Sequence[Type], rule: Callable[[], str], counter: Callable[[str], int]) -> None:
        super().__init__(params)
        self._rule, self._counter = rule, counter
        self._for, self._pending = "", 0

    def _note(self, count: int = 1) -> None:
        rule = self._rule()
        if rule != self._for:
            self._flush()
            self._for = rule
        self._pending += count

    def _flush(self) -> None:
        """Count what was written since the last time, here: nothing on the stack is touched."""
        if self._pending:
            self._add(self._counter(self._for), self._pending)
            self._pending = 0

    def _add(self, address: int, number: int) -> None:
        zero, at = bytes((Op.I32_CONST, 0)), unsigned(address)
        self._code += zero + zero + bytes((Op.I64_LOAD, ALIGNMENT[Op.I64_LOAD])) + at
        self._code += bytes((Op.I64_CONST,)) + signed(number) + bytes((Op.I64_ADD,))
        self._code += bytes((Op.I64_STORE, ALIGNMENT[Op.I64_STORE])) + at

    def entered(self) -> None:
        """Count that the rule is come to."""
        self._add(self._counter(self._rule()) + 8, 1)

    # ------------------------------------------------------------------------------------- what is written and counted

    def op(self, op: Op) -> None:
        """An instruction without operands in the code."""
        self._note()
        if op in _LEAVE:
            self._flush()
        super().op(op)

    def write(self, code: bytes, count: int) -> None:
        """Instructions that are encoded already."""
        begin = 0
        if count:
            if self._rule() != self._for:  # those before are counted behind the first looks at locals
                begin = _behind_locals(code)
                super().write(code[:begin], 0)
            self._note(count)
        super().write(code[begin:], count)

    def memory(self, op: Op, offset: int = 0) -> None:
        """Load or store."""
        self._note()
        super().memory(op, offset)

    def _numbered(self, op: Op, number: int) -> None:
        self._note()
        if op in _NUMBERED:
            self._flush()
        super()._numbered(op, number)

    def br_table(self, labels: Sequence[int], default: int) -> None:
        """Go to the label whose number lies on the stack."""
        self._note()
        self._flush()
        super().br_table(labels, default)

    def open(self, op: Op) -> int:
        """Begin a block."""
        self._note()
        self._flush()
        return super().open(op)

    def close(self) -> None:
        """End a block."""
        self._flush()
        super().close()

    def insert(self, mark: Mark, write: Callable[[], object]) -> None:
        """Write something at an earlier place, and count it there."""
        kept = self._for, self._pending
        self._for, self._pending = "", 0

        def counted() -> None:
            write()
            self._flush()

        super().insert(mark, counted)
        self._for, self._pending = kept

    def encoded(self) -> bytes:
        """The entry of the code section."""
        self._flush()
        return super().encoded()


def _behind_locals(code: bytes) -> int:
    """The offset of the first instruction that does not look at a local."""
    at = 0
    while code[at] == Op.LOCAL_GET:
        at += 1
        while code[at] > 0x7F:
            at += 1
        at += 1
    return at
