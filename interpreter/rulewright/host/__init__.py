"""The machine outside: files, caches on disk, processes, budgets of steps and time, arguments of callers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.foundation.lazy import lazy_exports

if TYPE_CHECKING:
    from rulewright.host.api_arguments import duration as duration
    from rulewright.host.api_arguments import invalid_argument as invalid_argument
    from rulewright.host.api_arguments import seat as seat
    from rulewright.host.api_arguments import text as text
    from rulewright.host.api_arguments import whole as whole
    from rulewright.host.budgets import scope as scope
    from rulewright.host.disk_cache import digest as digest
    from rulewright.host.files import read_bytes as read_bytes
    from rulewright.host.files import read_text as read_text
    from rulewright.host.files import shown as shown
    from rulewright.host.files import write_text as write_text
    from rulewright.host.interrupts import defer_interrupts as defer_interrupts
    from rulewright.host.workers import Jobs as Jobs
    from rulewright.host.workers import OrderedMap as OrderedMap
    from rulewright.host.workers import worker_pool as worker_pool

    __all__: list[str]
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
