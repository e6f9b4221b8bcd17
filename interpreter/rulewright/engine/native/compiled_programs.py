"""Programs as machine code: compiled, or read from the cache on disk, as compiling takes longer than many a run.

Wasmtime has a cache of its own (``Config.cache``). It is not used: it knows only the bytes of a module, so that
everything would be lowered each time before it is looked up; it has no place in our cache folder, and does not look who
could have written there.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import astuple
from functools import cache
from pathlib import Path
from typing import Any

from rulewright.engine.cells.layout import layout_of
from rulewright.engine.native.instance import compiled_module, runner
from rulewright.engine.native.lowering.coverage import CoveragePlan
from rulewright.engine.native.lowering.driver.exploration_functions import ExplorationMap
from rulewright.engine.native.lowering.driver.policy_functions import PolicyMap
from rulewright.engine.native.lowering.driver.tree_search.tree_map import TreeMap
from rulewright.engine.native.lowering.program_lowering import NativeProgram, lower
from rulewright.engine.native.memory_map import MemoryMap
from rulewright.engine.native.observation_plan import Covered, Measured, Observed, RowPlan
from rulewright.engine.native.passes import ALL, Passes
from rulewright.foundation.resources import no_collections
from rulewright.host import private_cache
from rulewright.host.disk_cache import cache_folder, digest
from rulewright.ir.assertion_queries import AssertionQueries
from rulewright.ir.hash_consing import structural_digest
from rulewright.ir.model import Program


@no_collections()
def compiled(
    program: Program,
    assertions: AssertionQueries | None = None,
    passes: Passes = ALL,
    rated: tuple[str, ...] = (),
    searches: bool = False,
    measured: Measured | None = None,
    observed: Observed | None = None,
    covered: Covered | None = None,
) -> tuple[NativeProgram, Any]:
    """A program and its module, the other arguments as with :func:`lower`; :class:`Unsupported` if it holds something
    that cannot be compiled."""
    variant = f"{assertions is not None} {','.join(sorted(passes))} {','.join(rated)} {searches} {measured} {observed}"
    variant += f" {covered}" if covered is not None else ""
    key = _key(program, variant) if cache_folder() is not None else ""
    kept = private_cache.read(key) if key else None
    if kept is not None:
        with suppress(ValueError, TypeError, KeyError):
            facts, _, code = kept.partition(b"\n")
            module = runner().restored(code)
            if module is not None:
                return _with_facts(program, json.loads(facts)), module
    native = lower(
        program,
        assertions=assertions,
        passes=passes,
        rated=rated,
        searches=searches,
        measured=measured,
        observed=observed,
        covered=covered,
    )
    module = compiled_module(native)
    if key:
        private_cache.keep(key, json.dumps(_facts(native)).encode() + b"\n" + runner().serialized(module))
    return native, module


def _facts(native: NativeProgram) -> dict[str, Any]:
    """The parts of a compiled program that do not follow from the layout of its memory, as JSON."""
    return {
        "end": native.memory.end,
        "rule_names": native.rule_names,
        "fired": native.fired,
        "games": native.games,
        "rows": native.rows,
        "questions": native.questions,
        "at": native.at,
        "floor": native.floor,
        "value_sets": list(native.memory.value_sets),
        "occupants": list(native.memory.occupants),
        "tree": astuple(native.tree) if native.tree is not None else None,
        "alpha_beta": native.alpha_beta,
        "policies": astuple(native.policies) if native.policies is not None else None,
        "most_games": native.most_games,
        "opening": native.opening,
        "plan": native.plan,
        "exploration": astuple(native.exploration) if native.exploration is not None else None,
    }


def _with_facts(program: Program, facts: dict[str, Any]) -> NativeProgram:
    memory = MemoryMap(layout_of(program), program, facts.pop("value_sets"), facts.pop("occupants"))
    memory.end = facts.pop("end")
    policies = PolicyMap(*places) if (places := facts.pop("policies")) is not None else None
    tree = TreeMap(*places) if (places := facts.pop("tree")) is not None else None
    plan = RowPlan(*places) if (places := facts.pop("plan")) is not None else None
    covered = facts.pop("exploration")
    exploration = ExplorationMap(CoveragePlan(*covered[0]), *covered[1:]) if covered is not None else None
    names, questions = tuple(facts.pop("rule_names")), tuple(tuple(one) for one in facts.pop("questions"))
    return NativeProgram(
        b"",
        memory,
        names,
        questions=questions,
        tree=tree,
        policies=policies,
        plan=plan,
        exploration=exploration,
        **facts,
    )


def _key(program: Program, variant: str) -> str:
    """The digest of all that machine code follows from."""
    return digest(runner().kind, _compiler(), variant, structural_digest(program))


_NUMBERS = ("engine/random_numbers", "engine/search_arithmetic", "engine/runtime/records", "host/budgets")
"""Modules besides with numbers and rules that stand in the code."""


@cache
def _compiler() -> str:
    """The hash of the modules that make WebAssembly of a program."""
    package = Path(__file__).parents[2]
    parts = ("engine/native", "engine/kernels", "engine/cells", "ir")
    own = [path for part in parts for path in sorted((package / part).rglob("*.py"))]
    own += [package / f"{module}.py" for module in _NUMBERS]
    return digest(*(path.read_bytes() for path in own))
