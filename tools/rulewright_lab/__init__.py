"""Rulewright's laboratory: experiments, tournaments and learning with games of :mod:`rulewright`.

    import rulewright as rw
    import rulewright_lab as lab

    arms = lab.experiments.read_arms(("tic-tac-toe", "connect-four"))

Its modules are ``experiments``, ``learning`` and ``tournaments``, and in ``adapters`` rulesets as games of other
libraries. Each is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.foundation.lazy import lazy_exports

if TYPE_CHECKING:
    from rulewright_lab import experiments as experiments
    from rulewright_lab import learning as learning
    from rulewright_lab import tournaments as tournaments

    __all__: list[str]

_EXPORTS: dict[str, tuple[str, ...]] = {}
"""The names that each module defines."""

_MODULES = {"rulewright_lab": ("experiments", "learning", "tournaments")}
"""The modules that are names of this one, by the package in which they stand."""

if not TYPE_CHECKING:  # mypy would take any name for one that is here
    __getattr__, __dir__, __all__ = lazy_exports(__name__, _EXPORTS, _MODULES)
