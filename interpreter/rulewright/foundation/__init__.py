"""Ground floor, which imports nothing of the rest: paths, limits, versions, small classes, memory of facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.foundation import lazy

if TYPE_CHECKING:
    from rulewright.foundation.lazy import lazy_exports as lazy_exports
    from rulewright.foundation.lazy_dataclass import dataclass as dataclass
    from rulewright.foundation.notebook_html import facts as facts
    from rulewright.foundation.notebook_html import table as table
    from rulewright.foundation.versions import __version__ as __version__

    __all__: list[str]
else:
    __getattr__, __dir__, __all__ = lazy.lazy_exports(__name__)
