"""Results of analyses of knowledge on disk: in a large game nothing takes longer before it can begin.

They follow from the program and from the modules that find them, so they lie under a digest of both. A file that does
not fit the program is ignored, as one that is damaged or that others could have written (see
:mod:`rulewright.host.disk_cache`), and they are found anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from rulewright.host import disk_cache
from rulewright.ir.hash_consing import structural_digest
from rulewright.ir.model import Program
from rulewright.knowledge.answers.public_answers import Found, public_answers
from rulewright.knowledge.secrets.public_flow import PublicLines, public_lines
from rulewright.knowledge.secrets.unobserved_moves import Forgotten, unobserved_moves

LEAST = 2000
"""Of a program with fewer instructions they are found nearly as quickly as they are read."""
KEPT = 64
"""So many programs are kept, those found last."""

V = TypeVar("V")


def forgotten_places(program: Program) -> Forgotten:
    """The places where players forget something; see :func:`unobserved_moves`."""

    def read_or_found(find: Callable[[], Forgotten]) -> Forgotten:
        kept = _read(program, "forgotten", 2, lambda value: _names(program, value))
        if kept is not None:
            return Forgotten(*kept)
        found = find()
        _keep(program, "forgotten", (found.places, found.shuffled), sorted)
        return found

    return unobserved_moves(program, read_or_found if _is_kept(program) else None)


def lines_of_all(program: Program) -> PublicLines:
    """The lines that everybody may hear; see :func:`public_lines`. Which answers all know is kept: it takes longest."""

    def read_or_found(find: Callable[[], PublicLines]) -> PublicLines:
        answers = public_answers(program)
        kept = _read(program, "heard", 3, _truth)
        if kept is not None:
            answers.take(Found(*kept))
        lines = find()
        if kept is None:
            known = answers.found
            _keep(program, "heard", (known.which, known.whether, known.in_sight), bool)
        return lines

    return public_lines(program, read_or_found if _is_kept(program) else None)


def _is_kept(program: Program) -> bool:
    return sum(len(f.code) for f in program.functions) >= LEAST and disk_cache.cache_folder() is not None


def _key(program: Program) -> str:
    return disk_cache.digest(_analyses(), structural_digest(program))


@cache
def _analyses() -> str:
    """The hash of the modules that find them."""
    package = Path(__file__).parents[1]
    own = [path for part in ("foundation", "ir", "knowledge") for path in sorted((package / part).rglob("*.py"))]
    return disk_cache.digest(*(path.read_bytes() for path in own))


Places = Mapping[tuple[str, int], V]
"""Findings about instructions, by function and number."""


def _keep(program: Program, kind: str, found: tuple[Places[V], ...], encode: Callable[[V], Any]) -> None:
    parts = [[[function, pc, encode(value)] for (function, pc), value in part.items()] for part in found]
    disk_cache.keep(kind, _key(program), parts, KEPT)


def _read(
    program: Program, kind: str, count: int, value_of: Callable[[Any], V]
) -> list[dict[tuple[str, int], V]] | None:
    """Read what is kept, so many parts, if it speaks of the program and of nothing else."""
    kept = disk_cache.read(kind, _key(program))
    sizes = {f.name: len(f.code) for f in program.functions}
    with suppress(TypeError, ValueError, KeyError):
        found: list[dict[tuple[str, int], V]] = []
        for part in kept or ():
            found.append({})
            for function, pc, value in part:
                if not 0 <= pc < sizes[function]:
                    return None
                found[-1][function, pc] = value_of(value)
        return found if len(found) == count else None
    return None


def _names(program: Program, value: Any) -> frozenset[str]:
    """Names of zones; ValueError if there are others."""
    found = frozenset(map(str, value))
    if not found <= {zone.name for zone in program.zones}:
        raise ValueError
    return found


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value
