"""Kernels do the same in CPython and in machine code, and what their subset of Python lacks is refused at its place."""

from __future__ import annotations

import importlib.util
import struct
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from example_kernel import Outside, Shop

from rulewright.engine.native.translation.operands import Untranslatable
from rulewright.engine.native.translation.record_layout import Layouts, RecordView
from rulewright.engine.native.translation.translator import Translator
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import Module
from rulewright.engine.native.webassembly.terms import I32, Local, Term, const

WEIGHTS = (0.25, -1.5, 3.0, 1e9, 0.1)
SHOP, KNOWN, FREE = 64, 1 << 10, 1 << 12


class Inside:
    """The interface in CPython."""

    is_modern = True

    def doubled(self, number: int) -> int:
        return 2 * number

    def weights(self) -> tuple[float, ...]:
        return WEIGHTS


class Code:
    """The interface in machine code."""

    is_modern = True

    def doubled(self, body: FunctionBody, number: Term) -> Term:
        twice = body.hold(number)
        return twice + twice

    def weights(self, body: FunctionBody) -> Term:
        return const(KNOWN)


def translator(module: Module, layouts: Layouts) -> Translator:
    """A translator with memory that is only ever taken."""
    free = module.add_global(I32, FREE)

    def take(body: FunctionBody, size: Term) -> Local:
        at = body.hold(free)
        body.set(free, at + size + 7 & -8)
        return at

    return Translator(module, layouts, take, lambda content: KNOWN, {Shop: SHOP}, {Outside: Code()}, {})


def test_both_worlds() -> None:
    wasmtime: Any = pytest.importorskip("wasmtime")
    module, layouts = Module(), Layouts(frozenset({"old"}))
    kernels = translator(module, layouts)
    names = ("reset", "put", "search", "bit_sums", "dot")
    for name in names:
        kernels.function(getattr(Shop, name), name)
    kernels.write()
    module.add_data(KNOWN, struct.pack(f"<{len(WEIGHTS)}d", *WEIGHTS))
    store = wasmtime.Store(engine := wasmtime.Engine())
    instance = wasmtime.Instance(store, wasmtime.Module(engine, module.encoded(1 << 20)), [])
    exports = instance.exports(store)
    shop, random = Shop(Inside()), Random(1)
    for _ in range(10):
        shop.reset(9)
        exports["reset"](store, 9)
        for _ in range(random.randrange(1, 60)):
            given = random.randrange(30), random.uniform(-2, 9)
            assert exports["put"](store, *given) == shop.put(*given)
            wanted = random.randrange(60), random.uniform(0, 9)
            assert exports["search"](store, *wanted) == shop.search(*wanted)
        assert exports["bit_sums"](store, 50) % (1 << 64) == shop.bit_sums(50)
        assert exports["dot"](store, 5) == shop.dot(5)
        records = RecordView(layouts, lambda at, size: bytes(exports["memory"].read(store, at, at + size)))
        seen = records.record(Shop, SHOP)
        assert (seen.count, len(seen.items)) == (shop.count, len(shop.items))
        items = [records.record(type(shop.items[0]), at) for at in seen.items]
        assert [(one.number, one.key % (1 << 64)) for one in items] == [(one.number, one.key) for one in shop.items]


REFUSED = {
    "return [a]": "kernel.py:6: kernels have no such expression: `[a]`",
    "return a // 2": "kernel.py:6: there is no such operator: `a // 2`",
    "return b": "kernel.py:6: there is no such name: `b`",
    "return 1.5": "kernel.py:6: 1.5 is no whole number: `1.5`",
    "y = None\n    y = a": "kernel.py:6: a variable that begins with none needs an annotation: `y = None`",
    "try:\n        pass\n    finally:\n        pass": "kernel.py:6: kernels have no such statement",
    "for x in a:\n        pass": "loops go over ranges and vectors",
    "return len(a)": "kernel.py:6: only vectors have a length",
    "a.b = 3": "kernel.py:6: there is no `b`: `a.b`",
    "return other(a, a)": "kernel.py:6: `other` needs 1 argument, not 2",
}


@pytest.mark.parametrize("statement", REFUSED)
def test_what_is_refused(statement: str, tmp_path: Path) -> None:
    source = f"from __future__ import annotations\n\ndef f(a: int) -> int:\n    x = a\n    x += 1\n    {statement}\n"
    name, path = f"refused_{abs(hash(statement))}", tmp_path / "kernel.py"
    path.write_text(source + "\ndef other(a: int) -> int:\n    return f(a)\n")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    kernel = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kernel)
    kernels = translator(Module(), Layouts())
    kernels.function(kernel.f)
    with pytest.raises(Untranslatable) as error:
        kernels.write()
    assert REFUSED[statement] in str(error.value)
