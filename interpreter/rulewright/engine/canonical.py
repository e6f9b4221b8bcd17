"""States as bytes: every cell and slot in its declared width, least byte first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from rulewright.engine.layout import SMALL
from rulewright.engine.machine import Engine


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of the stack."""

    function: int
    pc: int
    base: int


def frames(engine: Engine, stack: Sequence[int]) -> Iterator[Frame]:
    """The frames of a stack, the first one first."""
    at = 0
    while at < len(stack):
        yield Frame(stack[at], stack[at + 1], at + 3)
        at += 3 + engine.compiled.offsets[stack[at]][-1]


def _slot_widths(engine: Engine, function: int) -> list[int]:
    widths: list[int] = []
    for slot in engine.program.functions[function].slots:
        if slot.ty.kind == "list":
            widths += [16, *[-SMALL] * slot.ty.capacity]
        elif slot.ty.kind == "set":
            widths.append(engine.layout.set_bits(slot.ty))
        else:
            widths.append(-SMALL)
    return widths


def _encode(values: Sequence[int], widths: Sequence[int]) -> bytes:
    parts = []
    for value, width in zip(values, widths, strict=True):
        if width < 0:
            parts.append(value.to_bytes(4, "little", signed=True))
        else:
            parts.append(value.to_bytes((width + 7) // 8, "little"))
    return b"".join(parts)


def state_bytes(engine: Engine, cells: Sequence[int], stack: Sequence[int]) -> bytes:
    """The canonical bytes of a state."""
    parts = [_encode(cells, engine.layout.widths)]
    for frame in frames(engine, stack):
        widths = _slot_widths(engine, frame.function)
        parts.append(frame.function.to_bytes(2, "little") + frame.pc.to_bytes(2, "little"))
        parts.append(_encode(stack[frame.base : frame.base + len(widths)], widths))
    return b"".join(parts)


def digest(data: bytes) -> str:
    """128 bits of BLAKE2b, as hexadecimal digits."""
    return blake2b(data, digest_size=16).hexdigest()
