"""The statements of a function: variables are set, code is for a case or repeated, functions are called.

They are written on top of :mod:`rulewright.engine.native.webassembly.instructions`, in their order: a condition stands
before what depends on it, an address before the value that is stored there.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.native.webassembly.encoding import MEMORY_COPY, MEMORY_FILL, Op, Type
from rulewright.engine.native.webassembly.instructions import Instructions
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
    """A loop that is left when a condition holds, which is asked before each pass."""

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
        """A loop that is left when a condition holds, which is asked before each pass; gives the label behind it.
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
