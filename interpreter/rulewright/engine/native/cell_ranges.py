"""The parts of a state in memory that expressions read, so that only these need to be kept for a comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from rulewright.engine.native.memory_map import MemoryMap, cell_bytes
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import EffectAnalysis, asked_by, asks_location
from rulewright.ir.walk import nodes

Range = tuple[int, int]
"""An address, and so many bytes from it on."""

GAP = 64
"""Ranges that lie so near to each other are one."""


def earlier_ranges(memory: MemoryMap, program: m.Program, expressions: Iterable[m.Expr]) -> list[Range]:
    """The addresses of all cells, and of the sets kept beside them, that expressions read of an earlier state."""
    compared = [node.of for e in expressions for node in nodes(e) if isinstance(node, m.Old)]
    if not compared:
        return []
    effects = EffectAnalysis.of(program)
    tokens = {token for e in compared for token in effects.reads(e)}
    return ranges_of(memory, tokens, _only_occupants(memory, program, compared))


def _only_occupants(memory: MemoryMap, program: m.Program, expressions: Iterable[m.Expr]) -> frozenset[str]:
    """The zones of which expressions ask nothing but which piece lies there, so that their sets are not read."""
    bodies = {f"area {a.name}": a.across for a in program.areas} | {q.name: q.body for q in program.queries}
    sets, single, waiting = Counter[str](), Counter[str](), list(expressions)
    while waiting:
        for node in nodes(waiting.pop()):
            match node:
                case m.ZoneGet(zone) | m.ZoneList(zone) | m.Top(zone):
                    sets[zone] += 1
                case m.Single(m.ZoneGet(zone)):
                    single[zone] += 1
                case m.CallQuery() | m.Component() if (body := bodies.pop(asked_by(node), None)) is not None:
                    waiting.append(body)
                case m.After() | m.Fingerprint():
                    return frozenset()
                case _:
                    pass  # its parts are looked at by themselves
    return frozenset(zone for zone in memory.occupants if sets[zone] == single[zone])


def ranges_of(memory: MemoryMap, tokens: Collection[str], only_occupants: Collection[str] = ()) -> list[Range]:
    """The addresses of what some tokens name, and of all that has no name; of some zones without the sets."""
    layout = memory.layout
    behind = [place.at for place in layout.fields.values()] + [place.at for place in layout.zones.values()]
    behind += [layout.known] * (layout.known >= 0)
    found = [_range(memory, 0, min(behind, default=len(layout.widths)))]  # all that has no name, and is small
    for name, field in layout.fields.items():
        if f"field {name}" in tokens:
            found.append(_range(memory, field.at, field.span * field.count))
            if (sets := memory.value_sets.get(name)) is not None:
                found.append((memory.sets_at + sets.offset, sets.size))
    for name, zone in layout.zones.items():
        # where a piece lies in a stack or row is looked for there
        if f"zone {name}" in tokens or (zone.ordered and asks_location(tokens)):
            if name not in only_occupants:
                found.append(_range(memory, zone.at, zone.span * zone.count))
            if (occupants := memory.occupants.get(name)) is not None:
                found.append((memory.occupants_at + occupants.offset, occupants.size))
    return _joined(found)


def _range(memory: MemoryMap, first: int, count: int) -> Range:
    """The addresses of so many cells."""
    last = first + count - 1
    return memory.cell_at[first], memory.cell_at[last] + cell_bytes(memory.layout.widths[last]) - memory.cell_at[first]


def _joined(ranges: Iterable[Range]) -> list[Range]:
    """Ranges in order, those that are near to each other as one."""
    found: list[Range] = []
    for at, size in sorted(ranges):
        if found and at <= sum(found[-1]) + GAP:
            found[-1] = (found[-1][0], max(sum(found[-1]), at + size) - found[-1][0])
        else:
            found.append((at, size))
    return found
