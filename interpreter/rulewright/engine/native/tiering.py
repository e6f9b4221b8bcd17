"""Choice of a backend: a program is compiled once it is played often (tiered compilation, as in JITs).

Nothing here imports the compiler before a program is compiled.
"""

from __future__ import annotations

from dataclasses import field
from threading import Lock, RLock
from typing import TYPE_CHECKING, Literal

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine.native.observation_plan import Covered, Measured, Observed
from rulewright.engine.native.passes import ALL, Passes
from rulewright.engine.native.values import Unsupported
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.api_arguments import printable
from rulewright.ir.model import Program

if TYPE_CHECKING:
    from rulewright.engine.native.backend import Backend

KEPT = 16
"""Programs whose machine code is kept."""
EngineName = Literal["auto", "native", "python"]
"""The backend that is wanted; with ``auto`` the native one plays what it can, once a game is played often."""

WARM = 8
"""A program is compiled when it is played for this time: that takes longer than a few games."""
LOOKED_AHEAD = WARM // 2
"""A game in which seats look ahead counts for so many."""


def native_engine() -> str:
    """The name and version of what makes and runs machine code here; RulesetError if nothing does."""
    from rulewright.engine.native.instance import runner, try_out

    try:
        name = runner().name  # the library in its wheel may be one for another system
    except (ImportError, OSError, RuntimeError) as problem:
        message = f"wasmtime cannot be used here: {printable(str(problem))}"
        hint = "pip install wasmtime; until then the Python engine plays"
        raise RulesetError(Diagnostic("RUN018", message, hint=hint)) from None
    try_out()
    return name


@dataclass(slots=True)
class _Tier:
    """Count of the games of a program, and its backend."""

    program: Program
    check: bool
    played: int = 0
    backend: Backend | None = None
    refused: RulesetError | None = None
    """The reason why there is no backend."""

    making: RLock = field(default_factory=RLock)
    """Held by the thread that compiles it; others wait for its code."""


_tiers: dict[tuple[int, bool, Passes, tuple[str, ...], Measured | None, Observed | None, Covered | None], _Tier] = {}
_looking = Lock()


def backend_for(
    program: Program,
    wanted: EngineName,
    games: int = 1,
    check: bool = False,
    passes: Passes = ALL,
    rated: tuple[str, ...] = (),
    measured: Measured | None = None,
    observed: Observed | None = None,
    covered: Covered | None = None,
) -> Backend | None:
    """The backend for some more playouts of a program, with `check` one that asks invariants and properties, with
    queries that are `rated` one that knows policies with them, with some that are `measured` one that measures games,
    with a plan of what is `observed` one that observes them, with a plan of
    what is `covered` one that explores; None: the Python backend plays.

    RulesetError if the native one is wanted, and cannot play it.
    """
    if wanted == "python":
        return None
    check = check and any(covered is not None or assertion.word != "witness" for assertion in program.assertions)
    key = id(program), check, passes, rated, measured, observed, covered
    with _looking:
        tier = _tiers.get(key)
        if tier is None or tier.program is not program:
            if len(_tiers) >= KEPT:
                del _tiers[next(iter(_tiers))]
            tier = _tiers[key] = _Tier(program, check)
        tier.played += games
    if wanted == "native" or tier.played >= WARM:
        with tier.making:
            if tier.backend is None and tier.refused is None:
                _make(tier, passes, rated, measured, observed, covered)
    if tier.refused is not None and wanted == "native":
        raise tier.refused
    return tier.backend


def _make(
    tier: _Tier,
    passes: Passes,
    rated: tuple[str, ...],
    measured: Measured | None,
    observed: Observed | None,
    covered: Covered | None,
) -> None:
    """Make the backend of a program, or note why there can be none."""
    from rulewright.engine.native.backend import Backend  # takes a while, and most commands play no games

    program = tier.program
    try:
        native_engine()
        tier.backend = Backend(program, tier.check, passes, rated, False, measured, observed, covered)
    except Unsupported as problem:
        message = f"{program.title} cannot be played by the native engine, which does not compile {problem} yet"
        hint = "the engine `auto` plays it with Python"
        tier.refused = RulesetError(Diagnostic("RUN018", message, hint=hint))
    except RulesetError as problem:
        tier.refused = problem
    except Exception as problem:  # a mistake of this compiler: it does not concern who just wants to play
        message = f"{program.title} cannot be played by the native engine, as an error inside Rulewright shows"
        hint = f"{type(problem).__name__}: {printable(str(problem))}; the engine `auto` plays it with Python"
        tier.refused = RulesetError(Diagnostic("RUN018", message, hint=hint))
