"""Reaching definitions of slots, compared with forward data flow edge by edge."""

from __future__ import annotations

import pytest
from random_programs import hiding_program

from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import (
    EXIT,
    instructions_since,
    slots_stored,
    successors,
    suspension_points,
)
from rulewright.knowledge.secrets.hidden_values import CALLER, HiddenValues
from sampling import sample

Reaching = frozenset[tuple[int, int]]
"""Slots with the instructions that have stored what is in them."""


def edges(function: m.Function) -> list[tuple[int, int, frozenset[int], bool]]:
    """Each way from an instruction to another one, what is stored on it, and whether that is added to a list."""
    found = []
    for pc, i in enumerate(function.code):
        for number, to in enumerate(successors(i, pc)):
            if to != EXIT:
                found.append((pc, to, slots_stored(i) if not number else frozenset(), isinstance(i, m.Append)))
    return found


def forward(function: m.Function) -> list[Reaching]:
    """The reaching definitions before each instruction (Aho, Lam, Sethi, Ullman, Compilers, 9.2)."""
    before: list[Reaching] = [frozenset()] * (len(function.code) + 1)
    before[0] = frozenset((slot, CALLER) for slot in range(function.params))
    changed = True
    while changed:
        changed = False
        for at, to, stored, adds in edges(function):
            kept = before[at] if adds else frozenset(one for one in before[at] if one[0] not in stored)
            now = before[to] | kept | {(slot, at) for slot in stored}
            changed |= now != before[to]
            before[to] = now
    return before


@pytest.mark.parametrize("seed", range(sample(40, 2000)))
def test_reaching_definitions(seed: int) -> None:
    program = hiding_program(seed)
    values = HiddenValues(program)
    for function in program.functions:
        for pc, reaching in enumerate(forward(function)[:-1]):
            for slot in range(len(function.slots)):
                assert values.reaching(function.name, pc, slot) == {by for held, by in reaching if held == slot}


def since_by_matrix(function: m.Function, pc: int, rest: int, stored: bool) -> set[int]:
    """The same by transitive closure (S. Warshall, *A theorem on Boolean matrices*, Journal of the ACM 9(1), 1962)."""
    size, here = len(function.code), successors(function.code[pc], pc)
    after = [set(successors(i, at)) - {EXIT} for at, i in enumerate(function.code)]
    after[pc] = set(here[1:]) if stored else set()
    if rest != pc:
        after[rest] = set()
    else:
        after[pc] = set()
    leads = [{at, *to} for at, to in enumerate(after)]
    for middle in range(size):
        for one in leads:
            if middle in one:
                one |= leads[middle]
    begun = {at for first in (here[:1] if stored else here) if 0 <= first < size for at in leads[first]}
    return {at for at in begun if at != rest and rest in leads[at]}


@pytest.mark.parametrize("seed", range(sample(20, 500)))
def test_what_is_done_since(seed: int) -> None:
    for function in hiding_program(seed).functions:
        for pc, i in enumerate(function.code):
            for rest in suspension_points(function) if isinstance(i, m.Choose) else ():
                for stored in (True, False):
                    assert instructions_since(function, pc, rest, stored) == since_by_matrix(function, pc, rest, stored)
