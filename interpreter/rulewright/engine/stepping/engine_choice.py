"""The stepper or batch of the backend that plays a program."""

from __future__ import annotations

from rulewright.engine.native.observation_plan import Observed
from rulewright.engine.native.passes import ALL, Passes
from rulewright.engine.native.tiering import WARM, EngineName, backend_for
from rulewright.engine.runtime.machine import Engine, engine_of
from rulewright.engine.stepping.batch import Batch, Episodes, PythonBatch
from rulewright.engine.stepping.python_stepper import PythonStepper
from rulewright.engine.stepping.stepper import Stepper
from rulewright.host.budgets import scope
from rulewright.ir.model import Program


def stepper_of(program: Program, wanted: EngineName, passes: Passes = ALL, rated: tuple[str, ...] = ()) -> Stepper:
    """A stepper that has no game yet, and knows the queries that are `rated`. Native steps are not counted together, so
    under a total Python plays."""
    backend = None if scope().pools else backend_for(program, wanted, WARM, False, passes, rated)
    if backend is None:
        return PythonStepper(engine_of(program, passes))
    from rulewright.engine.native.instance import NoRoom
    from rulewright.engine.stepping.native_stepper import NativeStepper  # takes a while, as the backend does

    try:
        return NativeStepper(engine_of(program, passes), backend)
    except NoRoom:
        if wanted == "native":
            raise
        return PythonStepper(engine_of(program, passes))


def batch_of(program: Program, wanted: EngineName, count: int, passes: Passes = ALL) -> Batch:
    """So many games that have not begun."""
    backend = backend_for(program, wanted, WARM, passes=passes)
    if backend is None:
        return PythonBatch(engine_of(program, passes), count)
    from rulewright.engine.native.instance import NoRoom
    from rulewright.engine.stepping.native_batch import NativeBatch

    try:
        return NativeBatch(engine_of(program, passes), count, backend)
    except NoRoom:
        if wanted == "native":
            raise
        return PythonBatch(engine_of(program, passes), count)


def native_episodes(
    engine: Engine, wanted: EngineName, count: int, plan: Observed, passes: Passes = ALL
) -> Episodes | None:
    """So many games by machine code, which writes observations as planned; None if there is none for them."""
    backend = backend_for(engine.program, wanted, max(count, WARM), passes=passes, observed=plan)
    if backend is None:
        return None
    from rulewright.engine.native.instance import NoRoom
    from rulewright.engine.stepping.native_batch import NativeEpisodes

    try:
        return NativeEpisodes(engine, count, backend, plan)
    except NoRoom:
        if wanted == "native":
            raise
        return None
