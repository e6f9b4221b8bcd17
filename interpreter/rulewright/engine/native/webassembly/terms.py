"""Typed terms of machine code: constants, variables, what is in memory, and operations on them.

A term is the code that leaves its value on the stack: that of its operands, then what is done with them. Nothing is
simplified, and a term that is used twice is worked out twice. Comparisons are methods, as their names show whether
numbers have a sign; and of ``a > b`` Python may make ``b < a``, which is other code.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from struct import pack

from rulewright.engine.native.webassembly.encoding import (
    Instructions,
    Op,
    Type,
    constant,
    local_access,
    memory_access,
    unsigned,
)

I32, I64, F64, VOID = Type.I32, Type.I64, Type.F64, Type.VOID
_STORES = {
    Op.I32_LOAD: Op.I32_STORE,
    Op.I64_LOAD: Op.I64_STORE,
    Op.F64_LOAD: Op.F64_STORE,
    Op.I32_LOAD8_U: Op.I32_STORE8,
    Op.I64_LOAD32_U: Op.I64_STORE32,
}
"""For each load the store of as many bytes."""


def _operations(name: str) -> dict[Type, Op]:
    found = {kind: Op.__members__.get(f"{kind.name}_{name}") for kind in (I32, I64, F64)}
    return {kind: op for kind, op in found.items() if op is not None}


def _binary(name: str, result: Type | None = None) -> Callable[[Term, Term | int], Term]:
    ops = _operations(name)

    def method(self: Term, other: Term | int) -> Term:
        kind = self.kind
        if isinstance(other, int):
            other = const(other, kind)
        if self.code and other.code:
            return Term(result or kind, self.code + other.code + ops[kind].code, self.count + other.count + 1)
        return _Written(ops[kind], result or kind, (self, other))

    return method


def _reflected(name: str) -> Callable[[Term, int], Term]:
    """The operation with a number on the left."""
    method = _binary(name)
    return lambda self, other: method(const(other, self.kind), self)


def _unary(name: str, result: Type | None = None) -> Callable[[Term], Term]:
    ops = _operations(name)
    return lambda self: _converted(ops[self.kind], result or self.kind, self)


class Term:
    """A value of a type. Numbers of Python become constants of the type of the operand that stands before them."""

    __slots__ = ("code", "count", "kind")

    def __init__(self, kind: Type, code: bytes, count: int) -> None:
        self.kind = kind
        self.code = code
        """The code, or nothing if it is written only where the term is used."""
        self.count = count
        """The instructions but for looks at locals, for those who count."""

    def push(self, body: Instructions) -> None:
        """Write the instructions that leave the value on the stack."""
        body.write(self.code, self.count)

    def __bool__(self) -> bool:
        raise TypeError("a term has no truth while code is written: use `when`")

    __add__, __radd__ = _binary("ADD"), _reflected("ADD")
    __sub__, __rsub__ = _binary("SUB"), _reflected("SUB")
    __mul__, __rmul__ = _binary("MUL"), _reflected("MUL")
    __and__, __rand__ = _binary("AND"), _reflected("AND")
    __or__, __ror__ = _binary("OR"), _reflected("OR")
    __xor__, __rxor__ = _binary("XOR"), _reflected("XOR")
    __lshift__, __rlshift__ = _binary("SHL"), _reflected("SHL")
    __rshift__, __rrshift__ = _binary("SHR_U"), _reflected("SHR_U")
    div_s, rem_s, rem_u = _binary("DIV_S"), _binary("REM_S"), _binary("REM_U")
    eq, ne = _binary("EQ", I32), _binary("NE", I32)
    lt_s, le_s, gt_s, ge_s = _binary("LT_S", I32), _binary("LE_S", I32), _binary("GT_S", I32), _binary("GE_S", I32)
    lt_u, gt_u, ge_u = _binary("LT_U", I32), _binary("GT_U", I32), _binary("GE_U", I32)
    div, lt, gt, ge = _binary("DIV"), _binary("LT", I32), _binary("GT", I32), _binary("GE", I32)
    eqz, clz, ctz, popcnt = _unary("EQZ", I32), _unary("CLZ"), _unary("CTZ"), _unary("POPCNT")

    sqrt = _unary("SQRT")

    def __invert__(self) -> Term:
        return self ^ -1

    def nonzero(self) -> Term:
        """The truth of being another number than 0."""
        return self.eqz().eqz()

    def wrap(self) -> Term:
        """The lower 32 bits."""
        return _converted(Op.I32_WRAP_I64, I32, self)

    def extend_u(self) -> Term:
        """Extended to 64 bits without a sign."""
        return _converted(Op.I64_EXTEND_I32_U, I64, self)

    def extend_s(self) -> Term:
        """Extended to 64 bits with its sign."""
        return _converted(Op.I64_EXTEND_I32_S, I64, self)

    def to_float(self) -> Term:
        """Converted from 32 bits to a float."""
        return _converted(Op.F64_CONVERT_I32_S, F64, self)

    def single(self) -> Term:
        """The bits of the float of 32 bits that is nearest to a float."""
        return _converted(Op.I32_REINTERPRET_F32, I32, _converted(Op.F32_DEMOTE_F64, I32, self))


def _converted(op: Op, kind: Type, operand: Term) -> Term:
    """An instruction with one operand."""
    if operand.code:
        return Term(kind, operand.code + op.code, operand.count + 1)
    return _Written(op, kind, (operand,))


class _Later(Term):
    """A term that is written only where it is used."""

    __slots__ = ()

    def __init__(self, kind: Type) -> None:
        super().__init__(kind, b"", 0)


class _Written(_Later):
    """An operation with an operand that is written where it is used."""

    __slots__ = ("_op", "_operands")

    def __init__(self, op: Op, kind: Type, operands: tuple[Term, ...]) -> None:
        super().__init__(kind)
        self._op, self._operands = op, operands

    def push(self, body: Instructions) -> None:
        """Write the operands, then the operation."""
        for operand in self._operands:
            operand.push(body)
        body.op(self._op)


class Emitted(_Later):
    """A value that needs statements first, such as loops: they are written where it is used, and give the term."""

    __slots__ = ("_write",)

    def __init__(self, kind: Type, write: Callable[[], Term]) -> None:
        super().__init__(kind)
        self._write = write

    def push(self, body: Instructions) -> None:
        """Write the statements, then the term that they give."""
        self._write().push(body)


class Stacked(_Later):
    """A value that lies on the stack already."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(I32)

    def push(self, body: Instructions) -> None:
        """Write nothing."""


class Call(_Later):
    """The result of a function: where it is called, who counts has to have counted."""

    __slots__ = ("_arguments", "_function")

    def __init__(self, function: int, kind: Type, arguments: tuple[Term, ...]) -> None:
        super().__init__(kind)
        self._function, self._arguments = function, arguments

    def push(self, body: Instructions) -> None:
        """Write the arguments, then the call."""
        for argument in self._arguments:
            argument.push(body)
        body.call(self._function)


class IndirectCall(_Later):
    """The result of the function that has a number in the table; its type has a number, too."""

    __slots__ = ("_arguments", "_number", "_type")

    def __init__(self, number: Term, type_: int, kind: Type, *arguments: Term) -> None:
        super().__init__(kind)
        self._type, self._number, self._arguments = type_, number, arguments

    def push(self, body: Instructions) -> None:
        """Write the arguments and the number, then the call."""
        for argument in (*self._arguments, self._number):
            argument.push(body)
        body.call_indirect(self._type)


class Variable(Term):
    """A term that can be given another value."""

    __slots__ = ()

    def assign(self, body: Instructions, value: Term) -> None:
        """Write the instructions that give it a value."""
        raise NotImplementedError


class Local(Variable):
    """A variable of a function."""

    __slots__ = ("number", "take")

    def __init__(self, number: int, kind: Type = I32) -> None:
        self.kind, self.code, self.count = kind, local_access(Op.LOCAL_GET, number), 0
        self.number = number
        self.take = local_access(Op.LOCAL_SET, number)
        """The code that takes its value from the stack."""

    def assign(self, body: Instructions, value: Term) -> None:
        """Write the value, and take it from the stack."""
        if value.code:
            body.write(value.code + self.take, value.count)
        else:
            value.push(body)
            body.write(self.take, 0)

    def tee(self, value: Term | int) -> Term:
        """A value that the variable gets, too."""
        held = lift(value, self.kind)
        if held.code:
            return Term(self.kind, held.code + local_access(Op.LOCAL_TEE, self.number), held.count)
        return _Tee(self, held)


class _Tee(_Later):
    __slots__ = ("_local", "_value")

    def __init__(self, local: Local, value: Term) -> None:
        super().__init__(local.kind)
        self._local, self._value = local, value

    def push(self, body: Instructions) -> None:
        """Write the value, and keep it on the stack."""
        self._value.push(body)
        body.local_tee(self._local.number)


class Global(Variable):
    """A variable of a module."""

    __slots__ = ("number",)

    def __init__(self, number: int, kind: Type) -> None:
        super().__init__(kind, Op.GLOBAL_GET.code + unsigned(number), 1)
        self.number = number

    def assign(self, body: Instructions, value: Term) -> None:
        """Write the value, and take it from the stack."""
        value.push(body)
        body.global_set(self.number)


class Memory(Variable):
    """A load from an address, or a store."""

    __slots__ = ("_at", "_load", "_offset")

    def __init__(self, at: Term, offset: int, load: Op, kind: Type) -> None:
        self.code = at.code + memory_access(load, offset) if at.code else b""
        self.kind, self.count = kind, at.count + 1
        self._at, self._offset, self._load = at, offset, load

    def push(self, body: Instructions) -> None:
        """Write the address, then a load."""
        if self.code:
            body.write(self.code, self.count)
        else:
            self._at.push(body)
            body.memory(self._load, self._offset)

    def assign(self, body: Instructions, value: Term) -> None:
        """Write the address and the value, then a store."""
        at = self._at
        if at.code and value.code:
            code = at.code + value.code + memory_access(_STORES[self._load], self._offset)
            body.write(code, at.count + value.count + 1)
            return
        at.push(body)
        value.push(body)
        body.memory(_STORES[self._load], self._offset)


@lru_cache(1 << 12)
def local(number: int, kind: Type = I32) -> Local:
    """The variable of a function that has a number."""
    return Local(number, kind)


@lru_cache(1 << 12)
def const(value: int, kind: Type = I32) -> Term:
    """A number that is known, with or without a sign."""
    if kind is F64:
        return real(value)
    op, bits = (Op.I32_CONST, 32) if kind is I32 else (Op.I64_CONST, 64)
    return Term(kind, constant(op, value - (1 << bits) if value >= 1 << bits - 1 else value), 1)


def real(value: float) -> Term:
    """A float that is known."""
    return Term(F64, Op.F64_CONST.code + pack("<d", value), 1)


def lift(value: Term | int, kind: Type = I32) -> Term:
    """A term, or a number as a constant of a type."""
    return const(value, kind) if isinstance(value, int) else value


def mem32(at: Term | int, offset: int = 0) -> Memory:
    """The 32 bits at an address, to which the machine adds an offset."""
    return Memory(const(at) if isinstance(at, int) else at, offset, Op.I32_LOAD, I32)


def mem64(at: Term | int, offset: int = 0, load: Op = Op.I64_LOAD) -> Memory:
    """The 64 bits at an address; or 32 that are loaded as 64."""
    return Memory(lift(at), offset, load, I64)


def mem_real(at: Term | int, offset: int = 0) -> Memory:
    """The float at an address."""
    return Memory(lift(at), offset, Op.F64_LOAD, F64)


def byte(at: Term | int, offset: int = 0) -> Memory:
    """The byte at an address, a number without a sign."""
    return Memory(lift(at), offset, Op.I32_LOAD8_U, I32)


def call(function: int, *arguments: Term | int, gives: Type = I32) -> Term:
    """The result of a function; numbers among its arguments are of 32 bits."""
    return Call(function, gives, tuple(map(lift, arguments)))


def select(yes: Term | int, no: Term | int, condition: Term, kind: Type = I32) -> Term:
    """The first value if a condition holds, else the second; both are worked out."""
    first = lift(yes, kind)
    other = lift(no, first.kind)
    if first.code and other.code and condition.code:
        code = first.code + other.code + condition.code + Op.SELECT.code
        return Term(first.kind, code, first.count + other.count + condition.count + 1)
    return _Written(Op.SELECT, first.kind, (first, other, condition))


def lesser(one: Term, other: Term) -> Term:
    """The lesser of two numbers."""
    return select(one, other, one.lt_s(other))


def greater(one: Term, other: Term) -> Term:
    """The greater of two numbers."""
    return select(one, other, one.gt_s(other))


def without_lowest(members: Term) -> Term:
    """The members of a word but the least."""
    return members & (members - 1)
