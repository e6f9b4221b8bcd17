"""Terms and statements of machine code: what they do when a machine carries them out, and the bytes that they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import wasmtime

from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import Module, function
from rulewright.engine.native.webassembly.terms import (
    I32,
    I64,
    Emitted,
    IndirectCall,
    Local,
    Term,
    byte,
    call,
    const,
    lesser,
    mem32,
    mem64,
    select,
    without_lowest,
)

Write = Callable[..., None]


def run(write: Write, *arguments: int, params: tuple[Type, ...] = (), gives: Type = I32) -> int:
    """The result of a function, with 32 bits for each argument unless `params` say otherwise."""
    module = Module()
    number = module.declare(params or (I32,) * len(arguments), (gives,), "f")
    with module.writing(number) as (body, given):
        write(body, *given)
    module.add_data(64, bytes(range(1, 17)))
    return called(module, *arguments)


def called(module: Module, *arguments: int) -> int:
    store = wasmtime.Store()
    instance = wasmtime.Instance(store, wasmtime.Module(store.engine, module.encoded(1 << 16)), [])
    f: Any = instance.exports(store)["f"]
    return int(f(store, *arguments))


def written(write: Callable[[FunctionBody], object]) -> bytes:
    body = FunctionBody(())
    write(body)
    return body.encoded()


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        (lambda a, b: a + b, 19),
        (lambda a, b: a - b, 15),
        (lambda a, b: 1 - a, -16),
        (lambda a, b: a * b, 34),
        (lambda a, b: a & 24 | b ^ 3, 17),
        (lambda a, b: 1 << b << 1, 8),
        (lambda a, b: a >> b, 4),
        (lambda a, b: const(-8) >> 28, 15),
        (lambda a, b: ~a, -18),
        (lambda a, b: (-1 - a).div_s(b), -9),
        (lambda a, b: (-1 - a).rem_s(b * 2), -2),
        (lambda a, b: a.gt_s(b) + const(-1).gt_s(b), 1),
        (lambda a, b: a.gt_u(b) + const(-1).gt_u(b), 2),
        (lambda a, b: a.eq(17) + a.ne(17) + a.eqz() + b.nonzero(), 2),
        (lambda a, b: b.lt_s(2) + b.le_s(2) + b.ge_s(2) + b.lt_u(2) + b.ge_u(2), 3),
        (lambda a, b: a.popcnt() * 10 + b.ctz(), 21),
        (lambda a, b: const(-1).extend_u().popcnt().wrap(), 32),
        (lambda a, b: const(-1).extend_s().popcnt().wrap(), 64),
        (lambda a, b: const(1 << 40, I64).clz().wrap(), 23),
        (lambda a, b: a.extend_u().rem_u(5).wrap(), 2),
        (lambda a, b: select(a, b, a.lt_s(b)) * 100 + lesser(a, b), 202),
        (lambda a, b: without_lowest(a), 16),
        (lambda a, b: mem32(64) ^ mem32(0, 64), 0),
        (lambda a, b: mem64(64).wrap(), 0x04030201),
        (lambda a, b: mem64(b, 62, Op.I64_LOAD32_U).popcnt().wrap(), 5),
        (lambda a, b: byte(b, 64), 3),
    ],
)
def test_terms(of: Callable[[Term, Term], Term], expected: int) -> None:
    assert run(lambda body, a, b: body.push(of(a, b)), 17, 2) == expected


def test_operands_come_before_what_is_done_with_them_in_their_order() -> None:
    """Nothing is simplified, no order changed: these are the bytes of the instructions, one by one."""
    one, other = Local(0), Local(1)

    get, add, greater = Op.LOCAL_GET, Op.I32_ADD, Op.I32_GT_S
    by_hand = (get, 0, get, 1, Op.I32_CONST, 0, add, greater, get, 1, get, 0, Op.I32_SUB, Op.I32_AND)
    assert written(lambda body: body.push(one.gt_s(other + 0) & other - one)) == written(
        lambda body: body.write(bytes(by_hand), 6)
    )


def test_constants_have_the_type_of_the_operand_beside_them() -> None:
    assert run(lambda body, a: body.push(((1 << a) + (1 << 40)).popcnt().wrap()), 3, params=(I64,)) == 2


def test_terms_have_no_truth_while_code_is_written() -> None:
    with pytest.raises(TypeError, match="when"):
        bool(Local(0).eq(1))


def test_variables_are_locals_globals_and_memory() -> None:
    module = Module()
    total = module.add_global(I64, 5)
    with module.writing(module.declare((I32,), (I32,), "f")) as (body, [a]):
        twice, wide = body.locals(I32, I64)
        body.set(twice, a * 2)
        body.set(wide, total + twice.extend_u())
        body.set(total, wide * 2)
        body.set(mem32(a, 200), 7)
        body.set(mem64(0, 300, Op.I64_LOAD32_U), -1)
        body.set(mem64(308), total)
        body.push(mem32(3, 200) + mem64(308).wrap() + mem64(0, 300).popcnt().wrap())
    assert called(module, 3) == 7 + 22 + 32


def test_a_value_can_be_kept_where_it_is_used() -> None:
    def write(body: FunctionBody, a: Local) -> None:
        kept = body.local()
        body.push(kept.tee(a + 1) * kept)

    assert run(write, 4) == 25


@pytest.mark.parametrize(("given", "expected"), [(0, 30), (1, 10), (5, 20)])
def test_cases(given: int, expected: int) -> None:
    def write(body: FunctionBody, a: Local) -> None:
        with body.when(a):
            with body.when(a.eq(1)):
                body.give(10)
            with body.otherwise():
                body.set(a, 20)
        with body.otherwise():
            body.set(a, 30)
        body.push(a)

    assert run(write, given) == expected


def test_the_other_case_stands_behind_the_first() -> None:
    body = FunctionBody(())
    with body.when(const(1)):
        pass
    body.push(1)
    with pytest.raises(AssertionError, match="between an if and its else"), body.otherwise():
        pass


@pytest.mark.parametrize(("most", "expected"), [(0, 0), (4, 6), (9, 15)])
def test_loops(most: int, expected: int) -> None:
    """Numbers below a limit are added until a sum is reached; each pass takes one step."""

    def write(body: FunctionBody, limit: Local) -> None:
        at, total = body.locals(I32, I32)
        with body.until(at.ge_s(limit), (at, 1)) as out:
            body.set(total, total + at)
            body.branch_if(out, total.ge_s(15))
        body.push(total)

    assert run(write, most) == expected


def test_branches() -> None:
    def write(body: FunctionBody, a: Local) -> None:
        with body.block() as out:
            with body.loop() as again:
                with body.block() as one, body.block() as two:
                    body.branch_table(a, [out, one], two)
                body.set(a, a - 1)
                body.branch_if(again, a.ne(1))
            body.give(100)
        body.push(a)

    assert (run(write, 0), run(write, 7)) == (0, 100)


@pytest.mark.parametrize("given", [0, 1])
def test_traps(given: int) -> None:
    def write(body: FunctionBody, a: Local) -> None:
        body.trap_if(a)
        body.push(3)

    if given:
        with pytest.raises(wasmtime.Trap):
            run(write, given)
    else:
        assert run(write, given) == 3


def test_bytes_are_copied_and_set() -> None:
    def write(body: FunctionBody) -> None:
        body.fill(128, 1, 8)
        body.copy(130, 64, 2)
        body.push(mem64(128))

    assert run(write, gives=I64) == 0x0101_0101_0201_0101


class Helpers:
    """Functions that are written when they are asked for."""

    def __init__(self) -> None:
        self.module, self.asked = Module(), list[str]()

    @function("tests", I32, gives=I32)
    def factorial(self, body: FunctionBody, n: Local) -> None:
        """The product of all numbers up to one."""
        self.asked.append("factorial")
        with body.when(n.eqz()):
            body.give(1)
        body.push(n * IndirectCall(const(0), self.module.type_number((I32,), (I32,)), I32, n - 1))

    @function("tests", I32)
    def keep(self, body: FunctionBody, n: Local) -> None:
        """Keep a number."""
        self.asked.append("keep")
        body.set(mem32(0, 400), n)

    @function("tests")
    def unasked(self, body: FunctionBody) -> None:
        """Nothing that anybody calls."""
        raise AssertionError


def test_functions_are_written_when_they_are_asked_for() -> None:
    helpers = Helpers()
    with helpers.module.writing(helpers.module.declare((I32,), (I32,), "f")) as (body, [n]):
        assert helpers.asked == []
        body.call(helpers.keep, call(helpers.factorial, n))
        body.drop(call(helpers.factorial, 2))
        body.push(Emitted(I32, lambda: mem32(0, 400)) + 1)
    helpers.module.add_to_table(helpers.factorial)
    assert helpers.asked == ["keep", "factorial"]
    assert called(helpers.module, 5) == 121


def test_instructions_can_be_inserted_before_others() -> None:
    def write(body: FunctionBody, a: Local) -> None:
        body.set(a, a + 1)
        begin = body.mark()
        body.set(a, a * 10)
        body.insert(begin, lambda: body.set(a, a + 5))
        body.insert(begin, lambda: body.set(a, a - 1))
        body.push(a)

    assert run(write, 1) == 60


def test_what_is_inserted_may_insert_something_earlier() -> None:
    """Places behind are moved once: instructions were written into others, and the module was refused."""

    def write(body: FunctionBody, a: Local) -> None:
        outer = body.mark()
        body.set(a, a + 1)
        inner = body.mark()
        body.set(a, a * 2)
        innermost = body.mark()
        body.set(a, a + 1000)

        def write_inner() -> None:
            body.set(a, a * 3)
            body.insert(outer, lambda: body.set(a, a + 4))
            body.mark()
            body.set(a, a + 7)

        body.insert(inner, write_inner)
        body.insert(innermost, lambda: body.set(a, a + 100))
        body.push(a)

    assert run(write, 1) == ((1 + 4 + 1) * 3 + 7) * 2 + 100 + 1000
